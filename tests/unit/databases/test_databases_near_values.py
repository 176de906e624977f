"""Texts of statements that a column does not hold, and what it holds instead; and when nothing is said."""

import pytest

from oldhand.record.schema import Column, ColumnProfile, DatabaseSchema, Disclosure, Kind, Table
from oldhand.sources.databases.near_values import near_misses
from oldhand.sources.databases.values import AllValues, ValueIndex


def column(name: str, kind: Kind = Kind.TEXT, **more: object) -> Column:
    return Column.model_validate({"name": name, "type": kind.upper(), "kind": kind} | more)


SHOPS = Table(
    name="shops",
    schema_name="main",
    columns=(column("city"), column("country"), column("opened", Kind.DATE), column("code"), column("size", Kind.NUMBER), column("sex", profile=ColumnProfile(rows=9, distinct=2, values=("F", "M"))),
             column("owner", to_models=Disclosure.NAMES)),
)  # fmt: skip
SCHEMA = DatabaseSchema(name="crm", dialect="sqlite", tables=(SHOPS,))
HELD = ValueIndex.in_memory(
    "crm",
    [
        ("main", "shops", "city", ["Basel", "New York", "Zürich"]),
        ("main", "shops", "country", ["Peru", "Switzerland"]),
        ("main", "shops", "code", ["2024-01-02", "A1"]),
        ("main", "shops", "owner", ["Ada Lovelace"]),
    ],
)


def said(condition: str, schema: DatabaseSchema = SCHEMA) -> tuple[str, ...]:
    return near_misses(f"SELECT COUNT(*) FROM shops AS s WHERE {condition}", schema, HELD)


@pytest.mark.parametrize(
    ("condition", "held"),
    [
        ("city = 'basel'", "It holds 'Basel'."),
        ("s.city = 'Zurich'", "It holds 'Zürich'."),
        ("city IN ('Basel', 'new york')", "It holds 'New York'."),
        ("'Bassel' = city", "It holds 'Basel'."),
        ("city = 'York'", "It holds 'New York'."),
        ("city = 'Peru'", "shops.country does."),
        ('city = "basel"', "It holds 'Basel'."),
        ("city <> 'Peru'", "shops.country does."),
        ("size = 'Peru'", "shops.country does."),
        ("sex = 'female'", "All that it holds is 'F', 'M'."),
    ],
)
def test_a_near_miss_is_told(condition: str, held: str):
    (one,) = said(condition)
    assert one.endswith(held)


@pytest.mark.parametrize(
    "condition",
    [
        "city = 'Basel'",
        "city = 'Oslo'",  # nothing like it: it may just not be there
        "city LIKE '%asel'",
        "LOWER(city) = 'basel'",
        "opened = '2024-01-03'",
        "code = '2024-01-03'",
        "size = 'large'",
        "city = ''",
        "city <> 'Basel'",
        "owner = 'ada lovelace'",  # models see no value of it
        "country = 'Ada Lovelace'",
        "city = country",
        "nonsense ((",
    ],
)
def test_nothing_is_said_without_need(condition: str):
    assert said(condition) == ()


def test_letter_case_does_not_matter_where_the_database_does_not_mind():
    mysql = SCHEMA.model_copy(update={"dialect": "mysql"})
    assert said("city = 'basel'", mysql) == ()
    assert said("city = 'Bassel'", mysql) != ()


def test_another_database_has_no_say():
    other = ValueIndex.in_memory("erp", [("main", "shops", "city", ["Bassels"])])
    sql = "SELECT COUNT(*) FROM shops WHERE city = 'Bassel'"
    assert near_misses(sql, SCHEMA, AllValues([other])) == ()
    assert near_misses(sql, SCHEMA, AllValues([other, HELD])) == (
        "shops.city holds no 'Bassel'. It holds 'Basel'.",
    )
