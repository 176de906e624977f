"""Which end of an order an adjective asks for."""

import re
from dataclasses import replace

from oldhand.lexicon.entries import words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem
from oldhand.lexicon.wordlists import adjective_of, word_lists
from oldhand.query.form import Expression, Order, Query
from oldhand.query.walk import columns

_SIZES = words("sorting.of_size") | words("sorting.of_anything")
_DOWNWARDS = re.compile(r"desc|high(est)? (first|to)|large|most|new|(?<!low)(?<!small)(?<!few)(?<!l)(?<!short)(?<!old)est first")  # fmt: skip
_LEAST = words("sorting.fewest_of_them") | words("sorting.downwards")


def is_low(word: str) -> bool:
    """Whether what a superlative or comparative asks for stands at the lower end of what it measures.

    >>> [is_low(one) for one in ("cheapest", "fewest", "oldest", "highest")]
    [True, True, True, False]
    """
    plain = adjective_of(word) or re.sub(r"(?:est|er)$", "", word)
    return plain in _LEAST or word in _LEAST or plain == "old"


def goes_down(words: str, column: Expression | None = None) -> bool:
    """Whether the most comes first; where an adjective measures the column, its most: the oldest have the highest age."""
    words = re.sub(r"^(?:from )?(?:the )?(\w+) to .*", r"\1 first", words)
    known = word_lists().measures
    adjectives = [one for word in words.split() if (one := adjective_of(word)) in known and one]
    names = [stem(part) for one in (columns(column) if column else ()) for part in split_name(one.name)]  # fmt: skip
    told = [known[one][name] for one in adjectives for name in names if name in known[one]]
    return told[0] if told else bool(_DOWNWARDS.search(words))


def from_end(query: Query, words: str) -> tuple[Order, ...]:
    """The order of the first rows from the end that a superlative names which measures anything: `the two smallest`; empty where there is none."""
    last = words.rpartition(" ")[2]
    if query.limit is None or not (is_low(last) or adjective_of(last) in _SIZES):
        return ()
    return tuple(replace(one, descending=not is_low(last)) for one in query.order[:1])
