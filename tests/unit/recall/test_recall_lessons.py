"""Which lessons are recalled for a question, and in which order."""

from collections.abc import Collection, Sequence
from datetime import timedelta

import pytest

from oldhand.learning.recall import FoundMemory, Recall
from oldhand.record.effect import Alias
from oldhand.record.lesson import Search
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.phrases import occurs, singular_words
from oldhand.settings import RecallSettings
from oldhand.testing import FixedClock, MemoryCredit, MemoryIndex
from oldhand.testing.records import NOON, example_memory


def pair(memory_id: str, question: str = "How many tractors?", **changes: object) -> Memory:
    payload = {"question": question, "sql": "SELECT 1", "confirmed_by": "ana"}
    return example_memory(memory_id, MemoryType.EXAMPLE, payload=payload, **changes)


def rejected(memory_id: str, evaluator: str = "thumb", **changes: object) -> Memory:
    payload = {
        "evaluator_type": evaluator,
        "issue": "called wrong",
        "question": "How many tractors?",
        "sql_query": "SELECT 2",
    }
    return example_memory(memory_id, MemoryType.ISSUE, payload=payload, **changes)


def alias(phrase: str, **changes: object) -> Memory:
    effect = Alias(phrase=phrase, database="shop", table="customers")
    return example_memory(f"alias of {phrase}", effect=effect, **changes)


def recalled(
    memories: Collection[Memory],
    question: str = "How many tractors?",
    credit: MemoryCredit | None = None,
    **limits: int,
) -> list[str]:
    recall = Recall(
        MemoryIndex(memories).search_each,
        (credit or MemoryCredit()).tallies,
        RecallSettings(**limits),
        FixedClock(NOON + timedelta(days=10)),
    )
    return [lesson.id for lesson in recall.recall(question)]


def test_examples_come_first_then_rejected_pairs_then_aliases():
    assert recalled([alias("tractor"), rejected("i1"), pair("e1")]) == [
        "e1",
        "i1",
        "alias of tractor",
    ]


def test_a_lesson_says_how_well_it_fits_and_who_liked_it():
    credit = MemoryCredit()
    credit.vote(["e1"], +1)
    credit.vote(["e1"], +1)
    credit.vote(["e1"], -1)
    recall = Recall(
        MemoryIndex([pair("e1")]).search_each, credit.tallies, RecallSettings(), FixedClock(NOON)
    )
    (lesson,) = recall.recall("tractors")
    assert (lesson.memory, lesson.ups, lesson.downs) == (pair("e1"), 2, 1)
    assert lesson.score > 0


@pytest.mark.parametrize("source", ["external", "evaluator", "execution"])
@pytest.mark.parametrize(
    "made", [pair, rejected, lambda _, **changes: alias("tractors", **changes)]
)
def test_only_what_trusted_people_said_is_recalled(made, source: str):
    assert recalled([made("m1", provenance={"source": source})]) == []
    assert len(recalled([made("m1", provenance={"source": "expert", "rater": "ben"})])) == 1


def test_many_untrusted_pairs_do_not_crowd_out_the_trusted_one():
    poisoned = [pair(f"x{n}", provenance={"source": "external"}) for n in range(400)]
    assert recalled([*poisoned, pair("e1", "Are there tractors anywhere at all?")]) == ["e1"]


@pytest.mark.parametrize(
    "made", [pair, rejected, lambda _, **changes: alias("tractors", **changes)]
)
def test_what_is_hardly_believed_or_past_its_time_is_left_out(made):
    assert recalled([made("m1", confidence=0.49)]) == []
    assert recalled([made("m1", ttl_days=9)]) == []
    assert len(recalled([made("m1", confidence=0.5, ttl_days=10)])) == 1
    assert len(recalled([made("m1", ttl_days=0)])) == 1


def test_what_evaluators_found_is_no_rejected_pair():
    assert recalled([rejected("i1", "SQLValidator"), rejected("i2")]) == ["i2"]


def test_as_many_of_each_kind_as_the_settings_say():
    memories = [pair(f"e{n}") for n in range(9)] + [rejected(f"i{n}") for n in range(9)]
    words = [alias(phrase) for phrase in ("how", "many", "tractors")]
    found = recalled([*memories, *words], examples=3, rejected=2, aliases=1)
    assert [one[0] for one in found] == ["e", "e", "e", "i", "i", "a"]
    assert recalled([*memories, *words], examples=0, rejected=0, aliases=0) == []


def test_pairs_that_more_people_disliked_than_liked_sink():
    memories = [
        pair("best", "How many tractors?"),
        pair("other", "How many red tractors?"),
        pair("far", "tractors by colour and year and weight"),
    ]
    credit = MemoryCredit()
    assert recalled(memories, credit=credit) == ["best", "other", "far"]
    credit.vote(["best"], -1)
    assert recalled(memories, credit=credit) == ["other", "far", "best"]
    assert recalled(memories, credit=credit, examples=2) == ["other", "far"]
    credit.vote(["best"], +1)
    assert recalled(memories, credit=credit) == ["best", "other", "far"]


def test_of_equally_near_pairs_the_more_liked_and_then_the_newer_comes_first():
    later = NOON + timedelta(days=1)
    memories = [pair("old"), pair("liked"), pair("new", created_at=later)]
    credit = MemoryCredit()
    credit.vote(["liked"], +1)
    assert recalled(memories, credit=credit) == ["liked", "new", "old"]


@pytest.mark.parametrize(
    ("phrase", "question"),
    [
        ("clients", "Which client pays late?"),
        ("client", "How many CLIENTS are there?"),
        ("top tier clients", "List top-tier clients!"),
        ("company", "all companies"),
        ("tax", "taxes by year"),
        ("client", "the client's address"),
        ("clients", "the clients’ addresses"),  # noqa: RUF001
        ("umsätze", "Umsatze in Köln"),
        ("q3", "sales in Q3?"),
        ("order items", "count order_items"),
        ("it", "who works in IT?"),
        ("gross margin", "what's the gross margin?"),
    ],
)
def test_an_alias_occurs_in_a_question_as_people_write_it(phrase: str, question: str):
    assert occurs(phrase, singular_words(question))


@pytest.mark.parametrize(
    ("phrase", "question"),
    [
        ("rev", "revenue by month"),
        ("venue", "revenue by month"),
        ("it", "its price"),
        ("top clients", "top paying clients"),
        ("clients top", "top clients"),
        ("gross margin", "the margin, gross of tax"),
        ("new", "what's up"),
        ("", "anything"),
        ("?!", "anything?!"),
        ("clients", ""),
    ],
)
def test_an_alias_does_not_occur_inside_of_words_or_in_pieces(phrase: str, question: str):
    assert not occurs(phrase, singular_words(question))


def test_an_alias_that_does_not_occur_is_not_recalled():
    words = [alias("top clients"), alias("clients"), alias("red tractors"), alias("it")]
    assert recalled(words, "Which of the top paying clients work in IT?") == [
        "alias of it",
        "alias of clients",
    ]


def test_a_preference_is_recalled_by_what_it_is_about():
    preferred = example_memory("p1", payload={"key": "tractors", "value": "red"}, summary="")
    assert recalled([preferred]) == ["p1"]
    assert recalled([preferred], "How many clients?") == []


@pytest.mark.parametrize("question", ["", " ", "\x00", "🦦", '"', "*" * 10_000, "\ud800", "?"])
def test_a_strange_question_recalls_nothing(question: str):
    assert recalled([pair("e1"), rejected("i1"), alias("tractor")], question) == []


def test_what_is_of_no_concern_takes_no_place_of_what_is():
    memories = [*(pair(f"x{n}") for n in range(40)), pair("e1", "Are there tractors anywhere?")]
    recall = Recall(
        MemoryIndex(memories).search_each,
        MemoryCredit().tallies,
        RecallSettings(),
        FixedClock(NOON),
    )
    found = recall.recall("How many tractors?", concerns=lambda memory: memory.id == "e1")
    assert [lesson.id for lesson in found] == ["e1"]


def test_a_word_is_found_behind_hundreds_that_share_one_with_it():
    others = [alias(f"tractor {n}") for n in range(400)]
    assert recalled([*others, alias("tractor lamps")], "How many red tractor lamps?") == [
        "alias of tractor lamps"
    ]


def test_searching_further_ends():
    asked: list[int] = []

    def endless(searches: Sequence[Search]) -> list[list[FoundMemory]]:
        """There is always more, none of it of use."""
        asked.extend(one.limit for one in searches)
        doubted = pair("e1", confidence=0.0)
        return [[FoundMemory(doubted, 1.0)] * one.limit for one in searches]

    recall = Recall(endless, MemoryCredit().tallies, RecallSettings(), FixedClock(NOON))
    assert recall.recall("tractors") == ()
    assert max(asked) == 1_000


def test_what_is_pinned_is_recalled_once_whatever_is_asked_where_its_condition_holds():
    def rule(name: str, text: str, when: str | None = None, **changes: object) -> Memory:
        payload = {"rule": text, "applies_when": when}
        return example_memory(name, MemoryType.SEMANTIC, payload=payload, **changes)

    memories = [
        rule("other", "Round to cents"),
        rule("round", "Round to cents", tags=("rule", "pinned")),
        rule("tractors", "Count tractors once", tags=("rule", "pinned")),
        rule("elsewhere", "Say why", "intent == 'explanation'", tags=("pinned",)),
        rule("unknown", "Say zero", tags=("pinned",), provenance={"source": "external"}),
    ]
    assert recalled(memories) == ["tractors", "round"]
