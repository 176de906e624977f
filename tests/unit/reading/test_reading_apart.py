"""Things that are called alike: an answer is never taken from what is said of another one of the kind."""

import pytest
from benchmarks._reading.passages import MemoryPassages

from oldhand.agent.reading.apart import about_another, signs_in
from oldhand.agent.reading.belief import ANSWER_FROM, belief
from oldhand.agent.reading.extracting import extracted
from oldhand.lexicon.sentences import sentences_of

CLINIC = """
# Rooms

Room A is 18 square metres large. It has a window to the yard. Room B is 31 square metres large. It has a window to the street.
All rooms are cleaned at 6 pm.

# Floors

The practice is on the second floor. The laboratory is on floor 3. Floors 4 to 6 belong to a law firm.

# Devices

| Device | Model | Costs |
|---|---|---|
| Scanner | S300 | 4,100 euros |
| Scanner | S450 | 6,900 euros |

The S300 is serviced in March. The S450 is serviced by Optomed.

# Waste of class I

It is put into yellow bags.

# Waste of class II

It is put into red boxes, and collected on Thursdays.

# Fees 2024

A cleaning costs 80 euros.

# Fees 2025

A cleaning costs 95 euros.

# Hours

On Monday and Tuesday we open at 8 am. From Wednesday to Friday we open at 10 am. Parking has cost 3 euros since 2022.
"""


@pytest.fixture(scope="module")
def clinic():
    held = MemoryPassages()
    held.add("practice", CLINIC)
    return held


def said(held, question):
    extract = extracted(question, held.find(question, "ana", True))
    sure = belief(extract) >= ANSWER_FROM
    return " ".join(one.text for one in extract.sentences) if extract and sure else ""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How large is Room A?", "18 square metres"),
        ("How large is Room B?", "31 square metres"),
        ("how large is room b?", "31 square metres"),
        ("how large is room a?", "18 square metres"),
        ("On which floor is the practice?", "second floor"),
        ("Who is on floor 5?", "law firm"),
        ("What does the S300 scanner cost?", "4,100"),
        ("What does the S450 scanner cost?", "6,900"),
        ("Into what is waste of class I put?", "yellow bags"),
        ("Into what is waste of class II put?", "red boxes"),
        ("What did a cleaning cost in 2024?", "80 euros"),
        ("What does a cleaning cost in 2025?", "95 euros"),
        ("When do you open on Tuesday?", "8 am"),
        ("When do you open on Thursday?", "10 am"),
        ("How much does parking cost in 2026?", "3 euros"),
    ],
)
def test_each_is_told_what_is_said_of_it(clinic, question, answer):
    assert answer in said(clinic, question)


@pytest.mark.parametrize(
    "question",
    [
        "How large is Room C?",
        "how large is room d?",
        "Who is on floor 7?",
        "What does the S500 scanner cost?",
        "Into what is waste of class III put?",
        "What does a cleaning cost in 2023?",
        "When do you open on Saturday?",
        "How much did parking cost in 2019?",
    ],
)
def test_another_one_of_the_kind_answers_nothing(clinic, question):
    assert said(clinic, question) == ""


@pytest.mark.parametrize(
    "text", ["Paid on 2024-05-17.", "Paid on 2024/05/17.", "Paid in 2024-05.", "Paid in 2023/24.", "Paid in 2023-2025."]
)  # fmt: skip
def test_a_date_and_a_span_of_years_are_of_their_years(text):
    assert not about_another(signs_in("What was paid in 2024?"), signs_in(text))
    assert about_another(signs_in("What was paid in 2019?"), signs_in(text))


@pytest.mark.parametrize(
    "text", ["A" + "1" * 50_000 + "_", "Closed in Augu\u017ft.", "FR\u0130DAY"]
)
def test_what_only_looks_like_a_sign_is_none(text):
    assert signs_in(text) == ()


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Kids climb in Hall A. Extinguishers hang at the door.", 2),
        ("See annex B. Fees are listed there.", 2),
        ("A. Secure the place. B. Call for help.", 2),
        ("It is signed by J. Smith. He is the owner.", 2),
        ("It is signed by Maria B. Smith of Ulm.", 1),
        ("We close at 8 p.m. The desk stays open.", 2),
        ("The limit is 5. It was 4 before.", 2),
        ("Ask Dr. No, or e.g. Dr. Yes.", 1),
        ("Our office is in Ulm. The store is in Bonn.", 2),
        ("Take vitamin D. It helps.", 2),
        ("Siehe z. B. Der Spiegel.", 1),
        ("Am 5. Mai wird geschlossen.", 1),
    ],
)
def test_a_sentence_ends_behind_a_letter_only_where_that_is_a_name_of_its_kind(text, sentences):
    assert len(sentences_of(text)) == sentences
    assert " ".join(sentences_of(text)) == text
