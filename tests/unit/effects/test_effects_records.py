"""Effects as records: what can be said, what is refused, and what older records mean."""

import json

import pytest
from pydantic import ValidationError

from oldhand.record.effect import Alias, DefaultFilter, ToolBan, ValueMapping, spoken_as
from oldhand.record.filter_condition import read_filter
from oldhand.record.join_path import JoinPath, KeyPair
from oldhand.record.memory import Memory, MemoryType
from oldhand.testing.records import example_memory

KEYS = KeyPair(table="orders", column="city_id", other_table="cities", other_column="id")
EFFECTS = (
    Alias(phrase="clients", database="shop", table="customers"),
    DefaultFilter(database="shop", table="orders", condition="status <> 'cancelled'"),
    JoinPath(database="shop", tables=("orders", "cities"), on=(KEYS,)),
    ValueMapping(database="shop", table="orders", column="status", spoken="off", value="cancelled"),
    ToolBan(tool="code_executor"),
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


@pytest.mark.parametrize(
    "on", [[], [("orders", "id", "orders", "city_id")], [("orders", "id", "depots", "id")]]
)
def test_a_join_path_joins_its_tables(on) -> None:
    pairs = [dict(zip(KeyPair.model_fields, pair, strict=True)) for pair in on]
    with pytest.raises(ValidationError):
        JoinPath.model_validate({"database": "shop", "tables": ("orders", "cities"), "on": pairs})


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
