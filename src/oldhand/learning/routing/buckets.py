"""Questions that are alike for a choice between models: same intent, about as complex."""

from typing import NamedTuple

from oldhand.record.situation import Intent, Situation

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
    band = next((name for end, name in _BANDS if situation.complexity < end), "hard")
    return Bucket(situation.intent, band)


def is_trivial(situation: Situation) -> bool:
    """Whether any model will do: arithmetic, and words that ask for nothing.

    >>> from oldhand.record.situation import situation_of
    >>> [is_trivial(situation_of(text)) for text in ("What's 2 + 2?", "Hello", "Orders per month")]
    [True, True, False]
    """
    asks_nothing = situation.intent == Intent.OTHER and situation.complexity <= _TRIVIAL
    return situation.intent == Intent.CALCULATION or asks_nothing
