"""Questions that are alike for a choice between models: same intent, about as complex."""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from oldhand.record.situation import Intent, Situation, complexity_of, intent_of, situation_of
from oldhand.settings import Effort

SMALL_TALK = "small_talk"
"""What greetings and thanks are after; `yes` and `no` answer something, and are none."""
_BANDS = ((0.2, "simple"), (0.45, "medium"))
_EFFORTS = {"simple": Effort.QUICK, "medium": Effort.STANDARD, "hard": Effort.THOROUGH}
_CIVILITIES = re.compile(
    r"(?:(?:hi|hello|hey|good (?:morning|afternoon|evening|night|day)|thanks|thank you|cheers|bye|goodbye|see you|there|you|all|everyone|again|so much|very much|a lot|many|and|ok|okay|cool|great|nice|perfect|well done|good job|please|how are you|help)\b[\s,.!?:;-]*)+"
)


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
    intent = SMALL_TALK if _is_small_talk(question) else intent_of(question).value
    return _bucket(intent, complexity_of(question))


def effort_for(question: str, wanted: Effort) -> Effort:
    """The effort that was asked for; for `auto`, what a question is worth that is so complex.

    >>> effort_for("How many shops are there?", Effort.AUTO).value
    'quick'
    >>> effort_for("How many shops are there?", Effort.THOROUGH).value
    'thorough'
    """
    if wanted is not Effort.AUTO:
        return wanted
    return _EFFORTS[bucket_of_words(question).complexity]


def situation_for(question: str, *, databases: Collection[str] = ()) -> Situation:
    """The situation that a model is chosen by: as that of lessons, but for small talk.

    >>> [situation_for(text).intent for text in ("Hello there!", "And in Oslo?")]
    ['small_talk', 'other']
    """
    found = situation_of(question, databases=databases)
    return found.model_copy(update={"intent": SMALL_TALK}) if _is_small_talk(question) else found


def _bucket(intent: str, complexity: float) -> Bucket:
    return Bucket(intent, next((name for end, name in _BANDS if complexity < end), "hard"))


def is_trivial(situation: Situation) -> bool:
    """Whether any model will do: arithmetic, and words that ask for nothing.

    >>> [is_trivial(situation_for(text)) for text in ("What's 2 + 2?", "Hello", "Customers in Oslo")]
    [True, True, False]
    """
    return situation.intent in {Intent.CALCULATION, SMALL_TALK}


def _is_small_talk(question: str) -> bool:
    return _CIVILITIES.fullmatch(question[:200].strip().casefold()) is not None
