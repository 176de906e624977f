"""Questions to people as they are kept: each change is decided on what is stored, in the transaction that writes it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from oldhand.errors import UnknownConsultation
from oldhand.record.consultation import (
    Consultation,
    ConsultationEvent,
    ConsultationState,
)
from oldhand.record.expert import ExpertProfile
from oldhand.store.column_types import dump_json
from oldhand.store.engine import Access
from oldhand.store.journal.journal import ResultsPlace
from oldhand.store.journal.outbox import Outbox
from oldhand.store.transactions import Transactions, id_beginning, insert_all, record_of
from oldhand.store.work_tables import (
    consultation_asks,
    consultation_events,
    consultations,
    experts,
)

JOURNAL_FILE = "_people/consultations.jsonl"
"""In the folder of memories; a user can't be called so."""
_OPEN = tuple(one.value for one in ConsultationState if not one.is_final)
_table = consultations


@dataclass(frozen=True)
class ConsultationChange:
    """What becomes of a consultation."""

    consultation: Consultation
    events: tuple[ConsultationEvent, ...] = ()
    message_id: str = ""
    """Of the message that it follows from."""


Decide = Callable[[Consultation], ConsultationChange | None]
"""What is to become of a consultation as it is now; None when nothing changes."""


class ConsultationLedger:
    """What a `Store` does with questions to people. Methods block, and may raise the errors of the store."""

    def __init__(self, transactions: Transactions, outbox: Outbox) -> None:
        self._transactions = transactions
        self._outbox = outbox

    def open(
        self, change: ConsultationChange, meets: Callable[[Consultation], bool]
    ) -> Consultation | None:
        """Keep a new consultation; on the disk when this returns. One of the same person that waits and `meets` it is given instead."""
        one, of = change.consultation, _table.c
        waiting = sa.select(of.document).where(of.clone_id == one.clone_id, of.asked_by == one.asked_by)  # fmt: skip
        with self._transactions.writing(one.clone_id, Access.WRITE_DURABLY) as connection:
            for row in connection.scalars(waiting.where(of.state.in_(_OPEN))).all():
                if meets(known := Consultation.model_validate(row)):
                    return known
            connection.execute(sa.insert(_table), _row(one))
            self._put(connection, change)
        return None

    def change(self, clone_id: str, consultation_id: str, decide: Decide) -> Consultation:
        """Change one as `decide` says of what is stored now; gives what it is afterwards.

        Raises:
            UnknownConsultation: there is none.
        """
        with self._transactions.writing(clone_id, Access.WRITE_DURABLY) as connection:
            now = _load(connection, clone_id, consultation_id)
            change = decide(now)
            if change is None:
                return now
            one = change.consultation
            of = sa.and_(_table.c.clone_id == clone_id, _table.c.id == consultation_id)
            connection.execute(sa.update(_table).where(of).values(_row(one)))
            asks = consultation_asks.c
            same = sa.and_(asks.clone_id == clone_id, asks.consultation_id == consultation_id)
            connection.execute(sa.delete(consultation_asks).where(same))
            self._put(connection, change)
        return one

    def _put(self, connection: sa.Connection, change: ConsultationChange) -> None:
        one = change.consultation
        of = {"clone_id": one.clone_id, "consultation_id": one.id}
        asks = ({**of, "expert": it.expert, "state": it.state, "asked_at": it.asked_at} for it in one.asks)  # fmt: skip
        insert_all(connection, consultation_asks, asks)
        told = ({**of, **it.model_dump(), "message_id": change.message_id} for it in change.events)
        insert_all(connection, consultation_events, told)
        place = ResultsPlace(one.clone_id, JOURNAL_FILE)
        self._outbox.add_results(connection, place, [dump_json(one.model_dump(mode="json"))])

    def get(self, clone_id: str, consultation_id: str) -> Consultation:
        """The one of that id, or of the only id that begins like that (4 characters or more).

        Raises:
            UnknownConsultation: there is none.
            UsageError: several ids begin like that.
        """
        with self._transactions.reading() as connection:
            return _load(connection, clone_id, _full_id(connection, clone_id, consultation_id))

    def list(
        self,
        clone_id: str,
        *,
        asked_by: str | None = None,
        expert: str | None = None,
        waiting: bool = False,
        limit: int = 100,
    ) -> tuple[Consultation, ...]:
        """The latest ones, newest first; of who asked, of an expert, or only those that wait (for that expert)."""
        query = sa.select(_table.c.document).where(_table.c.clone_id == clone_id)
        if asked_by is not None:
            query = query.where(_table.c.asked_by == asked_by)
        if expert is not None:
            asks = consultation_asks.c
            of = sa.select(asks.consultation_id).where(
                asks.clone_id == clone_id, asks.expert == expert
            )
            of = of.where(asks.state.in_(_OPEN)) if waiting else of
            query = query.where(_table.c.id.in_(of))
        if waiting:
            query = query.where(_table.c.state.in_(_OPEN))
        with self._transactions.reading() as connection:
            rows = connection.scalars(query.order_by(_table.c.asked_at.desc()).limit(limit)).all()
        return tuple(Consultation.model_validate(row) for row in rows)

    def waits(self, clone_id: str) -> bool:
        """Whether any question to people is open."""
        query = sa.select(_table.c.id).where(_table.c.clone_id == clone_id, _table.c.next_at.is_not(None))  # fmt: skip
        with self._transactions.reading() as connection:
            return connection.scalars(query.limit(1)).first() is not None

    def of_episode(self, clone_id: str, episode_id: str) -> Consultation | None:
        """The one that was asked for an answer; None when nobody was."""
        query = sa.select(_table.c.document).where(
            _table.c.clone_id == clone_id, _table.c.episode_id == episode_id
        )
        with self._transactions.reading() as connection:
            found = connection.scalars(query.limit(1)).one_or_none()
        return None if found is None else Consultation.model_validate(found)

    def due(self, clone_id: str, now: datetime) -> tuple[str, ...]:
        """Ids of those for which there is something to do by now."""
        query = sa.select(_table.c.id).where(_table.c.clone_id == clone_id, _table.c.next_at <= now)
        with self._transactions.reading() as connection:
            return tuple(connection.scalars(query.order_by(_table.c.next_at)))

    def changed(self, clone_id: str, after: int | None) -> tuple[int, frozenset[str]]:
        """How far the audit trail goes, and which consultations are in it after `after`; none of them when None."""
        events = consultation_events.c
        with self._transactions.reading() as connection:
            if after is None:
                return connection.scalar(sa.select(sa.func.max(events.seq))) or 0, frozenset()
            query = sa.select(events.seq, events.consultation_id).where(
                events.seq > after, events.clone_id == clone_id
            )
            rows = connection.execute(query).all()
        return max((row[0] for row in rows), default=after), frozenset(row[1] for row in rows)

    def heard(self, clone_id: str, consultation_id: str, message_id: str) -> bool:
        """Whether a message was heard before."""
        if not message_id:
            return False
        events = consultation_events.c
        query = sa.select(events.seq).where(
            events.clone_id == clone_id,
            events.consultation_id == consultation_id,
            events.message_id == message_id,
        )
        with self._transactions.reading() as connection:
            return connection.scalars(query.limit(1)).first() is not None

    def events(self, clone_id: str, consultation_id: str) -> tuple[ConsultationEvent, ...]:
        """The audit trail of one, oldest first."""
        events = consultation_events
        query = sa.select(events).where(
            events.c.clone_id == clone_id, events.c.consultation_id == consultation_id
        )
        with self._transactions.reading() as connection:
            rows = connection.execute(query.order_by(events.c.seq)).mappings()
            return tuple(record_of(ConsultationEvent, row) for row in rows)

    def news(self, clone_id: str, user_id: str, now: datetime) -> tuple[Consultation, ...]:
        """What a user asked that has ended since they were last told, except what they took back; then they are told."""
        of = sa.and_(
            _table.c.clone_id == clone_id,
            _table.c.asked_by == user_id,
            _table.c.told_at.is_(None),
            _table.c.state.not_in((*_OPEN, ConsultationState.WITHDRAWN.value)),
        )
        query = sa.select(_table.c.document).where(of).order_by(_table.c.asked_at)
        with self._transactions.reading() as connection:
            if connection.scalars(query.limit(1)).first() is None:
                return ()  # mostly there is none, and looking makes nobody wait
        with self._transactions.writing(clone_id, journalled=False) as connection:
            found = connection.scalars(query).all()
            connection.execute(sa.update(_table).where(of).values(told_at=now))
        return tuple(Consultation.model_validate(row) for row in found)

    def load(self, clone_id: str) -> dict[str, int]:
        """How many questions wait for each person."""
        asks = consultation_asks.c
        query = sa.select(asks.expert, sa.func.count()).where(
            asks.clone_id == clone_id, asks.state.in_(_OPEN)
        )
        with self._transactions.reading() as connection:
            return {row[0]: row[1] for row in connection.execute(query.group_by(asks.expert)).all()}

    def asked_since(self, clone_id: str, since: datetime) -> dict[str, int]:
        """How many questions each person got since then."""
        asks = consultation_asks.c
        query = sa.select(asks.expert, sa.func.count()).where(asks.clone_id == clone_id, asks.asked_at >= since)  # fmt: skip
        with self._transactions.reading() as connection:
            return {row[0]: row[1] for row in connection.execute(query.group_by(asks.expert)).all()}

    def profiles(self, clone_id: str) -> dict[str, ExpertProfile]:
        """What is known of those who may be asked, by name."""
        query = sa.select(experts.c.document).where(experts.c.clone_id == clone_id)
        with self._transactions.reading() as connection:
            rows = connection.scalars(query.order_by(experts.c.expert)).all()
        found = (ExpertProfile.model_validate(row) for row in rows)
        return {one.expert: one for one in found}

    def put_profile(self, clone_id: str, expert: str, profile: ExpertProfile | None) -> None:
        """Keep what is known of somebody, in place of what was; None for nothing."""
        of = sa.and_(experts.c.clone_id == clone_id, experts.c.expert == expert)
        with self._transactions.writing(clone_id, journalled=False) as connection:
            connection.execute(sa.delete(experts).where(of))
            if profile is not None:
                document = profile.model_dump(mode="json")
                row = {"clone_id": clone_id, "expert": expert, "document": document}
                connection.execute(sa.insert(experts), row)


def _row(one: Consultation) -> dict[str, object]:
    return {
        "clone_id": one.clone_id,
        "id": one.id,
        "asked_by": one.asked_by,
        "state": one.state.value,
        "episode_id": one.episode_id,
        "asked_at": one.asked_at,
        "next_at": one.next_at,
        "document": one.model_dump(mode="json"),
    }


def _load(connection: sa.Connection, clone_id: str, consultation_id: str) -> Consultation:
    query = sa.select(_table.c.document).where(
        _table.c.clone_id == clone_id, _table.c.id == consultation_id
    )
    found = connection.scalars(query).one_or_none()
    if found is None:
        raise UnknownConsultation
    return Consultation.model_validate(found)


def _full_id(connection: sa.Connection, clone_id: str, given: str) -> str:
    if len(given) < 4:
        raise UnknownConsultation("Give at least four characters of the id.")
    ids = sa.select(_table.c.id).where(_table.c.clone_id == clone_id)
    full = id_beginning(connection, ids, "questions to people", given)
    if full is None:
        raise UnknownConsultation(f"No question to people has an id that begins with {given!r}.")
    return full
