"""How often English words stand in texts."""

import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

_FREQUENCIES = files("symspellpy").joinpath("frequency_dictionary_en_82_765.txt")
"""English words, each with how often it stands in books and on pages."""
_COMMON = 11.0
"""The cost of the rarest word that is common: about one in 60,000."""

_MEN = 5
"""Letters of women, who have a word of their own."""
_AS_OFTEN = 5.0
"""How much rarer than one of them several are at most."""


def is_common(word: str) -> bool:
    """True for an English word of which texts are full, so that it is hardly short for another.

    >>> is_common("plan"), is_common("car"), is_common("veh"), is_common("adm")
    (True, True, False, False)
    """
    return rarity(word) <= _COMMON


def is_english(word: str) -> bool:
    """True for a word, in lower case, that stands in English texts as it is.

    >>> is_english("owes"), is_english("germny")
    (True, False)
    """
    return word in counts()


def man_of(word: str) -> str:
    """The singular of a word for men of a trade; the word itself for others.

    >>> man_of("foremen"), man_of("specimen"), man_of("germen")
    ('foreman', 'specimen', 'germen')
    """
    if len(word) <= _MEN or not word.endswith("men"):
        return word
    man = word[:-2] + "an"
    return man if is_english(man) and rarity(word) - rarity(man) < _AS_OFTEN else word


def rarity(word: str) -> float:
    """Minus the logarithm of the share of an English word; infinite for others."""
    count = counts().get(word)
    return math.inf if count is None else _all_counts() - math.log(count)


@cache
def counts() -> Mapping[str, int]:
    """How often each English word stands among all."""
    said = _FREQUENCIES.read_text(encoding="utf-8-sig").split()
    return dict(zip(said[::2], map(int, said[1::2]), strict=True))


@cache
def _all_counts() -> float:
    """The logarithm of how many words were counted."""
    return math.log(sum(counts().values()))
