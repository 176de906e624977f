"""Phrases and the words of questions in the form in which they are compared: endings, accents and irregular plurals don't matter."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from unicodedata import combining, normalize

from oldhand.lexicon.tokens import Token, stem, tokenise
from oldhand.lexicon.wordlists import word_lists


@lru_cache(maxsize=4096)
def phrase_forms(phrase: str) -> tuple[str, ...]:
    """The words of a phrase as they are compared.

    >>> phrase_forms("Top clients")
    ('top', 'client')
    """
    return tuple(word_form(token.lower) for token in tokenise(phrase) if token.is_word)


@lru_cache(maxsize=16384)
def word_form(word: str) -> str:
    """One word, in small letters, as it is compared."""
    plain = "".join(c for c in normalize("NFKD", word) if not combining(c))
    base = stem(plain)
    return word_lists().irregular.get(base, base)


def spoken_forms(tokens: Sequence[Token]) -> tuple[str, ...]:
    """The words of a question as those of phrases are compared; what is quoted is none."""
    return tuple("" if token.quoted else word_form(token.lower) for token in tokens)


def ends_of(phrase: str, forms: tuple[str, ...]) -> list[int]:
    """Where a phrase ends, each time that it stands among the words of a question."""
    sought = phrase_forms(phrase)
    ends = range(len(sought), len(forms) + 1) if sought else ()
    return [end for end in ends if forms[end - len(sought) : end] == sought]


def any_of(phrases: Iterable[str]) -> str:
    r"""Phrases of the lexicon, whose words hyphens join, as a pattern, the longest first.

    >>> any_of(["over", "divided-by"])
    'divided\\s+by|over'
    """
    longest = sorted(phrases, key=len, reverse=True)
    return "|".join(r"\s+".join(map(re.escape, one.split("-"))) for one in longest)
