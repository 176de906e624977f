"""Names in German and French, word for word in English."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import NamedTuple

from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem
from oldhand.lexicon.wordlists import word_lists


class _Language(NamedTuple):
    """The words of a language, each with its meaning."""

    own: Mapping[str, str]
    beside_others: Mapping[str, str]
    """Those that are English words, too."""
    endings: frozenset[str]


def _german() -> _Language:
    return _Language(
        meanings("languages.german"),
        meanings("languages.german_beside_others"),
        words("languages.german_endings"),
    )


def _french() -> _Language:
    return _Language(
        meanings("languages.french"),
        meanings("languages.french_beside_others"),
        words("languages.french_endings"),
    )


_LANGUAGES: Mapping[str, Callable[[], _Language]] = {"german": _german, "french": _french}
LANGUAGES = tuple(_LANGUAGES)
_ENOUGH, _SHARE = 3, 0.2
"""Different words of a language, and their share of all, from which a schema is written in it."""
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def language_of(names: Iterable[str]) -> str:
    """The language in which tables and columns are named; empty for English and others.

    >>> language_of(["Kunden", "KundenNr", "Vorname", "Land"]), language_of(["customers", "name"])
    ('german', '')
    """
    pieces = {piece for name in names for piece in split_name(name)}
    found = {one: sum(bool(_translated(p, one, beside=False)) for p in pieces) for one in LANGUAGES}
    best = max(LANGUAGES, key=lambda one: found[one])
    return best if found[best] >= max(_ENOUGH, _SHARE * len(pieces)) else ""


def in_english(piece: str, language: str = "") -> tuple[str, ...]:
    """The English words of a word of a name; empty where it is none of the two languages.

    Args:
        piece: one word of a name, in lower case.
        language: that of the schema, so that words that are English as well are read in it.

    >>> in_english("kundennr"), in_english("rechnungsbeträge"), in_english("prenom"), in_english("orders")
    (('customer', 'number'), ('invoice', 'amount'), ('first', 'name'), ())
    >>> in_english("land"), in_english("land", "german")
    ((), ('country',))
    """
    if language:
        return _translated(piece, language, beside=True)
    return next(filter(None, (_translated(piece, one, beside=False) for one in LANGUAGES)), ())


def in_language(word: str, language: str) -> frozenset[str]:
    """The words of a language that stand for an English one.

    Args:
        word: a stem.
        language: one of `LANGUAGES`.

    >>> sorted(in_language("driver", "german")), in_language("driver", "")
    (['fahrer'], frozenset())
    """
    return _by_meaning(language).get(word, frozenset()) if language else frozenset()


@cache
def _by_meaning(language: str) -> Mapping[str, frozenset[str]]:
    read = _LANGUAGES[language]()
    found: dict[str, frozenset[str]] = {}
    for own, meant in (*read.own.items(), *read.beside_others.items()):
        for word in map(stem, meant.split()):
            found[word] = found.get(word, frozenset()) | {own}
    return found


def joins(piece: str, language: str) -> bool:
    """True for the `de` of `date_de_naissance` in a schema of that language."""
    return bool(language) and piece in words("languages.joining")


@cache
def _translated(piece: str, language: str, *, beside: bool) -> tuple[str, ...]:
    plain = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", piece.translate(_UMLAUTS))
        if not unicodedata.combining(letter)
    )
    if not beside and _is_english(plain):
        return ()
    read = _LANGUAGES[language]()
    own = {**read.own, **(read.beside_others if beside else {})}
    endings = sorted(("", *read.endings), key=len)
    shared = {word: word for word in words("languages.shared")}
    found = _parts(plain, shared | own, endings)
    return tuple(found) if found and plain not in shared else ()


@cache
def _is_english(word: str) -> bool:
    written = frozenset[str]().union(*word_lists().groups)
    return (
        word in written or word.removesuffix("s") in written or word in word_lists().abbreviations
    )


def _parts(rest: str, known: Mapping[str, str], endings: list[str]) -> list[str] | None:
    """The meanings of the words that a word is made of, the longest first; None where one is not known."""
    if not rest:
        return []
    for end in range(len(rest), 1, -1):
        for ending in endings if rest[:end] in known else ():
            if rest.startswith(ending, end):
                after = _parts(rest[end + len(ending) :], known, endings)
                if after is not None:
                    return [*known[rest[:end]].split(), *after]
    return None
