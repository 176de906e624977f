"""No cell of a database can crash a question: values of every type, the odd ones too, come as plain cells and go on."""

import contextlib
import json
import sqlite3
from contextlib import closing

import pytest

from oldhand import AsyncOldhand
from oldhand.errors import QueryFailed
from oldhand.record.answer import Outcome
from oldhand.record.clone import DatabaseEntry
from oldhand.sources.databases import open_database, open_workspace

POSTGRES = {
    "bool": "true", "int2": "-32768", "int8": "9223372036854775807", "float4": "'NaN'", "float8": "'-Infinity'",
    "numeric": "(repeat('9', 5000) || '.5')::numeric", "numeric(60,20)": "1e-20", "money": "12.5", "date": "'infinity'",
    "timestamp": "'4713-01-01 BC'", "timestamptz": "'294276-12-31 23:59:59+00'", "time": "'24:00'",
    "timetz": "'24:00:00-15:59'", "interval": "'-178000000 years 13 mons 400 days'", "text": "E'a\\u202Eb\\u0007'",
    "char(5)": "'ab'", "bytea": r"'\xff00'", "uuid": "gen_random_uuid()", "json": """'{"a": 1e999}'""",
    "jsonb": """'{"a": [null]}'""", "xml": "NULL", "bit(3)": "B'101'", "varbit": "B'1'", "inet": "'10.0.0.1/8'",
    "cidr": "'10.0.0.0/8'", "macaddr": "'08:00:2b:01:02:03'", "point": "'(NaN,Infinity)'", "box": "'(1,2),(3,4)'",
    "path": "'[(1,2),(3,4)]'", "polygon": "'((1,2),(3,4))'", "circle": "'<(1,2),3>'", "lseg": "'[(1,2),(3,4)]'",
    "line": "'{1,2,3}'", "int4range": "'empty'", "numrange": "'(,5]'", "daterange": "'[-infinity,infinity]'",
    "tstzrange": "'[4713-01-01 BC,)'", "int4multirange": "'{[1,2),[5,)}'", "datemultirange": "'{[2020-01-01,infinity)}'",
    "int4[]": "'{1,NULL}'", "date[]": "'{infinity,NULL}'", "text[][]": "'{{a,NULL}}'", "numeric[]": "'{NaN,1e400}'",
    "tsvector": "'a b'", "tsquery": "'a & b'", "pg_lsn": "'0/0'", "oid": "4294967295", "name": "'x'", "\"char\"": "'x'",
    "regclass": "'pg_class'", "tid": "'(0,1)'", "xid": "'1'", "pg_snapshot": "'1:1:'", "jsonpath": "'$.a'",
}  # fmt: skip
MYSQL = {
    "TINYINT": "-128", "BIGINT UNSIGNED": "18446744073709551615", "DECIMAL(65,30)": "1e-30", "DOUBLE": "1.7e308",
    "FLOAT": "1e38", "BIT(64)": "b'1'", "DATE": "'0000-00-00'", "DATETIME(6)": "'9999-12-31 23:59:59.999999'",
    "TIMESTAMP NULL": "NULL", "TIME(6)": "'-838:59:59'", "YEAR": "0", "CHAR(5)": "'a'", "VARCHAR(9)": "_utf8mb4'\\u202e🙂'",
    "LONGTEXT": "repeat('x', 9)", "BLOB": "x'ff00'", "BINARY(3)": "x'ff'", "ENUM('a','')": "'a'", "SET('a','b')": "'a,b'",
    "JSON": "'{\"a\": 1e308}'", "GEOMETRY": "POINT(1, 2)", "POLYGON": "NULL", "INET6": "'::1'", "UUID": "NULL",
}  # fmt: skip
SQLITE = (
    "1e999", "-1e999", "9223372036854775807", "x'ff00'", "CAST(x'ff61' AS TEXT)", "'a' || char(0) || 'b'",
    "char(8238, 7, 27) || '[31m'", "'0000-00-00'", "'infinity'", "-0.0", "NULL", "zeroblob(3)", "''",
)  # fmt: skip
DUCKDB = """
SELECT * EXCLUDE (medium_enum, large_enum) FROM test_all_types() UNION ALL BY NAME
SELECT 'infinity'::DATE AS date, '-infinity'::TIMESTAMP AS "timestamp", 'infinity'::TIMESTAMPTZ AS timestamp_tz,
       '24:00'::TIME AS "time", INTERVAL '5000 years' AS "interval", repeat('9', 6000)::BIGNUM AS "bignum",
       [DATE 'infinity'] AS date_array
"""


def odd_postgres(shop):
    columns = ", ".join(f"c{n} {kind}" for n, kind in enumerate(POSTGRES))
    shop.write(
        f"CREATE TYPE mood AS ENUM ('ok'); CREATE TYPE pair AS (a int, b date); CREATE TABLE odd ({columns}, m mood, p pair)"
    )
    values = ", ".join(f"{value}" for value in POSTGRES.values())
    shop.write(f"INSERT INTO odd VALUES ({values}, 'ok', ROW(1, 'infinity')::pair)")


def odd_mysql(shop):
    columns = ", ".join(f"c{n} {kind}" for n, kind in enumerate(MYSQL))
    shop.write(f"CREATE TABLE odd ({columns})")
    shop.write(
        f"SET STATEMENT sql_mode = '' FOR INSERT INTO odd VALUES ({', '.join(MYSQL.values())})"
    )


def odd_sqlite(shop):
    shop.write("CREATE TABLE odd (" + ", ".join(f"c{n} NUMERIC" for n in range(len(SQLITE))) + ")")
    shop.write(f"INSERT INTO odd VALUES ({', '.join(SQLITE)}), ({', '.join(reversed(SQLITE))})")


def odd_duckdb(shop):
    shop.database.close()
    shop.write(f"CREATE TABLE odd AS {DUCKDB}")


@pytest.mark.parametrize("kind", ["sqlite", "duckdb", "postgres", "mysql"])
async def test_every_type_comes_as_plain_cells_and_goes_on(request, tmp_path, kind):
    shop = request.getfixturevalue(f"{kind}_shop")
    globals()[f"odd_{kind}"](shop)
    async with AsyncOldhand(tmp_path / "home") as oldhand:
        oldhand.databases.add(shop.url, name="shop")
        answer = await oldhand.ask("How many odd are there?")
        assert answer.outcome is Outcome.ANSWERED, answer.text
        answer = await oldhand.ask("Show all odd.")
        assert answer.rows, answer.text
        assert json.dumps(answer.rows, allow_nan=False)


@pytest.mark.parametrize("kind", ["sqlite", "duckdb", "postgres", "mysql"])
def test_every_type_goes_into_the_workspace(request, kind):
    shop = request.getfixturevalue(f"{kind}_shop")
    globals()[f"odd_{kind}"](shop)
    with (
        open_database(DatabaseEntry(name="shop", url=shop.url)) as database,
        open_workspace() as workspace,
    ):
        result = database.fetch("SELECT * FROM odd", rows=10, seconds=60)
        assert result.values
        workspace.add("step_1", result)
        again = workspace.fetch("SELECT * FROM step_1", rows=10, seconds=60)
        assert json.dumps(again.rows, allow_nan=False)
        schema = database.introspect().table("odd")
        for column in schema.columns:
            with contextlib.suppress(QueryFailed):  # some types have no equality
                list(
                    database.distinct_values(
                        "odd", column.name, schema_name=schema.schema_name, limit=9
                    )
                )


def test_broken_text_and_names_in_sqlite_are_read(tmp_path):
    with closing(sqlite3.connect(tmp_path / "odd.db")) as connection:
        connection.execute("CREATE TABLE odd (v TEXT)")
        connection.execute("INSERT INTO odd VALUES (CAST(x'ff61' AS TEXT))")
        connection.commit()
    with open_database(DatabaseEntry(name="odd", url=f"sqlite:///{tmp_path}/odd.db")) as database:
        assert database.fetch("SELECT v FROM odd", rows=1, seconds=30).rows == (("\ufffda",),)


def test_wide_rows_of_postgres_are_refused_before_they_are_sent(postgres_shop):
    with pytest.raises(QueryFailed, match="MB"):
        postgres_shop.database.fetch(
            "SELECT repeat('x', 100000000), i FROM generate_series(1, 50) AS g (i)",
            rows=50,
            seconds=60,
        )
    found = postgres_shop.database.fetch(
        "SELECT repeat('x', 1000) AS t, i AS t FROM generate_series(1, 5) AS g (i) ORDER BY i DESC -- all",
        rows=3,
        seconds=60,
    )
    assert [row[1] for row in found.rows] == [5, 4, 3]
    assert (found.columns, found.truncated) == (("t", "t"), True)
