"""What may not be shown with an answer takes no place of what may, in every index."""

import pytest

from oldhand.learning.recall import Recall
from oldhand.record.effect import Alias
from oldhand.record.lesson import Only
from oldhand.record.memory import Memory, MemoryType
from oldhand.settings import RecallSettings
from oldhand.store.search.searched_text import PLAIN
from oldhand.testing import FixedClock, MemoryCredit
from oldhand.testing.records import NOON, example_memory

EXAMPLES = (MemoryType.EXAMPLE,)


def pair(memory_id: str, question: str, **changes: object) -> Memory:
    payload = {"question": question, "sql": "SELECT 1", "confirmed_by": "ana"}
    return example_memory(memory_id, MemoryType.EXAMPLE, payload=payload, **changes)


def ids(found) -> list[str]:
    return [one.memory.id for one in found]


HIDDEN: dict[str, dict[str, object]] = {
    "doubted": {"confidence": 0.4},
    "retired": {"tags": ("retired",)},
    "set-aside": {"tags": ("quarantined",)},
    "unapproved": {"provenance": {"source": "external", "rater": "eve"}},
}


@pytest.mark.parametrize("why", HIDDEN)
def test_what_may_not_be_shown_is_left_out_until_it_may(index, why):
    index.save(pair("e1", "How many tractors?"))
    index.save(pair("e2", "How many tractors?", **HIDDEN[why]))
    shown = Only(shown=True)
    assert ids(index.search("tractors", types=EXAMPLES, limit=1, only=shown)) == ["e1"]
    assert sorted(ids(index.search("tractors", types=EXAMPLES, limit=5))) == ["e1", "e2"]
    index.save(pair("e2", "How many tractors?"))
    assert sorted(ids(index.search("tractors", types=EXAMPLES, limit=5, only=shown))) == [
        "e1",
        "e2",
    ]
    index.save(pair("e1", "How many tractors?", **HIDDEN[why]))
    assert ids(index.search("tractors", types=EXAMPLES, limit=5, only=shown)) == ["e2"]


def test_marks_phrases_and_what_is_hidden_go_together(index):
    alias = Alias(phrase="tractors", database="shop", table="customers")
    index.save(example_memory("p1", effect=alias))
    index.save(example_memory("p2", effect=alias, tags=("retired",)))
    index.save(example_memory("s1", payload={"key": "tractors", "value": "red"}))
    index.save(example_memory("s2", payload={"key": "tractors", "value": "red"}, tags=("retired",)))
    wanted = {"types": (MemoryType.PREFERENCE,), "limit": 9}
    spoken = Only(phrase=lambda _: True)
    assert sorted(ids(index.search("tractors", only=spoken, **wanted))) == ["p1", "p2"]
    assert ids(index.search("tractors", only=spoken._replace(shown=True), **wanted)) == ["p1"]
    plain = Only(marked=PLAIN, shown=True)
    assert ids(index.search("tractors", only=plain, **wanted)) == ["s1"]


def test_hidden_pairs_cost_a_recall_no_further_look(index):
    for n in range(60):
        index.save(pair(f"h{n}", "How many tractors?", tags=("retired",)))
    for n in range(8):
        index.save(pair(f"e{n}", "How many red tractors are there, and how many blue ones?"))
    looks = Counting(index)
    recall = Recall(looks.search_each, MemoryCredit().tallies, RecallSettings(), FixedClock(NOON))
    found = recall.recall("How many tractors?")
    assert {one.id for one in found} == {f"e{n}" for n in range(8)}
    assert looks.looks == 1


class Counting:
    """An index that counts how often it is asked."""

    def __init__(self, index) -> None:
        self._index = index
        self.looks = 0

    def search_each(self, searches):
        self.looks += 1
        return self._index.search_each(searches)
