"""Whether two questions ask the same in other words, so that what people said of one answers the other.

Asking once too often costs a minute, a wrong answer costs trust: what turns a meaning round, names, numbers and their order have to be
the same, and each word of weight has to be found in the other question.
"""

from functools import cache, lru_cache

from oldhand.agent.reading.asked import (
    LIGHT,
    NAME,
    AskedWord,
    Wanted,
    asked_words,
    base_stem,
    strength,
)
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.tokens import STOP_WORDS, tokenise
from oldhand.record.phrases import question_key, singular_words

ENOUGH = 0.75
"""How alike the words of two questions are at least, so that they count as one."""
NEARLY = 0.99
"""What is left of it where the questions are not the very same."""
_OF_A_THING = frozenset({Wanted.ANYTHING, Wanted.NUMBER})
_FEWEST = 2
"""Words of weight that there are at least: of fewer, only the very same question is the same."""


@lru_cache(maxsize=4_096)
def likeness(one: str, other: str) -> float:
    """How surely two questions ask the same, 0 to 1; 0 where anything differs that could matter.

    >>> asked = "Which discount do resellers in Berlin get?"
    >>> likeness(asked, "What's the discount that a reseller in Berlin gets?")
    0.99
    >>> likeness(asked, "Which discount do resellers in Bonn get?"), likeness(asked, "Which resellers get no discount in Berlin?")
    (0.0, 0.0)
    """
    if question_key(one) == question_key(other):
        return 1.0
    first, second = asked_words(one), asked_words(other)
    if first.wanted is not second.wanted or _turning(one) != _turning(other):
        return 0.0
    if _names(first.words) != _names(second.words) or _opening(one) != _opening(other):
        return 0.0
    if first.wanted in _OF_A_THING and not _same_head(first.words, second.words):
        return 0.0
    found = [*_found(first.words, second.words), *_found(second.words, first.words)]
    if len(found) < 2 * _FEWEST or not all(how for _, how in found):
        return 0.0
    sure = sum(weight * how for weight, how in found) / sum(weight for weight, _ in found)
    return sure * NEARLY if sure >= ENOUGH else 0.0


def _opening(question: str) -> str:
    said = singular_words(question)
    return meanings("reading.openings").get(said[0] if said else "", "thing")


def _same_head(asked: tuple[AskedWord, ...], other: tuple[AskedWord, ...]) -> bool:
    """Whether the first word of weight is the same: which discount for resellers, and not which resellers."""
    return bool(asked and other and strength(asked[0].stem, frozenset({other[0].stem})))


def _names(asked: tuple[AskedWord, ...]) -> list[str]:
    """Names and numbers, in their order: who owes whom."""
    return [one.stem for one in asked if one.weight == NAME]


def _found(asked: tuple[AskedWord, ...], other: tuple[AskedWord, ...]) -> list[tuple[float, float]]:
    """The weight of each word, and how well it is found in the other question."""
    stems = frozenset(one.stem for one in other)
    telling = (one for one in asked if one.weight > LIGHT and one.stem not in _small_stems())
    return [(one.weight, strength(one.stem, stems)) for one in telling]


@cache
def _small_stems() -> frozenset[str]:
    """Of words that say nothing by themselves, in whatever form: `gets`."""
    return frozenset(map(base_stem, STOP_WORDS))


def _turning(question: str) -> frozenset[tuple[str, str]]:
    """The words that turn a meaning round, each with the word that follows."""
    said = [token for token in tokenise(question) if token.is_word]
    follows = [*(token.stem for token in said[1:]), ""]
    turning = words("reading.turning")
    return frozenset((one.lower, next_one) for one, next_one in zip(said, follows, strict=True) if one.lower in turning)  # fmt: skip
