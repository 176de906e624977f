"""Where one table refers to another by several keys, the words of a question tell which one is meant."""

from collections.abc import Iterator
from dataclasses import replace

from oldhand.agent.analyst.precedents.gist import QuestionGist
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.query.form import ColumnRef, Join, Query, Relation
from oldhand.query.opaque import Opaque
from oldhand.query.walk import walk


def by_other_key(
    query: Query | Opaque, new: QuestionGist, old: QuestionGist, words: Vocabulary
) -> bool:
    """Whether a query goes by one of several keys, and another question does not say the same of which one.

    `Sailings that arrive at Kiel` go by the town at the one end, `sailings that depart from Kiel` by that at the other.
    """
    said_alike = new.ends == old.ends if new.ends or old.ends else _telling(new) == _telling(old)
    if isinstance(query, Opaque) or said_alike:
        return False
    rivals = words.roles_by_key
    return bool(rivals) and any(one in rivals for one in _read(query))


def _telling(gist: QuestionGist) -> frozenset[str]:
    """The words of a question that name no table: verbs, prepositions and columns."""
    said = {
        word.stem for word in gist.words if word.weight >= 1.0 and not (word.tables or word.cue)
    }
    return frozenset(said | {role for role in ("from", "to") if role in gist.signs.objects})


def _read(query: Query) -> Iterator[tuple[Relation, str]]:
    """All columns that a query reads or joins by, whatever the roles of their tables."""
    for part in walk(query, inner=True):
        if isinstance(part, ColumnRef):
            yield replace(part.of, role=""), part.name
        elif isinstance(part, Join):
            for left, right in part.keys:
                yield replace(part.left, role=""), left
                yield replace(part.right, role=""), right
