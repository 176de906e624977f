"""Words: how a question and the names of a schema are taken apart into comparable pieces."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.frequencies import man_of
from oldhand.record.stemming import stemmed

_TOKEN = re.compile(
    r"(?<![\w&])[^\W\d_]&[^\W\d_](?![\w&])|(?<![^\W\d_])(?i:m)[23](?!\w)|\b(?i:what|who|how|where|when)(?=s\b)|(?<!\w)\.\d+|\d+(?:[.,]\d+)*|%(?= of\b)|[^\W\d_]+|[<>!]=|<>|[<>≤≥≠]|[,.;:?!]"
)
_MINUS = re.compile(r"[\s(=<>]?[-\u2212]")
"""The two signs before a number where one belongs to it and joins no words."""
_QUOTED = re.compile(
    r"\"([^\"]+)\"|\u201c([^\u201d]+)\u201d|(?<!\w)'([^']+?)'(?!\w)|\u2018([^\u2019]+)\u2019"
)

NUMBER_WORDS = {word: int(number) for word, number in meanings("numbers.cardinal").items()}
_STEMS = meanings("plurals.stems")
STOP_WORDS = words("function_words.stop")
SCALES = {word: int(number) for word, number in meanings("numbers.scale").items()}
_TENS = frozenset(range(20, 100, 10))
_UNITS = frozenset(range(1, 10))


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number or punctuation mark of a question."""

    text: str
    lower: str
    stem: str
    start: int
    """Offset of its first character in the question."""
    end: int
    quoted: bool
    """True inside quotation marks."""
    number: float | None
    """Its value when it is a number or a number word."""

    @property
    def is_word(self) -> bool:
        """True unless it is punctuation."""
        return self.lower[0].isalnum()


_VOWELS, _SHORT = frozenset("aeiouyäöüß"), 3


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of one lower-case word.

    >>> stem("customers"), stem("countries"), stem("prices"), stem("ratings")
    ('custom', 'countri', 'price', 'rating')
    >>> stem("pmts"), stem("gps")  # a short form has a plural, too
    ('pmt', 'gps')
    >>> stem("foremen") == stem("foreman")
    True
    >>> stem("ids"), stem("ins")  # and one is no plural of `in`
    ('id', 'ins')
    """
    if len(word) == _SHORT and word.endswith("s") and word[:-1] in STOP_WORDS:
        return word
    if word.endswith("s") and len(word) > _SHORT and _VOWELS.isdisjoint(word):
        word = word[:-1]
    return _STEMS.get(word) or stemmed(man_of(word), "english")


@cache
def word_stems(name: str) -> frozenset[str]:
    """The stems of the words of an entry of the lexicon.

    >>> "custom" in word_stems("people.persons")
    True
    """
    return frozenset(map(stem, words(name)))


def tokenise(question: str) -> tuple[Token, ...]:
    """Take a question apart; offsets point into `question`.

    >>> [t.lower for t in tokenise("Who's older than 3.5 years?")]
    ['who', 's', 'older', 'than', '3.5', 'years', '?']
    >>> [t.lower for t in tokenise("whats the total")]
    ['what', 's', 'the', 'total']
    >>> [t.lower for t in tokenise("R&D & Sales")]
    ['rd', 'sales']
    >>> [t.number for t in tokenise("1.5 million, 20k or twenty-five") if t.number]
    [1500000.0, 20000.0, 25]
    """
    quoted = quoted_spans(question)
    tokens: list[Token] = []
    for match in _TOKEN.finditer(question):
        text = match.group()
        lower = text.lower().replace("&", "")  # `Q&A` is one word, as in `has_qa`
        inside = any(a <= match.start() and match.end() <= b for a, b in quoted)
        number = _number(lower)
        if (
            number
            and lower[0].isdigit()
            and _MINUS.fullmatch(question, max(0, match.start() - 2), match.start())
        ):
            number = -number
        token = Token(text, lower, stem(lower), match.start(), match.end(), inside, number)
        before = tokens[-1] if tokens else None
        whole = before and _one_number(before, token, question[before.end : token.start])
        if before and whole is not None:
            start, text = before.start, question[before.start : token.end]
            tokens[-1] = Token(text, text.lower(), text.lower(), start, token.end, inside, whole)
        else:
            tokens.append(token)
    return tuple(tokens)


def _one_number(before: Token, token: Token, between: str) -> float | None:
    """The number that two tokens are together: `2 million`, `2k`, `twenty-five`, `two hundred thousand`."""
    if before.number is None or before.quoted or token.quoted or between not in ("", " ", "-"):
        return None
    scale = SCALES.get(token.lower)
    if scale is not None:
        fits = before.number < scale if len(token.lower) > 1 else not between
        return before.number * scale if fits else None
    in_words = before.lower.rpartition(" ")[2] in NUMBER_WORDS
    if (
        in_words
        and before.number in _TENS
        and token.number in _UNITS
        and token.lower in NUMBER_WORDS
    ):
        return before.number + token.number
    return None


def quoted_spans(question: str) -> tuple[tuple[int, int], ...]:
    """Offsets of what stands between quotation marks.

    >>> quoted_spans('the "big one"')
    ((5, 12),)
    """
    spans: list[tuple[int, int]] = []
    for match in _QUOTED.finditer(question):
        group = match.lastindex or 1
        spans.append(match.span(group))
    return tuple(spans)


def _number(word: str) -> float | None:
    """The number that a word is; `1,500` and `1,5` are told apart by the digits behind the comma.

    >>> _number("1,500"), _number("1,5"), _number("1.234,5"), _number(".5"), _number("two")
    (1500.0, 1.5, 1234.5, 0.5, 2)
    """
    if word[-1].isdigit():
        whole, comma, rest = word.rpartition(",")
        if comma and len(rest) != 3 and "," not in whole:
            word = f"{whole.replace('.', '')}.{rest}"
        try:
            return float(word.replace(",", ""))
        except ValueError:
            return None
    return NUMBER_WORDS.get(word)


def words_in(texts: Iterable[str]) -> frozenset[str]:
    """All words of some texts that may be names, folded.

    >>> sorted(words_in(["SELECT Name FROM shop.people"]))
    ['from', 'name', 'people', 'select', 'shop']
    """
    return frozenset(word for text in texts for word in re.findall(r"\w+", text.casefold()))
