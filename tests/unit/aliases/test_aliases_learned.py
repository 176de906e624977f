"""What is learned from confirmed pairs, and what is not."""

import pytest

from oldhand.agent.analyst.aliases.gate import may_be_learned
from oldhand.agent.analyst.aliases.proposing import proposed_aliases
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.record.effect import Alias

from .conftest import SHOP, Shop

COUNT = "SELECT count(*) FROM patron"


@pytest.mark.parametrize(
    ("question", "sql", "learned"),
    [
        ("How many cardholders are there?", COUNT, ("cardholder", "shop.patron")),
        ("How many cardholders live in Rome?", COUNT + " WHERE city = 'Rome'", ("cardholder", "shop.patron")),
        ("Show the hue of each gizmo", "SELECT colour FROM gizmo", ("hue", "shop.gizmo.colour")),
        ("What is the average tariff of gizmos?", "SELECT avg(price) FROM gizmo", ("tariff", "shop.gizmo.price")),
        ("List the name and hue of all gizmos", "SELECT name, colour FROM gizmo", ("hue", "shop.gizmo.colour")),
        (
            "How many gizmos with lifetime worth above 5 are there?",
            "SELECT count(*) FROM gizmo WHERE price > 5",
            ("lifetime worth", "shop.gizmo.price"),
        ),
        (
            "What is the name of the cardholder with the highest ltv?",
            "SELECT name FROM patron ORDER BY ltv DESC LIMIT 1",
            ("cardholder", "shop.patron"),
        ),
    ],
)  # fmt: skip
def test_a_word_is_learned_where_only_one_thing_is_left(
    shop: Shop, question: str, sql: str, learned: tuple[str, str]
):
    assert shop.proposed(question, sql) == [learned]


def test_what_is_learned_answers_another_question(shop: Shop):
    [(phrase, target)] = shop.proposed("How many cardholders are there?", COUNT)
    assert target == "shop.patron"
    learned = Alias(phrase=phrase, database="shop", table="patron")
    assert shop.sql("Show the tier of the cardholder named Ada", learned) == (
        "SELECT t1.tier FROM shop.main.patron AS t1 WHERE t1.name = 'Ada'"
    )


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("How many patrons are there?", COUNT),
        ("Show the foo", "SELECT city, tier FROM patron WHERE ltv > 3"),
        ("Show all things that matter", "SELECT * FROM patron"),
        ("What is the most?", "SELECT max(price) FROM gizmo"),
        ("blorb", "SELECT colour, price FROM gizmo"),
        ("How many Berlin patrons are there?", COUNT + " WHERE city = 'Rome'"),
        ("How many patrons are there?", "SELECT count(*) FROM"),
        ("How many patrons are there?", "DELETE FROM patron"),
        ("How many cardholders are there?", "SELECT count(*) FROM members_2019"),
        ("?", COUNT),
        ("🙂 🙂 🙂", COUNT),
    ],
)
def test_nothing_is_learned_where_it_is_not_clear(shop: Shop, question: str, sql: str):
    assert shop.proposed(question, sql) == []


def test_two_words_for_two_columns_are_not_confused(shop: Shop):
    found = shop.proposed(
        "Show the hue and the tariff of gizmos", "SELECT colour, price FROM gizmo"
    )
    assert ("hue", "shop.gizmo.price") not in found
    assert ("tariff", "shop.gizmo.colour") not in found


def test_sql_that_names_its_databases_teaches_too(shop: Shop):
    sql = "SELECT COUNT(*) FROM shop.main.patron AS t1"
    question = "How many cardholders are there?"
    found = proposed_aliases(question, sql, (SHOP,), shop.values, database=None)
    assert [alias.target for alias in found] == ["shop.patron"]


@pytest.mark.parametrize(
    "phrase", ["most", "total", "number", "how many", "gizmo", "gizmos", "city", "name", "id", "all", "5"]
)  # fmt: skip
def test_known_and_everyday_words_are_never_learned(phrase: str):
    alias = Alias(phrase=phrase, database="shop", table="patron")
    assert not may_be_learned(alias, vocabulary((SHOP,)))


def test_the_gate_lets_a_good_alias_pass(shop: Shop):
    alias = Alias(phrase="cardholder", database="shop", table="patron")
    assert shop.helps(alias, ("How many cardholders are there?", COUNT))


def test_the_gate_stops_an_alias_that_leads_away_from_its_own_sql(shop: Shop):
    alias = Alias(phrase="souls", database="shop", table="gizmo")
    assert not shop.helps(
        alias, ("How many souls of the patron are in Rome?", COUNT + " WHERE city = 'Rome'")
    )


def test_the_gate_stops_an_alias_that_spoils_what_was_right(shop: Shop):
    alias = Alias(phrase="rome folks", database="shop", table="patron", column="tier", value="A1")
    own = ("How many patrons are rome folks?", COUNT + " WHERE tier = 'A1'")
    right = ("Count the patrons that are rome folks", COUNT + " WHERE city = 'Rome'")
    assert shop.helps(alias, own)
    assert not shop.helps(alias, own, right)


def test_the_gate_needs_a_pair(shop: Shop):
    assert not shop.helps(Alias(phrase="cardholder", database="shop", table="patron"))


@pytest.mark.parametrize(
    "question", ["How many elite patrons are there?", "How many vips are there?"]
)
def test_a_word_for_some_rows_means_the_value_that_narrows_them(shop: Shop, question: str):
    [(_, target)] = shop.proposed(question, "SELECT count(*) FROM patron WHERE tier = 'A1'")
    assert target == "shop.patron.tier = 'A1'"


@pytest.mark.parametrize(
    ("question", "sql", "target"),
    [
        ("How many vips are there?", COUNT + " WHERE ltv > 3", "shop.patron with ltv > 3"),
        ("How many whales are in Rome?", COUNT + " WHERE city = 'Rome' AND ltv BETWEEN 5 AND 9", "shop.patron with ltv BETWEEN 5 AND 9"),
        ("How many southerners are there?", COUNT + " WHERE city IN ('Rome', 'Bari')", "shop.patron with city IN ('Rome', 'Bari')"),
        ("How many ghosts are there?", COUNT + " WHERE city IS NULL", "shop.patron with city IS NULL"),
    ],
)  # fmt: skip
def test_a_word_for_rows_that_more_than_a_value_narrows_means_the_condition(shop: Shop, question, sql, target):  # fmt: skip
    assert [found for _, found in shop.proposed(question, sql)] == [target]


def test_a_word_may_mean_what_is_computed_of_each_row(shop: Shop):
    found = shop.proposed(
        "What is the average score of the patrons?", "SELECT AVG(ltv * 2) FROM patron"
    )
    assert found == [("score", "ltv * 2 of shop.patron")]


def test_what_a_question_says_by_itself_defines_no_word(shop: Shop):
    assert shop.proposed("How many patrons have an ltv over 3?", COUNT + " WHERE ltv > 3") == []


@pytest.mark.parametrize("other", ["Do the whales live in Rome?", "Which whales are there?"])
def test_a_defined_word_narrows_other_questions(shop: Shop, other: str):
    whale = Alias(phrase="whale", database="shop", table="patron", condition="ltv > 5")
    assert whale in shop.understand(other, whale).aliases
    assert "ltv > 5" in shop.sql(other, whale)
