"""What a query holds that words can name: values, columns and tables, and which column can stand in another one's place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from oldhand.agent.analyst.precedents.gist import GistSlot
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.query.form import (
    Aggregate,
    ColumnRef,
    Comparison,
    Count,
    Node,
    Query,
    Relation,
    Scalar,
    Value,
)
from oldhand.query.opaque import Opaque
from oldhand.query.parts import parts
from oldhand.query.walk import walk
from oldhand.record.schema import Kind
from oldhand.sources.databases.value_files import normal

_WORDS = frozenset({Kind.TEXT, Kind.OTHER})
_KEPT = 4096


@dataclass(frozen=True, slots=True)
class Held:
    """A value in a query."""

    value: Scalar
    column: ColumnRef | None = None
    """The column that it is compared with; None for other values, such as how many rows are wanted."""
    is_limit: bool = False


def holds(value: Scalar, slot: GistSlot) -> bool:
    """True when a value of a query is what the words of a slot say."""
    return spoken(value) in slot.texts


def spoken(value: Scalar) -> str:
    """A value as words would say it, in normal form.

    >>> spoken("%Rome%"), spoken(5.0)
    ('rome', '5')
    """
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return normal(text.strip("%"))


@lru_cache(maxsize=_KEPT)
def values_of(query: Query | Opaque) -> tuple[Held, ...]:
    """The values of a query and of those inside of it."""
    return tuple(_values(query)) if isinstance(query, Query) else ()


def _values(query: Query) -> Iterator[Held]:
    for part in parts(query):
        if part.kind in ("limit", "offset") and isinstance(part.node, int):
            yield Held(part.node, is_limit=True)
    for node in _nodes(query):
        if isinstance(node, Comparison):
            column = node.left if isinstance(node.left, ColumnRef) else None
            yield from (Held(value, column) for value in node.values)
        elif isinstance(node, Value) and node.value is not None:
            yield Held(node.value)


def _nodes(query: Query) -> Iterator[Node]:
    """All that is said in a query and in those inside of it, save for what only ties its tables."""
    for part in parts(query):
        if part.kind not in ("relation", "join") and not isinstance(part.node, int):
            yield from walk(part.node)


def number_of(column: ColumnRef, words: Vocabulary) -> int | None:
    """The number of a column in the vocabulary; None for what a query computes."""
    of = column.of
    return words.column_ids.get((of.database, of.schema, of.table, column.name))


def columns_in(query: Query) -> tuple[ColumnRef, ...]:
    """The columns that a query reads, those left out that only join tables."""
    return tuple(dict.fromkeys(one for one in _nodes(query) if isinstance(one, ColumnRef)))


@lru_cache(maxsize=_KEPT)
def column_numbers(query: Query | Opaque, words: Vocabulary) -> frozenset[int]:
    """The numbers of the columns that a query reads, those left out that only join tables."""
    columns = columns_in(query) if isinstance(query, Query) else ()
    numbers = (number_of(column, words) for column in columns)
    return frozenset(number for number in numbers if number is not None)


@lru_cache(maxsize=_KEPT)
def table_numbers(query: Query | Opaque, words: Vocabulary) -> frozenset[int]:
    """The numbers of the tables that a query reads."""
    if not isinstance(query, Query):
        return frozenset()
    read = {one.node for one in parts(query) if isinstance(one.node, Relation)}
    paths = {(one.database, one.schema, one.table) for one in read}
    found = {t.id for t in words.tables if not t.role and _path(t.id, words) in paths}
    return frozenset(found | {words.columns[n].table for n in column_numbers(query, words)})


def _path(table: int, words: Vocabulary) -> tuple[str, str, str]:
    entry = words.tables[table]
    return entry.database, entry.table.schema_name, entry.table.name


def stand_in(
    column: ColumnRef, targets: Sequence[int], query: Query, words: Vocabulary
) -> tuple[ColumnRef, int] | None:
    """The first of `targets` that can stand where a column stands, with its number; None when none of them can.

    It must hold the same kind of values, and lie in a table that is read beside the column's.
    """
    number = number_of(column, words)
    if number is None:
        return None
    own = words.columns[number]
    for target in sorted(targets, key=lambda one: words.columns[one].table != own.table):
        entry = words.columns[target]
        alike = (own.column.kind in _WORDS) == (entry.column.kind in _WORDS)
        if not alike and _is_compared(column, query):
            continue
        for relation in _beside(column.of, query):
            path = (relation.database, relation.schema, relation.table)
            if path == _path(entry.table, words):
                return ColumnRef(relation, entry.column.name), target
    return None


def _beside(relation: Relation, query: Query) -> Iterator[Relation]:
    """A relation and those that are read by the same queries."""
    yield relation
    several = [part for part in parts(query) if part.kind == "relation"]
    for one in several:
        if one.node == relation:
            same = (other.node for other in several if other.holder == one.holder)
            yield from (other for other in same if isinstance(other, Relation))


def _is_compared(column: ColumnRef, query: Query) -> bool:
    return any(
        (isinstance(node, Comparison) and column in (node.left, node.right))
        or (isinstance(node, Aggregate | Count) and node.of == column)
        for node in _nodes(query)
    )
