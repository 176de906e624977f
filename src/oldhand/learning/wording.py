"""The words that follow from votes: what confirmed and rejected pairs say about aliases."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from oldhand.learning.aliases import Aliases, Changed, Helps, Propose
from oldhand.learning.confirmation import Vote, spelled_alike
from oldhand.record.episode import Episode
from oldhand.record.evidence import Evidence, Pair, Strength
from oldhand.record.feedback import TRUSTED
from oldhand.record.memory import ExamplePayload, IssuePayload, Memory, MemoryType

OTHERS = 300
"""Confirmed pairs of other questions that a new alias must not spoil, the newest ones."""


class Shelf(Protocol):
    """Whoever keeps the memories: the store, or a stand-in for it."""

    def memories(
        self,
        clone_id: str,
        *,
        type: MemoryType | None,  # noqa: A002
        limit: int | None,
    ) -> Sequence[Memory]:
        """The live memories of one type, newest first."""
        ...


class _Desk:
    """The aliases while they change, and the moment of the vote that is looked at: a clock for `Aliases`."""

    def __init__(self, kept: Iterable[Memory]) -> None:
        self._kept = {memory.id: memory for memory in kept}
        self.at = datetime.min.replace(tzinfo=UTC)

    def memories(self) -> tuple[Memory, ...]:
        """As they are now."""
        return tuple(self._kept.values())

    def apply(self, changed: Changed) -> None:
        """Take note of changes."""
        self._kept |= {memory.id: memory for memory in changed.saved}
        for gone in changed.forgotten:
            self._kept.pop(gone, None)

    def now(self) -> datetime:
        """When the vote was cast."""
        return self.at

    def monotonic(self) -> float:
        """Nothing is measured."""
        return 0.0


@dataclass(frozen=True)
class Wording:
    """Learns aliases of one clone from votes. Methods block."""

    clone_id: str
    store: Shelf
    propose: Propose
    helps: Helps

    def changes(
        self, votes: Sequence[Vote], episodes: Mapping[str, Episode], pairs: Iterable[Memory]
    ) -> Changed:
        """What the aliases become when everything that was learned from some episodes is learned anew.

        Args:
            votes: all votes on these episodes, in order of arrival.
            episodes: by their ids.
            pairs: the confirmed and rejected pairs that the votes add up to.
        """
        before = {memory.id: memory for memory in self._aliases()}
        desk = _Desk(before.values())
        aliases = Aliases(self.clone_id, desk.memories, self.propose, self.helps, desk)
        for episode_id in episodes:
            desk.apply(aliases.withdrawn(episode_id))
        confirmed, rejected = _standing(pairs)
        others = self._other_pairs(confirmed)
        corrected = {vote.feedback.id for vote in votes if vote.good}
        for vote in votes:
            desk.at, one = vote.feedback.created_at, vote.feedback.id
            pair = _pair(vote)
            if pair is not None and vote.good and one in confirmed:
                desk.apply(aliases.confirmed(pair, _evidence(vote), others))
            elif not vote.good and one not in corrected and vote.solution.key in rejected:
                resting_on = episodes[vote.feedback.episode_id].answer.lessons
                desk.apply(aliases.rejected(resting_on, _evidence(vote)))
        after = {memory.id: memory for memory in desk.memories()}
        saved = tuple(memory for one, memory in after.items() if memory != before.get(one))
        return Changed(saved, tuple(one for one in before if one not in after))

    def _aliases(self) -> tuple[Memory, ...]:
        kept = self.store.memories(self.clone_id, type=MemoryType.PREFERENCE, limit=None)
        return tuple(memory for memory in kept if memory.effect is not None)

    def _other_pairs(self, confirmed: Iterable[str]) -> tuple[Pair, ...]:
        """Pairs that rest on other feedback."""
        known = self.store.memories(self.clone_id, type=MemoryType.EXAMPLE, limit=OTHERS)
        mine = set(confirmed)
        return tuple(
            Pair(question=payload.question, sql=payload.sql, database=payload.database)
            for memory in known
            if isinstance(payload := memory.payload, ExamplePayload)
            and memory.provenance.source in TRUSTED
            and payload.sql
            and not mine.intersection(payload.evidence)
        )


def _standing(pairs: Iterable[Memory]) -> tuple[frozenset[str], frozenset[str]]:
    """The feedback that confirmed pairs rest on, and the SQL of rejected ones."""
    payloads = [memory.payload for memory in pairs]
    confirmed = (one for p in payloads if isinstance(p, ExamplePayload) for one in p.evidence)
    rejected = (p.sql_query for p in payloads if isinstance(p, IssuePayload) and p.sql_query)
    return frozenset(confirmed), frozenset(map(spelled_alike, rejected))


def _pair(vote: Vote) -> Pair | None:
    solution = vote.solution
    if solution.sql is None:
        return None
    return Pair(question=solution.question, sql=solution.sql, database=solution.database)


def _evidence(vote: Vote) -> Evidence:
    said = vote.feedback
    if not vote.good:
        strength = Strength.CONTRADICTED
    else:
        strength = Strength.CORRECTED if said.correction else Strength.CONFIRMED
    return Evidence(
        strength=strength,
        rater=said.rater,
        source=said.source,
        episode_id=said.episode_id,
        question=vote.solution.question,
    )
