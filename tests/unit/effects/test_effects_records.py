"""Effects as records: what can be said, what is refused, and what older records mean."""

import json

import pytest
from pydantic import ValidationError

from oldhand.errors import InvalidAlias, InvalidEffect, UnknownTarget
from oldhand.learning.effects import default_filter, join_path, tool_ban, value_mapping
from oldhand.record.effect import (
    Alias,
    DefaultFilter,
    JoinPath,
    KeyPair,
    ToolBan,
    ValueMapping,
    spoken_as,
)
from oldhand.record.filter_condition import read_filter
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
from oldhand.testing.records import example_memory

KEYS = KeyPair(table="orders", column="city_id", other_table="cities", other_column="id")
EFFECTS = (
    Alias(phrase="clients", database="shop", table="customers"),
    DefaultFilter(database="shop", table="orders", condition="status <> 'cancelled'"),
    JoinPath(database="shop", tables=("orders", "cities"), on=(KEYS,)),
    ValueMapping(database="shop", table="orders", column="status", spoken="off", value="cancelled"),
    ToolBan(tool="code_executor"),
)


def _table(name: str, *columns: str) -> Table:
    made = (Column(name=one, type="TEXT", kind=Kind.TEXT) for one in columns)
    return Table(name=name, schema_name="main", columns=tuple(made))


SHOP = DatabaseSchema(
    name="shop",
    dialect="sqlite",
    tables=(_table("Orders", "id", "city_id", "Status"), _table("cities", "id", "name")),
)


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda one: one.kind)
def test_an_effect_is_itself_again_after_json(effect) -> None:
    memory = example_memory(kind=MemoryType.SEMANTIC, effect=effect)
    assert Memory.model_validate(json.loads(memory.model_dump_json())).effect == effect
    fields = memory.model_dump(mode="json")
    assert Memory.model_validate(fields).effect == effect
    assert effect.says
    assert effect.target


def test_an_effect_that_names_no_kind_is_a_word() -> None:
    fields = {"phrase": "clients", "database": "shop", "schema_name": None, "table": "customers"}
    assert example_memory(effect=fields).effect == EFFECTS[0]


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "new_kind", "tool": "x"},
        {"kind": "tool_ban"},
        {"kind": "tool_ban", "tool": ""},
        {"kind": "tool_ban", "tool": "x", "more": 1},
        {"kind": "default_filter", "database": "shop", "table": "orders", "condition": "1 = 1"},
        {"kind": "join_path", "database": "shop", "tables": ["a"], "on": []},
        {"kind": 7},
        {},
        "alias",
    ],
)
def test_what_is_no_effect_is_refused(fields: object) -> None:
    with pytest.raises(ValidationError):
        example_memory(effect=fields)


@pytest.mark.parametrize(
    "condition",
    [
        "",
        "status",
        "TRUE",
        "1 = 1",
        "status = other",
        "'a' = status",
        "orders.status = 'x'",
        "lower(status) = 'x'",
        "status = 'x' OR 1 = 1",
        "status IN (SELECT status FROM orders)",
        "status IN ()",
        "status = (SELECT 1)",
        "status = NULL",
        "status = ?",
        "status = :x",
        "status <> 'a'; DROP TABLE orders",
        "SELECT 1",
        "status = 'x' AND",
        "status = CASE WHEN 1 THEN 1 END",
        "(" * 400,
        "a = 1 " + "AND a = 1 " * 100,
        "status = 'x' UNION SELECT 1",
        "EXISTS (SELECT 1)",
        "status LIKE 'x' ESCAPE '!'",
        "\x00",
    ],
)
def test_a_filter_compares_columns_with_literals_only(condition: str) -> None:
    with pytest.raises(ValidationError):
        DefaultFilter(database="shop", table="orders", condition=condition)
    with pytest.raises(InvalidEffect):
        default_filter("shop", "orders", condition, (SHOP,))


def test_remarks_in_a_condition_are_dropped() -> None:
    made = DefaultFilter(database="s", table="t", condition="a = 'x' /* hi */ -- and AND b")
    assert made.condition == "a = 'x'"


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("status <> 'cancelled'", "Leave out orders with status = 'cancelled'"),
        ("NOT status IN ('a', 'b')", "Leave out orders with status IN ('a', 'b')"),
        ("deleted_at IS NOT NULL", "Leave out orders with deleted_at IS NULL"),
        ("status <> 'a' AND test <> 1", "Leave out orders with status = 'a' OR test = 1"),
        ("status <> 'a' OR status IS NULL", "Leave out orders with status = 'a'"),
        ("is_test = 0", "Take only orders with is_test = 0"),
        ("status <> 'a' AND total > 0", "Take only orders with status <> 'a' AND total > 0"),
    ],
)
def test_a_filter_says_what_it_takes_or_leaves_out(condition: str, said: str) -> None:
    assert DefaultFilter(database="shop", table="orders", condition=condition).says == said


def test_effects_are_checked_against_the_schemas() -> None:
    made = default_filter("shop", "ORDERS", "status <> 'x'", (SHOP,))
    assert (made.table, made.condition) == ("Orders", "status <> 'x'")
    path = join_path("shop", ("orders", "cities"), [("orders", "city_id", "cities", "id")], (SHOP,))
    assert path.tables == ("Orders", "cities")
    mapped = value_mapping(("shop", "orders", "status"), " Called  OFF ", "cancelled", (SHOP,))
    assert (mapped.spoken, mapped.column) == ("called off", "Status")
    assert tool_ban(" python ").tool == "python"


@pytest.mark.parametrize(
    "make",
    [
        lambda: default_filter("crm", "orders", "status <> 'x'", (SHOP,)),
        lambda: default_filter("shop", "sales", "status <> 'x'", (SHOP,)),
        lambda: default_filter("shop", "orders", "total > 1", (SHOP,)),
        lambda: join_path("shop", ("orders", "towns"), [], (SHOP,)),
        lambda: join_path("shop", ("orders", "cities"), [("orders", "x", "cities", "id")], (SHOP,)),
        lambda: value_mapping(("shop", "orders", "state"), "off", "x", (SHOP,)),
    ],
)
def test_what_does_not_exist_is_no_target(make) -> None:
    with pytest.raises(UnknownTarget):
        make()


def test_what_cannot_be_is_refused_by_name() -> None:
    with pytest.raises(InvalidEffect, match="nothing joins"):
        join_path("shop", ("orders", "cities"), [("orders", "id", "orders", "city_id")], (SHOP,))
    with pytest.raises(InvalidEffect):
        join_path("shop", ("orders", "cities"), [], (SHOP,))
    with pytest.raises(InvalidEffect):
        tool_ban("  ")
    with pytest.raises(InvalidAlias):
        value_mapping(("shop", "orders", "status"), "the", "x", (SHOP,))


def test_only_words_are_spoken() -> None:
    assert [spoken_as(effect) is not None for effect in EFFECTS] == [
        True,
        False,
        False,
        True,
        False,
    ]
    assert spoken_as(None) is None


def test_a_condition_that_was_read_before_cannot_be_spoilt_by_its_reader() -> None:
    read_filter("a <> 1").copy().set("this", None)
    assert read_filter("a <> 1").sql() == "a <> 1"
