"""What a rule learns from: one vote on an answer, with the passages that were shown for it."""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from oldhand.record.retrieval import AskedPoint, PassageCandidate, RankedPassage


class ShownPassage(NamedTuple):
    """A passage that somebody saw with the answer, as the search had put it."""

    chunk: str
    gap: float
    """How much better the best candidate fitted, by words and meaning alone."""
    place: int
    """Counted from 1, by words and meaning alone."""


class FirstWord(NamedTuple):
    """What somebody said at first."""

    order: int
    """Its place in the feedback log."""
    rating: int
    """+1 or -1."""


@dataclass(frozen=True)
class CreditEvent:
    """One vote that counts."""

    id: str
    """Of the feedback."""
    order: int
    """Its place in the feedback log."""
    rater: str
    episode_id: str
    asked: AskedPoint
    shown: tuple[ShownPassage, ...]
    rating: int
    """+1 or -1."""
    weight: float = 1.0
    cites: bool = False
    """Whether the answer names the passages that it rests on."""
    top: float = 0.0
    """The best cosine of all candidates; 0 without an embedder."""
    passage: str | None = None
    """The only passage that the vote is about."""
    beside: tuple[str, ...] = ()
    """The passages that were shown with an answer that does not cite them."""
    first: FirstWord | None = None
    """What its rater said of it before, or this; None where nothing is known of that."""

    @property
    def target(self) -> tuple[str, str, str | None]:
        """What a rater can vote on once."""
        return self.rater, self.episode_id, self.passage


class PassageCredit(NamedTuple):
    """What one vote said about one passage; all that has to be kept of it, so that it is not worked out again."""

    credit: float
    """For it, or against it, in the units of the rule."""
    surprise: float = 0.0
    """How much the vote added to what was expected."""
    evidence: tuple[float, ...] = ()
    """What was known before."""


Credits = Mapping[str, PassageCredit]
"""By the hash of each passage."""


class CreditRule(Protocol):
    """Learns from votes in which order to show passages.

    Bounded: no number of votes moves a passage further than a fixed amount. Idempotent: a rater's vote on an answer
    counts once. Revisable: a changed or withdrawn vote leaves the state as if only the last word had ever been said.
    Replayable: the same events in any order of calls give the same state. Inert: without votes nothing changes.
    """

    name: str

    def learn(self, event: CreditEvent) -> None:
        """Take in a vote; a later one of the same rater on the same answer takes the place of an earlier one."""
        ...

    def learn_all(self, events: Iterable[CreditEvent]) -> None:
        """Take in many votes at once."""
        ...

    def forget(self, event_id: str) -> None:
        """Be as if that vote had never been given; nothing where it is unknown."""
        ...

    def restore(self, events: Iterable[tuple[CreditEvent, Credits]]) -> None:
        """Take in votes whose credits are known, in their order, in place of all that was learned."""
        ...

    def learned(self) -> Sequence[tuple[CreditEvent, Credits]]:
        """All votes in their order, with what each of them said."""
        ...

    def evident(self, asked: AskedPoint) -> Sequence[str]:
        """As in `PassageRanker`."""
        ...

    def rank(
        self, asked: AskedPoint, candidates: Sequence[PassageCandidate]
    ) -> Sequence[RankedPassage]:
        """As in `PassageRanker`."""
        ...


class ReplayedRule(ABC):
    """A rule whose state follows from its votes one by one; what is undone is replayed from there on."""

    def __init__(self, *, first_vote_only: bool = False) -> None:
        self._first_only = first_vote_only
        self._events: list[CreditEvent] = []
        self._credits: dict[str, Credits] = {}
        self._targets: dict[tuple[str, str, str | None], CreditEvent] = {}

    @abstractmethod
    def _judge(self, event: CreditEvent) -> Credits:
        """What a vote says of each passage, by what is known so far."""

    @abstractmethod
    def _take(self, event: CreditEvent, told: Credits) -> None:
        """Add that to what is known."""

    @abstractmethod
    def _clear(self) -> None:
        """Know nothing."""

    def learn(self, event: CreditEvent) -> None:
        """Take in a vote; one that came before others is taken in before them."""
        event = self._meant(event)
        before = self._targets.get(event.target)
        if before is not None:
            first, last = sorted((before, event), key=lambda one: one.order)
            kept = first if self._first_only else last
            if kept is before:
                return
            self.forget(before.id)
        at = bisect_left(self._events, event.order, key=lambda one: one.order)
        later = self._events[at:]
        if later:
            self._back_to(at)
        for one in (event, *later):
            self._learn(one)

    def learn_all(self, events: Iterable[CreditEvent]) -> None:
        """Take in votes, none of which has to be replayed for another one of them."""
        for one in sorted(map(self._meant, events), key=lambda one: one.order):
            self.learn(one)

    def forget(self, event_id: str) -> None:
        """Replay what came after that vote without it."""
        at = next((n for n, one in enumerate(self._events) if one.id == event_id), None)
        if at is None:
            return
        later = self._events[at + 1 :]
        self._back_to(at)
        for one in later:
            self._learn(one)

    def restore(self, events: Iterable[tuple[CreditEvent, Credits]]) -> None:
        """Take in what was worked out before."""
        self._back_to(0)
        self.resume(events)

    def resume(self, events: Iterable[tuple[CreditEvent, Credits]]) -> None:
        """Take in what was worked out before and comes after all that was learned."""
        for event, told in events:
            self._add(event, told)

    def learned(self) -> Sequence[tuple[CreditEvent, Credits]]:
        """All votes in their order."""
        return [(one, self._credits[one.id]) for one in self._events]

    def evident(self, asked: AskedPoint) -> Sequence[str]:  # noqa: ARG002
        """Nothing but what the search finds."""
        return ()

    def _meant(self, event: CreditEvent) -> CreditEvent:
        """The word of its rater that counts."""
        if not self._first_only or event.first is None:
            return event
        return replace(event, order=event.first.order, rating=event.first.rating, first=None)

    def _learn(self, event: CreditEvent) -> None:
        self._add(event, self._judge(event))

    def _add(self, event: CreditEvent, told: Credits) -> None:
        self._take(event, told)
        self._events.append(event)
        self._credits[event.id] = told
        self._targets[event.target] = event

    def _back_to(self, at: int) -> None:
        """The state before the vote at a place; most changes are of late votes, but all before are taken in again."""
        kept = [(one, self._credits[one.id]) for one in self._events[:at]]
        self._clear()
        self._events, self._credits, self._targets = [], {}, {}
        for event, told in kept:
            self._add(event, told)


def unlearned(candidates: Sequence[PassageCandidate]) -> list[RankedPassage]:
    """The candidates as they come in."""
    return [RankedPassage(one.chunk, one.base, 0.0) for one in candidates]


class NoRule(ReplayedRule):
    """Passages stand as the search found them; votes are kept so that another rule can learn from them.

    >>> NoRule().rank(AskedPoint("returns?", None), [PassageCandidate("a1", 0.5, None)])
    [RankedPassage(chunk='a1', score=0.5, boost=0.0)]
    """

    name = "none"

    def rank(
        self,
        asked: AskedPoint,  # noqa: ARG002
        candidates: Sequence[PassageCandidate],
    ) -> Sequence[RankedPassage]:
        """The candidates as they come in."""
        return unlearned(candidates)

    def _judge(self, event: CreditEvent) -> Credits:  # noqa: ARG002
        return {}

    def _take(self, event: CreditEvent, told: Credits) -> None: ...

    def _clear(self) -> None: ...
