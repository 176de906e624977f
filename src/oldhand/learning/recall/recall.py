"""Recall: the confirmed pairs, rejected pairs, words and lessons that fit a question."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple, Self

from oldhand.learning.recall.applies_when import applies
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.effect import RowRule, ToolBan, spoken_as
from oldhand.record.lesson import FoundMemory, Lesson, Only, Search, Tally
from oldhand.record.memory import (
    NOTES,
    THUMB,
    IssuePayload,
    Memory,
    MemoryType,
)
from oldhand.record.phrases import occurs, singular_words
from oldhand.record.ports import Clock
from oldhand.record.situation import Situation, situation_of
from oldhand.record.stage import SUGGESTION, SUMMARY, may_be_shown
from oldhand.settings import RecallSettings
from oldhand.store import Store
from oldhand.store.search.searched_text import ALWAYS, EFFECT, PLAIN, effect_word

_AT_FIRST = 2
"""How many are looked at for one that is wanted; more when too few of them will do."""
_AT_MOST = 1_000
"""How many are looked at before the rest is left alone."""
_BY_NAME = 30
"""Databases at hand up to which their rules are looked for one by one, and not among all rules."""
LESSONS = frozenset({MemoryType.SEMANTIC, MemoryType.CHECKLIST, MemoryType.BUG_FIX})
"""Types that are recalled by the words that they share with a question; preferences are, too, where they are no words."""
_NO_LESSONS = NOTES | {SUGGESTION, SUMMARY}
"""Tags of what is kept as a memory of those types, and is not for a mind to read."""
_NO_VOTES = Tally()
Rule = RowRule | ToolBan
"""Effects that change answers over a database, whatever words are used."""


def _anything(memory: Memory) -> bool:  # noqa: ARG001
    return True


@dataclass(frozen=True)
class Recall:
    """What was learned from trusted people and is still believed, as far as it fits a question.

    >>> from oldhand.testing import FixedClock, MemoryCredit, MemoryIndex
    >>> from oldhand.testing.records import example_memory
    >>> index = MemoryIndex([example_memory("e1", MemoryType.EXAMPLE)])
    >>> recall = Recall(index.search_each, MemoryCredit().tallies, RecallSettings(), FixedClock())
    >>> [lesson.id for lesson in recall.recall("How many clients are there in Berlin?")]
    ['e1']
    """

    search_each: Callable[[Sequence[Search]], Sequence[Sequence[FoundMemory]]]
    """For each search, the memories that one user of one clone may be shown and that fit its text best, best first."""
    tallies: Callable[[Collection[str]], Mapping[str, Tally]]
    """How answers fared that rest on each of these memories; those that nobody has voted on may be left out."""
    limits: RecallSettings
    clock: Clock

    @classmethod
    def of_store(
        cls,
        store: Store,
        clone_id: str,
        limits: RecallSettings,
        clock: Clock,
        user_id: str = DEFAULT_USER,
    ) -> Self:
        """Recall from what a clone keeps for everybody and for one user; blocks, and raises `StoreError`."""
        return cls(
            lambda searches: store.search_each(
                clone_id, searches, user_ids={DEFAULT_USER, user_id}
            ),
            lambda ids: store.outcomes(clone_id, tuple(ids)),
            limits,
            clock,
        )

    def recall(
        self,
        question: str,
        *,
        concerns: Callable[[Memory], bool] = _anything,
        situation: Situation | None = None,
    ) -> tuple[Lesson, ...]:
        """The confirmed pairs nearest to `question`, the rejected ones, the aliases that occur in it, and the lessons.

        Lessons are rules, steps of checklists, fixes and preferences that share words with the question, and whatever
        changes answers over the databases at hand, or is pinned, shared words or not. Of each kind the best come first; those that
        more people voted down than up come last.

        Args:
            question: any text; a strange one recalls nothing.
            concerns: whether a memory may be of use at all; others take no place of those that may.
            situation: what the conditions of lessons are held against; follows from the question alone when None.
        """
        now, words = self.clock.now(), singular_words(question)
        situation = situation_of(question) if situation is None else situation

        def wanted(memory: Memory) -> bool:
            return may_be_shown(memory) and not is_expired(memory, now) and concerns(memory)

        def rejected(memory: Memory) -> bool:
            return wanted(memory) and _is_thumb(memory)

        def spoken(phrase: str) -> bool:
            return occurs(phrase, words)

        def lesson(memory: Memory) -> bool:
            if isinstance(memory.effect, Rule) or not _NO_LESSONS.isdisjoint(memory.tags):
                return False
            word = spoken_as(memory.effect)
            said = word is None or spoken(word.phrase)
            return said and wanted(memory) and applies(memory, situation)

        def rule(memory: Memory) -> bool:
            return isinstance(memory.effect, Rule) and wanted(memory) and applies(memory, situation)

        limits, preferences = self.limits, {MemoryType.PREFERENCE}
        about, pinned = _about(question, situation), f"{ALWAYS} {question}"
        kinds = (
            _Kind(Search(question, {MemoryType.EXAMPLE}, limits.examples), wanted),
            _Kind(Search(question, {MemoryType.ISSUE}, limits.rejected), rejected),
            _Kind(Search(question, preferences, limits.aliases, Only(phrase=spoken)), wanted),
            _Kind(
                Search(pinned, preferences | LESSONS, limits.lessons, Only(marked=ALWAYS)), lesson
            ),
            _Kind(Search(question, LESSONS, limits.lessons), lesson),
            _Kind(Search(question, preferences, limits.preferences, Only(marked=PLAIN)), lesson),
            _Kind(Search(about, preferences | LESSONS, limits.effects, Only(marked=EFFECT)), rule),
        )
        found = self._fitting(kinds)
        tallies = self.tallies({one.memory.id for some in found for one in some})
        recalled: dict[str, Lesson] = {}
        for kind, some in zip(kinds, found, strict=True):
            for one in _ranked(some, tallies)[: kind.search.limit]:
                if one.memory.id not in recalled:
                    recalled[one.memory.id] = one.lesson()
        return tuple(recalled.values())

    def _fitting(self, kinds: Sequence["_Kind"]) -> list[list[FoundMemory]]:
        """Look further where too few will do: what is not trusted must not crowd out what is."""
        fitting: list[list[FoundMemory]] = [[] for _ in kinds]
        asked = {n: kind.search.limit * _AT_FIRST for n, kind in enumerate(kinds)}
        while asked := {n: limit for n, limit in asked.items() if limit}:
            searches = [_shown(kinds[n].search, limit) for n, limit in asked.items()]
            for n, found in zip(tuple(asked), self.search_each(searches), strict=True):
                fitting[n] = [one for one in found if kinds[n].fits(one.memory)]
                few = len(fitting[n]) < kinds[n].search.limit and len(found) >= asked[n]
                asked[n] = min(asked[n] * 5, _AT_MOST) if few and asked[n] < _AT_MOST else 0
        return fitting


class _Kind(NamedTuple):
    """A kind of lesson: what is looked for, and which of it will do."""

    search: Search
    fits: Callable[[Memory], bool]


def _shown(search: Search, limit: int) -> Search:
    """That search among what may be shown: what may not would take the places of what may."""
    return search._replace(limit=limit, only=search.only._replace(shown=True))


def _about(question: str, situation: Situation) -> str:
    """The words that find the rules about the databases at hand, those first that share words with the question."""
    at_hand = sorted(situation.databases)
    by_name = len(at_hand) <= _BY_NAME
    marks = [effect_word(one) for one in (None, *at_hand)] if by_name else [EFFECT]
    return " ".join([*marks, question])


def is_expired(memory: Memory, now: datetime) -> bool:
    """Whether more days have passed since it came about than it was to be kept; 0 means for good.

    >>> from oldhand.testing.records import NOON, example_memory
    >>> is_expired(example_memory(ttl_days=7), NOON + timedelta(days=8))
    True
    """
    return bool(memory.ttl_days) and now - memory.created_at > timedelta(days=memory.ttl_days or 0)


def _is_thumb(memory: Memory) -> bool:
    """Whether a person called the pair wrong; what evaluators found is told elsewhere."""
    payload = memory.payload
    return isinstance(payload, IssuePayload) and payload.evaluator_type == THUMB


class _Judged(NamedTuple):
    """What was found, and the votes on it."""

    memory: Memory
    score: float
    ups: int
    downs: int

    def lesson(self) -> Lesson:
        """As it goes to a mind."""
        return Lesson(memory=self.memory, score=self.score, ups=self.ups, downs=self.downs)


def _ranked(found: Sequence[FoundMemory], tallies: Mapping[str, Tally]) -> list[_Judged]:
    """The best first; of equally good ones, the more liked, then the newer."""
    newest = sorted(found, key=lambda one: (one.memory.created_at, one.memory.id), reverse=True)
    judged = [_Judged(*one, *tallies.get(one.memory.id, _NO_VOTES)) for one in newest]
    return sorted(judged, key=lambda one: (one.downs > one.ups, -one.score, one.downs - one.ups))
