"""What is odd about rows, by rule."""

import pytest

from oldhand.agent.analysis.mind import Draft, Failure
from oldhand.agent.analysis.repair import Dialogue, StatementAttempt, Success, repair_dialogue
from oldhand.agent.deliberation.deliberating import review_rows
from oldhand.record.base import Row
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table
from oldhand.sources.databases import QueryResult

KEY = ForeignKey(
    columns=("who",), database="shop", schema_name="main", table="people", target_columns=("id",)
)


def table(name: str, kinds: dict[str, Kind], *keys: ForeignKey) -> Table:
    columns = tuple(Column(name=one, type=kind.value, kind=kind) for one, kind in kinds.items())
    return Table(name=name, schema_name="main", columns=columns, foreign_keys=keys)


SHOP = DatabaseSchema(
    name="shop",
    dialect="sqlite",
    tables=(
        table("people", {"id": Kind.INTEGER, "town": Kind.TEXT, "pay": Kind.INTEGER}),
        table("orders", {"id": Kind.INTEGER, "who": Kind.INTEGER}, KEY),
    ),
)


def looked_at(sql: str, *rows: Row, question: str = "Who?") -> str:
    return review_rows(sql, QueryResult(("c",), tuple(rows), truncated=False), SHOP, question)


@pytest.mark.parametrize(
    ("sql", "rows", "said"),
    [
        ("SELECT id FROM people WHERE pay > 9", (), "brought no rows"),
        ("SELECT MAX(pay) FROM people WHERE pay > 9", ((None,),), "nothing but NULL"),
        ('SELECT "twon" FROM people', (("twon",),), "reads it as a text"),
        (
            "SELECT SUM(p.pay) FROM people AS p JOIN orders AS o ON o.who = p.id",
            ((7,),),
            "once for each row of orders",
        ),
        ("SELECT COUNT(*) FROM (SELECT id FROM people LIMIT 10) AS t", ((10,),), "LIMIT has cut"),
    ],
)
def test_what_is_odd_is_told(sql: str, rows: tuple[Row, ...], said: str) -> None:
    assert said in looked_at(sql, *rows)


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT id FROM people WHERE town = 'bern'", ((1,),)),
        ('SELECT id FROM people WHERE town = "Bern"', ((1,),)),
        ("SELECT COUNT(*) FROM people WHERE pay > 9", ((0,),)),
        ("SELECT COUNT(o.id) FROM people AS p JOIN orders AS o ON o.who = p.id", ((7,),)),
        ("SELECT id FROM people ORDER BY pay LIMIT 3", ((1,), (2,), (3,))),
    ],
)
def test_what_is_not_odd_is_let_alone(sql: str, rows: tuple[Row, ...]) -> None:
    assert looked_at(sql, *rows) == ""


def test_an_order_that_was_asked_for_is_missed() -> None:
    sql, rows = "SELECT id FROM people", ((1,), (2,))
    assert "no ORDER BY" in looked_at(sql, *rows, question="All people, sorted by pay")
    assert looked_at(f"{sql} ORDER BY pay", *rows, question="All people, sorted by pay") == ""


def test_odd_rows_are_told_once_and_taken_when_nothing_better_comes() -> None:
    dialogue: Dialogue[str] = repair_dialogue(Draft(sql="SELECT 1"))
    next(dialogue)
    told = dialogue.send(Success("odd", "It brought no rows."))
    assert isinstance(told, Failure)
    assert told.error == "It brought no rows."
    assert isinstance(dialogue.send(Draft(sql="SELECT 2")), StatementAttempt)
    with pytest.raises(StopIteration) as stopped:
        dialogue.send(Success("odd as well", "It brought no rows."))
    assert (stopped.value.value.rows, stopped.value.value.draft.sql) == ("odd", "SELECT 1")


def test_a_mind_that_stands_by_its_statement_is_not_made_to_run_it_again() -> None:
    dialogue: Dialogue[str] = repair_dialogue(Draft(sql="SELECT 1"))
    next(dialogue)
    dialogue.send(Success("odd", "It brought no rows."))
    with pytest.raises(StopIteration) as stopped:
        dialogue.send(Draft(sql=" SELECT  1;"))
    assert stopped.value.value.rows == "odd"


def test_better_rows_take_the_place_of_odd_ones() -> None:
    dialogue: Dialogue[str] = repair_dialogue(Draft(sql="SELECT 1"))
    next(dialogue)
    dialogue.send(Success("odd", "It brought no rows."))
    dialogue.send(Draft(sql="SELECT 2"))
    with pytest.raises(StopIteration) as stopped:
        dialogue.send(Success("right"))
    assert (stopped.value.value.rows, stopped.value.value.attempts) == ("right", 2)
