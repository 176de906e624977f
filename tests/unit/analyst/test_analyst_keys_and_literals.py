"""Joins follow keys, and literals are of the type of what their column holds."""

from datetime import date

import pytest

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.constraints.queries import literal_of_the_columns_type
from oldhand.agent.analyst.linking.question import link
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.query import form
from oldhand.query.form import Comparison, Count, Query, Rows
from oldhand.record.base import Cell
from oldhand.record.schema import Column, ColumnProfile, DatabaseSchema, Kind, Table
from oldhand.sources.databases.values import ValueIndex

VALUES = ValueIndex.in_memory("works", [("main", "parts", "colour", ["red", "5"])])

PARTS: list[tuple[str, Kind, tuple[Cell, ...]]] = [
    ("colour", Kind.TEXT, ("red", "light blue")),
    ("size", Kind.TEXT, ("12", "40")),
    ("length", Kind.TEXT, ("12", "40")),
    ("sold_on", Kind.TEXT, ("2024-01-02", "2024-03-04")),
    ("maker", Kind.TEXT, ()),
    ("price", Kind.NUMBER, (1.5, 20)),
    ("made_on", Kind.DATE, ("2023-01-01",)),
    ("checked_at", Kind.DATETIME, ("2023-01-01 10:00:00",)),
]
"""The columns of parts, with samples."""

PROFILES = {"length": ColumnProfile(rows=2, distinct=2, holds="number")}

LITERALS = [
    ("colour", ">", 5, True),
    ("colour", "=", "5", True),
    ("colour", "within", "2024-01-01", True),
    ("price", "=", "red", True),
    ("made_on", "=", "red", True),
    ("colour", "=", "green", False),
    ("colour", "=", "route 66", False),
    (
        "size",
        ">",
        5,
        True,
    ),  # unless its profile says that they are numbers: as texts, 12 is before 5
    ("length", ">", 5, False),
    ("size", "=", "5", False),
    ("size", "=", "large", False),
    ("sold_on", "within", "2024-01-01", False),
    ("maker", "=", "5", False),
    ("price", "=", "5", False),
    ("made_on", ">", "2024-01-01", False),
    ("checked_at", ">", "2024-01-01T10:00:00", False),
]
"""A column, how it is compared, with what, and whether that makes no sense."""


def _asked(question: str, *tables: Table) -> Asked:
    words = vocabulary((DatabaseSchema(name="works", dialect="sqlite", tables=tables),))
    return Asked(link(question, words, VALUES, date(2024, 6, 1)), words)


@pytest.mark.parametrize("shared", ["email", "population", "created_at", "name", "id"])
def test_tables_that_merely_share_a_name_are_not_joined(shared):
    columns = (Column(name=shared, type="TEXT", kind=Kind.TEXT),)
    tables = (Table(name=name, schema_name="main", columns=columns) for name in ("makers", "cars"))
    assert _asked("What is it?", *tables).tree({0, 1}) is None


@pytest.mark.parametrize(("column", "operator", "value", "senseless"), LITERALS)
def test_a_literal_is_of_the_type_of_what_its_column_holds(column, operator, value, senseless):
    columns = (
        Column(name=n, type=k.value, kind=k, samples=s, profile=PROFILES.get(n))
        for n, k, s in PARTS
    )
    parts = Table(name="parts", schema_name="main", columns=tuple(columns))
    asked = _asked("What is it?", parts)
    relation = asked.relation(0)
    where = (Comparison(form.ColumnRef(relation, column), operator, (value,)),)
    query = Query(Rows((relation,)), (Count(),), where)
    assert literal_of_the_columns_type(asked, query) is senseless


def test_what_a_column_is_known_to_hold_fits_it():
    columns = (Column(name=n, type=k.value, kind=k, samples=s) for n, k, s in PARTS)
    asked = _asked(
        "Which parts are '5'?", Table(name="parts", schema_name="main", columns=tuple(columns))
    )
    where = (Comparison(form.ColumnRef(asked.relation(0), "colour"), "=", ("5",)),)
    assert not literal_of_the_columns_type(asked, Query(asked.alone(0), (Count(),), where))
