"""Sentences that leave rows out of an answer or put them in, judged by the rows of the corrected answer."""

from collections.abc import Iterator
from functools import cache

import pytest
from tests.unit.analyst.kinds.said.leaving_sentences import (
    DEVELOPED,
    HELD_BACK,
    Said,
    Sentences,
)
from tests.unit.analyst.worlds import World, are_right

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.correcting import corrected
from oldhand.query.form import Query

ROWS = {
    "courier": {
        "the returned ones": "status = 'returned'",
        "express parcels": "express = 1",
        "parcels without a delivery date": "delivery_date IS NULL",
        "parcels with complaints": "id IN (SELECT parcel_id FROM courier.complaints)",
        "the parcels of customers in Oslo": "customer_id IN (SELECT id FROM courier.customers WHERE town = 'Oslo')",
        "lost parcels": "status = 'lost'",
    },
    "farmshop": {
        "void bills": "state = 'void'",
        "the disputed ones": "state = 'disputed'",
        "gifts": "is_gift = 1",
        "those without a payment date": "payment_date IS NULL",
        "bills with reminders": "bill_id IN (SELECT bill_id FROM farmshop.reminders)",
        "bills from the village Bach": "village_id IN (SELECT village_id FROM farmshop.villages WHERE village_name = 'Bach')",
    },
}
ASKED = {
    "courier": ("How many parcels are there?", "SELECT count(*) FROM courier.parcels"),
    "farmshop": ("How many bills are there?", "SELECT count(*) FROM farmshop.bills"),
}


def _sentences(world: str, made: Sentences) -> Iterator[object]:
    for number, said in enumerate(made.of(tuple(ROWS[world]))):
        marks = () if number % 11 == 0 else pytest.mark.trial
        yield pytest.param(world, said, id=f"{world}: {said.words}", marks=marks)


@cache
def _restricted(asked: World, world: str, rows: str) -> Query:
    """The answer without some rows, as a question or a plain correction asks for it."""
    question, sql = ASKED[world]
    query = asked.understand(question).candidates[0].query
    (left,) = corrected(
        f"without {rows}", Scene(query, question, asked.schemas, asked.values, asked.today)
    )
    assert are_right(
        asked.rows(f"{sql} WHERE NOT ({ROWS[world][rows]})"), asked.rows(left), ordered=True
    )
    return left


@pytest.mark.parametrize(
    ("world", "said"), [*_sentences("courier", DEVELOPED), *_sentences("farmshop", HELD_BACK)]
)
def test_rows_are_left_out_or_put_in_as_a_sentence_says(
    worlds: dict[str, World], world: str, said: Said
) -> None:
    asked = worlds[world]
    question, sql = ASKED[world]
    if said.wants_in:
        query = _restricted(asked, world, said.rows)
    else:
        query = asked.understand(question).candidates[0].query
        sql = f"{sql} WHERE NOT ({ROWS[world][said.rows]})"
    found = corrected(said.words, Scene(query, question, asked.schemas, asked.values, asked.today))
    assert len(found) == 1
    assert are_right(asked.rows(sql), asked.rows(found[0]), ordered=True)
