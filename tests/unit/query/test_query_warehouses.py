"""Queries in the SQL of SQL Server, Snowflake and BigQuery.

No such server runs here: what is written must parse in its dialect, pass the guard and mean the same tree when it is
written again; how words differ is compared with what their manuals say.
"""

import pytest
from sqlglot import exp, parse_one
from tests.unit.query.test_query_render import EXPRESSIONS

from oldhand.query.compiling.compile import compile_query, ready
from oldhand.query.compiling.render import default_schema, render
from oldhand.query.form import (
    Aggregate,
    ColumnRef,
    Comparison,
    Compound,
    Count,
    DatePart,
    Elapsed,
    Has,
    Join,
    Order,
    OwnGroup,
    Proportion,
    Query,
    Ratio,
    Relation,
    Rows,
    Share,
)
from oldhand.query.lifting import lift
from oldhand.query.opaque import Opaque
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
from oldhand.sources.databases.guard import check_sql
from oldhand.sources.databases.sql_issues import find_issues

WAREHOUSES = ("tsql", "snowflake", "bigquery")
CUSTOMERS, ORDERS = Relation("shop", "sales", "customers"), Relation("shop", "sales", "orders")
CITY, NAME = ColumnRef(CUSTOMERS, "city"), ColumnRef(CUSTOMERS, "Full name")
TOTAL, PLACED, SENT = (ColumnRef(ORDERS, name) for name in ("total", "placed", "sent"))
PAID = ColumnRef(ORDERS, "paid")
BUYS = Join(ORDERS, CUSTOMERS, (("customer_id", "id"),))
BOTH = Rows((ORDERS, CUSTOMERS), (BUYS,))
SINCE = Comparison(PLACED, ">=", ("2024-01-01",))
ALONE = Rows((ORDERS,))


def made(*select, rows=ALONE, **more) -> Query:
    return Query(rows, select, **more)


QUERIES = {
    "count": made(Count()),
    "different ones": made(Count(CITY, True), rows=Rows((CUSTOMERS,))),
    "average": made(Aggregate("avg", TOTAL)),
    "median": made(Aggregate("median", TOTAL)),
    "median of groups": made(CITY, Aggregate("median", TOTAL), rows=BOTH, group=(CITY,)),
    "top": made(NAME, rows=Rows((CUSTOMERS,)), order=(Order(NAME, True),), limit=3),
    "page": made(NAME, rows=Rows((CUSTOMERS,)), order=(Order(NAME),), limit=3, offset=6),
    "a page in no order": made(NAME, rows=Rows((CUSTOMERS,)), limit=3, offset=6),
    "groups": made(CITY, Count(), rows=BOTH, group=(CITY,), having=(Comparison(Count(), ">", (3,)),)),
    "join and filter": made(NAME, rows=BOTH, where=(Comparison(CITY, "=", ("Zürich",)), SINCE)),
    "truth": made(Count(), where=(Comparison(PAID, "=", (True,)),)),
    "pattern": made(NAME, rows=Rows((CUSTOMERS,)), where=(Comparison(NAME, "like", ("%o'neil%",)),)),
    "none": made(NAME, rows=Rows((CUSTOMERS,)), where=(Comparison(NAME, "=", (None,)),)),
    "between": made(Count(), where=(Comparison(TOTAL, "between", (1, 9)),)),
    "has": made(NAME, rows=Rows((CUSTOMERS,)), where=(Has(ColumnRef(CUSTOMERS, "id"), made(ColumnRef(ORDERS, "customer_id"))),)),
    "has none": made(NAME, rows=Rows((CUSTOMERS,)), where=(Has(ColumnRef(CUSTOMERS, "id"), made(ColumnRef(ORDERS, "customer_id")), True),)),
    "above the average": made(TOTAL, where=(Comparison(TOTAL, ">", made(Aggregate("avg", TOTAL))),)),
    "above that of the group": made(TOTAL, where=(Comparison(TOTAL, ">", OwnGroup(Aggregate("avg", TOTAL), (PAID,))),)),
    "share": made(Share((SINCE,))),
    "proportion": made(CITY, Proportion(Aggregate("sum", TOTAL)), rows=BOTH, group=(CITY,)),
    "ratio": made(Ratio(Aggregate("sum", TOTAL), Count())),
    "days": made(Elapsed(PLACED, SENT)),
    "age": made(Elapsed(PLACED, None, "years")),
    "hours": made(Aggregate("avg", Elapsed(PLACED, SENT, "hours", True))),
    **{
        f"per {part}": made(DatePart(PLACED, part), Count(), group=(DatePart(PLACED, part),))
        for part in ("year", "quarter", "month", "day", "weekday", "hour")
    },
    **{
        kind: made(CITY, rows=Rows((CUSTOMERS,)), compound=Compound(kind, made(ColumnRef(ORDERS, "city"))))
        for kind in ("union", "union all", "intersect", "except")
    },
}  # fmt: skip


def shop(dialect: str) -> DatabaseSchema:
    kinds = {
        "total": Kind.NUMBER,
        "placed": Kind.DATETIME,
        "sent": Kind.DATETIME,
        "paid": Kind.BOOLEAN,
    }
    tables = tuple(
        Table(
            name=name,
            schema_name="sales",
            columns=tuple(Column(name=c, type="", kind=kinds.get(c, Kind.TEXT)) for c in columns),
        )
        for name, columns in (
            ("customers", ("id", "city", "Full name")),
            ("orders", ("customer_id", "city", *kinds)),
        )
    )
    return DatabaseSchema(name="shop", dialect=dialect, tables=tables)


def sql(query: Query, dialect: str) -> str:
    schema = shop(dialect)
    return " ".join(compile_query(ready(query, schema), (schema,), dialect).split())


@pytest.mark.parametrize("dialect", WAREHOUSES)
@pytest.mark.parametrize("name", QUERIES)
def test_what_is_written_is_read_back_and_passes_the_guard(name: str, dialect: str) -> None:
    written = sql(QUERIES[name], dialect)
    again = check_sql(written, dialect).sql(dialect)
    assert parse_one(again, dialect=dialect).sql(dialect) == again
    assert "sales." in written


@pytest.mark.parametrize("dialect", WAREHOUSES)
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_expressions_are_read_back(name: str, dialect: str) -> None:
    written = EXPRESSIONS[name][0]
    tree = parse_one(written) if isinstance(written, str) else written.copy()
    check_sql(render(exp.select(tree).from_("t"), dialect), dialect)


SPELLED = {
    (
        "top",
        "tsql",
    ): "SELECT TOP 3 t1.[Full name] FROM sales.customers AS t1 ORDER BY t1.[Full name] DESC",
    (
        "a page in no order",
        "tsql",
    ): "ORDER BY ( SELECT NULL ) OFFSET 6 ROWS FETCH FIRST 3 ROWS ONLY",
    ("average", "tsql"): "AVG(CAST(t1.total AS FLOAT))",
    ("ratio", "tsql"): "CAST(SUM(t1.total) AS FLOAT) / NULLIF(COUNT(*), 0)",
    ("truth", "tsql"): "t1.paid = 1",
    ("pattern", "tsql"): "LIKE '%o''neil%'",
    ("pattern", "bigquery"): r"LIKE '%o\'neil%'",
    ("join and filter", "tsql"): "N'Zürich'",
    ("join and filter", "bigquery"): "'Zürich'",
    ("hours", "tsql"): "DATEDIFF_BIG(SECOND, t1.placed, t1.sent)",
    (
        "hours",
        "bigquery",
    ): "TIMESTAMP_DIFF(CAST(t1.sent AS TIMESTAMP), CAST(t1.placed AS TIMESTAMP), SECOND)",
    ("days", "snowflake"): "DATEDIFF(DAY, t1.placed, t1.sent)",
    ("median", "snowflake"): "MEDIAN(t1.total)",
    ("median", "tsql"): "ROW_NUMBER() OVER",
    ("median", "bigquery"): "ROW_NUMBER() OVER",
    ("per month", "tsql"): "FORMAT(t1.placed, 'yyyy-MM')",
    ("per month", "snowflake"): "TO_CHAR(t1.placed, 'yyyy-mm')",
    ("per month", "bigquery"): "FORMAT_TIMESTAMP('%Y-%m', CAST(t1.placed AS TIMESTAMP))",
    ("per weekday", "bigquery"): "MOD(EXTRACT(DAYOFWEEK FROM t1.placed) + 5, 7) + 1",
    ("per weekday", "snowflake"): "DAYOFWEEKISO(t1.placed)",
    ("except", "bigquery"): "EXCEPT DISTINCT",
}


@pytest.mark.parametrize(("name", "dialect"), SPELLED)
def test_each_says_it_in_its_own_words(name: str, dialect: str) -> None:
    assert SPELLED[name, dialect] in sql(QUERIES[name], dialect)


def test_no_schema_is_left_out_where_a_login_decides_what_its_name_means() -> None:
    assert {default_schema(shop(dialect)) for dialect in WAREHOUSES} == {""}


def test_calls_inside_of_calls_are_rewritten_too() -> None:
    tree = parse_one("SELECT AVG(CASE WHEN t.a ILIKE 'x' THEN YEAR(t.d) END) FROM t")
    assert (
        "AVG(CAST(CASE WHEN LOWER(t.a) LIKE LOWER('x') THEN DATEPART(YEAR, t.d) END AS FLOAT))"
        in (" ".join(render(tree, "tsql").split()))
    )


@pytest.mark.parametrize("dialect", WAREHOUSES)
@pytest.mark.parametrize("name", QUERIES)
def test_what_is_written_is_lifted_and_reviewed_without_a_fall(name: str, dialect: str) -> None:
    written = sql(QUERIES[name], dialect)
    assert find_issues(written, shop(dialect)) == ()
    assert isinstance(lift(written, shop(dialect)), Query | Opaque)
