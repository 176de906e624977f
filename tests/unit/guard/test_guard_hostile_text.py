"""Text that nobody meant as SQL: whatever comes in, a named refusal comes out, soon."""

from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from oldhand.errors import QueryRefused, UnreadableSQL, UsageError
from oldhand.sources.databases.guard import check_sql, checked_text

DIALECTS = ("sqlite", "postgres", "mysql", "duckdb")
WORDS = st.sampled_from([
    "SELECT", "FROM", "WHERE", "WITH", "AS", "(", ")", ",", ";", "*", "a", "b", "t", ".", "'x'",
    "\"", "`", "[", "]", "{", "}", "1", "+", "-", "--", "/*", "*/", "/*!", "#", "@", ":", "::",
    "->", "$$", "$1", "?", "E'", "U&", "INTO", "FOR", "UPDATE", "JOIN", "ON", "UNION", "VALUES",
    "CASE", "WHEN", "END", "CAST", "INTERVAL", "OVER", "ORDER", "BY", "LIMIT", "DELETE",
    "RETURNING", "IN", "NOT", "EXISTS", "date(", "time(", "datetime(", "convert(", "cast(",
    "json_table(", "trim(", "extract(", "\n", "\r", "\t", "\0", "\\", "é", "ÿ",
])  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "text",
    [
        "SELECT " + "(" * 10_000 + "1" + ")" * 10_000,
        "SELECT " + "[" * 10_000,
        "(" * 10_000,
        ")" * 10_000,
        "SELECT " + "abs(" * 99 + "1" + ")" * 99,
        "SELECT " + "CASE WHEN 1 THEN " * 5_000 + "1" + " END" * 5_000,
        "SELECT " + "NOT " * 20_000 + "1",
        "SELECT " + "- " * 20_000 + "1",
        "SELECT 1" + " UNION SELECT 1" * 5_000 + " UNION",
        "SELECT '" + "x" * 1_000_000 + "'",
        "/*" * 100_000,
        "SELECT " + "1 + " * 250_000 + "1",
        "SELECT 1 -- " + "x" * 1_000_000,
    ],
    ids=lambda text: text[:24],
)
def test_too_much_is_refused(dialect: str, text: str) -> None:
    with pytest.raises(UnreadableSQL):
        check_sql(text, dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_long_flat_query_passes(dialect: str) -> None:
    check_sql(f"SELECT * FROM t WHERE id IN ({', '.join(map(str, range(10_000)))})", dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1\0; DROP TABLE shop",
        "SELECT 'a\0b'",
        "SELECT\u00a01",
        "SELECT 1 \u2003, read_text('x')",
        "SELECT \u202e 1",
        "SELECT a\u200bb FROM t",
        "SELECT '\ud800'",
        "\ufeffSELECT 1",
        "SELECT 1 \x1a",
        "\uff33\uff25\uff2c\uff25\uff23\uff34 1",
    ],
    ids=ascii,
)
def test_invisible_and_look_alike_characters_are_refused(dialect: str, text: str) -> None:
    with pytest.raises(UnreadableSQL):
        check_sql(text, dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_line_comment_ends_at_every_kind_of_line_end(dialect: str) -> None:
    with pytest.raises(QueryRefused):
        check_sql(
            "SELECT 1 -- a comment for some readers \r , pg_sleep(5) , sleep(5), readfile('x')",
            dialect,
        )
    assert "comment" not in checked_text("SELECT 1 -- comment\r\n FROM t", dialect)


@given(text=st.text(), dialect=st.sampled_from(DIALECTS))
@example(text="SELECT datetime('2020-01-01 10:00')", dialect="duckdb")
def test_any_text_ends_in_a_tree_or_a_refusal(text: str, dialect: str) -> None:
    with suppress(QueryRefused):
        check_sql(text, dialect)


@given(words=st.lists(WORDS, max_size=30), dialect=st.sampled_from(DIALECTS))
def test_any_mix_of_words_ends_in_a_tree_or_a_refusal(words: list[str], dialect: str) -> None:
    try:
        text = checked_text("SELECT " + " ".join(words), dialect)
    except QueryRefused:
        return
    assert checked_text(text, dialect) == text


@given(raw=st.binary(max_size=200), dialect=st.sampled_from(DIALECTS))
def test_random_bytes_end_in_a_tree_or_a_refusal(raw: bytes, dialect: str) -> None:
    with suppress(QueryRefused):
        check_sql(raw.decode("utf-8", "surrogateescape"), dialect)


def test_a_dialect_without_rules_is_named() -> None:
    with pytest.raises(UsageError, match="oracle"):
        check_sql("SELECT 1", "oracle")
