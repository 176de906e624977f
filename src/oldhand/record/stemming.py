"""What the forms of a word share."""

from typing import Literal

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]


def stemmed(word: str, rules: Literal["english", "porter"]) -> str:
    """The stem of one lower-case word; may be called by several threads at once.

    Args:
        word: without white space.
        rules: `porter` for those of Porter (1980), `english` for his later ones.

    >>> stemmed("generously", "porter"), stemmed("generously", "english")
    ('gener', 'generous')
    """
    # A stemmer holds the word that it works on: threads that share one get stems of each other's words.
    stemmer = snowballstemmer.stemmer(rules)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return str(stemmer.stemWord(word))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
