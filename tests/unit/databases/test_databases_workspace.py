# ruff: noqa: DTZ001 - databases also hold times without a zone
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import pytest

from oldhand.errors import QueryFailed, QueryRefused, WriteRefused
from oldhand.record.schema import Kind
from oldhand.sources.databases import QueryResult
from oldhand.sources.databases.workspace import Workspace


@pytest.fixture
def workspace():
    with Workspace() as opened:
        yield opened


def column(*values):
    return QueryResult(("v",), tuple((value,) for value in values))


def fetch(workspace, sql):
    return workspace.fetch(sql, rows=100, seconds=60).rows


@pytest.mark.parametrize(
    ("values", "declared"),
    [
        ((1, None, 2), "BIGINT"),
        ((1, 2.5), "DOUBLE"),
        ((True, None, False), "BOOLEAN"),
        ((True, 2), "BIGINT"),
        ((2**70, -1), "DECIMAL(22,0)"),
        ((10**40,), "DOUBLE"),
        ((Decimal("9.90"), Decimal("100.5"), 3), "DECIMAL(5,2)"),
        ((Decimal("1E+3"), Decimal("0.001")), "DECIMAL(7,3)"),
        ((Decimal("NaN"), Decimal(1)), "DOUBLE"),
        ((Decimal("0.1"), 0.2), "DOUBLE"),
        (("a", None), "VARCHAR"),
        ((date(2024, 1, 31),), "DATE"),
        ((datetime(2024, 1, 31, 10, 0),), "TIMESTAMP"),
        ((date(2024, 1, 31), datetime(2024, 1, 31, 10, 0)), "TIMESTAMP"),
        ((time(10, 30),), "TIME"),
        ((timedelta(hours=1),), "INTERVAL"),
        ((b"\x00\xff",), "BLOB"),
        ((1, "a"), "VARCHAR"),
        ((UUID(int=7),), "VARCHAR"),
        (([1, 2], {"a": 1}), "VARCHAR"),
        ((None, None), '"NULL"'),
        ((), '"NULL"'),
    ],
)
def test_types_come_from_the_values(workspace, values, declared):
    workspace.add("step_1", column(*values))
    assert fetch(
        workspace, "SELECT data_type FROM duckdb_columns() WHERE table_name = 'step_1'"
    ) == ((declared,),)
    assert fetch(workspace, "SELECT count(*) FROM step_1") == ((len(values),),)


def test_values_come_back_as_they_went_in(workspace):
    row = (
        1,
        "ä",
        Decimal("9.90"),
        date(2024, 2, 29),
        datetime(2024, 2, 29, 1, 2, 3),
        None,
        True,
        b"\x01",
    )
    workspace.add("step_1", QueryResult(tuple("abcdefgh"), (row,)))
    assert workspace.fetch("SELECT * FROM step_1", rows=5, seconds=60).values == (row,)


def test_times_with_a_zone_are_told_in_utc(workspace):
    berlin = timezone(timedelta(hours=2))
    workspace.add(
        "step_1",
        column(datetime(2024, 7, 1, 12, 0, tzinfo=berlin), datetime(2024, 7, 1, tzinfo=UTC)),
    )
    assert fetch(workspace, "SELECT * FROM step_1") == (
        ("2024-07-01 10:00:00",),
        ("2024-07-01 00:00:00",),
    )


def test_mixed_values_become_the_text_that_people_see(workspace):
    workspace.add("step_1", column(1, "a", 2.5, date(2024, 1, 31), None))
    assert fetch(workspace, "SELECT v FROM step_1") == (
        ("1",),
        ("a",),
        ("2.5",),
        ("2024-01-31",),
        (None,),
    )


def test_columns_of_the_same_name_are_told_apart(workspace):
    workspace.add("step_1", QueryResult(("name", "Name", "", "count(*)"), ((1, 2, 3, 4),)))
    assert fetch(workspace, 'SELECT name, "Name_2", column_3, "count(*)" FROM step_1') == (
        (1, 2, 3, 4),
    )


def test_an_empty_result_keeps_its_columns_and_joins_with_any_type(workspace):
    workspace.add("step_1", QueryResult(("id", "city"), ()))
    workspace.add("step_2", QueryResult(("id", "city"), ((1, "Bonn"),)))
    assert (
        fetch(
            workspace,
            "SELECT b.city FROM step_1 a JOIN step_2 b ON a.id = b.id AND a.city = b.city",
        )
        == ()
    )
    assert fetch(workspace, "SELECT count(city), sum(id) FROM step_1") == ((0, None),)


def test_results_of_several_databases_join(workspace):
    workspace.add(
        "step_1", QueryResult(("customer", "spent"), ((1, Decimal("9.50")), (2, Decimal("1.25"))))
    )
    workspace.add("step_2", QueryResult(("id", "name"), ((1, "Ada"), (2, "Bob"))))
    sql = "SELECT name, spent FROM step_1 JOIN step_2 ON customer = id ORDER BY spent"
    assert fetch(workspace, sql) == (("Bob", 1.25), ("Ada", 9.5))


def test_adding_again_replaces(workspace):
    workspace.add("step_1", column(1))
    workspace.add("step_1", column("other", "rows"))
    assert fetch(workspace, "SELECT count(*) FROM step_1") == ((2,),)


def test_two_hundred_thousand_rows_go_in_and_come_out(workspace):
    rows = tuple((i, f"name {i}", i / 7, date(2024, 1, 1 + i % 28)) for i in range(200_000))
    workspace.add("step_1", QueryResult(("id", "name", "share", "day"), rows))
    found = workspace.fetch("SELECT * FROM step_1 ORDER BY id", rows=200_000, seconds=60)
    assert found.values == rows


def test_the_schema_can_be_read_by_minds(workspace):
    workspace.add("step_1", QueryResult(("city", "people"), (("Bonn", 3),)))
    schema = workspace.schema()
    assert (schema.name, schema.dialect) == ("workspace", "duckdb")
    (table,) = schema.tables
    assert (table.name, table.row_count) == ("step_1", 1)
    assert [(c.name, c.kind, c.samples) for c in table.columns] == [
        ("city", Kind.TEXT, ("Bonn",)),
        ("people", Kind.INTEGER, (3,)),
    ]


async def test_the_guard_stands_before_the_workspace(workspace):
    workspace.add("step_1", column(1))
    assert (await workspace.execute("SELECT v FROM step_1", rows=1, seconds=60)).rows == ((1,),)
    with pytest.raises(WriteRefused):
        await workspace.execute("DROP TABLE step_1", rows=1, seconds=60)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM secret_rows",
        "COPY step_1 TO '/tmp/loot.csv'",
        "ATTACH '/tmp/loot.db'",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "INSTALL httpfs",
        "LOAD httpfs",
        "DROP TABLE step_1",
        "SELECT 1; DROP TABLE step_1",
    ],
)
def test_the_workspace_is_sealed_even_past_the_guard(workspace, sql):
    secret_rows = column("a variable of the program")
    workspace.add("step_1", column(1))
    with pytest.raises((QueryFailed, QueryRefused)):
        workspace.fetch(sql, rows=1, seconds=60)
    assert secret_rows
    assert fetch(workspace, "SELECT v FROM step_1") == ((1,),)


def test_two_workspaces_share_nothing(workspace):
    workspace.add("step_1", column(1))
    with Workspace() as other, pytest.raises(QueryFailed):
        other.fetch("SELECT * FROM step_1", rows=1, seconds=60)
