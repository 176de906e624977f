"""What every index finds."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oldhand.learning.recall import Recall
from oldhand.record.effect import Alias, DefaultFilter
from oldhand.record.lesson import Only, Search
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.situation import situation_of
from oldhand.settings import RecallSettings
from oldhand.testing import FixedClock, MemoryCredit
from oldhand.testing.records import NOON, PAYLOADS, example_memory

EXAMPLES = (MemoryType.EXAMPLE,)
ALL = tuple(MemoryType)
HOSTILE = [
    "",
    "   \n\t ",
    '"',
    "'; DROP TABLE memories; --",
    'customers"',
    "customers*",
    "customers NEAR/2 berlin",
    "NOT customers",
    "AND OR NOT",
    "scope : customers",
    "words:customers",
    "-customers ^berlin {a b}: c",
    "((((((",
    "'a' & !'b' <-> 'c':*",
    "customers\x00berlin",
    "\ud800 customers",
    "🦦🦦 ñ Ω 顧客 ²³ ªº",
    "a" * 10_000,
    " ".join(f"word{n}" for n in range(10_000)),
    "_ __ ___",
    ":) :( \\ \\\\ \x1a",
]


def pair(memory_id: str, question: str, **changes: object) -> Memory:
    payload = {"question": question, "sql": "SELECT 1", "confirmed_by": "ana"}
    return example_memory(memory_id, MemoryType.EXAMPLE, payload=payload, **changes)


def ids(found) -> list[str]:
    return [one.memory.id for one in found]


def test_the_suite_runs_on_all_three_indexes(request, made, indexes):
    assert {made(kind, request).kind for kind in indexes} == {"memory", "sqlite", "postgresql"}


def test_the_nearest_question_comes_first(index):
    index.save(pair("e1", "How many customers live in Berlin?"))
    index.save(pair("e2", "Which products are out of stock?"))
    index.save(pair("e3", "How many customers have ordered this year?"))
    index.save(pair("e4", "List the employees by salary"))
    found = index.search("How many customers live in Paris?", types=EXAMPLES, limit=10)
    assert ids(found) == ["e1", "e3"]
    assert found[0].score > found[1].score > 0
    assert found[0].memory == pair("e1", "How many customers live in Berlin?")


def test_a_rare_word_weighs_more_than_several_that_everybody_uses(index):
    for n in range(20):
        index.save(pair(f"e{n}", f"How many orders from region number{n}?"))
    found = index.search("orders, region, number7: how many tractors?", types=EXAMPLES, limit=3)
    assert found[0].memory.id == "e7"


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("Which CUSTOMERS ordered?", "a customer"),
        ("the category of a product", "categories"),
        ("Umsatz in Köln", "koln"),
        ("Umsatz in koln", "KÖLN"),
        ("rows of order_items", "order items"),
        ("rows of order items", "shop.order_items"),
        ("top-tier clients", "toptier top tier"),
        ("sales in 2024", "2024?"),
        ("what is it", "it"),
    ],
)
def test_case_endings_accents_and_signs_are_no_difference(index, stored: str, asked: str):
    index.save(pair("e1", stored))
    assert ids(index.search(asked, types=EXAMPLES, limit=1)) == ["e1"]


def test_what_every_question_has_finds_nothing(index):
    index.save(pair("e1", "What is the average price of our products?"))
    assert index.search("What is the number of it for our staff?", types=EXAMPLES, limit=5) == ()


def test_only_the_question_of_an_example_is_searched(index):
    payload = {
        "question": "Who earns most?",
        "sql": "SELECT * FROM salaries",
        "answer": "Ana",
        "confirmed_by": "ben",
    }
    index.save(example_memory("e1", MemoryType.EXAMPLE, payload=payload, summary="payroll"))
    assert index.search("salaries payroll ben ana", types=EXAMPLES, limit=5) == ()


def test_an_alias_is_found_by_its_phrase_and_not_by_its_target(index):
    alias = Alias(phrase="clients", database="shop", table="customers")
    payload = {"key": "clients", "value": "shop.customers"}
    summary = "“clients” means shop.customers"
    index.save(example_memory("p1", effect=alias, payload=payload, summary=summary))
    wanted = (MemoryType.PREFERENCE,)
    assert ids(index.search("Which client pays late?", types=wanted, limit=5)) == ["p1"]
    assert index.search("Which customers of the shop pay late?", types=wanted, limit=5) == ()


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        (MemoryType.EPISODIC, "customers"),
        (MemoryType.REFLECTION, "matched by name"),
        (MemoryType.SEMANTIC, "revenue"),
        (MemoryType.PROMPT, "sentence"),
        (MemoryType.CHECKLIST, "comparing distances"),
        (MemoryType.PREFERENCE, "currency"),
        (MemoryType.BUG_FIX, "prices"),
        (MemoryType.ISSUE, "joins"),
        (MemoryType.EXAMPLE, "clients"),
    ],
)
def test_every_type_is_found_by_what_it_is_about(index, kind: MemoryType, asked: str):
    for each in MemoryType:
        index.save(example_memory(f"m-{each}", each))
    assert ids(index.search(asked, types=(kind,), limit=5)) == [f"m-{kind}"]


def test_a_rejected_pair_is_found_by_its_question(index):
    payload = {
        "evaluator_type": "thumb",
        "issue": "called wrong by ana",
        "question": "How many tractors?",
        "sql_query": "SELECT 1",
    }
    index.save(example_memory("i1", MemoryType.ISSUE, payload=payload))
    assert ids(index.search("tractors", types=(MemoryType.ISSUE,), limit=5)) == ["i1"]
    assert index.search("wrong ana", types=(MemoryType.ISSUE,), limit=5) == ()


def test_a_new_version_is_found_and_the_old_one_is_not(index):
    index.save(pair("e1", "How many tractors?"))
    index.save(pair("e1", "How many harvesters?"))
    assert index.search("tractors", types=EXAMPLES, limit=5) == ()
    assert ids(index.search("harvester", types=EXAMPLES, limit=5)) == ["e1"]


def test_what_was_forgotten_is_not_found_until_it_is_saved_again(index):
    index.save(pair("e1", "How many tractors?"))
    index.forget("e1")
    assert index.search("tractors", types=EXAMPLES, limit=5) == ()
    index.save(pair("e1", "How many tractors?"))
    assert ids(index.search("tractors", types=EXAMPLES, limit=5)) == ["e1"]


def test_only_the_wanted_types_and_as_many_as_wanted_are_found(index):
    for n in range(5):
        index.save(pair(f"e{n}", "How many tractors?"))
    index.save(example_memory("s1", MemoryType.SEMANTIC, payload={"rule": "Tractors are red"}))
    assert len(index.search("tractors", types=EXAMPLES, limit=3)) == 3
    assert ids(index.search("tractors", types=(MemoryType.SEMANTIC,), limit=9)) == ["s1"]
    assert len(index.search("tractors", types=ALL, limit=9)) == 6
    assert index.search("tractors", types=(), limit=9) == ()
    assert index.search("tractors", types=EXAMPLES, limit=0) == ()


def test_any_text_can_be_searched_for(index):
    index.save(pair("e1", "How many tractors?"))
    for text in HOSTILE:
        assert index.search(text, types=ALL, limit=5) == ()


def test_any_text_can_be_kept_and_is_found_by_its_words(index):
    for n, text in enumerate(HOSTILE):
        index.save(pair(f"e{n}", f"tractor{n}! {text}"))
    for n in range(len(HOSTILE)):
        assert ids(index.search(f"tractor{n}", types=EXAMPLES, limit=5)) == [f"e{n}"]


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(stored=st.text(max_size=60), asked=st.text(max_size=60))
def test_no_text_breaks_a_search(index, stored: str, asked: str):
    index.save(pair("e1", stored))
    assert ids(index.search(asked, types=EXAMPLES, limit=5)) in ([], ["e1"])


def test_a_long_question_is_searched_by_its_first_words(index):
    index.save(pair("e1", "How many tractors?"))
    index.save(pair("e2", "How many harvesters?"))
    filler = " ".join(f"word{n}" for n in range(10_000))
    found = index.search(f"tractors {filler} harvesters", types=EXAMPLES, limit=5)
    assert ids(found) == ["e1"]


def test_of_equally_good_memories_the_newer_one_comes_first(index):
    index.save(pair("e1", "How many tractors?"))
    index.save(pair("e2", "How many tractors?"))
    assert ids(index.search("tractors", types=EXAMPLES, limit=1)) == ["e2"]


def test_recall_works_over_every_index(index):
    index.save(pair("e1", "How many clients live in Berlin?"))
    index.save(pair("e2", "How many clients live in Rome?", provenance={"source": "external"}))
    alias = Alias(phrase="clients", database="shop", table="customers")
    index.save(example_memory("p1", effect=alias, payload=PAYLOADS[MemoryType.PREFERENCE]))
    recall = Recall(index.search_each, MemoryCredit().tallies, RecallSettings(), FixedClock(NOON))
    assert [one.id for one in recall.recall("clients in Berlin or Rome")] == ["e1", "p1"]


def test_rules_and_preferences_are_recalled_over_every_index(index):
    cancelled = DefaultFilter(database="shop", table="orders", condition="status <> 'cancelled'")
    elsewhere = cancelled.model_copy(update={"database": "crm"})
    broken = {"rule": "Clients are people", "applies_when": "when it rains"}
    index.save(example_memory("here", MemoryType.SEMANTIC, effect=cancelled))
    index.save(example_memory("there", MemoryType.SEMANTIC, effect=elsewhere))
    index.save(example_memory("broken", MemoryType.SEMANTIC, payload=broken))
    index.save(example_memory("wish", payload={"key": "clients", "value": "by name"}))
    for n in range(30):
        alias = Alias(phrase=f"clients {n}", database="shop", table="customers")
        index.save(example_memory(f"p{n}", effect=alias))
    recall = Recall(index.search_each, MemoryCredit().tallies, RecallSettings(), FixedClock(NOON))
    situation = situation_of("clients", databases=["shop"])
    assert [one.id for one in recall.recall("clients", situation=situation)] == ["wish", "here"]
    index.forget("here")
    assert [one.id for one in recall.recall("clients", situation=situation)] == ["wish"]


def test_only_aliases_whose_phrase_passes_are_found(index):
    for n, phrase in enumerate(["red tractors", "blue tractors", "tractors"]):
        alias = Alias(phrase=phrase, database="shop", table="customers")
        index.save(example_memory(f"p{n}", effect=alias))
    index.save(example_memory("p9", payload={"key": "tractors", "value": "red"}))
    wanted = (MemoryType.PREFERENCE,)
    asked = "red or blue tractors?"
    found = index.search(asked, types=wanted, limit=5, only=Only(lambda one: "red" not in one))
    assert sorted(ids(found)) == ["p1", "p2"]
    found = index.search("blue tractor", types=wanted, limit=5, only=Only(lambda _: True))
    assert ids(found) == ["p1", "p2"]  # of the other, the question has not all words
    assert len(index.search("tractors", types=wanted, limit=1, only=Only(lambda _: True))) == 1
    assert index.search("tractors", types=wanted, limit=5, only=Only(lambda _: False)) == ()


def test_several_searches_at_once_find_what_each_of_them_finds_alone(index):
    for n, name in enumerate(["red tractors", "blue tractors", "tractors and ploughs"]):
        index.save(pair(f"e{n}", f"How many {name}?"))
        alias = Alias(phrase=name, database="shop", table="customers")
        index.save(example_memory(f"p{n}", effect=alias))
        index.save(example_memory(f"s{n}", MemoryType.SEMANTIC, payload={"rule": f"Mind {name}"}))
    searches = [
        Search("red tractors", EXAMPLES, 2),
        Search("blue ploughs", EXAMPLES, 9),
        Search("blue tractors", (MemoryType.PREFERENCE,), 9, Only(phrase=lambda _: True)),
        Search("red tractors", (MemoryType.PREFERENCE,), 9, Only(marked="red")),
        Search("tractors", None, 4),
        Search("", ALL, 4),
        Search("tractors", (), 4),
        Search("tractors", ALL, 0),
    ]
    alone = [
        index.search(one.text, types=one.types, limit=one.limit, only=one.only) for one in searches
    ]
    assert [ids(some) for some in index.search_each(searches)] == [ids(some) for some in alone]
    assert list(map(len, alone)) == [2, 2, 1, 1, 4, 0, 0, 0]
    assert [list(some) for some in index.search_each(searches)] == list(map(list, alone))
    assert list(index.search_each([])) == []
