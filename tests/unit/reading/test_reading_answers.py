"""Answers from documents, databases and both, in a home without a language model."""

import sqlite3
from contextlib import closing

import pytest

from oldhand import Oldhand
from oldhand.errors import UnknownDatabase, UsageError
from oldhand.record.answer import Outcome

HANDBOOK = """# Handbook

## Returns

### Deadlines

Customers may return goods within 30 days of delivery. Members of the club have 60 days.

## Expenses

Expenses of up to 50 euros need no approval. Above that, they are approved by the controller.

## What we call things

A bulky order is an order with a weight of more than 20 kg. A costly order is an order with a cost of more than 50 euros.
"""
SALARIES = "# Salaries\n\nThe salary of the controller is 90,000 euros a year.\n"


@pytest.fixture
def written(tmp_path):
    (tmp_path / "handbook.md").write_text(HANDBOOK)
    (tmp_path / "salaries.md").write_text(SALARIES)
    with Oldhand(tmp_path / "home") as old:
        old.documents.add(tmp_path / "handbook.md")
        old.documents.add(tmp_path / "salaries.md", readers="members")
        yield old


@pytest.fixture
def both(written, tmp_path):
    with closing(sqlite3.connect(tmp_path / "shop.db")) as shop, shop:
        shop.executescript(
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, city TEXT, weight_kg REAL, cost REAL);"
            "INSERT INTO orders (city, weight_kg, cost) VALUES ('Bern', 5, 10), ('Bern', 25, 60), ('Basel', 40, 90), ('Basel', 21, 40);"
        )
    written.databases.add(f"sqlite:///{tmp_path / 'shop.db'}", name="shop")
    return written


def test_documents_alone_are_enough(written):
    answer = written.ask("What is our return deadline?")
    assert answer.text == "Customers may return goods within 30 days of delivery. [1]"
    (cited,) = answer.citations
    assert (cited.number, cited.document, cited.quote) == (1, "Handbook", "Customers may return goods within 30 days of delivery.")  # fmt: skip
    assert cited.place.startswith("Handbook > Returns > Deadlines")
    assert written.episodes.get(answer.episode_id).answer == answer
    assert "the order of the passages" in written.feedback(answer, rating=-1).note


def test_what_no_passage_says_is_said_with_the_nearest(written):
    answer = written.ask("Who approves overtime?")
    assert answer.outcome is Outcome.ABSTAINED
    assert "No passage of the documents says this." in answer.text
    assert "Nearest: Handbook, Expenses" in answer.text
    assert "\u201cExpenses of up to 50 euros need no approval." in answer.text
    unheard = written.ask("Which colour has the moon over Kyoto?")
    assert unheard.outcome is Outcome.ABSTAINED
    assert "\u201c" not in unheard.text


def test_without_documents_and_databases_both_ways_to_begin_are_told(tmp_path):
    with Oldhand(tmp_path / "home") as old, pytest.raises(UnknownDatabase, match="docs add"):
        old.ask("Who approves expenses?")


def test_a_follow_up_goes_on_with_what_documents_said(written):
    first = written.ask("How many days do customers have to return goods?")
    second = written.ask("And members of the club?", session_id=first.session_id)
    assert "60 days" in second.text


def test_nobody_is_shown_what_they_may_not_read(written):
    question = "What is the salary of the controller?"
    assert "90,000" in written.ask(question).text
    written.feedback(written.episodes.list(limit=1)[0].id, rating=1)
    told = written.ask(question, user="stranger")
    assert told.outcome is Outcome.ABSTAINED
    assert "90,000" not in told.model_dump_json()
    assert "Salaries" not in told.model_dump_json()
    assert "90,000" not in written.episodes.why(told.episode_id).model_dump_json()


def test_rows_come_from_databases_and_rules_from_documents(both):
    assert both.ask("How many orders are there?").rows == ((4,),)
    assert not both.ask("How many orders are there?").citations
    written = both.ask("Who approves expenses?")
    assert "controller" in written.text
    assert not written.steps


def test_what_a_rule_says_is_no_count_of_rows(both, tmp_path):
    rules = tmp_path / "rules.md"
    rules.write_text("# Delivery\n\nEach order that is late must be reported within two hours.\n")
    both.documents.add(rules)
    late = both.ask("How many orders were reported late?")
    assert late.outcome is not Outcome.ANSWERED
    rules.write_text("# Delivery\n\nLast winter 12 late orders were reported.\n")
    both.documents.refresh()
    told = both.ask("How many orders were reported late?")
    assert "12 late orders" in told.text


def test_a_question_with_two_halves_gets_one_answer(both):
    answer = both.ask("What is our return deadline, and how many orders are there?")
    assert "30 days" in answer.text
    assert answer.rows == ((4,),)
    assert len(answer.citations) == 1
    assert answer.outcome is Outcome.ANSWERED


def test_a_word_that_a_passage_defines_is_taken_as_it_says(both):
    answer = both.ask("How many bulky orders are there?")
    assert answer.rows == ((3,),)
    assert "more than 20 kg. [1]" in answer.text
    assert any("bulky order" in note and "Handbook" in note for note in answer.notes)


def test_a_word_is_not_known_because_a_column_has_its_stem(both):
    answer = both.ask("How many costly orders are there?")
    assert answer.rows == ((2,),)
    assert "more than 50 euros. [1]" in answer.text


def test_a_rule_that_the_owner_has_stated_wins_over_a_passage(both):
    both.rules.add("A bulky order is an order with a weight of more than 30 kg.")
    answer = both.ask("How many bulky orders are there?")
    assert answer.rows == ((1,),)
    assert not answer.citations


def test_what_was_seen_is_recorded_with_its_rank_and_told(both):
    answer = both.ask("Who approves expenses?")
    chunks = [one for one in both.episodes.why(answer.episode_id).causes if one.kind == "chunk"]
    assert [one.recalled.rank for one in chunks] == list(range(1, len(chunks) + 1))
    used = [one for one in chunks if one.recalled.used]
    assert [one.id for one in used] == [one.chunk for one in answer.citations]
    assert "approved by the controller" in used[0].text
    asked = both.ask("How many orders are there?")
    assert not [one for one in both.episodes.why(asked.episode_id).causes if one.kind == "chunk"]


def test_a_thumb_on_one_passage_judges_that_passage_alone(written):
    answer = written.ask("Who approves expenses?")
    receipt = written.feedback(answer, rating=-1, passage=1)
    assert receipt.passage == answer.citations[0].chunk
    assert not receipt.learned
    (cause,) = [one for one in written.episodes.why(answer.episode_id).causes if one.id == receipt.passage]  # fmt: skip
    assert [one.kind for one in cause.because] == ["feedback"]
    with pytest.raises(UsageError, match="none has number 9"):
        written.feedback(answer, rating=1, passage=9)
    with pytest.raises(UsageError, match="rating"):
        written.feedback(answer, passage=1)


def test_the_right_passage_is_remembered_for_the_same_question(written):
    question = "Is there a grace period for club people?"
    first = written.ask(question)
    assert first.outcome is Outcome.ABSTAINED
    receipt = written.feedback(
        first, correction="the right passage is the one on members of the club"
    )
    assert "Deadlines" in receipt.note
    again = written.ask(question)
    assert "Members of the club have 60 days." in again.text
    assert again.confidence > 0.9
    assert again.lessons == tuple(one.id for one in receipt.learned)


def test_the_right_answer_in_words_is_given_for_the_same_question(written):
    question = "Who approves expenses?"
    answer = written.ask(question)
    written.feedback(answer, correction="the right answer is the chief controller, Ada Lind")
    again = written.ask(question)
    assert again.text.startswith("the chief controller, Ada Lind [1]")
    assert "chief" not in written.ask("Who approves holidays?").text
