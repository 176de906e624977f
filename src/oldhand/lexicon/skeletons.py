"""Names of words without their vowels that are written as one: `hvstdt`, `stfnm`, `untprc`."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import groupby

from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.frequencies import counts, is_common, rarity
from oldhand.lexicon.segmenting import cheapest
from oldhand.lexicon.tokens import STOP_WORDS, stem
from oldhand.lexicon.wordlists import word_lists

_VOWELS = frozenset("aeiou")
_SHORTEST, _MOST = 4, 16
"""Letters of a name that may be several short forms, unless an initial stands before a short form of names."""
_LEAST = 3
"""Letters of a word inside of a name, and of one without vowels that no list knows."""
_LISTED, _WORD, _SKELETON, _UNKNOWN = 1.0, 1.1, 1.5, 4.0
"""The costs of a short form of our lists, of a word, of a common one without its vowels, and of what nobody knows."""

_RARE = 12.0
"""The cost of the rarest word before a short form: about one in 160,000."""
_LEAD = 1.2
"""How much less the likeliest word costs than the next one: it is three times as frequent."""


def short_parts(piece: str) -> tuple[str, ...]:
    """The short forms that a piece of a name is made of; empty where it is a single one, or none.

    What ends it must be a short form of our lists, or one that names end in; one part before it may be one that no list
    knows, if it has no vowels. What may be one long word without its vowels stays whole.

    >>> short_parts("hvstdt"), short_parts("stfnm"), short_parts("untprc"), short_parts("chkoutdt")
    (('hvst', 'dt'), ('stf', 'nm'), ('unt', 'prc'), ('chk', 'out', 'dt'))
    >>> short_parts("trtmnt"), short_parts("instrctr"), short_parts("gesamt"), short_parts("onm")
    ((), (), (), ('o', 'nm'))
    """
    if piece[1:] in words("names.short_titles"):
        return piece[0], piece[1:]
    if not (_SHORTEST <= len(piece) <= _MOST and piece.isascii() and piece.isalpha()):
        return ()
    if piece in _skeletons():
        return ()
    found = cheapest(piece, _cost, _MOST)
    return found[1] if found and found[0] < 2 * _UNKNOWN and len(found[1]) > 1 else ()


def _cost(piece: str, start: int, end: int) -> float | None:
    """How unlikely a part of a piece is; None where it cannot be one."""
    part, last = piece[start:end], end == len(piece)
    listed = stem(part) in word_lists().known
    if last:
        whole = listed and len(part) > _LEAST and _is_bare(piece[:start])
        return _LISTED if start and (part in _endings() or whole) else None
    if part in word_lists().abbreviations or (start and part in words("names.short_inside")):
        return _LISTED
    certain = piece[end:] in _certain()
    if len(part) < _LEAST:
        pair = not start and len(part) == _LEAST - 1 and certain
        return _UNKNOWN + _LISTED if pair and _VOWELS.isdisjoint(part) else None
    if listed or rarity(part) <= _RARE:
        return _WORD
    if _is_bare(part):
        known = len(part) > _LEAST and part in _skeletons()
        return _SKELETON if known else _UNKNOWN if certain or part[0] not in _VOWELS else None
    return _UNKNOWN if piece[end:] in words("names.short_measures") else None


def _is_bare(part: str) -> bool:
    """True for letters without a vowel behind the first."""
    return _VOWELS.isdisjoint(part[1:])


@cache
def _endings() -> frozenset[str]:
    """Short forms with which names end: those of the lists without a vowel, general words without theirs, and a few others."""
    general = frozenset[str]().union(*word_lists().groups)
    bare = {_once(_bare(word)) for word in general}
    long = {one for one in bare if len(one) >= _LEAST}
    return frozenset(long) | _certain()


@cache
def _certain() -> frozenset[str]:
    """Those of the lists, before which nothing else is a part of a longer word."""
    listed = {one for one in word_lists().abbreviations if _VOWELS.isdisjoint(one)}
    return frozenset(listed) | words("names.short_endings") | words("names.short_measures")


def _bare(word: str) -> str:
    return word[:1] + "".join(one for one in word[1:] if one not in _VOWELS)


def common_word(short: str) -> str:
    """The general English word that a name without vowels most likely stands for; empty where several are about as likely.

    >>> common_word("shlf"), common_word("vst"), common_word("stf"), common_word("usd")
    ('shelf', 'visit', '', '')
    """
    bare = (
        len(short) >= _LEAST and _VOWELS.isdisjoint(short) and short not in meanings("units.sizes")
    )
    found = (*(_skeletons().get(short, ()) if bare else ()), "", "")
    sure = bool(found[0]) and rarity(found[1]) - rarity(found[0]) >= _LEAD
    return found[0] if sure else ""


@cache
def _skeletons() -> Mapping[str, Sequence[str]]:
    """Common words by their first letter and their consonants, doubled ones written once or twice, the most frequent first."""
    found: dict[str, list[str]] = {}
    names = (w for w in counts() if len(w) > _LEAST and is_common(w) and w not in STOP_WORDS)
    for word in sorted(names, key=rarity):
        for bare in {_bare(word), _once(_bare(word))}:
            found.setdefault(bare, []).append(word)
    return found


def _once(bare: str) -> str:
    """Without the second one of doubled letters."""
    return "".join(letter for letter, _ in groupby(bare))
