"""Rules about queries that run and go wrong; each stands in a fixture as a pair: a bad query and a good one."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oldhand.evaluators.sql_rules import DOUBTFUL, REJECTED, VALID, review_sql
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table

FIXTURES = Path(__file__).parent / "fixtures"
PAIR = re.compile(
    r"-- (?P<reason>.*)\n-- (?P<kind>bad|advice)(?: in (?P<dialect>\w+))?: (?P<codes>[\w ]+)\n(?P<bad>.*)\n"
    r"-- good(?: in (?P<good_dialect>\w+))?\n(?P<good>.*)",
    re.DOTALL,
)
KINDS: dict[str, dict[str, tuple[str, Kind]]] = {
    "shop": {
        "id": ("INTEGER", Kind.INTEGER), "name": ("TEXT", Kind.TEXT), "city": ("TEXT", Kind.TEXT),
        "area": ("REAL", Kind.NUMBER), "easting": ("REAL", Kind.NUMBER), "northing": ("REAL", Kind.NUMBER),
        "longitude": ("REAL", Kind.NUMBER), "latitude": ("REAL", Kind.NUMBER),
    },
    "sale": {
        "id": ("INTEGER", Kind.INTEGER), "shop_id": ("INTEGER", Kind.INTEGER), "amount": ("REAL", Kind.NUMBER),
        "customer": ("TEXT", Kind.TEXT),
    },
    "place": {
        "id": ("INTEGER", Kind.INTEGER), "geom": ("geometry(Point,4326)", Kind.SPATIAL),
        "geog": ("geography(Point,4326)", Kind.SPATIAL), "utm": ("geometry(Point,25832)", Kind.SPATIAL),
    },
}  # fmt: skip
ROWS = {"shop": 12, "sale": 1_000_000, "place": 400}


class Pair(NamedTuple):
    reason: str
    kind: str
    dialect: str
    codes: list[str]
    bad: str
    good: str
    good_dialect: str


def schema_of(dialect: str) -> DatabaseSchema:
    tables = [
        Table(
            name=name,
            schema_name="main",
            columns=tuple(Column(name=c, type=t, kind=k) for c, (t, k) in columns.items()),
            row_count=ROWS[name],
        )
        for name, columns in KINDS.items()
    ]
    return DatabaseSchema(name="shops", dialect=dialect, tables=tuple(tables))


def schemas_for(sql: str, dialect: str) -> tuple[DatabaseSchema, ...]:
    """The schema when a dialect is named and all tables of the query are in it."""
    tables = set(re.findall(r"(?:FROM|JOIN) (\w+)", sql))
    return (schema_of(dialect),) if dialect and tables and tables <= set(KINDS) else ()


def pairs() -> list[Pair]:
    found: list[Pair] = []
    for path in sorted(FIXTURES.glob("*.sql")):
        for block in path.read_text("utf-8").strip().split("\n\n"):
            match = PAIR.fullmatch(block)
            assert match, f"not a pair: {block}"
            dialect = match["dialect"] or ""
            found.append(
                Pair(
                    match["reason"],
                    match["kind"],
                    dialect,
                    match["codes"].split(),
                    match["bad"],
                    match["good"],
                    match["good_dialect"] or dialect,
                )
            )
    return found


PAIRS = pairs()


def test_there_are_pairs_for_every_kind_of_finding() -> None:
    assert len(PAIRS) > 60
    assert {pair.kind for pair in PAIRS} == {"bad", "advice"}


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.reason)
def test_a_bad_query_is_found_by_its_rule(pair: Pair) -> None:
    review = review_sql(pair.bad, pair.dialect, schemas_for(pair.bad, pair.dialect))
    found = review.errors if pair.kind == "bad" else review.advice
    assert sorted(issue.code for issue in found) == sorted(pair.codes)
    assert review.is_valid == (pair.kind == "advice")
    assert all(issue.message and issue.fragment for issue in found)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.reason)
def test_a_good_query_has_no_errors_and_not_the_advice(pair: Pair) -> None:
    dialect = pair.good_dialect
    review = review_sql(pair.good, dialect, schemas_for(pair.good, dialect))
    assert review.errors == ()
    assert not {issue.code for issue in review.advice} & set(pair.codes)
    assert review.score == VALID


@pytest.mark.parametrize(
    ("sql", "score"),
    [
        ("SELECT name FROM shop", VALID),
        ("SELECT name FROM shop WHERE city = NULL", DOUBTFUL),
        ("SELECT nmae FROM shop", REJECTED),
        ("SELECT nmae FROM shop WHERE city = NULL", REJECTED),
        ("SELEC name", REJECTED),
    ],
)
def test_what_would_not_even_run_scores_lower_than_what_is_doubtful(sql: str, score: float) -> None:
    assert review_sql(sql, "sqlite", [schema_of("sqlite")]).score == score


def test_the_seed_s_words_begin_the_messages_about_degrees() -> None:
    point = "ST_SetSRID(ST_MakePoint(144.38078, -38.08395), {})"
    metres = review_sql(f"SELECT * FROM a WHERE ST_DWithin(g, {point.format(4326)}, 100)")
    degrees = review_sql(f"SELECT * FROM a WHERE ST_DWithin(g, {point.format(4283)}, 0.001)")
    beginnings = [issue.message.partition(":")[0] for issue in (*metres.errors, *degrees.errors)]
    assert beginnings == [
        "Mixing geographic coordinates with planar distance",
        "Using degrees with meter-implied distance",
        "Distance value without units",
        "Degrees as units not meaningful",
    ]
    assert (metres.score, degrees.score) == (0.7, 0.7)


def test_the_schema_that_has_the_tables_is_the_one_that_is_meant() -> None:
    other = DatabaseSchema(name="other", dialect="sqlite", tables=())
    review = review_sql("SELECT nmae FROM shop", schemas=[other, schema_of("sqlite")])
    assert review.database == "shops"
    assert [issue.code for issue in review.errors] == ["unknown_column"]


def test_a_table_of_another_database_is_pointed_to() -> None:
    stock = Table(
        name="stock", schema_name="main", columns=(Column(name="id", type="", kind=Kind.OTHER),)
    )
    other = DatabaseSchema(name="store", dialect="sqlite", tables=(stock,))
    sql = "SELECT s.name, t.id FROM shop AS s JOIN stock AS t ON t.id = s.id JOIN sale AS a ON a.shop_id = s.id"
    (issue,) = review_sql(sql, schemas=[schema_of("sqlite"), other]).errors
    assert "lies in the database store" in issue.message


def test_the_same_mistake_has_the_same_key_whatever_the_values() -> None:
    sql = "SELECT * FROM a WHERE ST_DWithin(geom, ST_SetSRID(ST_MakePoint({}, 1.5), 4326), {})"
    first, second = review_sql(sql.format(2, 100)), review_sql(sql.format(3, 250))
    assert first.keys == second.keys
    names = [
        review_sql(f"SELECT {a}.nmae FROM shop AS {a}", "sqlite", [schema_of("sqlite")]).keys
        for a in "st"
    ]
    assert names[0] == names[1] == ("column_not_in_table:shops:nmae",)


def test_operators_of_postgis_do_not_make_a_query_unreadable() -> None:
    assert review_sql(
        "SELECT a.id FROM a JOIN b ON a.box ~= b.box WHERE a.g &&& b.g", "postgres"
    ).is_valid
    bad = "SELECT id FROM a WHERE a.g &&& b.g = NULL"
    assert [issue.code for issue in review_sql(bad, "postgres").errors] == ["comparison_with_null"]


def test_a_dialect_nobody_knows_counts_as_not_known() -> None:
    assert (
        review_sql("SELECT TOP 5 name FROM shop", "tsql").errors
        == review_sql("SELECT TOP 5 name FROM shop").errors
    )
    assert review_sql("SELECT name FROM shop", "PostgreSQL").is_valid


@pytest.mark.parametrize(
    "sql", ["", ";", "-- nothing", "SELECT " + "(" * 300 + "1" + ")" * 300, "SELECT 1; SELECT 2"]
)
def test_what_is_no_query_is_an_error_and_never_a_crash(sql: str) -> None:
    review = review_sql(sql)
    assert [issue.code for issue in review.errors] == ["does_not_parse"]
    assert review.score == REJECTED


PIECES = [
    "SELECT", "FROM", "WHERE", ",", "(", ")", "*", "=", "NULL", "100", "0.001", "'SRID=4326;POINT(1 2)'", "::geography",
    "geom", "ST_DWithin(", "ST_Distance(", "shop", "sale", "ST_SetSRID(", "ST_MakePoint(", "ST_Transform(", "4326", "<->",
    "&&", "~=", "AS d", "ORDER BY", "GROUP BY", "LIMIT", "JOIN", "ON", "count(", "AND", "OR", "NOT", "IN", "/", "WITH",
]  # fmt: skip


@settings(max_examples=150)
@given(
    st.lists(st.sampled_from(PIECES), max_size=14),
    st.sampled_from(["", "sqlite", "postgres", "mysql", "duckdb"]),
)
def test_any_text_is_reviewed_without_a_crash(words: list[str], dialect: str) -> None:
    review = review_sql(
        "SELECT " + " ".join(words), dialect, [schema_of(dialect)] if dialect else ()
    )
    assert review.is_valid == (review.score == VALID)
