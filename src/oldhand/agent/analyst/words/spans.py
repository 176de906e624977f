"""Spans of time between two columns of one row, as columns that can be averaged, compared and sorted by."""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import cast

from oldhand.agent.analyst.words.entries import ColumnEntry, TableEntry
from oldhand.query import form
from oldhand.query.compiling.times import UNITS
from oldhand.query.describing.nouns import event_name
from oldhand.query.form import Elapsed
from oldhand.record.schema import Column, Kind

MOST = 8
"""Columns of times in a table; between more of them no spans are made."""

Spans = dict[tuple[int, int, str], int]
"""The column from which a span counts, the one up to which it does and its unit, to the span's own number."""


def spans_between(tables: Sequence[TableEntry], columns: list[ColumnEntry]) -> Spans:
    """Add to `columns` a span for each two columns of times of one table; between dates in days only.

    No word names a span: it belongs to no table's columns, and is found by its two ends.
    """
    made: Spans = {}
    for since, until in list(_pairs(tables, columns)):
        exact = since.column.kind is Kind.DATETIME is until.column.kind
        for unit in UNITS if exact else ("days",):
            number = len(columns)
            ends = (event_name(since.column.name), event_name(until.column.name))
            name = f"{unit} from {ends[0]} to {ends[1]}"
            column = Column(
                name=name,
                type=unit,
                kind=Kind.NUMBER,
                nullable=since.column.nullable or until.column.nullable,
            )
            forms = ((name,),)
            ref = Elapsed(
                cast("form.ColumnRef", since.ref), cast("form.ColumnRef", until.ref), unit, exact
            )
            columns.append(
                ColumnEntry(number, since.table, column, ref, forms, ((1.0,),), False, since.id, until.id, exact)
            )  # fmt: skip
            made[since.id, until.id, unit] = number
    return made


def _pairs(
    tables: Sequence[TableEntry], columns: Sequence[ColumnEntry]
) -> Iterator[tuple[ColumnEntry, ColumnEntry]]:
    for table in tables:
        times = [columns[c] for c in table.columns if columns[c].temporal]
        if not table.role and len(times) <= MOST:
            yield from permutations(times, 2)
