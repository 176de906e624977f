"""Of two words of people on the same thing the last one holds, and what was confirmed before says that it does not go by it."""

import pytest

from oldhand import Oldhand
from oldhand.errors import UnclearRule

BUSY = "How many big rentals are there?"


@pytest.mark.parametrize(
    ("before", "after", "question", "otherwise"),
    [
        ("big rentals are those with a fee over 100", "big rentals are those with a fee over 150", BUSY, "number of big rentals"),
        ("big rentals are those with a fee over 100", "big rentals are those with expenses over 10", BUSY, "How many big rentals do we have?"),
        ("revenue is the sum of the fee of rentals", "revenue is the sum of the expenses of rentals", "What is the revenue per model?", "revenue by model"),
        ("revenue = fee", "revenue = expenses", "What is the revenue per model?", "revenue by model"),
        ("guests are clients", "guests are bikes", "How many guests are there?", "number of guests"),
        ("rentals are dated by booked_on", "rentals are dated by paid_on", "How many rentals were there in March 2024?", "number of rentals in March 2024"),
    ],
)  # fmt: skip
def test_what_is_stated_anew_holds_but_for_the_confirmed_answer_which_says_so(
    old: Oldhand, before, after, question, otherwise
):
    old.rules.add(before)
    first = old.ask(question)
    assert not any("Not changed" in one for one in first.notes)
    (pair,) = old.feedback(first, rating=1).learned
    stated = old.rules.add(after)
    (stays,) = stated.stays
    assert (stays.question, stays.memory_id) == (question, pair.id)
    assert stated.changes == ()  # the pair stays
    again = old.ask(question)
    assert again.rows == first.rows
    (note,) = (one for one in again.notes if "Not changed" in one)
    assert f"`oldhand memory forget {pair.id[:16]}`" in note
    assert stated.told in note
    (flaw,) = old.memories.flaws()
    assert (flaw.flaw, flaw.says) == ("disagreeing", stated.told)
    assert pair.id[:16] in flaw.why
    ruled = old.ask(otherwise)
    assert not ruled.abstained, ruled.text
    assert ruled.rows != first.rows
    old.memories.forget(pair.id)
    assert sorted(old.ask(question).rows) == sorted(ruled.rows)
    assert old.memories.flaws() == ()


def test_a_confirmed_answer_that_goes_by_a_word_says_nothing_of_it(old: Oldhand):
    old.rules.add("profit = fee - expenses")
    sql = "SELECT b.model, SUM(r.fee - r.expenses) FROM rentals r JOIN bikes b ON b.id = r.bike_id GROUP BY b.model"
    old.feedback(old.ask("What is the profit per model?"), correction=sql)
    again = old.ask("What is the profit per model?")
    assert not any("Not changed" in one for one in again.notes)
    assert old.memories.flaws() == ()


def test_a_word_that_a_correction_states_names_the_confirmed_answers_that_do_not_go_by_it(
    old: Oldhand,
):
    old.feedback(old.ask("What is the revenue per model?"), rating=1)
    receipt = old.feedback(
        old.ask("What is the revenue?"), correction="revenue is the sum of expenses of rentals"
    )
    assert "What was confirmed for 'What is the revenue per model?' stays as it is" in receipt.note


@pytest.mark.parametrize(
    "sentence",
    [
        "Revenue includes cancelled rentals",
        "include cancelled rentals in revenue",
        "cancelled rentals count again",
        "count cancelled rentals, too",
        "Revenue doesn't leave out cancelled rentals",
        "revenue should include cancelled rentals",
        "stop leaving out cancelled rentals",
    ],
)
def test_a_rule_about_rows_is_taken_back_by_the_opposite(old: Oldhand, sentence):
    left_out = old.rules.add("Revenue leaves out cancelled rentals")
    preview = old.rules.add(sentence, dry_run=True)
    assert preview.replaces == (left_out.told,)
    assert len(old.rules.list()) == 1
    old.rules.add(sentence)
    assert old.rules.list() == ()


def test_nothing_is_taken_back_that_holds_for_more_or_is_not_there(old: Oldhand):
    with pytest.raises(UnclearRule):
        old.rules.add("Cancelled rentals count")
    old.rules.add("Cancelled rentals don't count")
    with pytest.raises(UnclearRule, match="left out by another rule"):
        old.rules.add("Revenue includes cancelled rentals")
    assert len(old.rules.list()) == 1


def test_what_was_learned_gives_way_to_the_opposite_rule(old: Oldhand):
    right = "SELECT COUNT(*) FROM rentals WHERE status <> 'cancelled'"
    receipt = old.feedback(old.ask("How many rentals are there?"), correction=right)
    (learned,) = (one for one in receipt.learned if one.effect is not None)
    with pytest.raises(UnclearRule, match=f"memory retire {learned.id[:16]}"):
        old.rules.add("Cancelled rentals count")
    stated = old.rules.add("Only count cancelled rentals")
    assert any(learned.effect.says in one for one in stated.replaces)
    found = old.ask("How many rentals were there in March 2024?")
    assert not any("Left out" in one for one in found.notes)
