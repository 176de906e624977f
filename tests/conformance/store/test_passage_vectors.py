"""What is found by meaning, on every kind of store, while vectors come and go."""

import os
import signal
from collections.abc import Callable, Sequence
from multiprocessing import get_context

import numpy as np
import pytest
from tests.stored_documents import forget_document, put_document

from oldhand.errors import ModelUnreachable
from oldhand.learning.credit.events import NoRule
from oldhand.record.document import MEMBERS
from oldhand.record.retrieval import Embedder
from oldhand.sources.retrieval import ByMeaning, Retriever
from oldhand.sources.retrieval.in_database import PassagesInDatabase
from oldhand.sources.retrieval.matrices import PassageMatrices
from oldhand.sources.retrieval.meaning import Filled, PassageMeaning
from oldhand.sources.retrieval.retriever import VectorSearch
from oldhand.store import Store
from oldhand.testing import FixedClock, HashingEmbedder

OLD, NEW = "old-model", "new-model"


@pytest.fixture(params=["in memory", "in the database"], autouse=True)
def searched(request: pytest.FixtureRequest, store: Store) -> None:
    """Both ways to compare vectors; the second where the store is in Postgres with pgvector."""
    in_database = request.param == "in the database"
    if in_database and not store.points.usable:
        pytest.skip("pgvector is an extension of Postgres")
    store.points.__dict__["usable"] = in_database


def search_of(store: Store, megabytes: float = 100) -> VectorSearch:
    if store.points.usable:
        return PassagesInDatabase(store.points, store.vectors)
    return PassageMatrices(store.vectors, megabytes)


class Finding:
    """A retriever over a store, with an embedder whose vectors tell."""

    def __init__(self, store: Store, embedder: HashingEmbedder, *former: Embedder) -> None:
        self.clock = FixedClock()
        self.embedder = embedder
        known = {one.name: one for one in former}
        self.meaning = PassageMeaning(store.vectors, embedder, self.clock, known.get)
        by_meaning = ByMeaning(self.meaning, search_of(store))
        self.retriever = Retriever("default", store.passages, NoRule(), by_meaning)

    def found(self, question: str, user: str = "ana", member: bool = True) -> list[str]:
        return [one.passage.text for one in self.retriever.find(question, user, member)]

    def cosine(self, question: str) -> float | None:
        return self.retriever.find(question, "ana", True)[0].cosine


def test_passages_are_found_by_their_vectors_where_no_word_is_shared(store: Store):
    put_document(store, "d1", ["the goods", "we meet"])
    finding = Finding(store, HashingEmbedder())
    assert finding.meaning.fill("default") == Filled(2, complete=True)
    # Words of questions such as `the` are looked for by no search for words.
    first, second = finding.retriever.find("the", "ana", True)
    assert first.passage.text == "the goods"
    assert first.cosine is not None
    assert second.cosine is not None
    assert first.cosine > second.cosine
    assert (first.base, first.score) == (0.5, 0.5)


def test_half_of_the_score_is_meaning_and_half_is_words(store: Store):
    put_document(store, "d1", ["goods go back", "goods", "we meet"])
    finding = Finding(store, HashingEmbedder())
    finding.meaning.fill("default")
    bases = [one.base for one in finding.retriever.find("goods go back", "ana", True)]
    assert bases[0] == 1.0
    assert bases == sorted(bases, reverse=True)
    assert bases[2] == 0.0


def test_a_passage_without_a_vector_is_found_by_its_words_until_it_has_one(store: Store):
    put_document(store, "d1", ["goods go back"])
    finding = Finding(store, HashingEmbedder())
    assert finding.cosine("goods") is None
    finding.meaning.fill("default")
    assert finding.cosine("goods") == pytest.approx(0.58, abs=0.1)
    put_document(store, "d2", ["goods go home", "goods go back"])
    assert set(finding.found("goods home")) == {"goods go home", "goods go back"}
    assert finding.embedder.asked.count("goods go back") == 1
    finding.meaning.fill("default")
    assert finding.embedder.asked.count("goods go back") == 1
    assert None not in [one.cosine for one in finding.retriever.find("goods", "ana", True)]


def test_what_is_removed_or_may_not_be_read_is_not_found_by_meaning(store: Store):
    put_document(store, "d1", ["the goods"], readers=(MEMBERS,))
    put_document(store, "d2", ["the others"])
    finding = Finding(store, HashingEmbedder())
    finding.meaning.fill("default")
    assert finding.found("the", "cy", False) == ["the others"]
    assert len(finding.found("the")) == 2
    put_document(store, "d1", ["the goods"], readers=("cy",))
    assert finding.found("the") == ["the others"]
    forget_document(store, "d2")
    assert finding.found("the") == []
    assert finding.found("the", "cy", False) == ["the goods"]


def test_what_another_process_adds_or_removes_counts_at_once(open_store: Callable[[], Store]):
    here, there = open_store(), open_store()
    ours, theirs = Finding(here, HashingEmbedder()), Finding(there, HashingEmbedder())
    put_document(here, "d1", ["the goods"])
    ours.meaning.fill("default")
    assert theirs.found("the") == ["the goods"]
    put_document(there, "d2", ["the others"])
    assert set(ours.found("others the")) == {"the goods", "the others"}
    theirs.meaning.fill("default")
    assert ours.retriever.find("others", "ana", True)[0].cosine is not None
    forget_document(there, "d1")
    assert ours.found("the") == ["the others"]


def test_a_model_that_is_out_of_reach_costs_the_meaning_and_is_not_asked_at_once_again(
    store: Store,
):
    put_document(store, "d1", ["goods go back", "the others"])
    finding = Finding(store, HashingEmbedder())
    finding.meaning.fill("default")
    finding.embedder.fails = True
    passages, note = finding.retriever.search("goods", "ana", True)
    assert [one.passage.text for one in passages] == ["goods go back"]
    assert note == "Passages were looked for by words alone: hashing is out of reach."
    finding.embedder.fails = False
    assert finding.retriever.search("goods", "ana", True).note == note
    finding.clock.advance(61)
    assert finding.retriever.search("goods", "ana", True).note == ""
    finding.embedder.fails = True
    put_document(store, "d2", ["new goods"])
    with pytest.raises(ModelUnreachable):
        finding.meaning.fill("default")


def test_the_model_of_before_answers_until_the_new_one_knows_all(store: Store):
    texts = [f"goods number {number}" for number in range(150)]
    put_document(store, "d1", texts)
    old, new = HashingEmbedder(OLD), HashingEmbedder(NEW, dimensions=64)
    Finding(store, old).meaning.fill("default")
    finding = Finding(store, new, old)
    turns = iter([True, True, False])
    assert finding.meaning.fill("default", lambda: next(turns)) == Filled(128, complete=False)
    old.asked.clear()
    assert finding.found("goods number 3")[0] == "goods number 3"
    assert old.asked == ["goods number 3"]
    assert store.vectors.counts("default") == {OLD: 150, NEW: 128}
    assert finding.meaning.fill("default") == Filled(22, complete=True)
    assert store.vectors.counts("default") == {NEW: 150}
    assert finding.found("goods number 3")[0] == "goods number 3"
    assert old.asked == ["goods number 3"]


def test_without_the_model_of_before_the_new_one_finds_what_it_knows(store: Store):
    put_document(store, "d1", ["the goods"])
    Finding(store, HashingEmbedder(OLD)).meaning.fill("default")
    finding = Finding(store, HashingEmbedder(NEW, dimensions=64))
    assert finding.found("the goods") == ["the goods"]
    assert finding.cosine("the goods") is None
    finding.meaning.fill("default")
    assert finding.cosine("the goods") == pytest.approx(1.0, abs=0.01)


class Reader:
    """Likes long texts."""

    def fits(self, question: str, texts: list[str]) -> list[float]:
        return [min(1.0, len(text) / 100) for text in texts]


def test_a_model_that_reads_question_and_passage_together_has_half_of_the_say(store: Store):
    put_document(store, "d1", ["goods", "goods " + "and more " * 20])
    finding = Finding(store, HashingEmbedder())
    finding.meaning.fill("default")
    by_meaning = ByMeaning(finding.meaning, search_of(store), Reader())
    retriever = Retriever("default", store.passages, NoRule(), by_meaning)
    found = retriever.find("goods", "ana", True)
    assert [round(one.base, 2) for one in found] == [0.53, 0.5] or found[0].base > found[1].base


def test_little_room_keeps_the_matrix_of_one_clone(store: Store):
    for clone in ("default", "other"):
        put_document(store, "d1", ["the goods"], clone_id=clone)
    meaning = PassageMeaning(store.vectors, HashingEmbedder(), FixedClock())
    matrices = PassageMatrices(store.vectors, 0)
    for clone in ("default", "other", "default"):
        meaning.fill(clone)
        by_meaning = ByMeaning(meaning, matrices)
        found = Retriever(clone, store.passages, NoRule(), by_meaning).find("the", "ana", True)
        assert [one.passage.text for one in found] == ["the goods"]
    assert len(matrices._kept) == 1


class Dying(HashingEmbedder):
    """Ends its process as `kill -9` does when it is given its third batch."""

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        if len(self.asked) >= 128:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().embed(texts)


def _fill_and_die(url: str) -> None:
    with Store.open(url, clock=FixedClock()) as store:
        Finding(store, Dying()).meaning.fill("default")


def test_a_process_that_is_killed_leaves_what_it_has_made_and_another_goes_on(
    store: Store, store_url: str
):
    put_document(store, "d1", [f"goods number {number}" for number in range(150)])
    killed = get_context("spawn").Process(target=_fill_and_die, args=(store_url,))
    killed.start()
    killed.join(60)
    assert killed.exitcode == -signal.SIGKILL
    assert store.vectors.counts("default") == {"hashing": 128}
    finding = Finding(store, HashingEmbedder())
    assert finding.meaning.fill("default") == Filled(22, complete=True)
    assert len(finding.embedder.asked) == 22
