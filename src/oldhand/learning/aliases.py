"""Words that people use for tables, columns and values: kept with the evidence that speaks for them.

An alias is a memory of type `preference` with an `effect`. What it says is learned from confirmed pairs, by whoever
can compare a question with its SQL (`Propose`, `Helps`), or stated by a person. Its confidence follows from its
evidence alone, so that evidence that is withdrawn leaves no trace. Nothing is saved here: each method tells what to
save and what to forget, so that the caller can do it in one transaction with what else it learns.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from oldhand.errors import InvalidAlias
from oldhand.learning.alias_evidence import (
    alias_id,
    evidence_of,
    fresh,
    resting_on,
    speaks_for,
    strengthened,
)
from oldhand.learning.targets import target_of
from oldhand.record.base import SafeName
from oldhand.record.effect import Alias
from oldhand.record.evidence import Evidence, Pair, Strength
from oldhand.record.feedback import TRUSTED, Source
from oldhand.record.memory import LEAST_CONFIDENCE, Memory
from oldhand.record.phrases import occurs, same_phrase, singular_words
from oldhand.record.schema import DatabaseSchema
from oldhand.store import Undone

Kept = Callable[[], Sequence[Memory]]
"""All live memories of type `preference` of the clone, aliases or not."""


Propose = Callable[[Pair], Sequence[Alias]]
"""Finds in a confirmed pair which words mean what: the aliases that it speaks for clearly, and needs to be understood."""
Helps = Callable[[Alias, Sequence[Pair]], bool]
"""The gate: whether no pair is understood worse with an alias; pairs without the phrase count for nothing."""
Explains = Callable[[Alias, Pair], bool]
"""Whether a word is all that a question lacked: it is read exactly as it was confirmed with the alias, and is not without it."""


def explains_all(_alias: Alias, _pair: Pair, /) -> bool:
    """For whoever takes a correction for enough."""
    return True


@dataclass(frozen=True)
class Changed:
    """What to write so that the evidence is taken into account."""

    saved: tuple[Memory, ...] = ()
    forgotten: tuple[str, ...] = ()
    """Ids of aliases for which nothing speaks any more."""


class Aliases:
    """The aliases of one clone.

    Each method gives what to write; nothing is written here. What one rater says about an episode
    replaces what they said before, so a vote that changes leaves no trace of the first one.
    """

    def __init__(
        self,
        clone_id: str,
        kept: Kept,
        propose: Propose,
        helps: Helps,
        now: Callable[[], datetime],
        explains: Explains = explains_all,
    ) -> None:
        self._clone_id = clone_id
        self._kept = kept
        self._propose = propose
        self._helps = helps
        self._now = now
        self._explains = explains

    def confirmed(self, pair: Pair, evidence: Evidence, others: Sequence[Pair] = ()) -> Changed:
        """Learn from a pair that a trusted person confirmed; from others nothing is learned.

        An alias must not spoil one of the `others`, which were confirmed before. A correction that it explains only in
        part counts as little as a thumb up: a second question has to speak for it.
        """
        before = self._by_id()
        now = _without(before, evidence)
        if evidence.source in TRUSTED:
            evidence = evidence.model_copy(update={"question": pair.question})
            found = {self._id(alias): alias for alias in self._propose(pair)}
            for one, memory in list(now.items()):
                if one not in found and self._is_contradicted(memory, pair):
                    against = evidence.model_copy(update={"strength": Strength.CONTRADICTED})
                    now[one] = strengthened(memory, against)
            for one, alias in found.items():
                if self._helps(alias, (pair, *_touched(alias, others))):
                    known = now.get(one) or self._fresh(alias)
                    now[one] = strengthened(known, self._weighed(evidence, alias, pair))
        return _changes(before, now)

    def rejected(self, resting_on: Iterable[str], evidence: Evidence) -> Changed:
        """Take note that an answer was called wrong."""
        before = self._by_id()
        now = _without(before, evidence)
        if evidence.source in TRUSTED:
            against = evidence.model_copy(update={"strength": Strength.DOUBTED})
            for one in set(resting_on) & now.keys():
                now[one] = strengthened(now[one], against)
        return _changes(before, now)

    def withdrawn(self, *episode_ids: str) -> Changed:
        """Take back what was learned from some episodes."""
        before = self._by_id()
        gone = frozenset(episode_ids)
        now = {one: _withdrawn(memory, gone, None) for one, memory in before.items()}
        return _changes(before, now)

    def defined(
        self,
        phrase: str,
        target: str,
        schemas: Sequence[DatabaseSchema],
        *,
        rater: SafeName,
        source: Source,
    ) -> Memory:
        """The alias that a trusted person states: active at once, and no later evidence lowers it.

        Raises:
            InvalidAlias: the phrase or target cannot be one, or the person is not trusted.
            UnknownTarget: the target is not in the schemas; near names are listed.
        """
        if source not in TRUSTED:
            raise InvalidAlias("Only the owner and experts say what words mean.")
        alias = target_of(phrase, target, schemas)
        known = self._by_id().get(self._id(alias)) or self._fresh(alias)
        return strengthened(known, Evidence(strength=Strength.STATED, rater=rater, source=source))

    def denied(self, memory_id: str, *, rater: SafeName, source: Source) -> Changed:
        """Take an alias back for good: it stays in the store with confidence 0, so it is not learned again."""
        memory = self._by_id().get(memory_id)
        if memory is None or source not in TRUSTED:
            return Changed()
        return Changed((strengthened(memory, Evidence(strength=Strength.DENIED, rater=rater, source=source)),))  # fmt: skip

    def replaced(self, memory: Memory, *, rater: SafeName, source: Source) -> Changed:
        """Take back what the phrase of a stated alias meant before in the same database."""
        stated = memory.word
        others = [
            one
            for one, known in self._by_id().items()
            if stated is not None
            and one != memory.id
            and known.confidence > 0
            and known.word is not None
            and (known.word.phrase, known.word.database) == (stated.phrase, stated.database)
        ]
        saved = (self.denied(one, rater=rater, source=source).saved for one in others)
        return Changed(tuple(memory for memories in saved for memory in memories))

    def elsewhere(self, memory: Memory) -> tuple[Alias, ...]:
        """What the phrase of a stated alias means in other databases."""
        stated = memory.word
        return tuple(
            known.word
            for known in self._by_id().values()
            if stated is not None
            and known.word is not None
            and known.confidence >= LEAST_CONFIDENCE
            and same_phrase(known.word.phrase, stated.phrase)
            and known.word.database != stated.database
        )

    def _by_id(self) -> dict[str, Memory]:
        return {memory.id: memory for memory in self._kept() if memory.word is not None}

    def _id(self, alias: Alias) -> str:
        return alias_id(self._clone_id, alias)

    def _fresh(self, alias: Alias) -> Memory:
        return fresh(self._clone_id, alias, self._now())

    def _weighed(self, evidence: Evidence, alias: Alias, pair: Pair) -> Evidence:
        if evidence.strength is Strength.CORRECTED and not self._explains(alias, pair):
            return evidence.model_copy(update={"strength": Strength.CONFIRMED})
        return evidence

    def _is_contradicted(self, memory: Memory, pair: Pair) -> bool:
        alias = memory.word
        stated = any(one.strength is Strength.STATED for one in evidence_of(memory))
        if alias is None or stated or not occurs(alias.phrase, singular_words(pair.question)):
            return False
        return not self._helps(alias, (pair,))


def _touched(alias: Alias, pairs: Iterable[Pair]) -> list[Pair]:
    """The pairs whose questions hold the phrase: no other can be changed by the alias."""
    return [pair for pair in pairs if occurs(alias.phrase, singular_words(pair.question))]


def _without(memories: Mapping[str, Memory], evidence: Evidence) -> dict[str, Memory]:
    """The memories without what the same rater said of the same episode before."""
    said = frozenset({evidence.episode_id} - {None})
    return {one: _withdrawn(memory, said, evidence.rater) for one, memory in memories.items()}


def _withdrawn(
    memory: Memory, episode_ids: frozenset[str | None], rater: SafeName | None
) -> Memory:
    """The memory without what was said of these episodes, by anybody or by one rater."""
    left = [
        one
        for one in evidence_of(memory)
        if one.episode_id not in episode_ids or rater not in (None, one.rater)
    ]
    return resting_on(memory, left)


def _changes(before: Mapping[str, Memory], now: Mapping[str, Memory]) -> Changed:
    """What differs; an alias that nothing ever speaks for is forgotten."""
    # To see that two are the same object is cheap; most of them are.
    changed = {
        one: memory
        for one, memory in now.items()
        if memory is not (known := before.get(one)) and memory != known
    }
    saved = [memory for memory in changed.values() if _is_kept(memory)]
    bare = [one for one, memory in changed.items() if one in before and not _is_kept(memory)]
    return Changed(tuple(saved), tuple(bare))


def _is_kept(memory: Memory) -> bool:
    direct = (Strength.STATED, Strength.DENIED)
    return any(speaks_for(one) or one.strength in direct for one in evidence_of(memory))


def brought_back(changed: Iterable[Undone]) -> Changed:
    """What to write so that a roll-back has not happened.

    What nobody has touched since is as it was before. A word that was learned or stated anew meanwhile gets back what
    people had said of it directly; what they have said since then comes later, and counts.
    """
    saved: list[Memory] = []
    forgotten: list[str] = []
    for one in changed:
        if one.is_untouched and one.before is not None:
            saved.append(one.before)
        elif one.is_untouched and one.now is not None:
            forgotten.append(one.now.id)
        elif one.before is not None and one.now is not None and (lost := _lost(one)):
            saved.append(resting_on(one.now, (*lost, *evidence_of(one.now))))
    return Changed(tuple(saved), tuple(forgotten))


def _lost(one: Undone) -> tuple[Evidence, ...]:
    """What people had stated or denied before the roll-back, and had not after it."""
    before = evidence_of(one.before) if one.before else ()
    left = evidence_of(one.after) if one.after else ()
    return tuple(said for said in before if said.strength.is_direct and said not in left)
