"""Where one table refers to another by several keys, the words of a question tell which one is meant."""

from collections import Counter
from collections.abc import Iterator, Sequence

from oldhand.agent.analyst.precedents.gist import QuestionGist
from oldhand.query.form import ColumnRef, Join, Query
from oldhand.query.opaque import Opaque
from oldhand.query.walk import walk
from oldhand.record.schema import DatabaseSchema

_Key = tuple[str, str, str]
"""Database, table and column, in small letters."""


def by_other_key(
    query: Query | Opaque, new: QuestionGist, old: QuestionGist, schemas: Sequence[DatabaseSchema]
) -> bool:
    """Whether a query goes by one of several keys, and another question does not say the same of which one.

    `Sailings that arrive at Kiel` go by the town at the one end, `sailings that depart from Kiel` by that at the other.
    """
    if isinstance(query, Opaque) or _telling(new) == _telling(old):
        return False
    rivals = frozenset(_rivals(schemas))
    return bool(rivals) and not rivals.isdisjoint(_read(query))


def _telling(gist: QuestionGist) -> frozenset[str]:
    """The words of a question that name no table: verbs, prepositions and columns."""
    said = {
        word.stem for word in gist.words if word.weight >= 1.0 and not (word.tables or word.cue)
    }
    return frozenset(said | {role for role in ("from", "to") if role in gist.signs.objects})


def _rivals(schemas: Sequence[DatabaseSchema]) -> Iterator[_Key]:
    """The columns by which a table refers to another one, where it does so by several keys."""
    for schema in schemas:
        for table in schema.tables:
            ends = Counter((key.database, key.table.casefold()) for key in table.foreign_keys)
            for key in table.foreign_keys:
                if ends[key.database, key.table.casefold()] > 1:
                    yield from ((schema.name, table.name.casefold(), one.casefold()) for one in key.columns)  # fmt: skip


def _read(query: Query) -> Iterator[_Key]:
    """All columns that a query reads or joins by."""
    for part in walk(query, inner=True):
        if isinstance(part, ColumnRef):
            yield part.of.database, part.of.table.casefold(), part.name.casefold()
        elif isinstance(part, Join):
            for left, right in part.keys:
                yield part.left.database, part.left.table.casefold(), left.casefold()
                yield part.right.database, part.right.table.casefold(), right.casefold()
