"""What rules do to answers, from the question to the rows, over real databases."""

import pytest
from tests.unit.effects.conftest import CANCELLED, Asking, rule

from oldhand.record.effect import Alias, DefaultFilter, ToolBan, ValueMapping
from oldhand.record.join_path import JoinPath, KeyPair
from oldhand.record.memory import Memory, MemoryType
from oldhand.testing.records import example_memory

BILLING = JoinPath(
    database="shop",
    tables=("orders", "addresses"),
    on=(KeyPair(table="orders", column="billing_id", other_table="addresses", other_column="id"),),
)
NO_TESTS = DefaultFilter(database="shop", table="orders", condition="is_test = 0")


def test_a_rule_leaves_out_rows_and_says_so(ask: Asking) -> None:
    assert ask("How many orders are there?").rows == ((6,),)
    answer = ask("How many orders are there?", CANCELLED)
    assert answer.rows == ((4,),)
    assert answer.lessons == ("rule-1",)
    assert answer.notes[-1] == (
        "Left out orders with status = 'cancelled' (a rule learned from ana on 2026-01-01; to limit it: `oldhand memory edit rule-1`, or `oldhand memory retire rule-1`)."
    )
    assert (
        answer.query == "SELECT COUNT(*) FROM shop.main.orders AS t1 WHERE t1.status <> 'cancelled'"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which customers have no orders?", (("Cy",), ("Di",))),
        ("Total amount of orders per customer", (("Ana", 70.0), ("Bo", 70.0))),
        ("What is the average amount of orders of private customers?", ((35.0,),)),
        ("How many orders does Ana have?", ((2,),)),
    ],
)
def test_a_rule_holds_wherever_its_table_is_read(ask: Asking, question: str, rows: object) -> None:
    answer = ask(question, CANCELLED)
    assert (answer.rows, answer.lessons) == (rows, ("rule-1",))


def test_several_rules_hold_together(ask: Asking) -> None:
    answer = ask("How many orders are there?", CANCELLED, NO_TESTS)
    assert answer.rows == ((3,),)
    assert set(answer.lessons) == {"rule-1", "rule-2"}


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many cancelled orders are there?", ((2,),)),
        ("Number of orders by status", (("cancelled", 2), ("open", 1), ("paid", 3))),
        ("List all orders", tuple((number,) for number in range(1, 7))),
        ("How many customers are there?", ((4,),)),
    ],
)
def test_a_question_that_speaks_of_it_itself_is_answered_as_asked(
    ask: Asking, question: str, rows: object
) -> None:
    answer = ask(question, CANCELLED)
    assert (answer.rows, answer.lessons) == (rows, ())


def test_a_follow_up_that_speaks_of_it_is_answered_as_asked(ask: Asking) -> None:
    first = ask("How many orders does Ana have?", CANCELLED)
    assert first.rows == ((2,),)
    answer = ask("And the cancelled ones?", session_id=first.session_id)
    assert (answer.rows, answer.lessons) == (((1,),), ())


def test_a_confirmed_answer_to_the_very_same_question_stands(ask: Asking) -> None:
    question = "How many orders are there?"
    pair = example_memory(
        "pair-1",
        MemoryType.EXAMPLE,
        user_id="default",
        confidence=1.0,
        payload={
            "question": question,
            "database": "shop",
            "sql": "SELECT COUNT(*) FROM orders",
            "confirmed_by": "ana",
        },
    )
    answer = ask(question, pair, rule(CANCELLED))
    assert (answer.rows, answer.lessons) == (((6,),), ("pair-1",))


def test_a_join_path_decides_between_two_ways(ask: Asking) -> None:
    plain = ask("How many orders are there in Lyon?")
    assert "shipping_id" in (plain.query or "")
    assert plain.rows == ((2,),)
    answer = ask("How many orders are there in Lyon?", BILLING)
    assert "billing_id" in (answer.query or "")
    assert (answer.rows, answer.lessons) == (((1,),), ("rule-1",))
    assert "Joined orders and addresses on orders.billing_id = addresses.id" in answer.notes[-1]


def test_a_question_that_names_the_other_way_is_joined_as_asked(ask: Asking) -> None:
    answer = ask("How many orders have a shipping address in Lyon?", BILLING)
    assert "billing_id" not in (answer.query or "")
    assert answer.lessons == ()


def test_a_value_is_found_by_what_people_call_it(ask: Asking) -> None:
    called_off = ValueMapping(
        database="shop", table="orders", column="status", spoken="called off", value="cancelled"
    )
    answer = ask("How many orders were called off?", rule(called_off), rule(CANCELLED, "rule-2"))
    assert (answer.rows, answer.lessons) == (((2,),), ("rule-1",))


@pytest.mark.parametrize(
    "changes",
    [
        {"payload": {"rule": "…", "applies_when": "database == 'crm'"}},
        {"payload": {"rule": "…", "applies_when": "complexity > 0.9"}},
        {"payload": {"rule": "…", "applies_when": "when it rains"}},
        {"tags": ("pinned", "retired")},
        {"tags": ("pinned", "quarantined")},
        {"provenance": {"source": "external"}},
        {"confidence": 0.4},
        {"ttl_days": 1},
        {"user_id": "somebody-else"},
        {"effect": CANCELLED.model_copy(update={"table": "gone"})},
        {"effect": ToolBan(tool="sql_db_query")},
    ],
)
def test_a_rule_that_does_not_apply_changes_nothing(
    ask: Asking, changes: dict[str, object]
) -> None:
    memory = Memory.model_validate({**rule(CANCELLED).model_dump(), **changes})
    answer = ask("How many orders are there?", memory)
    assert (answer.rows, answer.lessons) == (((6,),), ())


def test_a_rule_that_applies_in_this_situation_holds(ask: Asking) -> None:
    said = {"rule": "…", "applies_when": "intent IN ('aggregation') AND database == 'shop'"}
    assert ask("How many orders are there?", rule(CANCELLED, payload=said)).rows == ((4,),)


@pytest.mark.parametrize(
    ("question", "everything", "rows"),
    [
        ("Total amount of orders with tickets", ((160.0,),), ((90.0,),)),
        ("Which customers have tickets?", (("Ana",), ("Bo",), ("Cy",)), (("Ana",), ("Bo",))),
    ],
)
def test_a_rule_holds_in_an_answer_over_two_databases(
    with_desk, ask: Asking, question: str, everything: object, rows: object
) -> None:
    assert ask(question).rows == everything
    answer = ask(question, CANCELLED)
    assert (answer.rows, answer.lessons) == (rows, ("rule-1",))
    assert {step.database for step in answer.steps} == {"shop", "desk", "workspace"}


def test_words_are_words_still(ask: Asking) -> None:
    word = Alias(phrase="purchases", database="shop", table="orders")
    answer = ask("How many purchases are there?", rule(word), rule(CANCELLED, "rule-2"))
    assert (answer.rows, answer.lessons) == (((4,),), ("rule-1", "rule-2"))
