"""How a user wants answers put: heard in a conversation, kept for each user, given to whoever words the answer."""

import pytest

from oldhand.agent.analysis.mind import Inquiry
from oldhand.agent.analysis.prompt_values import preferences_text
from oldhand.loop.preferring import preference_in
from oldhand.record.preferring import Preference, Preferences
from oldhand.testing import FixedClock

FEES = "What is the total fee per city?"


@pytest.mark.parametrize(
    ("said", "key", "value"),
    [
        ("I prefer euros", "currency", "EUR"),
        ("please show all amounts in dollars from now on", "currency", "USD"),
        ("Always in French", "language", "French"),
        ("Please answer in German.", "language", "German"),
        ("round to thousands", "rounding", "thousands"),
        ("I'd like the figures rounded to whole numbers", "rounding", "whole numbers"),
        ("show me only 5 rows", "rows", "5"),
        ("At most ten rows, please", "rows", "10"),
    ],
)
def test_a_preference_is_heard(said, key, value):
    assert preference_in(said) == Preference(key=key, value=value)


@pytest.mark.parametrize(
    "said",
    [
        "Show me only 5 customers",
        "How many euros did we take in?",
        "list the French customers",
        "customers who prefer euros",
        "Which 5 rows have the most euros?",
        "only the 3 thousand most expensive orders",
        "And in French francs?",
        "in dollars",
        "always",
    ],
)
def test_a_question_is_no_preference(said):
    assert preference_in(said) is None


def test_figures_are_rounded_for_who_wants_it_alone(old):
    plain = old.ask(FEES, user="bo")
    assert old.ask("Please round to thousands", user="ana").text == "Noted for your answers: round figures to thousands."  # fmt: skip
    rounded = old.ask(FEES, user="ana")
    assert ",000" in rounded.text
    assert rounded.rows == plain.rows
    assert old.ask(FEES, user="bo").text == plain.text


def test_no_more_rows_are_shown_than_are_wanted(old):
    old.ask("show me only 5 rows", user="ana")
    assert len(old.ask("List all clients", user="ana").rows) == 5
    old.ask("show me only 7 rows", user="ana")
    assert len(old.ask("List all clients", user="ana").rows) == 7
    assert len(old.ask("List all clients", user="bo").rows) == 20


def test_a_preference_is_a_memory_of_its_user_that_can_be_forgotten(old):
    old.ask("round to thousands", user="ana")
    (kept,) = [one for one in old.memories.list(type="preference", user="ana") if one.tags == ("wording",)]  # fmt: skip
    assert (kept.payload.key, kept.payload.value, kept.user_id) == ("rounding", "thousands", "ana")
    old.memories.forget(kept.id)
    assert ",000" not in old.ask(FEES, user="ana").text


def test_the_built_in_analyst_says_what_it_cannot_do(old):
    assert "writes English only" in old.ask("always in French").text


def test_the_prompt_that_words_an_answer_holds_them():
    said = Preferences(all=(Preference(key="language", value="French"),))
    inquiry = Inquiry("How many?", (), FixedClock().now().date(), preferences=said)
    assert preferences_text(inquiry) == "<preferences>\n- answer in French\n</preferences>"
