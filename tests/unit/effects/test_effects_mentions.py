"""When a question speaks of what a rule leaves out."""

import pytest

from oldhand.agent.analyst.effects.mentions import speaks_of
from oldhand.record.effect import DefaultFilter
from oldhand.record.schema import Column, Kind, Table


def column(name: str, kind: Kind = Kind.TEXT) -> Column:
    return Column(name=name, type=kind.value, kind=kind)


ORDERS = Table(
    name="orders",
    schema_name="main",
    columns=(
        column("order_status"),
        column("status"),
        column("active", Kind.BOOLEAN),
        column("amount", Kind.NUMBER),
        column("deleted_at", Kind.DATETIME),
    ),
)


@pytest.mark.parametrize(
    ("condition", "question", "speaks"),
    [
        ("status <> 'cancelled'", "How many orders are there?", False),
        ("status <> 'cancelled'", "How many canceled orders are there?", True),
        ("status <> 'cancelled'", "How many cancellations were there?", True),
        ("status <> 'cancelled'", "What status do orders have?", True),
        ("status <> 'cancelled'", "Show all orders", True),
        ("status <> 'cancelled'", "What is the amount of all of our orders?", True),
        ("status <> 'cancelled'", "Show every single order", True),
        ("status <> 'cancelled'", "Show all customers with orders", False),
        ("status <> 'cancelled'", "How many orders, including voided ones?", True),
        ("status <> 'cancelled'", "How many orders regardless of state?", True),
        ("status <> 'cancelled'", "How many orders excluding cancelled ones?", False),
        ("status <> 'cancelled'", "How many orders were not cancelled?", False),
        ("NOT status IN ('on hold', 'void')", "Which orders are on hold?", True),
        ("NOT status IN ('on hold', 'void')", "Who can hold on to orders?", False),
        ("NOT status IN ('on hold', 'void')", "Which orders are void?", True),
        ("order_status <> 'void'", "How many orders are there?", False),
        ("active = 1", "How many inactive orders are there?", True),
        ("active = 1", "How many active orders are there?", True),
        ("active = 1", "How many orders are there since 1 May?", False),
        ("deleted_at IS NULL", "Which orders were deleted?", True),
        ("deleted_at IS NULL", "At which date were orders made?", False),
        ("amount > 0", "What is the total amount of orders?", False),
        ("amount <> 0", "What is the total amount of orders?", False),
        ("status <> 'cancelled'", "", False),
        ("status <> 'cancelled'", "\x00🦦", False),
    ],
)
def test_a_question_speaks_of_it(condition: str, question: str, speaks: bool) -> None:
    rule = DefaultFilter(database="shop", table="orders", condition=condition)
    assert speaks_of(question, rule, ORDERS) is speaks
