"""What a question asks of passages: the words that its answer has to be about, and the kind of thing that it wants."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import NUMBER_WORDS, STOP_WORDS, Token, stem, tokenise
from oldhand.lexicon.wordlists import word_lists
from oldhand.query.compiling.times import MONTHS

LIGHT = 0.25
"""The weight of a word that says little, such as `policy`; others have 1."""
NAME = 1.3
"""The weight of a name or a number."""
AKIN = 0.6
"""How well a word of about the same meaning, or of the same family, stands for another one."""
_FAMILY = 5
"""Letters that words of a family share at least."""
_LIGHT = words("reading.light")
_OWN = words("reading.own")
_EMPTY = STOP_WORDS | words("reading.empty")


class Wanted(StrEnum):
    """The kind of thing that answers a question."""

    TIME = "time"
    NUMBER = "number"
    REASON = "reason"
    PERSON = "person"
    ANYTHING = "anything"


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A word that the answer has to be about."""

    text: str
    stem: str
    weight: float


@dataclass(frozen=True, slots=True)
class AskedWords:
    """The words of a question that carry content."""

    words: tuple[AskedWord, ...]
    wanted: Wanted
    is_story: bool = False
    """Whether it asks what has happened: what came of it is told, too."""

    @property
    def total(self) -> float:
        """Their weights together."""
        return sum(one.weight for one in self.words)


def asked_words(question: str) -> AskedWords:
    """What a question asks for.

    >>> found = asked_words("Until when can members cancel a booking?")
    >>> [one.text for one in found.words], found.wanted.value
    (['members', 'cancel', 'booking'], 'time')
    """
    tokens = [token for token in tokenise(question) if token.is_word]
    found = {
        token.stem: AskedWord(token.text, base_stem(token.lower), _weight(token, place))
        for place, token in enumerate(tokens)
        if _carries(token, place)
    }
    is_story = bool(_STORY.search(question))
    return AskedWords(tuple(found.values()), _wanted(question, tokens), is_story)


def _carries(token: Token, place: int) -> bool:
    """Whether a word carries content; a letter does where it is a name, as in `Hall B`."""
    if len(token.text) == 1:
        return token.text.isdigit() or (place > 0 and token.text.isupper() and token.text != "I")
    return token.lower not in _EMPTY


def _weight(token: Token, place: int) -> float:
    if token.lower in _LIGHT:
        return LIGHT
    is_name = token.text[0].isupper() and place > 0
    return NAME if is_name or token.number is not None else 1.0


_MONTH = "|".join(MONTHS)
_DATED = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th|\.)? (?:{_MONTH})\b|\b(?:{_MONTH}) \d{{1,2}}\b|\b(?:19|20)\d\d\b|\b\d{{1,2}}:\d\d\b|\b\d{{1,2}} ?[ap]m\b",
    re.IGNORECASE,
)
"""Days, years and times of day are no amounts."""
_TIME = re.compile(r"\b(?:when|how (?:soon|long|often|early|late|far in advance))\b")
_NAMED = re.compile(r"[A-Z][a-z]+ [A-Z][a-z]+")
_NUMBER = re.compile(r"\bhow (?:much|many|high|large|big|expensive)\b")


_STORY = re.compile(r"\bwhat (?:has |had )?(?:happened|become|became)\b", re.IGNORECASE)


def _wanted(question: str, tokens: Sequence[Token]) -> Wanted:
    said = " ".join(question.casefold().split())
    plain = {token.lower for token in tokens}
    if _TIME.search(said):
        return Wanted.TIME
    if _NUMBER.search(said):
        return Wanted.NUMBER
    if "why" in plain:
        return Wanted.REASON
    if plain & words("reading.asks_person"):
        return Wanted.PERSON
    if not said.startswith(("what", "which")):
        return Wanted.ANYTHING
    nouns = {Wanted.TIME: words("reading.asks_time"), Wanted.NUMBER: words("reading.asks_number")}
    return next((one for one, held in nouns.items() if plain & held), Wanted.ANYTHING)


def gives(sentence: str, wanted: Wanted) -> bool:
    """Whether a sentence holds a thing of the kind that is wanted.

    >>> gives("A booking may be cancelled until 7 days before.", Wanted.TIME), gives("It is free.", Wanted.NUMBER)
    (True, False)
    >>> gives("The meeting is on 1 December 2026 at 8 am.", Wanted.NUMBER)
    False
    """
    text = _DATED.sub(" ", sentence) if wanted is Wanted.NUMBER else sentence
    said = {token.lower for token in tokenise(text)}
    match wanted:
        case Wanted.TIME:
            return bool(said & words("reading.times"))
        case Wanted.NUMBER:
            counted = any(one[0].isdigit() or one in NUMBER_WORDS for one in said)
            return counted or bool(said & {"half", "twice", "double"})
        case Wanted.REASON:
            return bool(said & words("reading.reasons"))
        case Wanted.PERSON:
            return bool(said & words("reading.persons")) or _NAMED.search(sentence) is not None
        case Wanted.ANYTHING:
            return True


@lru_cache(maxsize=65_536)
def base_stem(word: str) -> str:
    """The stem of the base form of a word.

    >>> base_stem("paid") == base_stem("pays")
    True
    """
    found = stem(word)
    return found if word in _OWN else word_lists().irregular.get(found, found)


def stems_of(text: str) -> frozenset[str]:
    """The stems of the words of a text."""
    return frozenset(base_stem(token.lower) for token in tokenise(text) if token.is_word)


@lru_cache(maxsize=65_536)
def strength(word: str, stems: frozenset[str]) -> float:
    """How well a stem is found among others, 0 to 1.

    >>> strength("veterinari", frozenset({"veterinarian"})), strength("dog", frozenset({"dogma"}))
    (0.6, 0.0)
    """
    if word in stems:
        return 1.0
    akin = word_lists().synonyms.get(word, frozenset[str]())
    if not akin.isdisjoint(stems) or any(_is_family(word, one) for one in stems):
        return AKIN
    return 0.0


def _is_family(one: str, other: str) -> bool:
    """Whether two stems begin so much alike that they are of one family, such as `approv` and `approval`."""
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) >= _FAMILY and longer.startswith(shorter[: max(_FAMILY, len(shorter) - 1)]) and len(longer) - len(shorter) <= 4  # fmt: skip
