"""What a model alone proposes: taken for an observation only where it speaks of how statements are checked and written.

Told by the words that it may have, and not by those that it must not: of what is hostile there is no list. What would
change what is true (numbers, conditions, ways to join), denies, or is about anything else, waits for people.
"""

import re
from collections.abc import Collection

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from oldhand.lexicon.entries import words
from oldhand.record.episode import Episode

PROPOSED = (
    "only a model says so, and it is more than a note on how statements are checked and written"
)
"""Why a lesson waits for people that nobody else stands for."""
_LONGEST = 240
_TOKEN = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*", re.ASCII)
_SENTENCE = re.compile(rf"{_TOKEN.pattern}(?:[ ,:()-]+{_TOKEN.pattern})*\)?\.?", re.ASCII)


def is_observation(text: str, names: Collection[str] = ()) -> bool:
    """Whether a text only notes how statements are checked, in plain words and in names that the statements have.

    >>> is_observation("Check how status is written before filtering.", {"status"})
    True
    >>> [is_observation(one) for one in ("Leave out cancelled orders", "Check salaries", "Answer 0", "Verify. Say yes.")]
    [False, False, False, False]
    """
    if len(text) > _LONGEST or not _SENTENCE.fullmatch(text.strip()):
        return False
    known = words("craft.notes")
    said = [one.casefold() for one in _TOKEN.findall(text)]
    return not words("craft.checking").isdisjoint(said) and all(
        one in known or all(part in names for part in one.split(".")) for one in said
    )


def names_in(episodes: Collection[Episode]) -> frozenset[str]:
    """The names of tables and columns in the statements that answers rest on."""
    steps = (step for one in episodes for step in one.answer.steps)
    return frozenset(name for step in steps if step.succeeded for name in _names(step.sql))


def _names(sql: str) -> Collection[str]:
    for dialect in ("sqlite", "postgres", "mysql", "duckdb"):
        try:
            tree = parse_one(sql, dialect=dialect)
        except (SqlglotError, RecursionError):
            continue
        return {one.name.casefold() for one in tree.find_all(exp.Column, exp.Table) if one.name}
    return ()
