"""Which end of an order an adjective asks for."""

import re

from oldhand.lexicon.entries import words
from oldhand.lexicon.wordlists import adjective_of

_LEAST = words("sorting.fewest_of_them") | words("sorting.downwards")


def is_low(word: str) -> bool:
    """Whether what a superlative or comparative asks for stands at the lower end of what it measures.

    >>> [is_low(one) for one in ("cheapest", "fewest", "oldest", "highest")]
    [True, True, True, False]
    """
    plain = adjective_of(word) or re.sub(r"(?:est|er)$", "", word)
    return plain in _LEAST or word in _LEAST or plain == "old"
