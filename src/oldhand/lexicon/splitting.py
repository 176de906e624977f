"""Word segmentation: the names of tables and columns taken apart into words, those that are written as one, too."""

import math
import re
from functools import cache, lru_cache

from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.frequencies import counts, is_common, rarity
from oldhand.lexicon.segmenting import cheapest
from oldhand.lexicon.skeletons import short_parts
from oldhand.lexicon.tokens import stem
from oldhand.lexicon.wordlists import word_lists

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PIECE = re.compile(r"(?<![^\W_])m[23](?![^\W_])|[^\W\d_]+|\d+")
"""Square and cubic metres are one word: `floor_m2`."""
_SHORTEST = 6
"""Letters of a piece that may be several words, unless it ends as short keys do: `lotno`, `stuid`."""
_SHORTEST_KEY = 5
_MOST = 64
"""Letters of a piece that is still a name."""
_VOICED = re.compile(r".+[aeiou]")
"""Without a vowel after its first letter, a piece is a word of which the vowels were left out."""
_LONGEST = 15
"""Letters of a word inside of a piece."""
_RAREST = 13.5
"""The cost of the rarest word that a piece is taken apart for: about one in 730,000."""
_RAREST_SHORT = 11.0
"""The same for three letters, which nearly any piece holds by chance: about one in 60,000."""
_AVERAGE = 3.5
"""Letters of the parts of a name, on average."""
_LONG = 6
"""Letters of a rare word that nothing else can be where a word of our lists stands beside it."""
_GIVEN = 9.0
"""The cost of a short form that the word lists know."""


def split_name(name: str) -> tuple[str, ...]:
    """The words of an identifier, lower case.

    >>> split_name("OrderLine_unitPrice2"), split_name("creditlimit")
    (('order', 'line', 'unit', 'price', '2'), ('credit', 'limit'))
    >>> split_name("vol_m3")
    ('vol', 'm3')
    """
    spaced = _CAMEL.sub(" ", name)
    return tuple(word for piece in _PIECE.findall(spaced) for word in segmented(piece.lower()))


@lru_cache(maxsize=65_536)
def segmented(piece: str) -> tuple[str, ...]:
    """The most likely words that a piece of a name is written of; the piece itself where it is a word, or no words are found.

    The words are taken to stand independently, each with its frequency (a unigram model; Norvig,
    Natural Language Corpus Data, 2009), and are found by Viterbi's algorithm.

    >>> segmented("seedlots"), segmented("qtyonhand"), segmented("lotno"), segmented("isactive")
    (('seed', 'lots'), ('qty', 'on', 'hand'), ('lot', 'no'), ('is', 'active'))
    >>> segmented("carpet"), segmented("instrctr"), segmented("standort"), segmented("stationid"), segmented("weightkg")
    (('carpet',), ('instrctr',), ('standort',), ('station', 'id'), ('weight', 'kg'))
    """
    full = word_lists().abbreviations.get(piece, ())
    if "".join(full) == piece:
        return full
    if _is_word(piece):
        return (piece,)
    if not _may_be_several(piece):
        return short_parts(piece) or (piece,)
    found = _likeliest(piece)
    another = piece.removesuffix("s") if piece.endswith("s") else piece + "s"
    alike = _likeliest(another)
    agreed = found[:-1] == alike[:-1] or (not piece.endswith("s") and not _are_words(alike))
    return found if _are_words(found) and agreed else short_parts(piece) or (piece,)


def _likeliest(piece: str) -> tuple[str, ...]:
    """The sequence of words with the least cost; empty where there is none."""
    found = cheapest(piece, _cost, _LONGEST)
    return found[1] if found else ()


def _are_words(parts: tuple[str, ...]) -> bool:
    """Whether parts are words that names are made of, and no letters that words of another language happen to hold.

    Each of three letters or more is in our word lists or common, or long beside one that is in them; and they are of three
    and a half letters on average, unless all are in them, or a key's ending or a unit stands behind a single one.
    """
    full = [part for part in parts if len(part) > 2]
    if not full or len(parts) < 2 or parts[-1] in words("names.never_last"):
        return False
    listed = [part for part in full if _is_listed(part)]
    known = all(
        p in listed
        or is_common(p)
        or is_common(p.removesuffix("s"))
        or (listed and len(p) >= _LONG)
        or len(listed) > 1
        for p in full
    )
    ended = parts[0] in full or parts[0] in words("names.short_first") or "of" in parts
    long = listed == full or sum(map(len, full)) >= _AVERAGE * len(full)
    return known and (ended if len(full) == 1 else long)


def _is_listed(word: str) -> bool:
    lists = word_lists()
    return word in lists.abbreviations or stem(word) in lists.known


def _may_be_several(piece: str) -> bool:
    key = piece.endswith(tuple(words("names.glued")))
    written = (_SHORTEST_KEY if key else _SHORTEST) <= len(piece) <= _MOST
    return written and piece.isascii() and piece.isalpha() and _VOICED.match(piece) is not None


def _is_word(piece: str) -> bool:
    return piece in counts() or _is_listed(piece)


def _cost(piece: str, start: int, end: int) -> float | None:
    """Minus the logarithm of how likely a part of a piece is as a word; None where it is none."""
    word = piece[start:end]
    if len(word) < 2:
        return None
    if word in word_lists().abbreviations or word in _short_words(start, len(piece) - end):
        return _GIVEN
    cost = rarity(word) if len(word) > 2 else math.inf
    return cost if cost <= (_RAREST if len(word) > 3 else _RAREST_SHORT) else None


def _short_words(before: int, after: int) -> frozenset[str]:
    """The words of two letters that stand in names at the beginning, inside, and at the end, where units stand as well."""
    if not before:
        return words("names.short_first")
    if after:
        return words("names.short_inside")
    return _short_last()


@cache
def _short_last() -> frozenset[str]:
    return words("names.short_last") | meanings("units.sizes").keys()
