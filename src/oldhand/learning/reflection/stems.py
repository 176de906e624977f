"""The words of a text that say something, by their stems."""

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]

from oldhand.store.searched_text import STOP_WORDS, words_of


def stems(text: str) -> frozenset[str]:
    """The stems of all words but those that nearly every question has.

    >>> sorted(stems("How many cancelled orders are there?"))
    ['cancel', 'mani', 'order']
    """
    # A stemmer holds the word that it works on, so that threads must not share one.
    stemmer = snowballstemmer.stemmer("english")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    words = [word for word in words_of(text) if word not in STOP_WORDS]
    return frozenset(str(stemmer.stemWord(word)) for word in words)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
