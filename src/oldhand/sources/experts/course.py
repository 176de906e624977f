"""What becomes of a question to people with each thing that happens: pure, so that the store can decide on what is stored."""

from collections.abc import Sequence
from datetime import datetime

from oldhand.record.consultation import (
    LEARNED_WITHIN,
    AnswerRule,
    Consultation,
    ConsultationEvent,
    ConsultationRemark,
    ConsultationState,
    ExpertAsk,
)
from oldhand.store.consultations.ledger import ConsultationChange

MACHINE = "oldhand"
"""Who acts where no person does."""
_State = ConsultationState
_MISSED = "Not everybody replied in time."
_DISAGREE = "They don't agree."


class ConsultationCourse:
    """One consultation on its way, changed step by step at one moment; `change` is what came of it."""

    def __init__(self, before: Consultation, at: datetime, message_id: str = "") -> None:
        self.now = before
        self._before = before
        self._at = at
        self._message_id = message_id
        self._events: list[ConsultationEvent] = []

    @property
    def change(self) -> ConsultationChange | None:
        """What came of it; None when nothing did."""
        if self.now == self._before and not self._events:
            return None
        return ConsultationChange(self.now, tuple(self._events), self._message_id)

    def note(self, what: str, actor: str, expert: str | None = None, detail: str = "") -> None:
        """Write something into the audit trail."""
        self._events.append(
            ConsultationEvent(
                consultation_id=self.now.id,
                at=self._at,
                actor=actor,
                what=what,
                expert=expert,
                detail=detail,
            )
        )

    def ask(self, asks: Sequence[ExpertAsk], what: str = "asked") -> None:
        """Ask these people, too."""
        self._set(asks=(*self.now.asks, *asks))
        for one in asks:
            self.note(what, MACHINE, one.expert, one.transport)

    def progress(self, expert: str, state: ConsultationState) -> None:
        """A message arrived, or was seen; what comes too late or twice changes nothing."""
        ask = self.now.ask_of(expert)
        if ask is None or not state.follows(ask.state):
            return
        self._part(expert, state=state)
        self.note(state.value, expert, expert)
        if state.follows(self.now.state):
            self._set(state=state)

    def reply(self, expert: str, text: str) -> bool:
        """A checked reply; False when it came late."""
        ask = self.now.ask_of(expert)
        assert ask is not None, "it was checked who was asked"
        late = ask.state.is_final or self._at >= self.now.deadline
        self._part(expert, reply=text, ended_at=self._at, **({} if late else {"state": _State.ANSWERED}))  # fmt: skip
        self.note("late" if late else "answered", expert, expert, text)
        self._settle()
        return not late

    def decline(self, expert: str, why: str) -> None:
        """Somebody does not want to answer."""
        self._part(expert, state=_State.DECLINED, note=why, ended_at=self._at)
        self.note("declined", expert, expert, why)
        self._settle()

    def fail(self, expert: str, why: str) -> None:
        """It can't be delivered to somebody."""
        ask = self.now.ask_of(expert)
        if ask is not None and not ask.state.is_final:
            self._part(expert, state=_State.FAILED, note=why, ended_at=self._at)
            self.note("failed", MACHINE, expert, why)
            self._settle()

    def remark(self, by: str, text: str, what: str) -> None:
        """Something said between question and answer."""
        said = ConsultationRemark(by=by, at=self._at, text=text)
        self._set(remarks=(*self.now.remarks, said))
        self.note(what, by, by if what == "asked back" else None, text)

    def withdraw(self, by: str) -> None:
        """Nobody wants an answer any more."""
        if not self.now.state.is_final:
            self._end(_State.WITHDRAWN, by)

    def time_out(self) -> None:
        """End it when its time is over: with what was replied so far, if anything."""
        if not self.now.state.is_final and self._at >= self.now.deadline:
            counted = self.now.counted
            state = _State.ANSWERED if counted else _State.TIMED_OUT
            self._end(state, MACHINE, _MISSED if counted else "")

    def reminded(self, expert: str) -> None:
        """Somebody was reminded."""
        self._part(expert, remind_at=None)
        self.note("reminded", MACHINE, expert)

    def escalate(self, asks: Sequence[ExpertAsk]) -> None:
        """Ask others, too; there may be none, and then it is over when nobody is left who could reply."""
        self._set(escalate_at=self.now.deadline if asks else None)
        self.ask(asks, "escalated to")
        self._settle()

    def learned(self, expert: str, why_not: str = "") -> None:
        """A reply was learned from, or can't be."""
        if expert in self.now.learned:
            return  # by another process, which took this one for dead
        self._set(learned=(*self.now.learned, expert), learning_since=None)
        self.note("learned", MACHINE, expert, why_not)

    def claim(self) -> bool:
        """Whether it is up to whoever makes this change to learn from a reply: nobody else is at it."""
        since = self.now.learning_since
        if not self.now.unlearned or (since is not None and self._at < since + LEARNED_WITHIN):
            return False
        self._set(learning_since=self._at)
        return True

    def _settle(self) -> None:
        """End it when the replies so far are enough, or nobody is left who could reply."""
        one, counted = self.now, self.now.counted
        if one.state.is_final:
            return
        left = [it for it in one.asks if not it.state.is_final]
        agree = len(one.opinions[0][1]) if counted else 0
        enough = (one.rule is AnswerRule.FIRST and counted) or (
            one.rule is AnswerRule.QUORUM and agree >= one.needed
        )
        if enough or (not left and counted):
            self._end(_State.ANSWERED, MACHINE, _DISAGREE if one.disagrees else "")
        elif not left:
            declined = any(it.state is _State.DECLINED for it in one.asks)
            if one.escalate_at is None:
                self._end(_State.DECLINED if declined else _State.FAILED, MACHINE)
            else:
                self._set(escalate_at=self._at)  # somebody else, at once

    def _end(self, state: ConsultationState, by: str, note: str = "") -> None:
        part = _State.TIMED_OUT if self._at >= self.now.deadline else _State.WITHDRAWN
        for one in self.now.asks:
            if not one.state.is_final:
                self._part(one.expert, state=part)
        self._set(state=state, ended_at=self._at, note=note, escalate_at=None)
        self.note(f"ended: {state.value}", by, detail=note)

    def _part(self, expert: str, **changes: object) -> None:
        self._set(
            asks=tuple(
                it.model_copy(update=changes) if it.expert == expert else it for it in self.now.asks
            )
        )

    def _set(self, **changes: object) -> None:
        self.now = self.now.model_copy(update=changes)
