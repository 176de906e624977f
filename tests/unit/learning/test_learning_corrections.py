"""Corrections: what is SQL, which database is meant, and why something cannot be used."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from oldhand.learning.confirmation import Solution
from oldhand.learning.corrections import Corrections, Unusable, is_sql, sql_of
from oldhand.learning.endless_statements import EndlessStatements
from oldhand.record.answer import Outcome
from oldhand.settings import QueryLimits
from oldhand.sources.databases import Catalog
from oldhand.testing.records import example_episode, example_feedback

SCRIPTS = {
    "shop": "CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT); CREATE TABLE orders (id INTEGER);",
    "crm": "CREATE TABLE customers (id INTEGER PRIMARY KEY, town TEXT); CREATE TABLE calls (id INTEGER);",
}


@pytest.fixture
def corrections(tmp_path: Path) -> Iterator[Corrections]:
    with reader(tmp_path, QueryLimits(seconds=60)) as made:
        yield made


@contextmanager
def reader(tmp_path: Path, limits: QueryLimits) -> Iterator[Corrections]:
    """What reads corrections of answers over two databases."""
    catalog = Catalog(tmp_path / "home")
    for name, script in SCRIPTS.items():
        with closing(sqlite3.connect(tmp_path / f"{name}.db")) as connection:
            connection.executescript(script)
        catalog.add(f"sqlite:///{tmp_path / name}.db", name=name)
    yield Corrections(catalog, limits, EndlessStatements(tmp_path / "endless"))
    catalog.close()


def read(corrections: Corrections, correction: str, **answer: object) -> Solution | Unusable:
    episode = example_episode("episode-1", **answer)
    return corrections.read(episode, example_feedback("f", None, correction=correction))


def silent(corrections: Corrections, correction: str) -> Solution | Unusable:
    """A correction of an answer that consulted no database."""
    return read(corrections, correction, outcome=Outcome.ABSTAINED, steps=())


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1",
        "select count(*)\nfrom customers",
        "  (SELECT a FROM b) UNION SELECT c FROM d",
        "-- right\nSELECT a FROM b",
        "/* right */ WITH x AS (SELECT 1) SELECT * FROM x",
        "WITH RECURSIVE x (n) AS (SELECT 1) SELECT n FROM x",
        "VALUES (1)",
        "DELETE FROM customers",
        "drop table customers",
        "PRAGMA table_info(customers)",
    ],
)
def test_these_are_sql(text: str) -> None:
    assert is_sql(text)


@pytest.mark.parametrize(
    "text",
    [
        "42",
        "Select the paid ones only",
        "With shipping it is more",
        "Only those from Berlin",
        "Update: it is 12",
        "values are in euros",
        "Drop the cancelled ones",
        "",
        "🦖",
    ],
)
def test_these_are_words(text: str) -> None:
    assert not is_sql(text)
    assert sql_of(text) is None


def test_the_database_of_the_answer_is_meant(corrections: Corrections) -> None:
    found = read(corrections, "SELECT COUNT(*) FROM customers;")
    assert found == Solution(
        "How many customers live in Berlin?", ("shop",), "shop", "SELECT COUNT(*) FROM customers"
    )


def test_else_the_only_one_that_fits_is_meant(corrections: Corrections) -> None:
    found = read(corrections, "SELECT COUNT(*) FROM calls")
    assert isinstance(found, Solution)
    assert found.database == "crm"
    found = silent(corrections, "SELECT COUNT(*) FROM customers WHERE town = 'Rome'")
    assert isinstance(found, Solution)
    assert found.database == "crm"


def test_where_several_fit_it_has_to_be_said(corrections: Corrections) -> None:
    found = silent(corrections, "SELECT COUNT(*) FROM customers")
    assert isinstance(found, Unusable)
    assert "(shop, crm): write shop: SELECT …" in found.reason
    named = silent(corrections, "crm: SELECT COUNT(*) FROM customers")
    assert isinstance(named, Solution)
    assert (named.database, named.sql) == ("crm", "SELECT COUNT(*) FROM customers")


@pytest.mark.parametrize(
    ("correction", "reason"),
    [
        ("SELECT COUNT(*) FROM clients", "shop cannot run it: The database shop has no table"),
        ("SELECT * FROM customers, calls WHERE town = city", "shop cannot run it"),
        ("nowhere: SELECT 1 FROM customers", "nowhere"),
        ("crm: SELECT COUNT(*) FROM orders", "crm cannot run it"),
        ("DROP TABLE customers", "shop cannot run it"),
        ("SELECT * FROM customers WHERE", "shop cannot run it"),
        ("SELECT readfile('/etc/passwd') FROM customers", "readfile"),
    ],
)
def test_why_a_correction_cannot_be_used_is_said_in_a_sentence(
    corrections: Corrections, correction: str, reason: str
) -> None:
    found = read(corrections, correction)
    assert isinstance(found, Unusable)
    assert reason in found.reason


def test_sql_that_runs_for_ever_is_stopped_and_not_learned(tmp_path: Path) -> None:
    endless = (
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
    )
    with reader(tmp_path, QueryLimits(seconds=2)) as corrections:
        found = read(corrections, endless)
    assert isinstance(found, Unusable)
    assert "longer than the 2 seconds" in found.reason


def test_a_question_that_leans_on_another_cannot_be_corrected(corrections: Corrections) -> None:
    found = read(corrections, "SELECT 1 FROM customers", standalone=None)
    assert isinstance(found, Unusable)
    assert "ask it as a whole" in found.reason


def test_words_are_kept_as_they_are(corrections: Corrections) -> None:
    found = read(corrections, "  Households, not people. ")
    assert isinstance(found, Solution)
    assert (found.words, found.sql, found.databases) == ("Households, not people.", None, ())


@pytest.mark.parametrize(
    "correction",
    [
        "DELETE customers",
        "delete customers",
        "TRUNCATE customers;",
        "DROP customers",
        "UPDATE customers city = 'Rome'",
        "SELEC count(*) FORM customers",
        "COUNT(*) FROM customers",
        "SELECT customers",
        "FROM customers WHERE city = 'Rome'",
        "asdf ((( count",
    ],
)
def test_what_looks_like_sql_and_cannot_be_read_is_not_taken_for_words(
    corrections: Corrections, correction: str
) -> None:
    found = read(corrections, correction)
    assert isinstance(found, Unusable)
    assert "one SELECT" in found.reason
    assert "say in a sentence" in found.reason


@pytest.mark.parametrize(
    "correction",
    [
        "Drop the cancelled ones",
        "Delete those from Berlin, then count",
        "Count (all) customers, from Berlin or not",
        "Select only the customers from Berlin",
        "42 :)",
        "Group them by city and order them by name",
    ],
)
def test_words_that_sql_uses_too_stay_words(corrections: Corrections, correction: str) -> None:
    found = read(corrections, correction)
    assert isinstance(found, Solution)
    assert found.words == correction


def test_one_select_over_tables_of_several_databases_is_learned(corrections: Corrections) -> None:
    found = read(
        corrections,
        "SELECT COUNT(DISTINCT c.id) FROM shop.customers AS c JOIN crm.main.calls AS k ON k.id = c.id",
    )
    assert isinstance(found, Solution)
    assert (found.databases, found.database) == (("crm", "shop"), None)
    assert found.sql is not None
    assert "shop.main.customers AS c" in found.sql
    assert "crm.main.calls AS k" in found.sql


def test_a_database_may_be_named_before_the_tables_of_one(corrections: Corrections) -> None:
    found = read(corrections, "SELECT COUNT(*) FROM crm.customers WHERE town = 'Rome'")
    assert isinstance(found, Solution)
    assert found.database == "crm"
    assert found.sql is not None
    assert "crm." not in found.sql


@pytest.mark.parametrize(
    ("correction", "reason"),
    [
        ("SELECT COUNT(*) FROM step_1 JOIN step_2 ON step_1.id = step_2.id", "database.table"),
        ("workspace: SELECT COUNT(*) FROM step_1", "database.table"),
        ("shop: SELECT id FROM customers; crm: SELECT id FROM calls", "database.table"),
        ("SELECT 1 FROM shop.customers AS c JOIN calls AS k ON k.id = c.id", "in which database calls lies"),
        ("SELECT 1 FROM shop.clients AS c JOIN crm.calls AS k ON k.id = c.id", "no table clients"),
        ("SELECT c.town FROM shop.customers AS c JOIN crm.calls AS k ON k.id = c.id", "town"),
        ("DELETE FROM shop.customers WHERE id IN (SELECT id FROM crm.calls)", "DELETE"),
    ],
)  # fmt: skip
def test_why_a_correction_over_several_databases_cannot_be_used_is_said(
    corrections: Corrections, correction: str, reason: str
) -> None:
    found = read(corrections, correction)
    assert isinstance(found, Unusable)
    assert reason in found.reason


def test_a_correction_that_runs_too_long_is_tried_once(corrections: Corrections) -> None:
    slow = Corrections(corrections.catalog, QueryLimits(seconds=0.3), corrections.endless)
    sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n, orders"
    first = read(slow, f"shop: {sql}")
    assert isinstance(first, Unusable)
    assert "longer than the 0.3 seconds" in first.reason
    corrections.catalog.remove("shop")  # it would no longer be found if it were looked at
    assert read(slow, f"shop:  {sql}") == first


def test_an_agents_own_databases_stand_beside_those_of_the_home(corrections, tmp_path):
    with closing(sqlite3.connect(tmp_path / "depot.db")) as connection:
        connection.executescript("CREATE TABLE parcels (id INTEGER PRIMARY KEY, city TEXT)")
    addresses = {"depot": f"sqlite:///{tmp_path}/depot.db"}
    episode = example_episode().model_copy(update={"addresses": addresses})

    def read(sql):
        return corrections.read(episode, example_feedback("f", None, correction=sql))

    assert read("SELECT COUNT(*) FROM parcels").database == "depot"
    assert read("SELECT COUNT(*) FROM calls").database == "crm"
    both = read("SELECT COUNT(*) FROM depot.parcels AS p JOIN shop.customers AS c ON c.city = p.city")  # fmt: skip
    assert both.databases == ("depot", "shop")
