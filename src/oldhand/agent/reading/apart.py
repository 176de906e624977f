"""What tells a thing from its like: Hall A and Hall B, floors 2 and 3, the X100 and the X200, 2023 and 2024, Monday and Friday.

What is said of one is no answer about another one.
"""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from oldhand.agent.reading.asked import Wanted, base_stem
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.tokens import NUMBER_WORDS, STOP_WORDS
from oldhand.query.compiling.times import MONTHS, WEEKDAYS

_TO = r"\s*(?:-|\u2013|\bto\b|\bthrough\b)\s*"
_AND = r"\s*(?:,\s*(?:and|or)\b|,|/|&|\band\b|\bor\b)\s*"
_SIGN = rf"(?:[A-Z]|[IVX]{{2,5}}|\d{{1,4}}[a-z]?|(?i:{'|'.join(NUMBER_WORDS)}))(?![\w%\u20ac$])(?![.,:]\d)"
_SIGNED = re.compile(
    rf"\b(?P<head>[^\W\d_]{{2,}}):?(?: (?i:no\.?|nr\.?|number))? (?P<signs>{_SIGN}(?:(?:{_TO}|{_AND}){_SIGN})*)(?: (?P<next>[a-z]+))?"
)
"""`Hall B`, `floors 2 to 5`: what things are, and what some of them are called."""
_ONE = re.compile(rf"(?P<to>{_TO})?(?P<sign>{_SIGN})")
_SMALL = re.compile(r"\b([a-z]{2,}) ([a-z])(?: ([a-z]+)|[ ?.]*$)")
_ORDINALS = {"first": "1", **meanings("numbers.ordinal")}
_ORDERED = re.compile(
    rf"\b({'|'.join(_ORDINALS)}|\d{{1,3}}(?=st|nd|rd|th))(?:st|nd|rd|th)? ([a-z]{{3,}})",
    re.IGNORECASE,
)
_CODE = re.compile(r"\b[A-Z][A-Za-z]*-?\d[A-Za-z\d]*(?:-\d[A-Za-z\d]*)*\b")
_YEAR = re.compile(rf"\b((?:19|20)\d\d)\b(?:(?:{_TO}|/)((?:19|20)?\d\d)\b(?![-/]\d))?")
_NAMED = {
    kind: (
        names,
        re.compile(
            rf"\b((?a:{'|'.join(names)}))s?(?:{_TO}((?a:{'|'.join(names)}))s?)?\b", re.IGNORECASE
        ),
    )
    for kind, names in (
        ("weekday", [*map(str.lower, WEEKDAYS)]),
        ("month", [*map(str.lower, MONTHS)]),
    )
}
_COMMON = ("may", "march")
"""Months that are words of another meaning with a small letter."""
_CALENDAR = frozenset({"year", *_NAMED})
_FROM, _UP_TO = (
    re.compile(rf"\b(?:{said})(?: the| \d{{1,2}}\.?)? $", re.IGNORECASE)
    for said in ("since|from|as of|after|starting", "until|till|before|up to|by")
)
_ALL = re.compile(r"\b(?:all|every|each|both|any|always)\b", re.IGNORECASE)
_ENDS = ("", "~")
"""Before and after whatever a thing may be called."""
_ROMAN = {"I": 1, "V": 5, "X": 10}
_NO_KIND = STOP_WORDS | words("reading.empty")


class Sign(NamedTuple):
    """What things of a kind are called by, from the first to the last."""

    kind: str
    first: str
    last: str
    said: str
    """As it stands there, with its kind."""

    def meets(self, other: "Sign") -> bool:
        """Whether some thing is called by both."""
        return self.kind == other.kind and self.first <= other.last and other.first <= self.last


@lru_cache(maxsize=8_192)
def signs_in(text: str) -> tuple[Sign, ...]:
    """The things of a kind that a text names.

    >>> [one[:3] for one in signs_in("Hall B, floors 2 to 5 and the X100")]
    [('hall letter', 'B', 'B'), ('floor number', '0002', '0002'), ('floor number', '0002', '0005'), ('X#', '0100', '0100')]
    """
    return (*_called(text), *_coded(text), *_dated(text))


def about_another(asked: Iterable[Sign], said: Sequence[Sign]) -> bool:
    """Whether of a kind that is asked for only others are named.

    >>> asked = signs_in("How large is Hall B?")
    >>> [about_another(asked, signs_in(one)) for one in ("Hall A is large.", "Halls A and B are large.", "It is large.")]
    [True, False, False]
    """
    wanted = _by_kind(asked)
    named = _by_kind(one for one in said if one.kind in wanted)
    return any(
        not any(one.meets(other) for one in held for other in wanted[kind])
        for kind, held in named.items()
    )


def with_signs(question: str, known: Container[str]) -> str:
    """The question with capitals for letters that tell things of a known kind apart.

    >>> with_signs("how large is hall b", {"hall letter"}), with_signs("is there in the hall a shower?", {"hall letter"})
    ('how large is hall B', 'is there in the hall a shower?')
    """

    def capital(said: re.Match[str]) -> str:
        is_article = said[2] == "a" and said[3] is not None and said[3] not in _NO_KIND
        is_sign = f"{base_stem(said[1])} letter" in known and not is_article
        return said[0].replace(f" {said[2]}", f" {said[2].upper()}", 1) if is_sign else said[0]

    return _SMALL.sub(capital, question)


def asked_signs(question: str, wanted: Wanted) -> tuple[Sign, ...]:
    """What a question is about among its like; where it wants a time, the answer names another year or month.

    >>> asked_signs("When did the lease of 2024 end?", Wanted.TIME)
    ()
    """
    left_out = {"year", "month"} if wanted is Wanted.TIME else ()
    return tuple(one for one in signs_in(question) if one.kind not in left_out)


def topics_of(sentences: Sequence[str], headings: Sequence[str]) -> Iterator[tuple[Sign, ...]]:
    """What each sentence is about: what it names, else what those before it have named last, else the headings.

    Days and dates are not passed on from sentence to sentence.

    >>> [[one.first for one in held] for held in topics_of(["Hall B is old.", "It is small.", "All halls are dry."], ["Hall A"])]
    [['B'], ['B'], []]
    """
    held: dict[str, list[Sign]] = {}
    for heading in headings:
        held |= _by_kind(one for one in signs_in(heading) if one.kind not in _NAMED)
    for text in sentences:
        named = _by_kind(signs_in(text))
        told = named if _ALL.search(text) else held | named
        held |= {kind: signs for kind, signs in named.items() if kind not in _CALENDAR}
        yield tuple(one for kind in told.values() for one in kind)


def _by_kind(signs: Iterable[Sign]) -> dict[str, list[Sign]]:
    found: dict[str, list[Sign]] = {}
    for one in signs:
        found.setdefault(one.kind, []).append(one)
    return found


def _called(text: str) -> Iterator[Sign]:
    for said in _SIGNED.finditer(text):
        head, follows = said["head"], said["next"]
        if head.lower() in _NO_KIND:
            continue
        counts = head.islower() and follows is not None and follows not in _NO_KIND
        found: list[Sign] = []
        for one in _ONE.finditer(said["signs"]):
            for sign in _read(head, one["sign"]):
                begins = next((two for two in found if one["to"] and two.kind == sign.kind), None)
                found.append(sign if begins is None else sign._replace(first=begins.first))
        yield from (one for one in found if not (counts and one.kind.endswith(" number")))
    for said in _ORDERED.finditer(text):
        yield from _read(said[2], _ORDINALS.get(said[1].lower(), said[1]), said[0])


def _read(head: str, sign: str, said: str = "") -> Iterator[Sign]:
    """The signs that a word behind a kind may be: `V` is a letter and a number."""
    kind, said = base_stem(head.lower()), said or f"{head} {sign}"
    number = sign if sign.isdigit() else str(NUMBER_WORDS.get(sign.lower(), ""))
    if set(sign) <= set(_ROMAN):
        values = [*map(_ROMAN.__getitem__, sign), 0]
        number = str(sum(-a if a < b else a for a, b in pairwise(values)))
    if number:
        yield _sign(f"{kind} number", number, number, said)
    elif sign[0].isdigit():
        yield _sign(f"{kind} code", sign, sign, said)
    if len(sign) == 1 and sign.isalpha():
        yield _sign(f"{kind} letter", sign, sign, said)


def _sign(kind: str, first: str, last: str, said: str) -> Sign:
    begins, ends = (one.zfill(4) if one.isdigit() else one for one in (first, last))
    return Sign(kind, begins, ends, said)


def _coded(text: str) -> Iterator[Sign]:
    for said in _CODE.findall(text):
        value = re.sub(r"\D+", " ", said).strip()
        yield _sign(re.sub(r"\d+", "#", said), value, value, said)


def _dated(text: str) -> Iterator[Sign]:
    for said in _YEAR.finditer(text):
        last = said[2] or said[1]
        sign = _sign("year", said[1], max(said[1], said[1][: -len(last)] + last), said[0])
        yield _open(text, said.start(), sign)
    for kind, (names, pattern) in _NAMED.items():
        for said in pattern.finditer(text):
            if said[1] in _COMMON:
                continue
            first, last = (names.index(one.lower()) for one in (said[1], said[2] or said[1]))
            around = first > last  # from Friday to Monday
            ends = _ENDS if around else (str(first), str(last))
            yield _open(text, said.start(), _sign(kind, *ends, said[0]))


def _open(text: str, start: int, sign: Sign) -> Sign:
    """A time as a span without an end where the words before it say so: `since 2022`."""
    before = text[max(0, start - 16) : start]
    if sign.first == sign.last and _FROM.search(before):
        return sign._replace(last=_ENDS[1])
    return sign._replace(first=_ENDS[0]) if _UP_TO.search(before) else sign
