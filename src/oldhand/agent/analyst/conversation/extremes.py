"""Which end of an order an adjective asks for."""

import re
from dataclasses import replace

from oldhand.lexicon.entries import words
from oldhand.lexicon.wordlists import adjective_of
from oldhand.query.form import Order, Query

_SIZES = words("sorting.of_size") | words("sorting.of_anything")
_LEAST = words("sorting.fewest_of_them") | words("sorting.downwards")


def is_low(word: str) -> bool:
    """Whether what a superlative or comparative asks for stands at the lower end of what it measures.

    >>> [is_low(one) for one in ("cheapest", "fewest", "oldest", "highest")]
    [True, True, True, False]
    """
    plain = adjective_of(word) or re.sub(r"(?:est|er)$", "", word)
    return plain in _LEAST or word in _LEAST or plain == "old"


def from_end(query: Query, words: str) -> tuple[Order, ...]:
    """The order of the first rows from the end that a superlative names which measures anything: `the two smallest`; empty where there is none."""
    last = words.rpartition(" ")[2]
    if query.limit is None or not (is_low(last) or adjective_of(last) in _SIZES):
        return ()
    return tuple(replace(one, descending=not is_low(last)) for one in query.order[:1])
