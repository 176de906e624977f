"""How long something takes: `days between order and delivery`, `returned more than 5 days after it was borrowed`.

The span of time between two columns of a row is a column of its own, which is averaged, compared and
sorted by as others are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import reduce

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, select, slot
from oldhand.agent.analyst.candidates.comparing import comparison_at
from oldhand.agent.analyst.candidates.events import (
    ITS,
    REACH,
    TOLD,
    TimeSpanWords,
    begun_at,
    events_between,
    expected,
    lives,
    past,
    spanning,
    up_to,
)
from oldhand.agent.analyst.candidates.lateness import late
from oldhand.agent.analyst.candidates.superlative import sorted_by
from oldhand.agent.analyst.candidates.superlatives import superlative_at
from oldhand.agent.analyst.words.links import Cue, Mention, NumberMention, Span, spans
from oldhand.lexicon.entries import words
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.form import Aggregate, Comparison
from oldhand.query.units import Unit, units
from oldhand.record.base import Cell
from oldhand.record.schema import Column

_DAY = 86_400
_EXAMPLES = 2
"""How many rows must show how long something lasts."""
_ONE_DAY, _SHORT = timedelta(days=1), timedelta(hours=2)
_MEANT = {"minute": "minute", "hour": "hour", "day": "day", "night": "day", "week": "week"}
_UNITS = {form: unit for word, unit in _MEANT.items() for form in (word, word + "s")}
_TIMES = words("time.durations")
_LEADING = words("time.after_durations")
_TAKING = words("verbs.lasting")
_GOING_BY = (["go", "by"], ["goes", "by"], ["went", "by"])
_LONGER = words("sorting.of_duration")
_QUICK, _PRESENT = words("sorting.quick"), words("states.present")
_TO_BE_DONE = words("states.to_be_done")


def duration_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each span of time that is compared, or that is asked for."""
    for make in (late, _compared, _asked) if asked.vocabulary.spans else ():
        choices = list(make(asked))
        shared = reduce(int.__and__, (choice.used for choice in choices), -1)
        yield from slot(shared or choices[0].used, choices)


def _compared(asked: Asked) -> Iterator[Choice]:
    """`More than 5 days after it was ordered`, `within 2 weeks of opening`, `lasted longer than 3 hours`."""
    for number in asked.links.numbers:
        compared = comparison_at(asked, number)
        if compared.unit is None or compared.unit.kind != "time":
            continue
        operator, used = compared.operator, compared.used
        start = compared.start
        if operator == "=" and asked.word(number.span.start - 1) in ("within", "in"):
            operator, used, start = "<=", used | 1 << number.span.start - 1, number.span.start - 1
        days = compared.scaled(Unit("time", _DAY, "days")).values
        for told in _bounds(asked, number, start):
            yield from spanning(asked, replace(told, used=told.used | used), operator, *days)


def _bounds(asked: Asked, number: NumberMention, start: int) -> Iterator[TimeSpanWords]:
    """The span that a number of days is said of: `lasted more than 3 days`, `a turnaround of more than 3 days`."""
    place = number.said.end
    lead = asked.word(place)
    if lead in ("after", "before", "of", "from", "since", "following", "later", "late"):
        yield from _beside(asked, place, start, lead)
        return
    if asked.word(start) == "within" or asked.word(start - 1) == "within":
        for event in list(reversed(events_between(asked, start - REACH, start)))[:1]:
            yield from up_to(asked, event.column, 1 << event.place, start)
        return
    said = (i for i in range(start - 1, start - 4, -1) if asked.word(i) in _TAKING | _TIMES)
    verb = next((i for i in said if asked.word(i) in _TAKING or not _is_counted(asked, i)), -1)
    longer = {"longer", "shorter"} & set(asked.words(start, number.span.start))
    if verb < 0 and not longer and lead != "long":
        return
    used = (1 << verb if verb >= 0 else 0) | (1 << place if lead == "long" else 0)
    until = [e for e in events_between(asked, place, place + REACH) if lead == "to"]
    if until:
        mask = used | Span(place, until[0].place + 1).mask
        yield from up_to(asked, until[0].column, mask, start)
    else:
        yield from lives(asked, used, start, alone=False, unit=number.unit)


def _beside(asked: Asked, place: int, start: int, lead: str) -> Iterator[TimeSpanWords]:
    """`Delivered … days after they were ordered`: the one event before the number, the other after it."""
    firsts = list(reversed(events_between(asked, start - REACH, start)))
    for first in firsts:
        table = asked.column(first.column).table
        if lead == "late":
            for due in expected(asked, table)[:1]:
                yield TimeSpanWords(due, first.column, Span(first.place, place + 1).mask, start)
            continue
        for there in range(place + 1, place + 2 + REACH):
            between = asked.words(place + 1, there)
            named = [e.column for e in events_between(asked, there, there + 1)]
            begun = begun_at(asked, there, table)
            named += [begun] if begun is not None else []
            second = next((c for c in named if asked.column(c).table == table and c != first.column), None)  # fmt: skip
            if second is None or not all(w in ITS or w == "than" for w in between):
                continue
            ends = (first.column, second) if lead == "before" else (second, first.column)
            yield TimeSpanWords(*ends, Span(first.place, past(asked, there + 1)).mask, start)
            return


def _asked(asked: Asked) -> Iterator[Choice]:
    """`How long does delivery take`, `days between order and delivery`, `the longest stay`."""
    for place, unit, head in _heads(asked):
        things = list(asked.tables_after(place, 0)) if not head else []
        for told in _spans_at(asked, place, head, unit):
            if things and asked.column(told.until).table != things[0].best.id:
                continue  # `the shortest appointments` of a vet are none of what vets stay
            counted = unit or _usual_unit(asked, told)
            number = asked.vocabulary.spans.get((told.since, told.until, counted))
            if number is None:
                continue
            yield from _measured(asked, told, number, head)
        return


def _heads(asked: Asked) -> Iterator[tuple[int, str, int]]:
    """Where words ask for a time, in which unit, if they say so, and the tokens that do."""
    for place in range(len(asked.links.tokens)):
        word, following = asked.word(place), asked.word(place + 1)
        if word == "how" and following == "long":
            yield place + 2, "", 3 << place
        elif following in _UNITS and word == "many" and asked.word(place - 1) == "how":
            yield place + 2, _UNITS[following] + "s", 7 << place - 1
        elif word == "how" and following == "much" and asked.word(place + 2) == "time":
            yield place + 3, "", 7 << place
        elif word in _TIMES and not _is_counted(asked, place):
            number = asked.words(place - 2, place) == ["number", "of"]
            start = place - 2 * number
            unit = f"{_UNITS[word]}s" if word in _UNITS else ""
            yield place + 1, unit, Span(start, place + 1).mask
    for cue in asked.links.cues_of("superlative"):
        if cue.argument.removeprefix("-") in _LONGER - {"most", "few"}:
            yield cue.span.end, "", 0


def _usual_unit(asked: Asked, told: TimeSpanWords) -> str:
    """The unit in which people tell such a span: hours or minutes where the first and the last of both ends are of the same days."""
    both = [_known_times(asked.column(column).column) for column in (told.since, told.until)]
    try:
        ends = [[datetime.fromisoformat(f"{time}") for time in times] for times in both]
        lasting = [until - since for since, until in zip(*ends, strict=True)]
    except (ValueError, TypeError):  # no times that Python reads, or only some with a zone
        return "days"
    if len(lasting) < _EXAMPLES or not all(timedelta() < each < _ONE_DAY for each in lasting):
        return "days"
    return "minutes" if max(lasting) < _SHORT else "hours"


def _known_times(column: Column) -> Sequence[Cell]:
    """The first and the last time of a column, or examples where it was not measured.

    Samples of two columns are of the same rows only where none is left out as a repetition.
    """
    seen = column.profile
    return column.samples if seen is None or seen.low is None else (seen.low, seen.high)


def _is_counted(asked: Asked, place: int) -> bool:
    """True for the days of `5 days` and of `in days`, and for a word that names a column or a date."""
    if any(n.span.end == place for n in asked.links.numbers) or asked.word(place - 1) == "in":
        return True
    root = asked.links.tokens[place].stem
    own = (m for m in asked.links.columns if root in asked.column(m.best.id).forms[0])
    held = [m for m in own if asked.column(m.best.id).measures]  # `duration_minutes`
    columns = (m for m in asked.links.columns if m.best.score >= 0.9 or _is_lasting(asked, m))
    return bool(spans((*columns, *held, *asked.links.dates)) >> place & 1)


def _is_lasting(asked: Asked, mention: Mention) -> bool:
    """True for `lead time`, where a column holds how long that is in numbers."""
    numeric = asked.column(mention.best.id).numeric
    return numeric and mention.best.score >= 0.6 and mention.span.end > mention.span.start + 1


def _spans_at(asked: Asked, place: int, head: int, unit: str) -> list[TimeSpanWords]:
    """The spans that the words after a place name: by both ends, by the last one, or as a whole."""
    both = list(_two_ends(asked, place, head))
    if found := both or list(_last_ends(asked, place, head)):
        return found
    taking = head | _taking(asked, place, len(asked.links.tokens))
    present = asked.marked(_PRESENT) & ~_abroad(asked)
    alone = bool(taking | present)
    return list(lives(asked, taking, place, alone=alone, unit=units().get(unit)))


def _last_ends(asked: Asked, place: int, head: int) -> Iterator[TimeSpanWords]:
    """`Until it was returned`, `delivery time`: the end alone is named."""
    for there in range(place, len(asked.links.tokens)):
        if asked.word(there) in _LEADING:
            for event in events_between(asked, there + 1, there + 1 + REACH):
                mask = head | Span(there, event.place + 1).mask | _taking(asked, place, there)
                yield from up_to(asked, event.column, mask, place)
    before = place - 1 - (1 if head else 2)
    for event in events_between(asked, before, before + 1) if head else ():
        yield from up_to(asked, event.column, head | 1 << event.place, place)


def _two_ends(asked: Asked, place: int, head: int) -> Iterator[TimeSpanWords]:
    """`Between order and delivery`, `from shipping to delivery`, with the verbs before: `how many days pass between`."""
    for there in range(max(place - 1, 0), len(asked.links.tokens)):
        links = {"between": ("and",), "from": ("to", "until", "till")}.get(asked.word(there))
        for middle in range(there + 1, there + 2 + REACH) if links else ():
            if asked.word(middle) not in (links or ()):
                continue
            for first in events_between(asked, there + 1, middle):
                table = asked.column(first.column).table
                for second in events_between(asked, middle + 1, middle + 2 + REACH):
                    if asked.column(second.column).table == table and first.column != second.column:
                        used = Span(there, past(asked, second.place + 1)).mask
                        used |= head | _taking(asked, place, there)
                        yield TimeSpanWords(first.column, second.column, used, place)
                        return


def _taking(asked: Asked, start: int, end: int) -> int:
    used = asked.marked(_TAKING, start, end)
    used |= sum(3 << i for i in range(start, end) if asked.words(i, i + 2) in _GOING_BY)
    in_unit = next((i for i in range(len(asked.links.tokens)) if asked.word(i) == "in" and asked.word(i + 1) in _UNITS), -1)  # fmt: skip
    return used | (3 << in_unit if in_unit >= 0 else 0)


def _measured(asked: Asked, told: TimeSpanWords, number: int, head: int) -> Iterator[Choice]:
    """The span itself, its average or extreme, or the rows sorted by it."""
    for cue in asked.links.cues_of("superlative"):
        if cue.argument.removeprefix("-") in _LONGER:
            yield _extreme(asked, told, number, cue)
            return
    if not head:
        return
    used, aggregate = told.used, "avg" if _asks_generally(asked) else ""
    for cue in asked.links.cues_of(*AGGREGATES)[:1]:
        aggregate = cue.kind
        used |= cue.span.mask | asked.marked(("on",), cue.span.start - 1, cue.span.start)
    if aggregate and asked.word(0) == "how":
        used |= _owners(asked, told)
    span = asked.ref(number)
    shown = Aggregate(aggregate, span) if aggregate else span
    yield select(asked, told.place, used, TOLD, shown)


def _owners(asked: Asked, told: TimeSpanWords) -> int:
    """The tokens of who and what has to do with it: `how long do members keep a book`."""
    table = asked.column(told.until).table
    owners = asked.vocabulary.joins.held(table)
    edge = min((c.span.start for c in asked.links.cues_of("per", "group")), default=len(asked.links.tokens))  # fmt: skip
    return spans(m for m in asked.links.tables if m.best.id in owners and m.span.start < edge)


def _asks_generally(asked: Asked) -> bool:
    """True for `How long does it take to deliver a parcel`: as a rule, of all of them."""
    do = asked.word(2) in ("do", "does") or asked.word(3) in ("do", "does")
    return do and asked.word(0) == "how" and not asked.links.cues_of("per", "group")


def _extreme(asked: Asked, told: TimeSpanWords, number: int, cue: Cue) -> Choice:
    """`Which order took the longest`, `what is the longest stay`."""
    found, span = superlative_at(asked, cue), asked.ref(number)
    taking = asked.marked(_TAKING, cue.span.start - 2, cue.span.start)  # `took the longest`
    told = replace(told, used=told.used | taking)
    quick = found.adjective in _QUICK or (found.adjective == "most" and found.down)
    found = replace(found, down=quick)
    for mean in asked.links.cues_of("avg", "median")[:1]:
        used = told.used | mean.span.mask
        return sorted_by(asked, found, Aggregate(mean.kind, span), TOLD, used)
    value = asked.word(0) in ("what", "how") and asked.word(1) in ("is", "was", "long", "s")
    narrowed = "F" in asked.links.regions[: cue.span.start]
    things = any(m.span.end <= cue.span.start for m in asked.links.tables)
    if (value or not asked.links.tables) and not narrowed and not things:
        extreme = Aggregate("min" if quick else "max", span)
        return select(asked, told.place, told.used | cue.span.mask, TOLD, extreme)
    end = asked.column(told.until)
    there = asked.marked(_PRESENT) & ~_abroad(asked)
    open_still = asked.marked(_TO_BE_DONE)
    if (there or open_still) and end.column.nullable and not quick:
        present = Choice("where", condition=Comparison(end.ref, "null"), position=told.place)
        first = replace(found, down=True)
        since = sorted_by(asked, first, asked.ref(told.since), TOLD, told.used | there)
        return replace(since, along=(present, *_whoever(asked, end.table)))
    known = Choice("where", condition=Comparison(span, "not null"), position=told.place)
    return replace(sorted_by(asked, found, span, TOLD, told.used), along=(known,))


def _whoever(asked: Asked, table: int) -> Iterator[Choice]:
    """The names of those who are asked for by `who` alone: nothing else names them."""
    if asked.word(0) == "who" and not asked.links.tables:
        told: Features = (("thing.who", 1.0), ("thing.person", 1.0))
        yield select(asked, 0, 1, told, *asked.names(table), table=table)


def _abroad(asked: Asked) -> int:
    """The tokens of the `US` of `in the US`: a country, and nobody who is with us."""
    tokens = asked.links.tokens
    return sum(
        1 << place
        for place, token in enumerate(tokens)
        if token.text == "US" or asked.word(place - 1) == "the"
    )
