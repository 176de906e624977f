"""What the words of one question were found to be."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from oldhand.lexicon.tokens import Token
from oldhand.lexicon.wording import plain_number
from oldhand.query.form import ColumnRef
from oldhand.query.units import Unit
from oldhand.record.effect import Alias


@dataclass(frozen=True, slots=True)
class Span:
    """Tokens `start` up to but not including `end`."""

    start: int
    end: int

    @property
    def mask(self) -> int:
        """The tokens as bits, to see quickly what is used twice or not at all."""
        return (1 << self.end) - (1 << self.start)

    @property
    def places(self) -> range:
        """The places of the tokens."""
        return range(self.start, self.end)

    def overlaps(self, other: "Span") -> bool:
        """True when they share a token."""
        return self.start < other.end and other.start < self.end

    def holds(self, other: "Span") -> bool:
        """True when all tokens of the other are its own, too."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class LinkOption:
    """One table or column that a mention may mean."""

    id: int
    score: float
    """How well the words fit, 0..1."""
    nearness: float
    """How much the tables named around it speak for it, 0..1."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Words that name columns, or tables; the best options first."""

    span: Span
    options: tuple[LinkOption, ...]

    @property
    def best(self) -> LinkOption:
        """The likeliest option."""
        return self.options[0]


@dataclass(frozen=True, slots=True)
class ValueOption:
    """A column that holds the words as a value."""

    column: int
    values: tuple[str | int | float, ...]
    """As they are written in the database; several when they differ only in letter case."""
    score: float
    operator: str = "="
    """How the column compares with the values; a learned word may mean a range."""


@dataclass(frozen=True, slots=True)
class ValueMention:
    """Words that are a value of some columns."""

    span: Span
    text: str
    quoted: bool
    options: tuple[ValueOption, ...]
    """Empty for quoted words that no column holds."""


@dataclass(frozen=True, slots=True)
class NumberMention:
    """A number."""

    span: Span
    value: int | float
    text: str
    unit: Unit | None = None
    """What it counts, where that is a unit."""
    end: int = 0
    """Where the words for the unit end."""

    @classmethod
    def at(cls, tokens: Sequence[Token], place: int) -> "NumberMention":
        """The number that a token is, 0 where it is none."""
        number = plain_number(tokens[place].number or 0)
        return cls(Span(place, place + 1), number, tokens[place].text)

    @property
    def said(self) -> Span:
        """The number with its unit."""
        return Span(self.span.start, max(self.end, self.span.end))


@dataclass(frozen=True, slots=True)
class DateMention:
    """A day, month, year or longer time."""

    span: Span
    start: date
    end: date
    """The first day after it."""
    text: str
    year: int | None = None
    """The year when it is a whole one."""
    months: tuple[int, ...] = ()
    """The month, or those of a quarter, when no year is named."""
    weekdays: tuple[int, ...] = ()
    """Days of the week, Monday is 1, when nothing else is named; `start` and `end` say nothing then."""


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that tell the form of the query, such as `how many` or `for each`."""

    kind: str
    span: Span
    argument: str = ""


Found = Mention | ValueMention | NumberMention | DateMention | Cue


def bits(masks: Iterable[int]) -> int:
    """All tokens of several masks.

    >>> bits([1, 4, 5])
    5
    """
    found = 0
    for mask in masks:
        found |= mask
    return found


def spans(found: Iterable[Found]) -> int:
    """The tokens of what was found in a question, as bits."""
    return bits(one.span.mask for one in found)


@dataclass(frozen=True, slots=True)
class SpokenPhrase:
    """A learned phrase in the question, with what it points to."""

    span: Span
    table: int
    column: int
    """Index of the column, or -1 when it means the table."""
    alias: Alias


@dataclass(frozen=True, slots=True)
class ToldEnd:
    """Words that tell which of several keys to the same rows is meant: `to` and `arrive`, of the stations of trains."""

    role: int
    """The table of those rows in their role."""
    holder: int
    """The table of the keys."""
    column: str
    """The key."""
    used: int
    """The tokens that tell it, as bits."""
    of: Span | None = None
    """The words of which it is told; None for `departing trains`."""
    wished: bool = False
    """True when the rows are meant without their role."""


@dataclass(frozen=True, slots=True)
class Links:
    """Everything that was found in one question."""

    question: str
    tokens: tuple[Token, ...]
    tables: tuple[Mention, ...]
    columns: tuple[Mention, ...]
    values: tuple[ValueMention, ...]
    numbers: tuple[NumberMention, ...]
    dates: tuple[DateMention, ...]
    cues: tuple[Cue, ...]
    regions: str
    """One letter for each token: S selected, F filter, G group, O order."""
    spoken: tuple[SpokenPhrase, ...] = ()
    """The learned phrases in it."""
    stated: tuple[tuple[int, ColumnRef], ...] = ()
    """The names of measures and conditions in it, and the words that were stated for columns: their tokens as bits, and what stands for them."""
    today: date | None = None
    """The day on which it is asked, where that is known."""
    ends: tuple[ToldEnd, ...] = ()
    """What is told of keys of which several lead to the same rows."""

    def cues_of(self, *kinds: str) -> tuple[Cue, ...]:
        """The cues of these kinds, in their order in the question."""
        return tuple(cue for cue in self.cues if cue.kind in kinds)

    def text(self, span: Span) -> str:
        """The words of a span as they stand in the question."""
        return self.question[self.tokens[span.start].start : self.tokens[span.end - 1].end]
