"""What questions mean once words were learned."""

import pytest

from oldhand.agent.analyst.aliases.meanings import aliases_of
from oldhand.record.effect import Alias
from oldhand.record.lesson import Lesson
from oldhand.record.memory import Memory, MemoryType, PreferencePayload
from oldhand.testing.records import NOON

from .conftest import Shop


def alias(
    phrase: str, table: str, column: str | None = None, value: str | float | None = None
) -> Alias:
    return Alias(phrase=phrase, database="shop", table=table, column=column, value=value)


MEMBER = alias("club member", "patron")
WORTH = alias("lifetime value", "patron", "ltv")
GOLD = alias("gold", "patron", "tier", "A1")
REVENUE = alias("revenue", "deal", "grand_total")


def test_a_phrase_for_a_table_is_understood(shop: Shop):
    assert shop.sql("How many club members are in Rome?", MEMBER) == (
        "SELECT COUNT(*) FROM shop.main.patron AS t1 WHERE t1.city = 'Rome'"
    )


def test_a_phrase_for_a_column_is_understood(shop: Shop):
    assert shop.sql("What is the average lifetime value per city?", WORTH) == (
        "SELECT t1.city, AVG(t1.ltv) FROM shop.main.patron AS t1 GROUP BY t1.city"
    )


def test_a_phrase_for_a_value_is_understood(shop: Shop):
    assert "t1.tier = 'A1'" in shop.sql("How many gold patrons are there?", GOLD)


def test_a_value_may_be_a_number(shop: Shop):
    cheap = alias("bargain", "gizmo", "price", 5)
    assert "t1.price = 5" in shop.sql("Show the names of bargain gizmos", cheap)


def test_several_learned_words_work_together(shop: Shop):
    sql = shop.sql("What is the total lifetime value of gold club members?", MEMBER, WORTH, GOLD)
    assert sql == "SELECT SUM(t1.ltv) FROM shop.main.patron AS t1 WHERE t1.tier = 'A1'"


@pytest.mark.parametrize("said", ["club members", "Club Member", "CLUB MEMBERS", "club member's"])
def test_endings_and_letter_case_do_not_matter(shop: Shop, said: str):
    assert "shop.main.patron" in shop.sql(f"Show the city of all {said}", MEMBER)


def test_accents_do_not_matter(shop: Shop):
    regular = alias("habitué", "patron")
    assert "shop.main.patron" in shop.sql("How many habitues are there?", regular)


@pytest.mark.parametrize("phrase", ["Kundschaft", "größte kunden", "клиенты"])
def test_phrases_of_other_languages_are_found(shop: Shop, phrase: str):
    assert "shop.main.patron" in shop.sql(f"How many {phrase} are there?", alias(phrase, "patron"))


def test_of_two_phrases_the_longer_one_counts(shop: Shop):
    club = alias("club", "gizmo")
    assert "shop.main.patron" in shop.sql("How many club members are there?", club, MEMBER)


def test_words_of_a_longer_phrase_are_no_cues(shop: Shop):
    best = alias("top tier", "patron", "tier", "A1")
    sql = shop.sql("How many top tier patrons are there?", best)
    assert "t1.tier = 'A1'" in sql
    assert "LIMIT" not in sql


def test_the_name_of_a_table_is_still_known(shop: Shop):
    plain = shop.sql("How many patrons are there?")
    assert shop.sql("How many patrons are there?", MEMBER, alias("patron", "gizmo")) in (
        plain,
        plain.replace("patron", "gizmo"),
    )
    assert shop.sql("How many patrons are there?", MEMBER, WORTH) == plain


def test_quoted_words_are_never_a_learned_phrase(shop: Shop):
    found = shop.understand('Show the city of the patron named "club member"', MEMBER)
    assert found.aliases == ()


def test_the_notes_tell_what_was_learned(shop: Shop):
    notes = shop.understand("How many gold club members are there?", MEMBER, GOLD).notes
    assert notes == (
        "'gold' means shop.patron.tier = 'A1' (learned).",
        "'club members' means shop.patron (learned).",
    )


def test_an_answer_rests_only_on_the_aliases_it_uses(shop: Shop):
    found = shop.understand("How many club members are there?", REVENUE, MEMBER, GOLD)
    assert found.aliases == (MEMBER,)


def test_an_unknown_word_becomes_known_and_sure(shop: Shop):
    plain = shop.understand("How many club members are there?")
    found = shop.understand("How many club members are there?", MEMBER)
    assert "club" in plain.unknown_words
    assert found.unknown_words == ()
    assert found.confidence > plain.confidence


def test_a_target_that_is_gone_is_passed_over(shop: Shop):
    gone = alias("club member", "members_2019")
    question = "How many patrons are there?"
    assert shop.understand(question, gone) == shop.understand(question)


@pytest.mark.parametrize(
    "phrase",
    ["?", "'; DROP TABLE patron; --", "%", "\\b(a+)+$", "\x00", "a " * 49 + "a", "🙂 🙂"],
)
def test_hostile_phrases_do_no_harm(shop: Shop, phrase: str):
    question = "How many patrons are in Rome?"
    found = shop.understand(question, alias(phrase, "gizmo"))
    assert found.candidates == shop.understand(question).candidates


def test_other_names_with_the_same_words_are_meant_too(shop: Shop):
    colour = alias("tint", "gizmo", "colour")
    assert "t1.colour = 'red'" in shop.sql("How many gizmos have the tint red?", colour)


def test_aliases_are_taken_from_lessons_with_the_ids_of_their_memories():
    memory = Memory(
        type=MemoryType.PREFERENCE,
        id="alias-1",
        created_at=NOON,
        effect=MEMBER,
        payload=PreferencePayload(key="club member", value="shop.patron"),
    )
    plain = memory.model_copy(update={"id": "pref-1", "effect": None})
    assert aliases_of([Lesson(memory=plain), Lesson(memory=memory)]) == {MEMBER: "alias-1"}
