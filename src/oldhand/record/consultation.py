"""One question to people: who was asked, what came back, and how it ended."""

from datetime import datetime, timedelta
from enum import StrEnum

from pydantic import Field

from oldhand.record.base import Record, SafeName
from oldhand.record.shortening import shortened

_QUOTED = 100
"""Characters of a question where its end is told."""
WHO_WAS_ASKED = "Asked: "
"""How a note begins that names them."""
VISIBLE = 8
"""Characters of an id that people see and write; the whole id is the thread that machines go by."""

LEARNED_WITHIN = timedelta(seconds=30)
"""After which another process learns from a reply: the one that began to may have died."""


class ConsultationState(StrEnum):
    """How far a question to people has come; of the whole, and of each person asked."""

    ASKED = "asked"
    """It is on its way."""
    DELIVERED = "delivered"
    SEEN = "seen"
    ANSWERED = "answered"
    DECLINED = "declined"
    TIMED_OUT = "timed_out"
    WITHDRAWN = "withdrawn"
    """Whoever asked no longer wants an answer, or another person's answer was enough."""
    FAILED = "failed"
    """It could not be delivered."""

    @property
    def is_final(self) -> bool:
        """Whether it stays so."""
        return self not in _COURSE

    def follows(self, other: "ConsultationState") -> bool:
        """Whether this state may come after another one: never back, and never out of a final one.

        >>> ConsultationState.SEEN.follows(ConsultationState.ASKED), ConsultationState.ASKED.follows(ConsultationState.SEEN)
        (True, False)
        """
        if other.is_final:
            return False
        return self.is_final or _COURSE.index(self) > _COURSE.index(other)


_COURSE = (ConsultationState.ASKED, ConsultationState.DELIVERED, ConsultationState.SEEN)


class ReplyKind(StrEnum):
    """What form a reply has to have."""

    TEXT = "text"
    CHOICE = "choice"
    """One of `WantedReply.choices`, by its number or its words."""
    NUMBER = "number"
    SQL = "sql"
    """One statement that only reads."""


class AnswerRule(StrEnum):
    """How many replies make an answer."""

    FIRST = "first"
    """The first one; the others are told that it is settled."""
    QUORUM = "quorum"
    """As many that agree as `Consultation.needed`."""
    ALL = "all"
    """One of each person asked."""


class Priority(StrEnum):
    """How urgent it is, from the most to the least: the order of an inbox."""

    URGENT = "urgent"
    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"

    @property
    def rank(self) -> int:
        """0 for the most urgent."""
        return tuple(Priority).index(self)


class WantedReply(Record):
    """What form a reply has to have."""

    kind: ReplyKind = ReplyKind.TEXT
    choices: tuple[str, ...] = ()
    """What can be chosen; with a text they are suggestions, taken by their number."""
    database: SafeName | None = None
    """Of SQL: for which database."""


class ExpertAsk(Record):
    """What one person was asked, and what came of it."""

    expert: SafeName
    transport: str
    """By which way it was sent, such as `inbox` or `xmpp`."""
    address: str
    """Where to, on that way; replies count from there only."""
    state: ConsultationState = ConsultationState.ASKED
    asked_at: datetime
    remind_at: datetime | None = None
    """When they are reminded; None when they were, or need not be."""
    reply: str | None = None
    """What they replied, checked; also when it came late."""
    note: str = ""
    """Why they declined, or why it could not be delivered."""
    ended_at: datetime | None = None
    """When they replied or declined."""


class ConsultationRemark(Record):
    """Something said between question and answer: an expert asks back, whoever asked explains."""

    by: SafeName
    at: datetime
    text: str


class Consultation(Record):
    """One question to people."""

    id: str
    """Nothing else has it; it is also the thread of its messages."""
    clone_id: SafeName
    question: str
    context: str = ""
    """What helps to answer it."""
    wanted: WantedReply = WantedReply()
    rule: AnswerRule = AnswerRule.FIRST
    needed: int = Field(default=1, ge=1)
    """Of a quorum: how many have to agree."""
    priority: Priority = Priority.NORMAL
    asked_by: SafeName
    """On whose behalf."""
    episode_id: str | None = None
    """The answer that it was asked for; what people reply is feedback on it."""
    asked_at: datetime
    deadline: datetime
    """When waiting ends; a reply that comes later is still kept and learned from."""
    escalate_at: datetime | None = None
    """When somebody else is asked, too; None when that was done, or is not to be."""
    state: ConsultationState = ConsultationState.ASKED
    ended_at: datetime | None = None
    asks: tuple[ExpertAsk, ...] = ()
    remarks: tuple[ConsultationRemark, ...] = ()
    note: str = ""
    """How it ended, where the state does not say it all."""
    learned: tuple[SafeName, ...] = ()
    """Whose replies were learned from."""
    learning_since: datetime | None = None
    """When a process began to learn from a reply; None when none is at it."""

    @property
    def visible_id(self) -> str:
        """The first characters of the id, as people write it."""
        return self.id[:VISIBLE]

    @property
    def next_at(self) -> datetime | None:
        """When there is something to do about it: at once while a reply waits to be learned from, unless somebody is at it."""
        if self.unlearned:
            return self.learning_since + LEARNED_WITHIN if self.learning_since else self.asked_at
        if self.state.is_final:
            return None
        reminders = [one.remind_at for one in self.asks if not one.state.is_final]
        moments = (self.deadline, self.escalate_at, *reminders)
        return min(one for one in moments if one is not None)

    @property
    def unlearned(self) -> tuple[ExpertAsk, ...]:
        """The replies that are to be learned from: of one that has ended, unless people disagree."""
        if not self.state.is_final or self.disagrees:
            return ()
        return tuple(one for one in self.replies if one.expert not in self.learned)

    @property
    def replies(self) -> tuple[ExpertAsk, ...]:
        """Those who replied, first first."""
        found = [one for one in self.asks if one.reply is not None]
        return tuple(sorted(found, key=lambda one: one.ended_at or one.asked_at))

    @property
    def counted(self) -> tuple[ExpertAsk, ...]:
        """The replies that came in time."""
        return tuple(one for one in self.replies if one.state is ConsultationState.ANSWERED)

    @property
    def opinions(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Each different answer with who gave it, the most common one first."""
        found: dict[str, tuple[str, list[str]]] = {}
        for one in self.counted:
            text = one.reply or ""
            found.setdefault(_plain(text), (text, []))[1].append(one.expert)
        ranked = sorted(found.values(), key=lambda opinion: -len(opinion[1]))
        return tuple((text, tuple(experts)) for text, experts in ranked)

    @property
    def disagrees(self) -> bool:
        """Whether people gave different answers."""
        return len(self.opinions) > 1

    @property
    def answer(self) -> str | None:
        """The answer of most of them; None without an answer."""
        if self.state is not ConsultationState.ANSWERED:
            return None
        return self.opinions[0][0] if self.opinions else None

    @property
    def asked_back(self) -> ConsultationRemark | None:
        """What an expert needs to know before they answer; None when nothing, or when it was explained."""
        last = self.remarks[-1] if self.remarks and not self.state.is_final else None
        return last if last is not None and self.ask_of(last.by) else None

    @property
    def names(self) -> str:
        """Who was asked, as answers note it."""
        return f"{WHO_WAS_ASKED}{' and '.join(one.expert for one in self.asks)}."

    @property
    def told(self) -> str:
        """How it ended, in one line, for whoever asked."""
        what = f"your question {shortened(self.question, _QUOTED)!r}"
        if self.opinions:
            said = "; ".join(
                text if len(self.opinions) == 1 else f"{' and '.join(who)}: {text}"
                for text, who in self.opinions
            )
            names = " and ".join(one.expert for one in self.counted)
            return f"{names} answered {what}: {said}"
        why = "; ".join(f"{one.expert}: {one.note}" for one in self.asks if one.note)
        how = (
            f"{self.state.value.replace('_', ' ')} ({why})"
            if why
            else self.state.value.replace("_", " ")
        )
        return f"There is no answer to {what}: {how}."

    def ask_of(self, expert: str) -> ExpertAsk | None:
        """What one person was asked; None for somebody who was not."""
        return next((one for one in self.asks if one.expert == expert), None)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!")


class AskedPeople(Record):
    """Who was asked for an answer that was not there."""

    consultation_id: str
    """For `old.experts.wait(id)` and `oldhand experts show ID`."""
    experts: tuple[SafeName, ...]
    until: datetime
    """When waiting ends; what they say later is learned all the same."""

    def __str__(self) -> str:
        # Who they are stands in notes, out of which names can be taken.
        whom = "a colleague" if len(self.experts) == 1 else f"{len(self.experts)} colleagues"
        return f"I have asked {whom}, until {self.until:%Y-%m-%d %H:%M} UTC (question {self.consultation_id[:VISIBLE]})."


class ConsultationEvent(Record):
    """One entry of the audit trail of a consultation."""

    consultation_id: str
    at: datetime
    actor: SafeName
    """Who did it: an expert, who asked, or `oldhand` itself."""
    what: str
    """Such as `asked`, `delivered`, `reminded`, `answered`, `late` or `refused`."""
    expert: SafeName | None = None
    """Whose part of it changed."""
    detail: str = ""
