"""Words: how a question and the names of a schema are taken apart into comparable pieces."""

import re
from dataclasses import dataclass
from functools import lru_cache

from oldhand.record.stemming import stemmed

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[,.;:?!]")
_QUOTED = re.compile(
    r"\"([^\"]+)\"|\u201c([^\u201d]+)\u201d|(?<!\w)'([^']+?)'(?!\w)|\u2018([^\u2019]+)\u2019"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PIECE = re.compile(r"[^\W\d_]+|\d+")

NUMBER_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fifteen": 15,
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "thousand": 1000,
    "million": 1_000_000, "once": 1, "twice": 2,
}  # fmt: skip

STOP_WORDS = frozenset(
    """a an the of in on at to for from by with and or is are was were be been being am do does did
    have has had having that which who whom whose what when where why how there their them they it
    its this these those all any some each every me us we you your our i my give show list find tell
    return display get name please can could would will shall may might must as than then so such
    also both either neither nor not no but if into onto about over under between among across per
    s t re ve d ll m he she his her him one many much more most less least few fewer fewest only
    just very too out up down off again own same other another""".split()  # noqa: SIM905
)  # fmt: skip
"""Words that carry no content of their own; cues read them, coverage ignores them."""


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


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of one lower-case word.

    >>> stem("customers"), stem("countries"), stem("prices")
    ('custom', 'countri', 'price')
    """
    return stemmed(word, "english")


def tokenise(question: str) -> tuple[Token, ...]:
    """Take a question apart; offsets point into `question`.

    >>> [t.lower for t in tokenise("Who's older than 3.5 years?")]
    ['who', 's', 'older', 'than', '3.5', 'years', '?']
    """
    quoted = quoted_spans(question)
    tokens: list[Token] = []
    for match in _TOKEN.finditer(question):
        text = match.group()
        lower = text.lower()
        inside = any(a <= match.start() and match.end() <= b for a, b in quoted)
        number = _number(lower)
        tokens.append(Token(text, lower, stem(lower), match.start(), match.end(), inside, number))
    return tuple(tokens)


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
    if word[0].isdigit():
        try:
            return float(word.replace(",", ""))
        except ValueError:
            return None
    return NUMBER_WORDS.get(word)


def split_name(name: str) -> tuple[str, ...]:
    """The words of an identifier, lower case.

    >>> split_name("OrderLine_unitPrice2")
    ('order', 'line', 'unit', 'price', '2')
    """
    spaced = _CAMEL.sub(" ", name)
    return tuple(piece.lower() for piece in _PIECE.findall(spaced))
