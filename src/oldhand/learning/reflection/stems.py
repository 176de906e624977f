"""The words of a text that say something, by their stems."""

from oldhand.record.stemming import stemmed
from oldhand.store.search.searched_text import STOP_WORDS, words_of


def stems(text: str) -> frozenset[str]:
    """The stems of all words but those that nearly every question has.

    >>> sorted(stems("How many cancelled orders are there?"))
    ['cancel', 'mani', 'order']
    """
    words = (word for word in words_of(text) if word not in STOP_WORDS)
    return frozenset(stemmed(word, "english") for word in words)
