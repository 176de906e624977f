"""What can be seen without running; each rule stands in a fixture as a pair: what is rejected, what is accepted."""

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
from oldhand.sources.databases.sql_issues import RULES, Severity, SqlIssue, find_issues

FIXTURES = Path(__file__).parent / "fixtures"
DIALECTS = ("sqlite", "postgres", "mysql", "duckdb")
Run = Callable[[str], object]

SHOP = {
    "id": Kind.INTEGER, "name": Kind.TEXT, "city": Kind.TEXT, "opened": Kind.DATE, "area": Kind.NUMBER,
    "info": Kind.JSON, "tags": Kind.OTHER, "copy": Kind.TEXT, "load": Kind.INTEGER, "sleep": Kind.INTEGER,
}  # fmt: skip
SALE = {
    "id": Kind.INTEGER, "shop_id": Kind.INTEGER, "amount": Kind.NUMBER, "day": Kind.DATETIME,
    "customer": Kind.TEXT, "order": Kind.INTEGER,
}  # fmt: skip
SCHEMA_NAMES = {"sqlite": "main", "postgres": "public", "mysql": "shops", "duckdb": "main"}


def schema_of(dialect: str) -> DatabaseSchema:
    """The tables of the fixtures; in Postgres one column was declared with a capital letter."""

    def table(name: str, kinds: dict[str, Kind]) -> Table:
        columns = [
            Column(name=column, type=kind.value, kind=kind, primary_key=column == "id")
            for column, kind in kinds.items()
        ]
        return Table(name=name, schema_name=SCHEMA_NAMES[dialect], columns=tuple(columns))

    shop = {k: v for k, v in SHOP.items() if dialect != "sqlite" or k != "tags"}
    if dialect == "postgres":
        shop = {**shop, "openingHours": Kind.TEXT}
    return DatabaseSchema(
        name="shops", dialect=dialect, tables=(table("shop", shop), table("sale", SALE))
    )


class Pair(NamedTuple):
    dialect: str
    reason: str
    code: str
    rejected: str
    accepted: str


def pairs(dialect: str) -> list[Pair]:
    text = (FIXTURES / "issues" / f"{dialect}.sql").read_text("utf-8")
    pattern = re.compile(r"-- (.*)\n-- rejected: (\w+)\n(.*)\n-- accepted\n(.*)", re.DOTALL)
    found: list[Pair] = []
    for block in text.strip().split("\n\n"):
        match = pattern.fullmatch(block)
        assert match, f"not a pair: {block}"
        found.append(Pair(dialect, *match.groups()))
    return found


def errors(sql: str, dialect: str) -> list[SqlIssue]:
    issues = find_issues(sql, schema_of(dialect))
    return [issue for issue in issues if issue.severity is Severity.ERROR]


@pytest.fixture(scope="module")
def engines() -> dict[str, Run]:
    """The two databases that run inside of this process."""
    lite = sqlite3.connect(":memory:")
    lite.executescript((FIXTURES / "sqlite_tables.sql").read_text("utf-8"))
    duck = duckdb.connect(":memory:")
    duck.execute((FIXTURES / "duckdb_tables.sql").read_text("utf-8"))
    return {
        "sqlite": lambda sql: lite.execute(sql).fetchall(),
        "duckdb": lambda sql: duck.sql(sql).fetchall(),
    }


@pytest.mark.parametrize("pair", [pair for d in DIALECTS for pair in pairs(d)], ids=str)
def test_what_a_rule_rejects_is_found_and_what_it_accepts_is_not(pair: Pair) -> None:
    assert pair.code in [issue.code for issue in errors(pair.rejected, pair.dialect)], pair.reason
    assert errors(pair.accepted, pair.dialect) == [], pair.reason


@pytest.mark.parametrize("pair", [pair for d in ("sqlite", "duckdb") for pair in pairs(d)], ids=str)
def test_the_database_itself_judges_the_pair_the_same_way(
    pair: Pair, engines: dict[str, Run]
) -> None:
    with pytest.raises((sqlite3.Error, duckdb.Error)):
        engines[pair.dialect](pair.rejected)
    engines[pair.dialect](pair.accepted)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_reads_that_the_guard_allows_have_no_issues(dialect: str) -> None:
    text = (FIXTURES / f"{dialect}_allowed.sql").read_text("utf-8")
    for block in text.strip().split("\n\n"):
        sql = block.partition("\n")[2]
        if "shop.user" not in sql:  # a table that these fixtures do not have
            assert errors(sql, dialect) == [], sql


def test_every_rule_has_a_name_and_a_reason() -> None:
    names = [rule.__name__ for rule in RULES]
    assert len(set(names)) == len(names) > 35
    assert all(rule.__doc__ for rule in RULES)


def test_most_rules_are_shown_by_a_pair() -> None:
    shown = {pair.code for dialect in DIALECTS for pair in pairs(dialect)}
    assert len(shown) > 35


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT nmae FROM shop", "Did you mean name?"),
        ("SELECT name FROM shpo", "Did you mean shop?"),
        ("SELECT amount FROM shop", "sale has it: join that table."),
        ("SELECT shop.name FROM shop AS s", "write s.name."),
        ("SELECT s.amount FROM shop s JOIN sale a ON a.shop_id = s.id", "write a.amount."),
        ("SELECT id FROM shop JOIN sale ON shop_id = 1", "Write shop.id or sale.id."),
        ("SELECT concat(name, city) FROM shop", "join texts with ||"),
        ("SELECT area AS a, a + 1 FROM shop", "repeat the expression area"),
    ],
)
def test_the_message_says_what_to_do(sql: str, message: str) -> None:
    found = " ".join(issue.message for issue in errors(sql, "sqlite"))
    if "concat" in sql and not found:
        pytest.skip("this SQLite has concat")
    assert message in found


def test_a_table_of_another_database_is_named() -> None:
    stock = Table(name="stock", schema_name="public", columns=schema_of("sqlite").tables[0].columns)
    other = DatabaseSchema(name="warehouse", dialect="postgres", tables=(stock,))
    (issue,) = find_issues("SELECT * FROM stock", schema_of("sqlite"), others=(other,))
    assert "lies in the database warehouse" in issue.message


def test_an_issue_says_where_it_is() -> None:
    sql = "SELECT name,\n  town FROM shop"
    (issue,) = errors(sql, "sqlite")
    assert issue.position == sql.index("town")
    assert issue.fragment == "town"


def test_issues_come_in_the_order_of_the_text_and_once_each() -> None:
    found = errors("SELECT a1, b1 FROM shop WHERE c1 = a1 ORDER BY a1", "sqlite")
    assert [issue.fragment for issue in found] == ["a1", "b1", "c1", "a1", "a1"]


def test_advice_does_not_make_a_query_invalid() -> None:
    issues = find_issues("SELECT name || city FROM shop", schema_of("mysql"))
    assert [issue.severity for issue in issues] == [Severity.ADVICE]


def test_unknown_tables_do_not_make_their_columns_unknown() -> None:
    found = errors("SELECT x.a, b FROM nowhere AS x JOIN shop ON shop.id = x.id", "sqlite")
    assert [issue.code for issue in found] == ["unknown_table"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_query_of_great_length_is_read(dialect: str) -> None:
    terms = " OR ".join(f"id = {number}" for number in range(2_000))
    assert errors(f"SELECT id FROM shop WHERE {terms}", dialect) == []
    unions = " UNION ALL ".join("SELECT id FROM shop" for _ in range(200))
    assert errors(unions, dialect) == []


WORDS = [
    *SHOP, *SALE, "shop", "sale", "s", "SELECT", "FROM", "WHERE", "GROUP BY", "ORDER BY", "JOIN", "ON", "(", ")", ",",
    ".", "*", "AS", "UNION", "count", "max", "=", "1", "'x'", '"x"', "IN", "WITH", "OVER", "HAVING", "LIMIT", "VALUES",
    "CASE", "WHEN", "END", "USING", "LATERAL", "DISTINCT",
]  # fmt: skip


@given(
    words=st.lists(st.sampled_from(WORDS), max_size=25),
    dialect=st.sampled_from(DIALECTS),
)
def test_any_mix_of_words_is_read_without_an_error(words: list[str], dialect: str) -> None:
    for issue in find_issues("SELECT " + " ".join(words), schema_of(dialect)):
        assert issue.message
