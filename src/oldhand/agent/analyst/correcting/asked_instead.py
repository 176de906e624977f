"""Corrections that are put as a question of their own: `how many orders were paid?`."""

import re
from datetime import date

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.covering.told import names_things
from oldhand.agent.analyst.deciding import DecisionKind, decide
from oldhand.agent.analyst.understanding import understand
from oldhand.query.form import Query
from oldhand.query.normal import same
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.values import Values

MEANT = re.compile(r"^(?:no, )?(?:i (?:meant|wanted|asked for)|it should (?:be|have been)|the question was:?) ", re.IGNORECASE)  # fmt: skip
"""Before what was meant."""
_ASKING = re.compile(r"^(?:how|what|which|who|where|when|list|show|count|(?:the )?(?:\w+ ){1,3}(?:of|for each)) ", re.IGNORECASE)  # fmt: skip


def asked_instead(
    words: str,
    scene: Scene | None,
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
    today: date,
) -> tuple[Query, ...]:
    """What words mean as a question of their own, where they are one.

    Args:
        words: what somebody said of an answer.
        scene: the query of that answer, where it has one.
        schemas: the databases that the words may be about.
        values: what these hold.
        today: when the question was asked.
    """
    plain = MEANT.sub("", words)
    if plain == words and not _ASKING.match(words):
        return ()
    found = understand(plain, schemas, values, today=today)
    query = found.candidates[0].query if found.candidates else None
    if not isinstance(query, Query) or decide(found, schemas).kind is not DecisionKind.ANSWER:
        return ()
    known = scene is not None and same(query, scene.query)
    return () if known or not names_things(plain, query) else (query,)
