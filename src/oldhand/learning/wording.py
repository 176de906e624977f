"""The words that follow from votes: what confirmed and rejected pairs say about aliases."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import NamedTuple, Protocol, cast

from oldhand.learning.alias_evidence import evidence_of, resting_on, speaks_for
from oldhand.learning.aliases import Aliases, Changed, Explains, Helps, Propose, explains_all
from oldhand.learning.confirmation import Vote, spelled_alike
from oldhand.record.episode import Episode
from oldhand.record.evidence import Evidence, Pair, Strength
from oldhand.record.feedback import TRUSTED, Feedback
from oldhand.record.memory import ExamplePayload, IssuePayload, Memory, MemoryType

OTHERS = 300
"""Confirmed pairs that an alias must not spoil: the newest of those that were there when somebody voted."""


class MemoryShelf(Protocol):
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
    """The aliases while they change, and the moment of the vote that is looked at."""

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


Places = Callable[[Sequence[str]], Mapping[str, int]]
"""Where feedback stands in the log, by its id; unknown ids are left out."""


def _nowhere(ids: Sequence[str]) -> Mapping[str, int]:  # noqa: ARG001
    return {}


class _Known(NamedTuple):
    """A confirmed pair."""

    since: datetime
    evidence: frozenset[str]
    """Ids of the feedback that it rests on."""
    pair: Pair

    def was_there(self, vote: Feedback, places: Mapping[str, int]) -> bool:
        """Whether it was confirmed before a vote was cast, not by it: as the log says, else as dates say."""
        first = [places[one] for one in self.evidence if one in places]
        if vote.id in self.evidence:
            return False
        if first and vote.id in places:
            return min(first) < places[vote.id]
        return self.since <= vote.created_at


@dataclass(frozen=True)
class Wording:
    """Learns aliases of one clone from votes. Methods block."""

    clone_id: str
    store: MemoryShelf
    propose: Propose
    helps: Helps
    places: Places = _nowhere
    explains: Explains = explains_all

    def changes(
        self,
        votes: Sequence[Vote],
        episodes: Mapping[str, Episode],
        pairs: Sequence[Memory],
        *,
        unsettled: Collection[str] = (),
    ) -> Changed:
        """What the aliases become when everything that was learned from some episodes is learned anew.

        Each vote is held against the pairs that were there when it was cast, so that learning everything at once
        gives what learning one vote after the other gave.

        Args:
            votes: all votes on these episodes, in order of arrival.
            episodes: by their ids.
            pairs: the confirmed and rejected pairs that the votes add up to.
            unsettled: ids of episodes of which not all votes are known; what they taught before stays.
        """
        before = {memory.id: memory for memory in self._aliases()}
        # Many votes on one pair need it proposed, and judged, once.
        desk, propose = _Desk(before.values()), cast("Propose", cache(self.propose))
        judged = cast("Helps", cache(self.helps))
        aliases = Aliases(
            self.clone_id,
            desk.memories,
            propose,
            lambda alias, pairs: judged(alias, tuple(pairs)),
            lambda: desk.at,
            self.explains,
        )
        desk.apply(aliases.withdrawn(*(one for one in episodes if one not in unsettled)))
        confirmed, rejected = _standing(pairs)
        known = self._known(pairs, episodes) if confirmed else ()
        places = self._places(known, votes)
        corrected = {vote.feedback.id for vote in votes if vote.good}
        for vote in votes:
            if vote.feedback.episode_id in unsettled:
                continue
            desk.at, one = vote.feedback.created_at, vote.feedback.id
            pair = _pair(vote)
            if pair is not None and vote.good and one in confirmed:
                others = [it.pair for it in known if it.was_there(vote.feedback, places)]
                desk.apply(aliases.confirmed(pair, _evidence(vote), others[:OTHERS]))
            elif not vote.good and one not in corrected and vote.solution.key in rejected:
                resting_on = episodes[vote.feedback.episode_id].answer.lessons
                desk.apply(aliases.rejected(resting_on, _evidence(vote)))
        after = {one.id: _with_doubts(one, before.get(one.id), episodes) for one in desk.memories()}
        saved = (one for one in after.values() if not _is_alike(one, before.get(one.id)))
        return Changed(tuple(saved), tuple(one for one in before if one not in after))

    def _places(self, known: Iterable[_Known], votes: Iterable[Vote]) -> Mapping[str, int]:
        ids = {one for it in known for one in it.evidence}
        return self.places(sorted(ids | {vote.feedback.id for vote in votes})) if ids else {}

    def _aliases(self) -> tuple[Memory, ...]:
        kept = self.store.memories(self.clone_id, type=MemoryType.PREFERENCE, limit=None)
        return tuple(memory for memory in kept if memory.word is not None)

    def _known(self, pairs: Iterable[Memory], episodes: Mapping[str, Episode]) -> list[_Known]:
        """The confirmed pairs, newest first: these, and those that rest on other episodes."""
        kept = self.store.memories(self.clone_id, type=MemoryType.EXAMPLE, limit=OTHERS)
        others = (one for one in kept if episodes.keys().isdisjoint(one.provenance.episode_ids))
        memories = {one.id: one for one in (*others, *pairs)}
        found = [
            _Known(
                memory.created_at,
                frozenset(payload.evidence),
                Pair(question=payload.question, sql=payload.sql, database=payload.database),
            )
            for memory in memories.values()
            if isinstance(payload := memory.payload, ExamplePayload)
            and memory.provenance.source in TRUSTED
            and payload.sql
        ]
        return sorted(
            found, key=lambda one: (one.since, one.pair.question, one.pair.sql), reverse=True
        )


def _with_doubts(memory: Memory, before: Memory | None, episodes: Collection[str]) -> Memory:
    """An alias with what other episodes say against it, also if it went for a moment as nothing spoke for it."""
    now = evidence_of(memory)
    against = [
        one
        for one in (evidence_of(before) if before else ())
        if not speaks_for(one) and one.episode_id not in episodes and one not in now
    ]
    return resting_on(memory, (*against, *now))


def _is_alike(memory: Memory, before: Memory | None) -> bool:
    """Whether an alias rests on what it rested on before, in whatever order that was learned."""
    if before is None or memory.confidence != before.confidence:
        return False
    now, then = evidence_of(memory), evidence_of(before)
    return len(now) == len(then) and set(now) == set(then)


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
        strength = Strength.DOUBTED
    else:
        strength = Strength.CORRECTED if said.correction else Strength.CONFIRMED
    return Evidence(
        strength=strength,
        rater=said.rater,
        source=said.source,
        episode_id=said.episode_id,
        question=vote.solution.question,
    )
