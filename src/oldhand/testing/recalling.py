"""An index and credit in memory, for tests and benchmarks that need no store."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from oldhand.record.lesson import ANYTHING, FoundMemory, Only, Search, Tally
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.stage import may_be_shown
from oldhand.record.stemming import stemmed
from oldhand.store.journal.lines import payload_fields
from oldhand.store.search.searched_text import question_terms, searched_words

_K1 = 1.2
"""How soon repetitions of a word stop counting."""
_B = 0.75
"""How much long texts are held back."""


class MemoryIndex:
    """Finds memories by BM25 over stems.

    The formula is Okapi BM25 as in Robertson and Zaragoza, “The Probabilistic Relevance Framework: BM25 and Beyond”
    (2009), with 1 added inside the logarithm so that no word counts against a text.

    >>> from oldhand.testing.records import example_memory
    >>> index = MemoryIndex([example_memory("e1", MemoryType.EXAMPLE)])
    >>> [found.memory.id for found in index.search("a client", types=[MemoryType.EXAMPLE], limit=3)]
    ['e1']
    """

    def __init__(self, memories: Iterable[Memory] = ()) -> None:
        self._memories: dict[str, Memory] = {}
        self._counts: dict[str, Counter[str]] = {}
        self._words = 0
        self._holders: defaultdict[str, set[str]] = defaultdict(set)
        for memory in memories:
            self.save(memory)

    def save(self, memory: Memory) -> None:
        """Put a memory in, in place of the one of its id."""
        self.forget(memory.id)
        effect = memory.effect.model_dump(mode="json") if memory.effect else None
        fields = payload_fields(memory)
        words = searched_words(memory.type, memory.summary, fields, effect, memory.tags)
        self._memories[memory.id] = memory
        self._counts[memory.id] = Counter(_stem(word) for word in words)
        self._words += len(words)
        for stem in self._counts[memory.id]:
            self._holders[stem].add(memory.id)

    def forget(self, memory_id: str) -> None:
        """Take a memory out; one that is not there is passed over."""
        self._memories.pop(memory_id, None)
        counts = self._counts.pop(memory_id, Counter[str]())
        self._words -= counts.total()
        for stem in counts:
            self._holders[stem].discard(memory_id)

    def search(
        self,
        text: str,
        *,
        types: Collection[MemoryType] | None = None,
        limit: int,
        only: Only = ANYTHING,
    ) -> tuple[FoundMemory, ...]:
        """The memories that fit `text` best, best first; of equally good ones, the newer."""
        # A dictionary keeps their order, so that sums do not vary in their last digit.
        stems = dict.fromkeys(_stem(word) for word in question_terms(text))
        near = set[str]().union(*(self._holders.get(stem, set()) for stem in stems))
        found = [
            FoundMemory(self._memories[one], self._score(stems, self._counts[one]))
            for one in near
            if (types is None or self._memories[one].type in types)
            and (only.marked is None or _stem(only.marked) in self._counts[one])
            and (not only.shown or may_be_shown(self._memories[one]))
            and (only.phrase is None or self._passes(one, set(stems), only.phrase))
        ]
        found.sort(key=lambda one: (one.score, one.memory.created_at, one.memory.id), reverse=True)
        return tuple(found[:limit])

    def search_each(self, searches: Sequence[Search]) -> tuple[tuple[FoundMemory, ...], ...]:
        """For each search, the memories that fit its text best, best first."""
        return tuple(
            self.search(one.text, types=one.types, limit=one.limit, only=one.only)
            for one in searches
        )

    def _passes(self, memory_id: str, stems: set[str], phrase: Callable[[str], bool]) -> bool:
        word = self._memories[memory_id].word
        return word is not None and self._counts[memory_id].keys() <= stems and phrase(word.phrase)

    def _score(self, stems: Iterable[str], counts: Counter[str]) -> float:
        total = len(self._counts)
        mean = self._words / total
        slowness = _K1 * (1 - _B + _B * counts.total() / mean)
        score = 0.0
        for stem in stems:
            holders = len(self._holders[stem])
            rarity = math.log(1 + (total - holders + 0.5) / (holders + 0.5))
            score += rarity * counts[stem] * (_K1 + 1) / (counts[stem] + slowness)
        return score


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    return stemmed(word, "porter")


class MemoryCredit:
    """Counts votes.

    >>> credit = MemoryCredit()
    >>> credit.vote(["m1", "m2"], -1)
    >>> credit.tallies(["m1", "m3"])
    {'m1': Tally(ups=0, downs=1), 'm3': Tally(ups=0, downs=0)}
    """

    def __init__(self) -> None:
        self._votes: dict[str, Counter[int]] = defaultdict(Counter)

    def vote(self, ids: Iterable[str], rating: int) -> None:
        """One trusted person's +1 or -1 on an answer that rests on these memories."""
        for one in ids:
            self._votes[one][rating] += 1

    def tallies(self, ids: Collection[str]) -> Mapping[str, Tally]:
        """The tally of each of these memories."""
        votes = {one: self._votes.get(one, Counter[int]()) for one in ids}
        return {one: Tally(ups=counts[1], downs=counts[-1]) for one, counts in votes.items()}
