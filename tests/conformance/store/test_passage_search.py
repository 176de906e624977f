"""What the search among passages finds, on every kind of store, and for whom."""

from collections.abc import Callable, Sequence

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.stored_documents import forget_document, put_document

from oldhand.learning.credit.events import NoRule
from oldhand.record.document import EVERYONE, MEMBERS, Anchor
from oldhand.record.retrieval import AskedPoint, PassageCandidate, RankedPassage
from oldhand.sources.retrieval import Retriever
from oldhand.store import Store
from oldhand.store.search.index import PASSAGE_SEARCH

PEOPLE = ("ana", "ben", "members", "everyone")


def retriever(store: Store, clone: str = "default", ranker: object = None) -> Retriever:
    return Retriever(clone, store.passages, ranker or NoRule())


def found(
    store: Store, question: str, user: str = "ana", member: bool = True, limit: int = 5
) -> list[str]:
    return [one.passage.text for one in retriever(store).find(question, user, member, limit)]


def test_passages_are_found_by_their_words_headings_and_the_name_of_their_document(store: Store):
    put_document(store, "d1", ["Goods go back within 30 days.", "Nothing else."], name="Handbook")
    put_document(store, "d2", ["We meet on Mondays."], heading=("Meetings",))
    assert found(store, "In how many days do goods go back?") == ["Goods go back within 30 days."]
    assert found(store, "a meeting") == ["We meet on Mondays."]
    assert len(found(store, "handbook")) == 2
    assert found(store, "unicorns") == found(store, "") == found(store, "' OR 1=1 --\x00") == []


def test_what_is_found_says_where_it_stands_and_how_well_it_fits(store: Store):
    put_document(store, "d1", ["Goods go back.", "Goods stay."], heading=("Returns", "Goods"))
    first, second = retriever(store).find("Which goods go back?", "ana", True)
    assert (first.document, first.passage.anchor) == ("d1", Anchor(heading=("Returns", "Goods")))
    assert (first.rank, first.base, first.score, first.boost) == (1, 1.0, 1.0, 0.0)
    assert second.rank == 2
    assert 0 < second.base < 1


def test_clones_do_not_find_each_others_passages(store: Store):
    put_document(store, "d1", ["Goods go back."])
    put_document(store, "d1", ["Goods stay."], clone_id="theirs")
    assert found(store, "goods") == ["Goods go back."]
    (only,) = retriever(store, "theirs").find("goods", "ana", True)
    assert only.passage.text == "Goods stay."
    assert retriever(store, "nobody").find("goods", "ana", True) == ()


def test_who_may_not_read_a_document_finds_nothing_of_it(store: Store):
    put_document(store, "d1", ["goods for all"])
    put_document(store, "d2", ["goods for members"], readers=(MEMBERS,))
    put_document(store, "d3", ["goods for ben"], readers=("ben",))
    assert found(store, "goods", "cy", False) == ["goods for all"]
    assert sorted(found(store, "goods", "ana")) == ["goods for all", "goods for members"]
    assert sorted(found(store, "goods", "ben", False)) == [
        "goods for all",
        "goods for ben",
    ]
    for impostor in (MEMBERS, EVERYONE):
        assert found(store, "goods", impostor, False) == ["goods for all"]


def test_readers_that_change_count_from_then_on(store: Store):
    put_document(store, "d1", ["secret goods"], readers=("ben",))
    put_document(store, "d1", ["secret goods"], readers=("cy",))
    assert found(store, "goods", "ben") == []
    assert found(store, "goods", "cy") == ["secret goods"]


def test_a_document_that_is_gone_is_not_found(store: Store):
    put_document(store, "d1", ["goods go back", "goods stay"])
    put_document(store, "d2", ["goods are sold"])
    forget_document(store, "d1")
    assert found(store, "goods") == ["goods are sold"]
    forget_document(store, "d2")
    assert found(store, "goods") == []


def test_the_same_passage_in_two_documents_is_found_once_by_whoever_may_read_one(store: Store):
    put_document(store, "d1", ["goods go back"], readers=("ben",))
    put_document(store, "d2", ["goods go back"], readers=("cy",))
    for user, document in (("ben", "d1"), ("cy", "d2")):
        (only,) = retriever(store).find("goods", user, False)
        assert only.passage.document_id == document


def test_the_words_of_common_passages_do_not_hide_the_rare_one(store: Store):
    put_document(store, "d1", [f"goods number {one} of the shop" for one in range(500)])
    put_document(store, "d2", ["goods that glow in the shop"])
    assert found(store, "goods of the shop that glow", limit=1) == ["goods that glow in the shop"]


class Fond(NoRule):
    """Has learned that one passage is good, whatever is asked."""

    def __init__(self, chunk: str) -> None:
        self.chunk = chunk

    def evident(self, asked: AskedPoint) -> Sequence[str]:
        return [self.chunk, "gone"]

    def rank(
        self, asked: AskedPoint, candidates: Sequence[PassageCandidate]
    ) -> Sequence[RankedPassage]:
        boosts = [1.9 if one.chunk == self.chunk else 0.0 for one in candidates]
        ranked = [
            RankedPassage(one.chunk, one.base + boost, boost)
            for one, boost in zip(candidates, boosts, strict=True)
        ]
        return sorted(ranked, key=lambda one: -one.score)


def test_passages_whose_words_a_version_before_has_kept_are_found_just_so_and_can_be_removed(
    open_store: Callable[[], Store],
):
    """It kept all words as they came; now those that occur several times come first."""
    store = open_store()
    texts = ["goods goods and more goods go back", "goods stay", "back they go, and back again"]
    put_document(store, "d1", texts, readers=("ana",))
    put_document(store, "d2", ["stay"])
    asked = "Do goods stay, or go back again?"
    now = retriever(store).find(asked, "ana", False)
    table = PASSAGE_SEARCH.documents
    with store.passages._transactions.writing("default") as connection:
        kept = connection.execute(sa.select(table).where(table.c.number < 3)).mappings().all()
        for row in kept:
            often, once = row["terms"].split("  ")
            came = " ".join([*once.split(" #")[0].split(), *often.split()])
            marks = "".join(f" #{one}" for one in once.split(" #")[1:])
            this = sa.update(table).where(table.c.seq == row["seq"])
            connection.execute(this.values(terms=came + marks))
    assert len(kept) == 3
    store = open_store()  # what was read before is kept in memory
    assert retriever(store).find(asked, "ana", False) == now
    assert len(now) == 4
    forget_document(store, "d1")
    assert found(store, asked) == ["stay"]


def test_what_was_learned_finds_passages_without_shared_words_but_none_that_may_not_be_read(
    store: Store, caplog: pytest.LogCaptureFixture
):
    caplog.set_level("INFO")
    put_document(store, "d1", ["a few goods go back", "all goods stay"])
    put_document(store, "d2", ["within a month"], readers=(MEMBERS,))
    ranker = Fond("within a month")
    first, *others = retriever(store, ranker=ranker).find("goods", "ana", True)
    assert (first.passage.text, first.base, first.boost) == ("within a month", 0.0, 1.9)
    assert '"boost_applied": 1.90' in caplog.text
    assert '"chunk_scores_loaded": 1' in caplog.text
    plain = retriever(store).find("goods", "cy", False)
    assert retriever(store, ranker=ranker).find("goods", "cy", False) == plain
    assert [one.base for one in others] == [one.base for one in plain]


DOCUMENT = st.tuples(
    st.lists(st.sampled_from(["goods go", "goods stay", "goods", "no"]), max_size=3),
    st.lists(st.sampled_from([EVERYONE, MEMBERS, "ana", "ben"]), max_size=3),
)


@given(st.lists(st.tuples(st.sampled_from("abc"), DOCUMENT), max_size=6), st.sampled_from("abc"))
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_nobody_ever_finds_what_they_may_not_read(
    store: Store, written: list[tuple[str, tuple[list[str], list[str]]]], gone: str
):
    known: dict[str, tuple[list[str], list[str]]] = {}
    for document_id, document in written:
        known[document_id] = document
        put_document(store, document_id, document[0], readers=document[1])
    for document_id in "abc":
        if document_id == gone or document_id not in known:
            forget_document(store, document_id)
            known.pop(document_id, None)
    for user in PEOPLE:
        for member in (True, False):
            groups = {EVERYONE, MEMBERS} if member else {EVERYONE}
            mine = {user} - {EVERYONE, MEMBERS} | groups
            may = {
                text for texts, readers in known.values() if mine & set(readers) for text in texts
            }
            assert set(found(store, "goods", user, member)) == may - {"no"}
