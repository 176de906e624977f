"""Values that only one kind of database has, and a server that goes away."""

import contextlib

import duckdb
import pymysql
import pytest

from oldhand.errors import DatabaseUnreachable, WriteRefused
from oldhand.record.clone import DatabaseEntry
from oldhand.record.schema import Kind
from oldhand.sources.databases import open_database


def row(shop, sql):
    (found,) = shop.database.fetch(sql, rows=5, seconds=60).rows
    return found


def kinds(shop, table):
    found = shop.database.introspect().table(table)
    return {column.name: column.kind for column in found.columns}


def test_postgres_values_are_plain(postgres_shop):
    assert row(
        postgres_shop, "SELECT 1.50::numeric, 3::numeric, 'NaN'::numeric, 'NaN'::float8"
    ) == (1.5, 3, "NaN", "NaN")
    assert row(postgres_shop, "SELECT 'infinity'::date, '4713-01-01 BC'::date, '-infinity'::timestamp") == (
        "infinity", "4713-01-01 BC", "-infinity",
    )  # fmt: skip
    assert row(postgres_shop, """SELECT '{"a": [1]}'::jsonb, ARRAY[1, 2], '1 month 2 days'::interval""") == (
        '{"a": [1]}', "[1, 2]", "1 mon 2 days",
    )  # fmt: skip
    assert row(postgres_shop, r"SELECT '\x0102'::bytea, '10:30'::time, true, int4range(1, 5)")[
        :3
    ] == ("0x0102", "10:30:00", True)
    assert row(postgres_shop, "SELECT '00000000-0000-0000-0000-000000000007'::uuid, 'x%y', 2 % 2") == (
        "00000000-0000-0000-0000-000000000007", "x%y", 0,
    )  # fmt: skip
    assert row(postgres_shop, "SELECT timestamptz '2024-01-31 10:00+00' AT TIME ZONE 'UTC'") == (
        "2024-01-31 10:00:00",
    )


def test_postgres_types_of_the_user_have_a_kind(postgres_shop):
    postgres_shop.write(
        "CREATE TYPE mood AS ENUM ('happy', 'sad'); CREATE DOMAIN age AS integer CHECK (VALUE > 0)"
    )
    postgres_shop.write(
        "CREATE TABLE people (m mood, a age, tags text[], doc jsonb, at timestamptz, n numeric(8, 2), u uuid)"
    )
    postgres_shop.write(
        "INSERT INTO people VALUES ('sad', 7, '{x}', '{\"hue\": 1}', now(), 1, gen_random_uuid())"
    )
    doc = postgres_shop.database.introspect().table("people").column("doc")
    assert (doc.profile.holds, doc.profile.form, doc.samples) == ("json", "hue", ())
    assert kinds(postgres_shop, "people") == {
        "m": Kind.TEXT, "a": Kind.INTEGER, "tags": Kind.OTHER, "doc": Kind.JSON,
        "at": Kind.DATETIME, "n": Kind.NUMBER, "u": Kind.TEXT,
    }  # fmt: skip


def test_postgres_schemas_partitions_and_rights_are_respected(postgres_shop):
    postgres_shop.write(
        "CREATE SCHEMA sales; CREATE TABLE sales.customers (id int PRIMARY KEY, region text);"
        "CREATE TABLE logs (day date, line text) PARTITION BY RANGE (day);"
        "CREATE TABLE logs_2024 PARTITION OF logs FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');"
        "CREATE MATERIALIZED VIEW counted AS SELECT count(*) AS n FROM customers"
    )
    names = [
        (table.schema_name, table.name) for table in postgres_shop.database.introspect().tables
    ]
    assert ("sales", "customers") in names
    assert ("public", "customers") in names
    assert ("public", "logs") in names
    assert ("public", "counted") in names
    assert ("public", "logs_2024") not in names
    assert (
        set(postgres_shop.database.distinct_values("customers", "id", schema_name="sales", limit=5))
        == set()
    )


def test_mysql_values_are_plain(mysql_shop):
    mysql_shop.write("SET sql_mode = ''")
    assert row(mysql_shop, "SELECT CAST(1.50 AS DECIMAL(5,2)), TIME('26:00:01'), x'0102', 2 % 2, 'x%y'") == (
        1.5, "26:00:01", "0x0102", 0, "x%y",
    )  # fmt: skip
    mysql_shop.write(
        "CREATE TABLE odd (b BIT(9), j JSON, y YEAR, e ENUM('a', 'b'), t TINYINT(1), u BIGINT UNSIGNED, p POINT)"
    )
    mysql_shop.write(
        "INSERT INTO odd VALUES (b'100000001', '{\"a\": 1}', 2024, 'b', 1, 18446744073709551615, POINT(1, 2))"
    )
    assert row(mysql_shop, "SELECT b, j, y, e, t, u FROM odd") == (
        257,
        '{"a": 1}',
        2024,
        "b",
        1,
        18446744073709551615,
    )
    found = kinds(mysql_shop, "odd")
    assert (found["e"], found["t"], found["u"], found["p"]) == (
        Kind.TEXT,
        Kind.BOOLEAN,
        Kind.INTEGER,
        Kind.SPATIAL,
    )


def test_mysql_zero_dates_do_not_break_a_query(mysql_shop):
    mysql_shop.write("CREATE TABLE zero (d DATE NOT NULL)")
    mysql_shop.write("SET STATEMENT sql_mode = '' FOR INSERT INTO zero VALUES ('0000-00-00')")
    assert row(mysql_shop, "SELECT d FROM zero") in ((None,), ("0000-00-00",))


def test_mysql_without_a_database_shows_all_but_the_systems(mysql_shop):
    url, _, name = mysql_shop.url.rpartition("/")
    with open_database(DatabaseEntry(name="all", url=f"{url}/")) as database:
        schemas = {table.schema_name for table in database.introspect(samples=0).tables}
    assert name in schemas
    assert not schemas & {"mysql", "information_schema", "performance_schema", "sys"}


@pytest.mark.parametrize("into", ["INTO OUTFILE", "into/**/dumpfile", "/*!50000 INTO OUTFILE"])
def test_mysql_writes_no_file(mysql_shop, tmp_path, into):
    tmp_path.chmod(0o777)
    loot = tmp_path / "loot"
    comment = "*/" if "!" in into else ""
    with pytest.raises(WriteRefused):
        mysql_shop.database.fetch(f"SELECT 1 {into} '{loot}' {comment}", rows=1, seconds=60)
    assert not loot.exists()


def test_a_wrong_password_is_unreachable(mysql_shop):
    wrong = mysql_shop.url.replace("root@", "root:geheim@")
    with pytest.raises(DatabaseUnreachable, match="Access denied") as caught:
        open_database(DatabaseEntry(name="shop", url=wrong))
    assert "geheim" not in str(caught.value)


def test_duckdb_values_are_plain(duckdb_shop):
    assert row(
        duckdb_shop, "SELECT timestamptz '2024-01-31 10:00:00+00', 7, [1, 2], 7 AS x, 8 AS x"
    )[1:] == (7, "[1, 2]", 7, 8)
    assert row(duckdb_shop, "SELECT timestamptz '2024-01-31 10:00:00+00'")[0].startswith(
        "2024-01-31 "
    )
    assert row(duckdb_shop, "SELECT 'infinity'::timestamptz, 1")[1] == 1
    assert row(duckdb_shop, "SELECT 2::hugeint << 100, {'a': 1}, uuid '00000000-0000-0000-0000-000000000007', 'NaN'::float")[1:] == (
        '{"a": 1}', "00000000-0000-0000-0000-000000000007", "NaN",
    )  # fmt: skip


def test_duckdb_times_with_a_zone_obey_the_row_limit(duckdb_shop):
    result = duckdb_shop.database.fetch(
        "SELECT i, now() FROM range(10000000) AS a (i)", rows=10, seconds=20
    )
    assert (len(result.rows), result.truncated) == (10, True)


def test_a_duckdb_file_that_somebody_writes_to_is_unreachable(duckdb_shop, tmp_path):
    path = duckdb_shop.url.removeprefix("duckdb:///")
    duckdb_shop.database.close()
    with duckdb.connect(path), pytest.raises(DatabaseUnreachable):
        open_database(DatabaseEntry(name="shop", url=duckdb_shop.url))


@pytest.mark.parametrize(
    ("kind", "who_am_i", "end_all"),
    [
        (
            "postgres",
            "SELECT pg_backend_pid()",
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'oldhand'",
        ),
        ("mysql", "SELECT connection_id()", "KILL USER root"),
    ],
)
def test_connections_are_opened_anew_after_the_server_dropped_them(
    request, kind, who_am_i, end_all
):
    shop = request.getfixturevalue(f"{kind}_shop")
    before = row(shop, who_am_i)
    assert row(shop, who_am_i) == before
    with contextlib.suppress(pymysql.Error):  # it kills its own connection too
        shop.write(end_all)
    assert row(shop, who_am_i) != before


def test_mysql_reads_quotes_and_backslashes_as_the_guard_does(mysql_shop):
    mysql_shop.write("SET GLOBAL sql_mode = 'ANSI,STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES'")
    try:
        with open_database(DatabaseEntry(name="shop", url=mysql_shop.url)) as database:
            found = database.fetch(r"""SELECT "a", 'it\'s', @@sql_mode""", rows=1, seconds=60).rows[
                0
            ]
    finally:
        mysql_shop.write("SET GLOBAL sql_mode = DEFAULT")
    assert found[:2] == ("a", "it's")
    assert "STRICT_TRANS_TABLES" in str(found[2])


def test_postgres_reads_backslashes_as_the_guard_does(postgres_shop):
    name = postgres_shop.url.rpartition("/")[2].partition("?")[0]
    postgres_shop.write(f'ALTER DATABASE "{name}" SET standard_conforming_strings = off')
    with open_database(DatabaseEntry(name="shop", url=postgres_shop.url)) as database:
        assert database.fetch(r"SELECT length('\n')", rows=1, seconds=60).rows == ((2,),)
