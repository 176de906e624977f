"""Primary keys that no schema declares."""

from collections.abc import Callable, Iterator
from itertools import combinations

from oldhand.lexicon.tokens import word_stems
from oldhand.record.schema import Column, DatabaseSchema, KeyEvidence, Kind, Table
from oldhand.sources.databases.keys.names import NamedTable, is_key_like, named_tables

KEY_KINDS = frozenset({Kind.INTEGER, Kind.TEXT, Kind.NUMBER, Kind.OTHER})
"""Kinds of columns that may be keys."""
_NAMES = word_stems("names.titles")
_ENOUGH = 2.5
_LONGEST_KEY = 4
_MANY_ROWS = 20
"""From so many rows on it says something that a column's values are all different."""

Distinct = Callable[[NamedTable, tuple[str, ...]], bool]
"""Whether no two rows of a table agree in these columns."""


def with_primary_keys(schema: DatabaseSchema, distinct: Distinct) -> DatabaseSchema:
    """The schema with a primary key for each table that declares none and has one."""
    changed = tuple(_with_key(named, distinct) for named in named_tables((schema,)))
    return schema.model_copy(update={"tables": changed})


def _with_key(named: NamedTable, distinct: Distinct) -> Table:
    table = named.table
    if table.primary_key:
        return table
    found = _single(named) or next(_several(named, distinct), None)
    if found is None:
        return table
    columns, confidence = found
    rows = table.columns[0].profile.rows if table.columns[0].profile else 0
    apart = f"different in each of {rows:,} rows" if rows else "by its name; there are no rows"
    evidence = KeyEvidence(because=apart, confidence=confidence)
    keyed = tuple(
        column.model_copy(
            update={
                "primary_key": column.name in columns,
                "unique": column.unique or columns == (column.name,),
            }
        )
        for column in table.columns
    )
    return table.model_copy(update={"columns": keyed, "key_evidence": evidence})


def _single(named: NamedTable) -> tuple[tuple[str, ...], float] | None:
    scored = [
        (_score(named, column, place), -place, column.name)
        for place, column in enumerate(named.table.columns)
    ]
    best = max(scored, default=(0.0, 0, ""))
    return ((best[2],), min(0.99, 0.6 + 0.06 * best[0])) if best[0] >= _ENOUGH else None


def _score(named: NamedTable, column: Column, place: int) -> float:
    """How much speaks for a column as the key of its table."""
    profile = column.profile
    if column.kind not in KEY_KINDS or (profile and profile.rows and not profile.tells_apart):
        return 0.0
    words = named.of(column)
    is_first = place == 0 and column.kind is not Kind.NUMBER
    score = 3.0 * named.owns(column) + 1.5 * is_key_like(words) + 1.5 * is_first
    score += 0.5 * (column.kind is Kind.INTEGER) - 1.5 * (words[-1] in _NAMES and not is_first)
    many = profile is not None and profile.rows >= _MANY_ROWS
    natural = is_first and profile is not None and profile.rows > 1
    return score + 0.5 * many + natural


def _several(named: NamedTable, distinct: Distinct) -> Iterator[tuple[tuple[str, ...], float]]:
    """Columns that together tell the rows of a table apart: those that begin it, and look like keys."""
    table = named.table
    if not table.columns or not (table.columns[0].profile and table.columns[0].profile.rows):
        return
    usable = [
        column
        for column in table.columns
        if column.kind is not Kind.NUMBER and not (column.profile and column.profile.missing)
    ]
    leading = [column.name for column in usable[:_LONGEST_KEY]]
    keys = [column.name for column in usable if is_key_like(named.of(column))][:_LONGEST_KEY]
    prefixes = [tuple(leading[:size]) for size in range(2, len(leading) + 1)]
    chosen = [c for size in range(2, len(keys) + 1) for c in combinations(keys, size)]
    for columns in dict.fromkeys((*prefixes[:1], *chosen, *prefixes[1:])):
        if distinct(named, columns):
            yield columns, 0.8
