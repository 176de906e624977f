"""A value that is compared with an array is looked for among its elements."""

import duckdb
import pytest

from oldhand.query.compiling.compile import compile_query, ready
from oldhand.query.form import ColumnRef, Comparison, Count, Query, Relation, Rows
from oldhand.query.lifting.lifting import lift
from oldhand.query.normal import same
from oldhand.record.schema import Column as Known
from oldhand.record.schema import DatabaseSchema, Kind, Table

TAGS = Known(name="tags", type="VARCHAR[]", kind=Kind.OTHER)
SHOP = DatabaseSchema(
    name="shop",
    dialect="duckdb",
    tables=(Table(name="products", schema_name="main", columns=(TAGS,)),),
)
ROWS = "CREATE TABLE products AS SELECT * FROM (VALUES (['red', 'sale']), (['new']), ([]), (['red'])) AS t (tags)"
PRODUCTS = Relation("shop", "main", "products")


@pytest.mark.parametrize(
    ("operator", "values", "number"),
    [("=", ("red",), 2), ("in", ("sale", "new"), 2), ("!=", ("red",), 2), ("=", ("blue",), 0)],
)
def test_elements_are_compared(operator, values, number):
    asked = Query(
        Rows((PRODUCTS,)), (Count(),), (Comparison(ColumnRef(PRODUCTS, "tags"), operator, values),)
    )
    sql = compile_query(ready(asked, SHOP), (SHOP,), "duckdb")
    with duckdb.connect() as database:
        database.execute(ROWS)
        assert database.execute(sql).fetchall() == [(number,)]


def test_what_ran_is_read_back_as_it_was_asked():
    asked = Query(
        Rows((PRODUCTS,)), (Count(),), (Comparison(ColumnRef(PRODUCTS, "tags"), "=", ("red",)),)
    )
    lifted = lift(compile_query(ready(asked, SHOP), (SHOP,), "duckdb"), SHOP)
    assert isinstance(lifted, Query)
    assert same(lifted, asked)


def test_a_query_over_postgres_names_the_elements_too():
    asked = Query(
        Rows((PRODUCTS,)), (Count(),), (Comparison(ColumnRef(PRODUCTS, "tags"), "=", ("red",)),)
    )
    postgres = SHOP.model_copy(update={"dialect": "postgres"})
    sql = compile_query(ready(asked, postgres), (postgres,), "postgres")
    assert "'red' = ANY" in " ".join(sql.split())
