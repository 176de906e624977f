"""What is written as SQL and read again is the same query, and returns the same rows."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from tests.unit.query.shop import filled, rows_of, shop, written
from tests.unit.query.strategies import queries

from oldhand.query.compiling.tree import to_tree
from oldhand.query.form import Query
from oldhand.query.lifting import lift, lift_tree
from oldhand.query.normal import same
from oldhand.query.opaque import Opaque

SHOP = shop()


@pytest.fixture(scope="module")
def connection() -> Iterator[sqlite3.Connection]:
    with closing(filled()) as opened:
        yield opened


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(queries())
def test_a_written_query_is_read_back(connection: sqlite3.Connection, query: Query) -> None:
    sql = written(query)
    back = lift(sql, SHOP)
    assert not isinstance(back, Opaque), (back.why, sql)
    assert rows_of(connection, written(back)) == rows_of(connection, sql)
    assert same(back, query), sql


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(queries())
def test_a_neutral_tree_is_read_back(query: Query) -> None:
    back = lift_tree(to_tree(query), (SHOP,))
    assert back is not None
    assert same(back, query)
