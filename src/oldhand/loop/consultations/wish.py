"""What somebody wants to know from people."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from oldhand.agent.reading.alike import likeness
from oldhand.errors import UsageError
from oldhand.record.base import checked_question
from oldhand.record.consultation import (
    AnswerRule,
    Consultation,
    ExpertAsk,
    Priority,
    ReplyKind,
    WantedReply,
)
from oldhand.record.expert import INBOX, ExpertProfile
from oldhand.settings.experts import ExpertSettings


@dataclass(frozen=True)
class ConsultationWish:
    """A question to people, before it is known who is asked."""

    question: str
    asked_by: str
    context: str = ""
    wanted: WantedReply = field(default_factory=WantedReply)
    rule: AnswerRule = AnswerRule.FIRST
    needed: int = 1
    priority: Priority = Priority.NORMAL
    experts: tuple[str, ...] = ()
    """Who is asked; whoever fits best when nobody is named."""
    episode_id: str | None = None
    seconds: float | None = None
    """How long it stays open; as the settings say when None."""
    person: ExpertProfile | None = None
    """Who is asked, also somebody whom nobody has named an expert: their words teach nothing."""
    by_itself: bool = False
    """Whether the assistant asks of its own accord: a reply that came lately will do."""

    def __post_init__(self) -> None:
        checked_question(self.question)
        if self.wanted.kind is ReplyKind.CHOICE and len(self.wanted.choices) < 2:
            raise UsageError("A choice needs two things to choose from, or more.")
        if self.seconds is not None and self.seconds <= 0:
            raise UsageError("A question to people needs some time: more than 0 seconds.")

    @property
    def named(self) -> frozenset[str]:
        """Who is to be asked; nobody where it is left open."""
        return frozenset(self.experts if self.person is None else (self.person.expert,))

    def is_met_by(self, one: Consultation, now: datetime) -> bool:
        """Whether it waits already in another question to people, or was answered there."""
        sure = likeness(one.question, self.question)
        is_same = bool(sure) if self.by_itself else sure == 1.0
        if not is_same or not all(map(one.ask_of, self.named)):
            return False
        told = {one.context, *(it.text for it in one.remarks)}
        kept = (
            self.by_itself
            and one.answer is not None
            and one.deadline > now
            and self.context in told
        )
        return kept or not one.state.is_final

    @property
    def several(self) -> int:
        """How many people are asked where nobody is named."""
        return {AnswerRule.FIRST: 1, AnswerRule.QUORUM: self.needed + 1, AnswerRule.ALL: 3}[self.rule]  # fmt: skip


def opened(
    wish: ConsultationWish, clone_id: str, new_id: str, now: datetime, settings: ExpertSettings
) -> Consultation:
    """The consultation of a wish, with nobody asked yet."""
    lasts = timedelta(days=settings.days) if wish.seconds is None else timedelta(seconds=wish.seconds)  # fmt: skip
    return Consultation(
        id=new_id,
        clone_id=clone_id,
        question=wish.question,
        context=wish.context,
        wanted=wish.wanted,
        rule=wish.rule,
        needed=wish.needed,
        priority=wish.priority,
        asked_by=wish.asked_by,
        episode_id=wish.episode_id,
        asked_at=now,
        deadline=now + lasts,
        escalate_at=None if wish.named else now + lasts * settings.escalate_after,
    )


def part_of(
    profile: ExpertProfile, one: Consultation, transport: str | None, now: datetime, remind: float
) -> ExpertAsk:
    """What one person is asked, by the transport that fits."""
    way = transport or INBOX
    return ExpertAsk(
        expert=profile.expert,
        transport=way,
        address=profile.addresses.get(way, profile.expert),
        asked_at=now,
        remind_at=now + (one.deadline - now) * remind,
    )
