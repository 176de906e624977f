"""Of an erased user, neither what they asked people nor what they replied is left."""

import sqlalchemy as sa

from oldhand.record.consultation import Consultation, ConsultationState
from oldhand.store.consultation_tables import (
    consultation_asks,
    consultation_events,
    consultations,
    experts,
)


def leave_consultations(connection: sa.Connection, clone_id: str, user_id: str) -> None:
    """Delete what a user asked, and their part of what others asked."""
    table, events, asks = consultations, consultation_events, consultation_asks
    of_clone = table.c.clone_id == clone_id
    connection.execute(sa.delete(table).where(of_clone, table.c.asked_by == user_id))
    theirs = sa.and_(experts.c.clone_id == clone_id, experts.c.expert == user_id)
    connection.execute(sa.delete(experts).where(theirs))
    by_them = sa.or_(events.c.actor == user_id, events.c.expert == user_id)
    connection.execute(sa.delete(events).where(events.c.clone_id == clone_id, by_them))
    connection.execute(sa.delete(asks).where(asks.c.clone_id == clone_id, asks.c.expert == user_id))
    for row in connection.execute(sa.select(table.c.id, table.c.document).where(of_clone)).all():
        before = Consultation.model_validate(row.document)
        after = without(before, user_id)
        if after != before:
            this = sa.update(table).where(of_clone, table.c.id == row.id)
            kept = {"document": after.model_dump(mode="json"), "state": after.state.value}
            connection.execute(this.values(**kept, next_at=after.next_at))


def without(one: Consultation, user_id: str) -> Consultation:
    """A consultation as if somebody had never been asked."""
    asks = tuple(ask for ask in one.asks if ask.expert != user_id)
    remarks = tuple(it for it in one.remarks if it.by != user_id)
    learned = tuple(it for it in one.learned if it != user_id)
    after = one.model_copy(update={"asks": asks, "remarks": remarks, "learned": learned})
    if not asks and one.asks and not one.state.is_final:
        return after.model_copy(update={"state": ConsultationState.WITHDRAWN})
    return after
