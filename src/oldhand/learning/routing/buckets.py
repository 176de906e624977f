"""Questions that are alike for a choice between models: same intent, about as complex."""

from functools import lru_cache
from typing import NamedTuple

from oldhand.record.situation import Intent, Situation, complexity_of, intent_of

_BANDS = ((0.2, "simple"), (0.45, "medium"))
_TRIVIAL = 0.05
"""Complexity up to which words without any intent are small talk."""


class Bucket(NamedTuple):
    """Questions that are alike."""

    intent: str
    complexity: str
    """`simple` below 0.2, `medium` below 0.45, else `hard`."""


def bucket_of(situation: Situation) -> Bucket:
    """Where a question belongs.

    >>> bucket_of(Situation(intent="ranking", complexity=0.3))
    Bucket(intent='ranking', complexity='medium')
    """
    return _bucket(situation.intent, situation.complexity)


@lru_cache(maxsize=4_096)
def bucket_of_words(question: str) -> Bucket:
    """Where a question belongs by its words alone.

    >>> bucket_of_words("What's 2 + 2?")
    Bucket(intent='calculation', complexity='simple')
    """
    return _bucket(intent_of(question).value, complexity_of(question))


def _bucket(intent: str, complexity: float) -> Bucket:
    return Bucket(intent, next((name for end, name in _BANDS if complexity < end), "hard"))


def is_trivial(situation: Situation) -> bool:
    """Whether any model will do: arithmetic, and words that ask for nothing.

    >>> from oldhand.record.situation import situation_of
    >>> [is_trivial(situation_of(text)) for text in ("What's 2 + 2?", "Hello", "Orders per month")]
    [True, True, False]
    """
    asks_nothing = situation.intent == Intent.OTHER and situation.complexity <= _TRIVIAL
    return situation.intent == Intent.CALCULATION or asks_nothing
