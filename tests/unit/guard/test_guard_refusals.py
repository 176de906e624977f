"""What the guard refuses, by dialect; each attack stands in a fixture with the reason in its comment."""

from pathlib import Path

import pytest

from oldhand import errors
from oldhand.errors import QueryRefused
from oldhand.sources.databases.guard import check_sql

FIXTURES = Path(__file__).parent / "fixtures"
DIALECTS = ("sqlite", "postgres", "mysql", "duckdb", "tsql", "snowflake", "bigquery")


def attacks() -> list[tuple[str, str, str]]:
    """Dialect, name of the error, SQL."""
    found: list[tuple[str, str, str]] = []
    for dialect in DIALECTS:
        text = (FIXTURES / f"{dialect}_refused.sql").read_text("utf-8")
        for block in text.strip().split("\n\n"):
            head, _, sql = block.partition("\n")
            found.append((dialect, head.removeprefix("-- ").partition(":")[0], sql))
    return found


@pytest.mark.parametrize(("dialect", "error", "sql"), attacks())
def test_an_attack_is_refused_by_its_name(dialect: str, error: str, sql: str) -> None:
    with pytest.raises(QueryRefused) as caught:
        check_sql(sql, dialect)
    assert type(caught.value) is getattr(errors, error), str(caught.value)


def test_the_attacks_were_found() -> None:
    assert len(attacks()) > 330


def test_a_write_inside_of_with_is_named() -> None:
    with pytest.raises(errors.WriteRefused, match=r"^INSERT would change the database"):
        check_sql(
            "WITH new AS (INSERT INTO shop VALUES (1) RETURNING *) SELECT * FROM new", "postgres"
        )
