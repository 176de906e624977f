"""The sentences of passages that answer a question, and those that only look like it."""

import pytest
from benchmarks._reading.passages import MemoryPassages

from oldhand.agent.reading.belief import ANSWER_FROM, belief
from oldhand.agent.reading.consulting import halves_of
from oldhand.agent.reading.extracting import extracted
from oldhand.testing.records import found_passage

HANDBOOK = """
# Staff

## Expenses

Expenses of up to 50 euros need no approval. Above that, they are approved by the controller. Receipts are handed in within
20 days.

## Holidays

Everybody has 27 days of holiday. Days that are left lapse on 31 March.

# Suppliers

## Breeze Works

The contract with Breeze Works ends on 12 September 2028. We get a discount of 3 percent.

- Deliveries come on Tuesdays.
- The contact is Ada Lind, who answers within 2 hours.
"""


@pytest.fixture(scope="module")
def handbook():
    held = MemoryPassages()
    held.add("handbook", HANDBOOK)
    return held


def said(handbook, question):
    extract = extracted(question, handbook.find(question, "ana", True))
    sure = belief(extract) >= ANSWER_FROM
    return " ".join(one.text for one in extract.sentences) if extract and sure else None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When does the contract with Breeze Works end?", "The contract with Breeze Works ends on 12 September 2028."),
        ("How many days of holiday do I have?", "Everybody has 27 days of holiday."),
        ("When do holidays lapse?", "Days that are left lapse on 31 March."),
        ("Until when are receipts handed in?", "Receipts are handed in within 20 days."),
        ("Who is the contact at Breeze Works?", "The contact is Ada Lind, who answers within 2 hours."),
    ],
)  # fmt: skip
def test_the_sentence_that_says_it_is_the_answer_as_it_stands(handbook, question, answer):
    assert said(handbook, question) == answer


def test_a_sentence_that_leans_on_the_one_before_brings_it_along(handbook):
    assert said(handbook, "Who approves expenses?") == (
        "Expenses of up to 50 euros need no approval. Above that, they are approved by the controller."
    )


@pytest.mark.parametrize(
    "question",
    [
        "Who approves overtime?",
        "What is the dress code?",
        "When does the contract with Slate Industries end?",
        "How do I reset my password?",
        "How many days of parental leave do I have?",
        "",
        "???",
    ],
)
def test_what_no_passage_says_is_not_answered(handbook, question):
    assert said(handbook, question) is None


def test_nothing_is_found_in_nothing():
    assert extracted("Who approves expenses?", []) is None
    assert extracted("Who approves expenses?", [found_passage("?!")]) is None


@pytest.mark.parametrize(
    ("question", "halves"),
    [
        ("What is our return deadline, and how many orders were returned?", 2),
        ("How many owners are there and who approves holidays?", 2),
        ("When does the contract end? And how many stores do we have?", 2),
        ("Which customers live in Berlin and have no order?", 1),
        ("How many orders and returns are there?", 1),
        ("Who is the head of sales and marketing?", 1),
    ],
)
def test_only_a_question_that_asks_for_two_things_has_halves(question, halves):
    assert len(halves_of(question)) == halves


FAQ = """
# Questions

How long does a repair take?
Ten working days on average. Express repairs take three working days.

Is shipping free?
From 250 euros on. Below that it is 12 euros.

Can I pay by invoice?
Yes, after the third order.

# Halls

- Area: Hall A; Square metres: 1,200
- Area: Hall B; Square metres: 640

"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How long does a repair take?", "Ten working days on average."),
        ("How long does an express repair take?", "Express repairs take three working days."),
        ("Is shipping free?", "From 250 euros on. Below that it is 12 euros."),
        ("Can I pay by invoice?", "Yes, after the third order."),
        ("How many square metres has Hall B?", "Area: Hall B; Square metres: 640"),
    ],
)
def test_a_question_of_the_document_is_no_answer_but_what_follows_it_is(question, answer):
    held = MemoryPassages()
    held.add("faq", FAQ)
    extract = extracted(question, held.find(question, "ana", True))
    assert " ".join(one.text for one in extract.sentences) == answer


def test_what_came_of_a_thing_is_told_where_somebody_asks_what_has_happened():
    held = MemoryPassages()
    notes = "The yard is swept. Somebody left a drum in bay 2. It is with the porter now. The yard is cold."
    held.add("notes", f"# Notes\n\n{notes}\n")
    told = {
        question: [
            one.text for one in extracted(question, held.find(question, "ana", True)).sentences
        ]
        for question in ("What happened to the drum?", "Who left a drum in the bay?")
    }
    assert [*told.values()] == [
        ["Somebody left a drum in bay 2.", "It is with the porter now."],
        ["Somebody left a drum in bay 2."],
    ]


@pytest.mark.parametrize("question", ["Who pays repairs above 400 euros?", "Who pays repairs?"])
def test_what_holds_of_larger_ones_is_told_together_with_the_others(question):
    held = MemoryPassages()
    rule = "The tenant pays repairs of up to 400 euros. Larger repairs are paid by the town."
    held.add("lease", f"# Lease\n\n{rule} There are five keys.\n")
    extract = extracted(question, held.find(question, "ana", True))
    assert " ".join(one.text for one in extract.sentences) == rule
