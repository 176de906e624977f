"""Times of one row that are compared: `returned late`, `delivered after the promised date`, `on the same day`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, where
from oldhand.agent.analyst.candidates.events import (
    ITS,
    REACH,
    TOLD,
    EventColumn,
    TimeSpanWords,
    events_between,
    expected,
    life,
    spanning,
)
from oldhand.agent.analyst.candidates.states import counting
from oldhand.agent.analyst.words.links import Span
from oldhand.query.form import Comparison

_NAMED = 0.5
"""How well the things must be named whose end no word tells."""


def late(asked: Asked) -> Iterator[Choice]:
    """`Returned late`, `delivered after the promised date`: later than another time of the row."""
    for place in range(len(asked.links.tokens)):
        word = asked.word(place)
        if asked.word(place + 1) == "day" and is_same_day(asked, place):
            yield from _same_day(asked, place)
        after = word in ("after", "later", "past") or (word == "before" and place > 0)
        if after and not any(n.span.end in (place, place - 1) for n in asked.links.numbers):
            start = place + 1 + (asked.word(place + 1) == "than")
            yield from _ordered(asked, place, start)
        outstanding = list(_outstanding(asked, place)) if word == "overdue" else []
        yield from outstanding
        if word in ("late", "overdue", "past", "early") and not outstanding:
            yield from _against_expected(asked, place, "<" if word == "early" else ">")


def _ordered(asked: Asked, place: int, start: int) -> Iterator[Choice]:
    """`Returned after they were due`: one time of the row compared with another."""
    for second in events_between(asked, start, start + REACH):
        table = asked.column(second.column).table
        between = asked.words(start, second.place)
        if not all(word in ITS or word in ("date", "day") for word in between):
            continue
        for first in reversed(events_between(asked, place - 3, place)):
            if asked.column(first.column).table == table and first.column != second.column:
                end = second.place + 1
                while asked.word(end) in ("date", "day", "on", "time"):
                    end += 1
                told = TimeSpanWords(
                    second.column, first.column, Span(first.place, end).mask, place
                )
                operator = "<" if asked.word(place) == "before" else ">"
                yield from spanning(asked, told, operator, 0)
                break


def is_same_day(asked: Asked, place: int) -> bool:
    """True for `on the same day`, and for `on the day they were ordered`."""
    pronoun = asked.word(place + 2) in ("they", "it")
    return asked.word(place) == "same" or (asked.word(place) == "the" and pronoun)


def _same_day(asked: Asked, place: int) -> Iterator[Choice]:
    """`Shipped on the same day as they were ordered`."""
    for first in reversed(events_between(asked, place - REACH, place)):
        for second in events_between(asked, place + 2, place + 3 + REACH):
            number = asked.vocabulary.spans.get((second.column, first.column, "days"))
            if number is not None and not asked.column(number).exact:
                told = TimeSpanWords(second.column, first.column, Span(first.place, second.place + 1).mask, place)  # fmt: skip
                yield from spanning(asked, told, "=", 0)
                return


def _outstanding(asked: Asked, place: int) -> Iterator[Choice]:
    """`Overdue loans`: the day on which they were to end is past, and they did not."""
    ended = _ends_of_named(asked, place) if asked.links.today is not None else []
    for end in (asked.column(event.column) for event in ended):
        seen = end.column.profile
        if end.column.nullable and not (seen is not None and seen.never_missing):
            missing = Comparison(end.ref, "null")
            going_on = Choice("where", position=place, condition=missing)
            along = (going_on, *counting(asked, missing, place))
            for due in expected(asked, end.table)[:1]:
                past = Comparison(asked.ref(due), "<", (f"{asked.links.today}",))
                yield where(asked, place, 1 << place, TOLD, past, along)


def _ends_of_named(asked: Asked, place: int) -> list[EventColumn]:
    """When the things that are named ended, where no word tells it."""
    # `The overdue amount` is one of bills.
    spoken_of = {**asked.implied_tables, **asked.named_tables}
    lives = (life(asked, table) for table, sure in spoken_of.items() if sure >= _NAMED)
    return [EventColumn(pair[1], place) for pair in lives if pair is not None]


def _against_expected(asked: Asked, place: int, operator: str) -> Iterator[Choice]:
    """`Late deliveries`: what happened compared with when it was to happen."""
    back = asked.word(place - 1) == "back"  # `came back late`
    for event in events_between(asked, place - 2, place + 3) or (
        _ends_of_named(asked, place - back) if asked.word(place) != "overdue" else []
    ):
        table = asked.column(event.column).table
        begun, ended = life(asked, table) or (-1, event.column)
        happened = (
            ended if event.column == begun else event.column
        )  # `late orders` were placed in time
        for other in expected(asked, table)[:1]:
            if happened != other:
                used = Span(min(event.place, place), place + 1).mask if back else 1 << place
                used |= 1 << event.place if event.place < place else 0
                told = TimeSpanWords(other, happened, used, place)
                yield from spanning(asked, told, operator, 0)
