"""What people say is taken: who they are, which question it is for, and whether it counts."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from oldhand.errors import ReplyRefused, UsageError
from oldhand.record.consultation import Consultation, ConsultationState
from oldhand.record.expert import (
    INBOX,
    ExpertProfile,
    ExpertSignal,
    Reception,
    ReceptionKind,
    SignalKind,
)
from oldhand.sources.experts.course import MACHINE, ConsultationCourse
from oldhand.sources.experts.replies import CheckSql, checked_reply
from oldhand.store.consultations.ledger import ConsultationLedger

Change = Callable[[str, Callable[[ConsultationCourse], None], str], Awaitable[Consultation]]
_NOT_YOURS = "No question with this id waits for you."
_SAYS = {
    ReceptionKind.TAKEN: "Thank you.",
    ReceptionKind.LATE: "Thank you. It came after the end, and is kept and learned from.",
    ReceptionKind.REPEATED: "You have answered this already.",
}


@dataclass(frozen=True)
class Receiving:
    """Takes what transports have heard."""

    profiles: Callable[[], Sequence[ExpertProfile]]
    ledger: ConsultationLedger
    clone_id: str
    most: int
    check_sql: CheckSql

    async def take(self, signal: ExpertSignal, change: Change) -> Reception:
        """Take one signal; nothing is changed by one that does not count, but that it came is noted."""
        found = await asyncio.to_thread(self._meant, signal)
        if isinstance(found, Reception):
            return found
        one, expert = found
        if expert is None:
            why = f"not asked: {signal.address} by {signal.transport}"
            await change(one.id, lambda it: it.note("refused", MACHINE, None, why), "")
            return Reception(kind=ReceptionKind.NOT_YOURS, says=_NOT_YOURS)
        if await asyncio.to_thread(self.ledger.heard, self.clone_id, one.id, signal.message_id):
            return _received(ReceptionKind.REPEATED, one)
        try:
            return await self._taken(signal, one, expert, change)
        except ReplyRefused as error:
            why = str(error)
            await change(one.id, lambda it: it.note("refused", expert, expert, why), "")
            return Reception(kind=ReceptionKind.INVALID, says=why, consultation_id=one.id)

    def _meant(self, signal: ExpertSignal) -> Reception | tuple[Consultation, str | None]:
        """Which consultation, and whose part of it; blocks."""
        if signal.consultation_id:
            try:
                one = self.ledger.get(self.clone_id, signal.consultation_id)
            except UsageError:
                return Reception(kind=ReceptionKind.NOT_YOURS, says=_NOT_YOURS)
            return one, _part(one, signal)
        # Whom nobody has named an expert is called by their address.
        names = [it.expert for it in self.profiles() if _is_of(it, signal)] or [signal.address]
        waiting = [one for name in names for one in self.ledger.list(self.clone_id, expert=name, waiting=True)]  # fmt: skip
        if len(waiting) == 1:
            return waiting[0], names[0]
        if not waiting:
            return Reception(kind=ReceptionKind.NOT_YOURS, says="No question waits for you.")
        listed = ", ".join(one.visible_id for one in waiting)
        says = f"Several questions wait for you: say which one by its id ({listed})."
        return Reception(kind=ReceptionKind.UNCLEAR, says=says)

    async def _taken(
        self, signal: ExpertSignal, one: Consultation, expert: str, change: Change
    ) -> Reception:
        text = signal.text.strip()
        received: list[ReceptionKind] = []
        reply = ""
        if signal.kind is SignalKind.REPLY:
            reply = await asyncio.to_thread(checked_reply, one.wanted, text, self.most, self.check_sql)  # fmt: skip
        elif len(text) > self.most:
            raise ReplyRefused(f"At most {self.most:,} characters are taken.")
        elif signal.kind is SignalKind.ASK_BACK and not text:
            raise ReplyRefused("Say what you need to know.")

        def step(course: ConsultationCourse) -> None:
            received.append(_happened(course, expert, signal, reply))

        after = await change(one.id, step, signal.message_id)
        return _received(received[0], after)


def _happened(
    course: ConsultationCourse, expert: str, signal: ExpertSignal, reply: str
) -> ReceptionKind:
    """Let a consultation go on by what was heard; says what became of it."""
    part, text = course.now.ask_of(expert), signal.text.strip()
    assert part is not None, "they were asked"
    match signal.kind:
        case SignalKind.REPLY:
            if part.reply is not None:
                return ReceptionKind.REPEATED
            return ReceptionKind.TAKEN if course.reply(expert, reply) else ReceptionKind.LATE
        case SignalKind.DECLINE | SignalKind.ASK_BACK if part.state.is_final:
            return ReceptionKind.REPEATED
        case SignalKind.DECLINE:
            course.decline(expert, text)
        case SignalKind.ASK_BACK:
            course.remark(expert, text, "asked back")
        case SignalKind.BOUNCED:
            course.fail(expert, text)
        case SignalKind.DELIVERED | SignalKind.SEEN:
            course.progress(expert, ConsultationState(signal.kind.value))
    return ReceptionKind.TAKEN


def _part(one: Consultation, signal: ExpertSignal) -> str | None:
    """Whose part of it a signal is about: of the person who was asked at this address, or is signed in."""
    for it in one.asks:
        asked_there = (it.transport, it.address) == (signal.transport, signal.address)
        if asked_there or (signal.transport == INBOX and it.expert == signal.address):
            return it.expert
    return None


def _is_of(profile: ExpertProfile, signal: ExpertSignal) -> bool:
    if signal.transport == INBOX:
        return profile.expert == signal.address
    way = signal.transport.partition(":")[0]  # of an agent's own connection, too
    return profile.addresses.get(way) == signal.address


def _received(kind: ReceptionKind, one: Consultation) -> Reception:
    return Reception(kind=kind, says=_SAYS[kind], consultation_id=one.id)
