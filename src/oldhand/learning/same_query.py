"""Whether two statements are the same query, however they are spelled."""

from oldhand.learning.confirmation import spelled_alike
from oldhand.query.form import Query
from oldhand.query.lifting import lift
from oldhand.query.normal import same
from oldhand.record.schema import DatabaseSchema


def is_same_query(one: str, other: str, schema: DatabaseSchema) -> bool:
    """Whether two statements ask for the same rows, by the same tables, conditions and order.

    Names of results and of tables within the statement, letter case, what is left out of a name because it is clear,
    and the order of conditions are no difference. Statements that only happen to give the same rows are not the same.

    >>> from oldhand.record.schema import Column, Kind, Table
    >>> columns = (Column(name="id", type="INT", kind=Kind.INTEGER), Column(name="city", type="TEXT", kind=Kind.TEXT))
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite",
    ...                       tables=(Table(name="customers", schema_name="main", columns=columns),))
    >>> is_same_query("SELECT COUNT(*) AS n FROM customers AS t1 WHERE t1.city = 'Rome' AND t1.id > 1",
    ...               "select count(*) from shop.Customers where id > 1 and 'Rome' = city", shop)
    True
    >>> is_same_query("SELECT city FROM customers", "SELECT id FROM customers", shop)
    False
    """
    if spelled_alike(one) == spelled_alike(other):
        return True
    first, second = lift(one, schema), lift(other, schema)
    return isinstance(first, Query) and isinstance(second, Query) and same(first, second)
