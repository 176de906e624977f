"""What the forms of a word share."""

from typing import Literal

import Stemmer


def stemmed(word: str, rules: Literal["english", "porter"]) -> str:
    """The stem of one lower-case word; may be called by several threads at once.

    Args:
        word: without white space.
        rules: `porter` for those of Porter (1980), `english` for his later ones.

    >>> stemmed("generously", "porter"), stemmed("generously", "english")
    ('gener', 'generous')
    """
    # A stemmer holds the word that it works on: one for each call costs less than a lock, and than mixed-up stems.
    return str(Stemmer.Stemmer(rules, 0).stemWord(word))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
