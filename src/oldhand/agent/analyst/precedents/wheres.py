"""Where in a query a column or a literal stands, and how a column is put in another one's place."""

from collections.abc import Sequence
from functools import lru_cache

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import home, sources
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.record.schema import Kind

_WORDS = frozenset({Kind.TEXT, Kind.OTHER})


def column_number(column: exp.Column, words: Vocabulary) -> int | None:
    """The number of a column in the vocabulary; None for what a query computes."""
    select = home(column)
    for source in sources(select) if select is not None else ():
        if source.alias == column.table and source.table is not None:
            table = source.table
            return words.column_ids.get((table.catalog, table.db, table.name, column.name))
    return None


@lru_cache(maxsize=4096)
def columns_of(query: exp.Query, words: Vocabulary) -> frozenset[int]:
    """The columns that a query reads, those left out that only join tables."""
    columns = (c for c in query.find_all(exp.Column) if not joins_tables(c))
    numbers = (column_number(column, words) for column in columns)
    return frozenset(number for number in numbers if number is not None)


def literal_column(literal: exp.Literal) -> exp.Column | None:
    """The column that a literal is compared with; None when it is no comparison."""
    comparison = literal.find_ancestor(exp.Binary, exp.In, exp.Between)
    if comparison is None or isinstance(comparison, (exp.And, exp.Or)):
        return None
    return comparison.this if isinstance(comparison.this, exp.Column) else None


def moved(column: exp.Column, targets: Sequence[int], words: Vocabulary) -> int | None:
    """Let `column` name the first of `targets` that the query can reach there; None when it reaches none of them.

    It must hold the same kind of values, and lie in a table that is read already.
    """
    number = column_number(column, words)
    select = home(column)
    if number is None or select is None:
        return None
    before = words.columns[number].column.kind
    for target in sorted(
        targets, key=lambda t: words.columns[t].table != words.columns[number].table
    ):
        entry = words.columns[target]
        if (before in _WORDS) != (entry.column.kind in _WORDS) and _is_compared(column):
            continue
        own = words.tables[entry.table]
        path = (own.database, own.table.schema_name, own.table.name)
        for source in sources(select):
            table = source.table
            if table is not None and (table.catalog, table.db, table.name) == path:
                column.set("this", exp.to_identifier(entry.column.name))
                column.set("table", exp.to_identifier(source.alias))
                return target
    return None


def joins_tables(column: exp.Column) -> bool:
    """True for a column that only says how tables hang together."""
    return isinstance(column.find_ancestor(exp.Join, exp.Select), exp.Join)


def _is_compared(column: exp.Column) -> bool:
    return isinstance(column.parent, (exp.Binary, exp.AggFunc, exp.Between, exp.In))
