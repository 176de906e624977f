"""Whether a phrase occurs in a question."""

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")  # noqa: RUF001


def occurs(phrase: str, text: str) -> bool:
    """Whether all words of `phrase` stand in `text` one after the other, in singular or plural.

    >>> occurs("top-tier client", "Which top tier clients pay late?")
    True
    >>> occurs("rev", "What is our revenue?")
    False
    """
    wanted, words = _words(phrase), _words(text)
    starts = range(len(words) - len(wanted) + 1)
    return bool(wanted) and any(words[at : at + len(wanted)] == wanted for at in starts)


def _words(text: str) -> list[str]:
    """The words in the singular, without letter case, accents and possessive endings."""
    plain = unicodedata.normalize("NFKD", _POSSESSIVE.sub("", text).casefold())
    plain = "".join(one for one in plain if not unicodedata.combining(one))
    return [_singular(word) for word in _WORD.findall(plain)]


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
