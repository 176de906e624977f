"""What people wish of all answers, as they say it: `always in French`, `no decimals please`, `top 5 is enough`."""

from collections.abc import Iterator, Sequence

from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.tokens import Token, tokenise
from oldhand.record.preferring import Key, Preference

_LONGEST = 16
"""Words of a sentence that is a preference."""
_MOST_ROWS = 1_000
_MOST_DECIMALS = 6
_CUES, _LASTING = words("preferences.cues"), words("preferences.lasting")
_DENYING, _LIMITING = words("preferences.denying"), words("preferences.limiting")
_FILLING, _ROWS = words("preferences.filling"), words("preferences.rows")
_DECIMALS, _IDS = words("preferences.decimals"), words("preferences.ids")
_OPPOSITE = {"short": "detailed", "detailed": "short"}


def preferences_in(text: str) -> tuple[Preference, ...]:
    """The preferences that a sentence states and that says nothing else; none for questions.

    >>> said = ("I prefer euros", "Always in French, please.", "no decimals please", "top 5 is enough", "never show me ids")
    >>> [one.value for text in said for one in preferences_in(text)]
    ['EUR', 'French', 'whole numbers', '5', 'hidden']
    >>> [one.value for one in preferences_in("Please always answer in French and in euros")]
    ['French', 'EUR']
    >>> preferences_in("Show me only 5 customers"), preferences_in("How many euros did we take in?")
    ((), ())
    """
    tokens = [token for token in tokenise(text) if token.is_word or token.number is not None]
    low = [token.lower for token in tokens]
    if not 1 < len(low) <= _LONGEST or text.strip().endswith("?"):
        return ()
    found = list(_Wishes(tokens).all())
    wished = [one for one in found if one is not None]
    alone = len(wished) == len(found) == len({one.key for one in wished})
    return tuple(wished) if alone and _is_for_all(low, wished) else ()


def _is_for_all(low: Sequence[str], wished: Sequence[Preference]) -> bool:
    """Whether words are about all answers: they say so, or deny what answers show without being asked."""
    denies = any(one.value in ("hidden", "whole numbers") for one in wished)
    return not _CUES.isdisjoint(low) or (denies and not _DENYING.isdisjoint(low))


class _Wishes:
    """The words of one sentence."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._low = [token.lower for token in tokens]
        self._lasts = not _LASTING.isdisjoint(self._low)
        first = words("preferences.first_ones") if self._lasts else frozenset[str]()
        self._counts = not (_ROWS | first).isdisjoint(self._low)
        self._idle = _FILLING | first

    def all(self) -> Iterator[Preference | None]:
        """Each wish, and None for each word that is part of none."""
        denied = False
        for at, token in enumerate(self._tokens):
            word = token.lower
            if word in _DENYING:
                denied = self._low[at + 1 : at + 2] != [*_LIMITING]
            elif (wish := self._at(at, denied=denied)) is not None:
                yield wish
                denied = False
            elif word not in self._idle and not self._is_of_decimals(at):
                yield None

    def _at(self, at: int, *, denied: bool) -> Preference | None:
        """What the word at a place wishes; None where it names nothing that can be wished, or denied."""
        word, denied = self._low[at], denied or self._is_denied_behind(at)
        if word in _IDS:
            return Preference(key="ids", value="hidden" if denied else "shown")
        if word in _DECIMALS:
            number = self._number(at - 1)
            kept = f"{number} decimals" if number and number <= _MOST_DECIMALS else ""
            return _wish("rounding", "whole numbers" if denied else kept)
        if word in words("preferences.rounding") and denied:
            return Preference(key="rounding", value="exact")
        if (length := meanings("preferences.lengths").get(word)) is not None:
            return Preference(key="length", value=_OPPOSITE[length] if denied else length)
        if (number := self._number(at)) and self._counts and not self._is_of_decimals(at):
            return _wish("rows", str(number) if number <= _MOST_ROWS and not denied else "")
        return None if denied else self._named(at)

    def _named(self, at: int) -> Preference | None:
        """Money, a rounding or a language, by its name."""
        word = self._low[at]
        if (money := meanings("preferences.currencies").get(word)) is not None:
            return Preference(key="currency", value=money)
        if (unit := meanings("preferences.roundings").get(word)) is not None:
            return Preference(key="rounding", value=unit)
        language = meanings("preferences.languages").get(word)
        led = self._lasts or not words("preferences.in_language").isdisjoint(self._low[max(at - 2, 0) : at])  # fmt: skip
        return _wish("language", language or "") if led else None

    def _is_denied_behind(self, at: int) -> bool:
        """True for the ids of `ids are not needed`."""
        behind = self._low[at + 1 : at + 3]
        return behind[1:2] == ["not"] or behind[:1] == ["unneeded"]

    def _number(self, at: int) -> int | None:
        """The whole number at a place."""
        number = self._tokens[at].number if at >= 0 else None
        return int(number) if number is not None and number == int(number) and number > 0 else None

    def _is_of_decimals(self, at: int) -> bool:
        """Whether a number says how many decimals are meant."""
        return self._number(at) is not None and not _DECIMALS.isdisjoint(self._low[at + 1 : at + 2])


def _wish(key: Key, value: str) -> Preference | None:
    return Preference(key=key, value=value) if value else None
