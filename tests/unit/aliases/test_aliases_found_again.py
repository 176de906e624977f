"""Whatever is learned from a question is recalled for that very question, and understood in it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oldhand.agent.analyst.aliases.open_ends import learned_form
from oldhand.learning.recall import Recall
from oldhand.lexicon.phrases import phrase_forms
from oldhand.record.effect import Alias
from oldhand.record.memory import Memory, MemoryType, PreferencePayload
from oldhand.settings import RecallSettings
from oldhand.testing import FixedClock, MemoryCredit, MemoryIndex
from oldhand.testing.records import NOON, example_memory

WORDS = """
    people women men children mice statuses buses movies cookies lens lenses series species analyses criteria heroes
    wolves shelves boxes taxes churches matches classes houses companies categories ties lies news data staff gas
    gases cases bases bonuses viruses quizzes indices matrices feet geese teeth oxen phenomena clients punters punks
    punters' dishes heroes potatoes photos pianos knives leaves lives thieves halves umsätze kund cafés dresses
""".split()  # fmt: skip  # noqa: SIM905


def is_recalled(phrase: str, question: str) -> bool:
    effect = Alias(phrase=phrase, database="shop", table="patron")
    payload = PreferencePayload(key=phrase, value=effect.target)
    memory: Memory = example_memory("a1", MemoryType.PREFERENCE, effect=effect, payload=payload)
    recall = Recall(
        MemoryIndex([memory]).search_each,
        MemoryCredit().tallies,
        RecallSettings(),
        FixedClock(NOON),
    )
    return [one.id for one in recall.recall(question)] == ["a1"]


@pytest.mark.parametrize("word", WORDS)
def test_a_word_is_recalled_for_the_question_it_was_learned_from(word: str):
    kept = learned_form(word)
    assert is_recalled(kept, f"How many {word} do we have?")
    assert phrase_forms(kept) == phrase_forms(word)


@settings(max_examples=300)
@given(
    stem=st.text("abcdefghiklmnoprstuvwyz", min_size=3, max_size=8),
    ending=st.sampled_from(["", "s", "es", "ies", "ses", "ches", "us", "is", "ves", "men", "'s"]),
)
def test_any_phrase_is_recalled_for_the_question_it_was_learned_from(stem: str, ending: str):
    phrase = f"qx{stem}{ending}"
    kept = learned_form(phrase)
    assert is_recalled(kept, f"List the red {phrase} by year")


@pytest.mark.parametrize("said", ["women", "children", "wives", "regulars"])
def test_what_the_analyst_proposes_is_recalled_for_its_question(shop, said: str):
    question = f"How many {said} are there?"
    proposed = shop.proposed(question, "SELECT COUNT(*) FROM patron")
    assert [phrase for phrase, _ in proposed if not is_recalled(phrase, question)] == []
    assert proposed
