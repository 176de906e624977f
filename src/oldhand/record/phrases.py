"""Whether a phrase occurs in a question."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")  # noqa: RUF001


def occurs(phrase: str, words: Sequence[str]) -> bool:
    """Whether all words of `phrase` stand one after the other in a question.

    >>> occurs("top-tier client", singular_words("Which top tier clients pay late?"))
    True
    >>> occurs("rev", singular_words("What is our revenue?"))
    False
    """
    wanted = _wanted(phrase)
    if not wanted or wanted[0] not in words:
        return False
    starts = range(len(words) - len(wanted) + 1)
    return any(words[at : at + len(wanted)] == wanted for at in starts)


def same_phrase(one: str, other: str) -> bool:
    """Whether two phrases occur in the same questions.

    >>> same_phrase("top clients", "top client"), same_phrase("person", "people")
    (True, False)
    """
    return _wanted(one) == _wanted(other)


@lru_cache(maxsize=16_384)
def _wanted(phrase: str) -> list[str]:
    return singular_words(phrase)


def singular_words(text: str) -> list[str]:
    """The words in the singular, without letter case, accents and possessive endings.

    >>> singular_words("The clients' café, in Köln's boxes")
    ['the', 'client', 'cafe', 'in', 'koln', 'box']
    """
    plain = _POSSESSIVE.sub("", text).casefold()
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", plain)
        plain = "".join(one for one in plain if not unicodedata.combining(one))
    return [_singular(word) for word in _WORD.findall(plain)]


@lru_cache(maxsize=16_384)
def _singular(word: str) -> str:
    """A form that singular and plural share, as far as plain spelling goes.

    >>> [_singular(word) for word in ("companies", "boxes", "clients", "business", "its", "houses")]
    ['company', 'box', 'client', 'business', 'its', 'house']
    """
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def question_key(question: str) -> str:
    """The same for questions that differ in letter case, blanks and closing marks only.

    >>> question_key("How  many Clients?") == question_key("how many clients")
    True
    """
    plain = unicodedata.normalize("NFKC", question).casefold()
    return " ".join(plain.split()).strip(" ?!.")
