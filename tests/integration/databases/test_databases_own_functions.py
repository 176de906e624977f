"""Functions that somebody wrote in a database are refused, unless the owner's settings list them."""

import pytest

from oldhand.errors import FunctionRefused
from oldhand.record.clone import DatabaseEntry
from oldhand.sources.databases import open_database

MAKING = {
    "postgres": "CREATE FUNCTION pay_all(n int) RETURNS int LANGUAGE sql AS 'SELECT n + 1'",
    "mysql": "CREATE FUNCTION pay_all(n INT) RETURNS INT DETERMINISTIC RETURN n + 1",
    "duckdb": "CREATE MACRO pay_all(n) AS n + 1",
}
CALLS = {
    "postgres": (
        "SELECT pay_all(1)",
        'SELECT public."pay_all" (1)',
        "SELECT Pay_All/* */(1)",
        "SELECT * FROM pay_all(1)",
    ),
    "mysql": ("SELECT pay_all(1)", "SELECT `pay_all`(1)"),
    "duckdb": ("SELECT pay_all(1)", 'SELECT "pay_all"(1)'),
}


@pytest.fixture(params=sorted(MAKING))
def shop(request):
    return request.getfixturevalue(f"{request.param}_shop")


async def test_they_are_refused_unless_listed(shop):
    shop.database.close()
    shop.write(MAKING[shop.kind])
    entry = DatabaseEntry(name="shop", url=shop.url)
    with open_database(entry) as database:
        for sql in CALLS[shop.kind]:
            with pytest.raises(FunctionRefused, match=r"pay_all|may not be read from"):
                await database.execute(sql, rows=1, seconds=60)
        with pytest.raises(FunctionRefused, match=r"query\.functions"):
            database.fetch(CALLS[shop.kind][0], rows=1, seconds=60)
        found = await database.execute(
            "SELECT count(*), upper('a') FROM customers", rows=1, seconds=60
        )
        assert found.rows == ((3, "A"),)
    with open_database(entry, ["PAY_ALL"]) as database:
        found = await database.execute(CALLS[shop.kind][0], rows=1, seconds=60)
        assert found.rows == ((2,),)
