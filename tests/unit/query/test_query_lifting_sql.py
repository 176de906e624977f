"""What SQL is read as: the same query for the same meaning, however it is spelled, and none for what the form can't hold."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import RootModel
from tests.unit.query.shop import filled, rows_of, shop, written

from oldhand.query.form import (
    AllOf,
    ColumnRef,
    Count,
    DatePart,
    Has,
    OwnGroup,
    Query,
    Ratio,
    Share,
    Worth,
)
from oldhand.query.lifting import lift
from oldhand.query.normal import meaning, same
from oldhand.query.opaque import Opaque
from oldhand.query.walk import walk

DIALECTS = ("sqlite", "postgres", "mysql", "duckdb")
_FOLDER = Path(__file__).parent


class _Statements(RootModel[dict[str, tuple[tuple[str, ...], ...]]]):
    """By dialect, groups of statements that mean the same."""


class _Refused(RootModel[dict[str, dict[str, str]]]):
    """By dialect, statements that stay as they are, with the reason."""


ALIKE = _Statements.model_validate(yaml.safe_load((_FOLDER / "alike.yaml").read_text("utf-8"))).root
REFUSED = _Refused.model_validate(
    yaml.safe_load((_FOLDER / "refused.yaml").read_text("utf-8"))
).root


def read(sql: str, dialect: str = "sqlite") -> Query:
    """A statement that must be read."""
    query = lift(sql, shop(dialect))
    assert not isinstance(query, Opaque), (query.why, sql)
    return query


@pytest.fixture(scope="module")
def connection() -> Iterator[sqlite3.Connection]:
    with closing(filled()) as opened:
        yield opened


@pytest.mark.parametrize(
    ("dialect", "group"), [(dialect, group) for dialect in DIALECTS for group in ALIKE[dialect]]
)
def test_spelling_makes_no_difference(dialect: str, group: tuple[str, ...]) -> None:
    first = read(group[0], dialect)
    for sql in group:
        query = read(sql, dialect)
        assert same(query, first), sql
        assert same(read(written(query, dialect), dialect), first), written(query, dialect)


@pytest.mark.parametrize("sql", [sql for group in ALIKE["sqlite"] for sql in group])
def test_what_is_read_returns_the_same_rows(connection: sqlite3.Connection, sql: str) -> None:
    assert rows_of(connection, written(read(sql))) == rows_of(connection, sql)


@pytest.mark.parametrize(
    ("dialect", "sql", "why"), [(d, sql, why) for d in REFUSED for sql, why in REFUSED[d].items()]
)
def test_what_does_not_fit_stays_as_it_is(dialect: str, sql: str, why: str) -> None:
    found = lift(sql, shop(dialect))
    assert found == Opaque("shop", sql)
    assert isinstance(found, Opaque)
    assert found.why == why


def test_different_queries_stay_different() -> None:
    groups = [meaning(read(group[0])) for group in ALIKE["sqlite"]]
    assert len(set(groups)) == len(groups)


def test_each_part_is_what_it_says() -> None:
    sql = (
        "SELECT strftime('%Y', o.placed), SUM(o.total * (1 - o.discount)), CAST(SUM(o.total) AS REAL) / COUNT(*), "
        "100.0 * SUM(CASE WHEN o.total > 5 THEN 1 ELSE 0 END) / COUNT(*) FROM orders o WHERE o.customer_id IN (SELECT id FROM "
        "customers) AND o.total > (SELECT AVG(p.total) FROM orders p WHERE p.customer_id = o.customer_id) GROUP BY 1"
    )
    kinds = {type(part) for part in walk(read(sql))}
    assert kinds >= {DatePart, Worth, Ratio, Share, Has, OwnGroup}
    assert AllOf not in kinds


def test_a_table_takes_part_in_two_roles() -> None:
    sql = "SELECT a.name, b.name FROM customers a JOIN customers b ON a.boss_id = b.id"
    assert [one.role for one in read(sql).rows.relations] == ["", "boss"]
    sql = "SELECT a.id FROM orders a JOIN orders b ON a.customer_id = b.customer_id"
    assert [one.role for one in read(sql).rows.relations] == ["", "2"]


def test_names_are_those_of_the_schema() -> None:
    (column,) = read("SELECT NAME FROM CUSTOMERS").select
    assert isinstance(column, ColumnRef)
    assert (column.name, column.of.table) == ("Name", "customers")
    assert read("SELECT name AS who, COUNT(*) FROM customers").names == ("who", "")
    assert read("SELECT count(id) FROM customers").select == (Count(),)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT " + "(" * 5_000 + "1" + ")" * 5_000 + " FROM orders",
        "SELECT id FROM orders WHERE " + " OR ".join(f"id = {n}" for n in range(20_000)),
        "SELECT id FROM orders WHERE " + "NOT " * 3_000 + "id = 1",
        "SELECT " + "-" * 1 + "-".join(" " for _ in range(2_000)) + "id FROM orders",
        "SELECT id FROM orders WHERE id = " + "CASE WHEN id = 1 THEN " * 900 + "1" + " END" * 900,
        "WITH " + ", ".join(
            f"a{n} AS (SELECT x.id FROM {'orders' if n == 0 else f'a{n - 1}'} x, {'orders' if n == 0 else f'a{n - 1}'} y)"
            for n in range(60)
        ) + " SELECT id FROM a59",
        "SELECT id FROM " + "(SELECT id FROM " * 200 + "orders" + ")" * 200,
        " UNION ".join("SELECT id FROM orders" for _ in range(800)),
        "SELECT 1e400, 123456789012345678901234567890123456789012345 FROM orders",
        "\x00", "'", "SELECT", "SELECT * FROM", "", ";", "SELECT * FROM orders WHERE id IN ()", "/*",
    ],
)  # fmt: skip
def test_hostile_statements_neither_crash_nor_hang(sql: str) -> None:
    for dialect in DIALECTS:
        lift(sql, shop(dialect))


_PIECES = st.sampled_from(
    [
        "SELECT",
        "FROM",
        "WHERE",
        "GROUP",
        "BY",
        "ORDER",
        "LIMIT",
        "orders",
        "customers",
        "id",
        "total",
        "name",
        "(",
        ")",
        ",",
        "*",
        "=",
        "<",
        "1",
        "'a'",
        "AND",
        "OR",
        "NOT",
        "IN",
        "EXISTS",
        "UNION",
        "JOIN",
        "ON",
        "AS",
        "COUNT",
        "SUM",
        "CASE",
        "WHEN",
        "THEN",
        "END",
        "OVER",
        "WITH",
        "t",
        ".",
        "IS",
        "NULL",
        "BETWEEN",
        "LIKE",
        "DISTINCT",
        "HAVING",
        "LEFT",
        "USING",
        "CAST",
        "INTERVAL",
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(_PIECES, max_size=25).map(" ".join), st.sampled_from(DIALECTS))
def test_any_words_are_survived(sql: str, dialect: str) -> None:
    lift("SELECT " + sql, shop(dialect))
