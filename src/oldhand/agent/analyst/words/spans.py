"""Spans of time between two columns of one row, as columns that can be averaged, compared and sorted by."""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import cast

from oldhand.agent.analyst.words.entries import ColumnEntry, TableEntry
from oldhand.lexicon.privacy import tells_birth
from oldhand.query import form
from oldhand.query.compiling.times import UNITS
from oldhand.query.describing.headings import AGE
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


def ages_in(tables: Sequence[TableEntry], columns: list[ColumnEntry]) -> Iterator[ColumnEntry]:
    """Add to `columns` an age in full years for each table that holds when somebody was born, and no age.

    It belongs to no table's columns, so that nobody is shown it who does not ask for it.
    """
    for table in tables:
        mine = [columns[number] for number in table.columns]
        born = next((one for one in mine if one.temporal and tells_birth(one.column.name)), None)
        if born is None or table.role or any(one.forms[0] == (AGE,) for one in mine):
            continue
        column = Column(name=AGE, type="years", kind=Kind.NUMBER, nullable=born.column.nullable)
        ref = Elapsed(cast("form.ColumnRef", born.ref), None, "years")
        columns.append(
            ColumnEntry(len(columns), table.id, column, ref, ((AGE,),), ((1.0,),), False)
        )
        yield columns[-1]


def _pairs(
    tables: Sequence[TableEntry], columns: Sequence[ColumnEntry]
) -> Iterator[tuple[ColumnEntry, ColumnEntry]]:
    for table in tables:
        times = [columns[c] for c in table.columns if columns[c].temporal]
        if not table.role and len(times) <= MOST:
            yield from permutations(times, 2)
