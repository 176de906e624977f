"""Spans of time that words tell of: their two ends, and the conditions made of them."""

from collections.abc import Iterator
from dataclasses import dataclass

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features
from oldhand.agent.analyst.candidates.events import life
from oldhand.agent.analyst.candidates.sketch import Condition, Term
from oldhand.lexicon.entries import words

TOLD: Features = (("duration.told", 1.0),)
"""What all that is told of spans counts."""
ITS = words("function_words.beside_events")
_NAMED = 0.4
"""How surely a table must be named for the lives of its rows to be meant."""


@dataclass(frozen=True, slots=True)
class Told:
    """Words that tell of a span of time."""

    since: int
    until: int
    used: int
    """Their tokens as bits."""
    place: int


def spanning(asked: Asked, told: Told, operator: str, *days: float) -> Iterator[Choice]:
    """The condition that a span compares in this way with so many days."""
    number = asked.vocabulary.spans[told.since, told.until, "days"]
    values = tuple(int(day) if day == int(day) else day for day in days)
    condition = Condition(Term(number), operator, values)
    bit = asked.table_bit(number)
    yield Choice("where", TOLD, told.used, bit, told.place, condition=condition)


def up_to(asked: Asked, until: int, used: int, place: int) -> Iterator[Told]:
    """From when a row began up to an event."""
    pair = life(asked, asked.column(until).table)
    if pair is not None and pair[0] != until:
        yield Told(pair[0], until, used, place)


def lives(asked: Asked, used: int, place: int, *, alone: bool) -> Iterator[Told]:
    """From the beginning of a row to its end: of what is named, of what belongs to it, or of all there is.

    Args:
        asked: the question.
        used: the tokens that ask for it.
        place: where they stand.
        alone: True when they do even where nothing with a beginning and an end is named.
    """
    surely = sorted(asked.named_tables.items(), key=lambda pair: -pair[1])
    named = [table for table, score in surely if score >= _NAMED]
    beside = [
        edge.left for table in named for edge in asked.vocabulary.joins.edges(table)
        if edge.right == table
    ]  # fmt: skip
    shown = list(asked.implied_tables)
    everything = [t.id for t in asked.vocabulary.tables if not t.role]
    for tables in (named, beside, shown, everything)[: 4 if alone else 2 if used else 1]:
        pairs = [pair for t in dict.fromkeys(tables) if (pair := life(asked, t)) is not None]
        if pairs:
            if len(pairs) == 1:
                yield Told(*pairs[0], used, place)
            return


def past(asked: Asked, end: int) -> int:
    """The place after the words `date` or `time` that belong to the name of an event."""
    while asked.word(end) in ("date", "day", "time"):
        end += 1
    return end
