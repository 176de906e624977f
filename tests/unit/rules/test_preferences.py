"""How a user wants answers put: heard in a conversation, kept for each user, given to whoever words the answer."""

import pytest

from oldhand.agent.analysis.mind import Inquiry
from oldhand.agent.analysis.prompt_values import preferences_text
from oldhand.learning.style import is_style
from oldhand.learning.wishes import preferences_in
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
        ("no more than 5 rows please", "rows", "5"),
        ("top 5 is enough", "rows", "5"),
        ("The first ten are always enough for me", "rows", "10"),
        ("I prefer short answers", "length", "short"),
        ("keep your answers brief", "length", "short"),
        ("Please, no long answers", "length", "short"),
        ("I always want detailed answers", "length", "detailed"),
        ("never show me ids", "ids", "hidden"),
        ("I don't need ids", "ids", "hidden"),
        ("ids are not needed", "ids", "hidden"),
        ("hide the id columns", "ids", "hidden"),
        ("please always show ids", "ids", "shown"),
        ("no decimals please", "rounding", "whole numbers"),
        ("I don't want cents", "rounding", "whole numbers"),
        ("two decimals, please", "rounding", "2 decimals"),
        ("please don't round", "rounding", "exact"),
    ],
)
def test_a_preference_is_heard(said, key, value):
    assert preferences_in(said) == (Preference(key=key, value=value),)
    assert is_style(said)


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
        "please not in French",
        "never use euros",
        "show only the French",
        "top 5 customers please",
        "only the top 5",
        "show the ids of the customers",
        "in euros and dollars please",
        "never rented",
        "no short films please",
        "orders without an id",
    ],
)
def test_a_question_is_no_preference(said):
    assert preferences_in(said) == ()


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("please always answer in French and in euros", ["French", "EUR"]),
        ("I prefer short answers without decimals", ["short", "whole numbers"]),
        ("never show me ids and round to thousands", ["hidden", "thousands"]),
        ("always at most 5 rows and 2 decimals", ["5", "2 decimals"]),
    ],
)
def test_several_wishes_stand_in_one_sentence(said, values):
    assert [one.value for one in preferences_in(said)] == values


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
    both = old.ask("please always answer in French and in euros").text
    assert "answer in French; give amounts of money in EUR" in both
    assert "always answers in a sentence or two" in old.ask("I prefer short answers").text
    assert "shows ids where" in old.ask("never show me ids").text


def test_a_complaint_about_wording_does_not_make_right_sql_wrong(old):
    answer = old.ask(FEES)
    old.feedback(answer, rating=1)
    for said in ("never show me ids", "no decimals please", "top 5 is enough"):
        receipt = old.feedback(answer, rating=-1, text=said)
        assert not receipt.learned
        assert not receipt.withdrawn
    assert old.ask(FEES).rows == answer.rows


def test_figures_have_as_many_decimals_as_are_wanted(old):
    asked = "What is the average fee?"
    plain = old.ask(asked, user="bo").text
    old.ask("no decimals please", user="ana")
    assert "." not in old.ask(asked, user="ana").text.rstrip(".")
    old.ask("please don't round", user="ana")
    assert old.ask(asked, user="ana").text == plain


def test_the_prompt_that_words_an_answer_holds_them():
    said = Preferences(all=(Preference(key="language", value="French"),))
    inquiry = Inquiry("How many?", (), FixedClock().now().date(), preferences=said)
    assert preferences_text(inquiry) == "<preferences>\n- answer in French\n</preferences>"
