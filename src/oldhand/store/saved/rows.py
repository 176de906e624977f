"""Saved questions as rows, and rows as saved questions."""

from datetime import datetime, timedelta
from typing import NamedTuple, TypeVar

import sqlalchemy as sa

from oldhand.errors import NameTaken
from oldhand.record.answer import Outcome
from oldhand.record.saved import Delivery, DeliveryState, SavedAnswer, SavedQuestion
from oldhand.store.transactions import fields_of
from oldhand.store.work_tables import saved_answers, saved_deliveries, saved_questions

CLAIMED = timedelta(minutes=1)
"""How long whoever claims something has to hold it anew, before others take it for dead."""


def is_named(known: str, name: str) -> bool:
    """Whether something goes by a name, however it is spelled; databases differ on which letters are alike.

    >>> is_named("Übersicht", "übersicht")
    True
    """
    return known.casefold() == name.casefold()


def check_free(connection: sa.Connection, clone_id: str, name: str, but: str = "") -> None:
    """Raise `NameTaken` when another question goes by a name."""
    of = saved_questions.c
    query = sa.select(of.name).where(of.clone_id == clone_id, of.id != but)
    if any(is_named(one, name) for one in connection.scalars(query)):
        raise NameTaken(f"A question is saved as {name!r} already: give it another name.")


def insert_answer(
    connection: sa.Connection, clone_id: str, saved_id: str, answer: SavedAnswer
) -> SavedAnswer:
    """Keep an answer; gives it with its id."""
    row = answer.model_dump(exclude={"id"}, mode="python")
    row |= {"outcome": answer.outcome.value, "rows": [[*one] for one in answer.rows]}
    row |= {"columns": [*answer.columns], "notes": [*answer.notes]}
    given = sa.insert(saved_answers).values({**row, "clone_id": clone_id, "saved_id": saved_id})
    (seq,) = connection.execute(given).inserted_primary_key or (0,)
    return answer.model_copy(update={"id": seq})


def drop_old(connection: sa.Connection, clone_id: str, saved_id: str, kept: int) -> None:
    """Delete what came before the answers that are kept, and what was sent of it."""
    each, sent = saved_answers.c, saved_deliveries.c
    of = sa.and_(each.clone_id == clone_id, each.saved_id == saved_id)
    query = sa.select(each.seq).where(of).order_by(each.seq.desc()).offset(kept).limit(1)
    last = connection.scalar(query)
    if last is not None:
        connection.execute(sa.delete(saved_answers).where(of, each.seq <= last))
        mine = sa.and_(sent.clone_id == clone_id, sent.saved_id == saved_id)
        connection.execute(sa.delete(saved_deliveries).where(mine, sent.answer_id <= last))


def load_answers(
    connection: sa.Connection, clone_id: str, saved_id: str, limit: int, outcome: Outcome | None = None
) -> tuple[SavedAnswer, ...]:  # fmt: skip
    """The latest answers of a question, newest first; only those that ended so, where that is given."""
    each = saved_answers.c
    query = sa.select(saved_answers).where(each.clone_id == clone_id, each.saved_id == saved_id)
    if outcome is not None:
        query = query.where(each.outcome == outcome.value)
    rows = connection.execute(query.order_by(each.seq.desc()).limit(limit)).mappings()
    return tuple(map(answer_of, rows))


def delivery_row(
    clone_id: str, saved_id: str, answer: SavedAnswer, target: str
) -> dict[str, object]:
    """The row of an answer that is to be sent."""
    return {
        "clone_id": clone_id,
        "saved_id": saved_id,
        "answer_id": answer.id,
        "target": target,
        "state": DeliveryState.WAITING.value,
        "error": "",
        "tries": 0,
        "due_at": answer.at,
    }


def row_of(saved: SavedQuestion) -> dict[str, object]:
    """The row of a question; its answers have their own."""
    as_json = saved.model_dump(mode="json", include={"reading", "schedule", "readers", "targets"})
    return {**saved.model_dump(exclude={"latest"}), **as_json}


def saved_of(row: sa.RowMapping, latest: SavedAnswer | None) -> SavedQuestion:
    """The question that a row holds."""
    return SavedQuestion.model_validate({**fields_of(SavedQuestion, row), "latest": latest})


def answer_of(row: sa.RowMapping) -> SavedAnswer:
    """The answer that a row holds."""
    return SavedAnswer.model_validate({**fields_of(SavedAnswer, row), "id": row["seq"]})


def delivery_of(row: sa.RowMapping) -> Delivery:
    """The delivery that a row holds."""
    return Delivery.model_validate({**fields_of(Delivery, row), "id": row["seq"]})


# Claims on what is due: each is somebody's for a while, and its end tells whose.
class ClaimedQuestion(NamedTuple):
    """A saved question that nobody else asks meanwhile."""

    saved: SavedQuestion
    tries: int
    until: datetime
    """When the claim ends, unless it is made longer."""


class ClaimedDelivery(NamedTuple):
    """An answer to be sent, which nobody else sends meanwhile."""

    delivery: Delivery
    saved: SavedQuestion
    answer: SavedAnswer
    secret: str
    until: datetime
    """When the claim ends, unless it is made longer."""


Claimed = TypeVar("Claimed", bound=ClaimedQuestion | ClaimedDelivery)


def is_due(table: sa.Table, now: datetime) -> sa.ColumnElement[bool]:
    """What is due, and nobody's at that time."""
    claimed = table.c.claimed_until
    # One that ends later than any could was made before the clock was set back.
    free = sa.or_(claimed.is_(None), claimed <= now, claimed > now + 2 * CLAIMED)
    return sa.and_(table.c.due_at <= now, free)
