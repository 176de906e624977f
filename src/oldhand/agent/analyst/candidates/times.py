"""Times: `in March 2024`, `since 2020`, `between May and July`, with the columns that may hold them."""

from collections.abc import Iterable, Iterator, Mapping, Sized
from datetime import date
from itertools import zip_longest

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, skip, where
from oldhand.agent.analyst.candidates.comparing import comparing_cue
from oldhand.agent.analyst.candidates.conditions import Condition
from oldhand.agent.analyst.candidates.days import of_its_table, tables_of_amounts
from oldhand.agent.analyst.candidates.events import REACH, births, event_before, may_be_meant
from oldhand.agent.analyst.candidates.filters import filter_features
from oldhand.agent.analyst.candidates.sales import done_at
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import DateMention, Span, bits, spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS
from oldhand.lexicon.wording import is_past_form
from oldhand.query.form import Comparison, DatePart
from oldhand.record.schema import Kind

_DID = words("verbs.do")
_OF_TWO = words("comparing.of_two_times")
_BOUNDS = (">", ">=", "<", "<=")
_DONE = 0.6
"""How well a verb must name the table of what was done."""
_ONE, _LEADING = words("function_words.one"), words("places.prepositions")


def date_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each time, with the columns that may hold it."""
    dates = asked.links.dates
    for one, later in zip_longest(dates, dates[1:]):
        yield _one_date(asked, one, later)


def _one_date(asked: Asked, mention: DateMention, later: DateMention | None) -> Slot:
    span = mention.span
    cue = comparing_cue(asked, span.start)
    if after := asked.cue_after(span.end, 0, "or_more", "or_less"):
        # What is older began earlier.
        turned = asked.word(after.span.end - 1) in ("older", "younger")
        more = (after.kind == "or_more") is not turned
        operator = ">=" if more else "<="
        return _date_slot(asked, mention, operator, span.mask | after.span.mask, None)
    word = asked.word(cue.span.start) if cue else ""
    if mention.end == date.max:  # `and none since`
        return _date_slot(asked, mention, ">=", span.mask, None)
    if word == "from" and asked.word(span.end) == "on":
        return _date_slot(asked, mention, ">=", Span(span.start, span.end + 1).mask, None)
    both = cue is not None and (cue.kind == "between" or word == "from")
    if cue and later and both and later.span.start <= span.end + 2:
        whole = DateMention(span, mention.start, later.end, mention.text)
        years = (mention.year, later.year) if mention.year and later.year else None
        used = span.mask | later.span.mask | cue.span.mask
        return _date_slot(asked, whole, "between", used, years)
    if cue and cue.kind in (">", ">=", "<", "<=") and word != "from":
        told = {"since": ">=", "starting": ">=", "older": "<", "younger": ">"}
        operator = told.get(word, cue.kind)
        return _date_slot(asked, mention, operator, span.mask | cue.span.mask, None)
    return _date_slot(asked, mention, "=", span.mask, None)


def _date_slot(
    asked: Asked, mention: DateMention, operator: str, used: int, years: tuple[int, int] | None
) -> Slot:
    choices: list[tuple[float, Choice]] = []
    span = mention.span
    told = _told(asked, span)
    events = {event.column: 1 << event.place for event in event_before(asked, told.start)}
    places = range(max(told.start - REACH, 0), told.start)
    born = {column for place in places for column in births(asked, place)}
    done = done_in(asked, told.start, events)
    nearest = max((asked.nearness(one.table) for one in asked.times), default=0.0)
    meant = {asked.column(one.best.id).table: one.best.score for one in asked.links.columns}
    own = asked.dating | tables_of_amounts(asked, told.start)
    for number, entry in enumerate(asked.vocabulary.columns):
        kind = _kind(entry, mention)
        features, named = filter_features(asked, span.start, span.end, number)
        condition = _date_condition(entry, mention, operator, years) if kind else None
        happened = events.get(number, 0)
        if condition is None or not (named or happened or _is_near(asked, entry)):
            continue
        if (born and number not in born) or not may_be_meant(asked, entry):
            continue
        # The year of a book is not meant where loans are spoken of, which have days of their own.
        farther = entry.table not in own and 2 * asked.nearness(entry.table) < nearest
        if not named and (entry.table not in done if done else farther):
            continue
        named |= happened
        features = (*features, (kind, 1.0), *_of_table(asked, entry, told))
        features = (*features, ("date.of_event", float(bool(happened))))
        choice = where(asked, span.start, used | named, features, condition)
        # The day of what is asked for, too, however many tables have one.
        rank = _rank(dict(features), entry) + 0.5 * meant.get(
            entry.table, asked.nearness(entry.table)
        )
        choices.append((rank, choice))
    choices.sort(key=lambda pair: -pair[0])
    return Slot(span.mask, (*(choice for _, choice in choices[:5]), skip("date")))


def done_in(asked: Asked, start: int, events: Iterable[int] = ()) -> set[int]:
    """The tables that hold what was done at a time: performances for `bands that played in 2025`, who were founded long before."""
    place = _deed_before(asked, start)
    if not is_past_form(asked.word(place)):
        return set()
    told = {asked.column(column).table for column in events}
    done = told | {option.id for option, _ in done_at(asked, place)}
    done |= {m.best.id for m in asked.tables_after(place, 0) if m.best.score >= _DONE}
    return done if any(c.temporal and c.table in done for c in asked.vocabulary.columns) else set()


def _deed_before(asked: Asked, end: int) -> int:
    """Where the word stands of which a time is told: `borrowed` of `borrowed more than 2 books from Leeds in 2025`; -1 where there is none."""
    links = asked.links
    passed = spans((*links.tables, *links.values, *links.numbers, *links.cues_of(*_BOUNDS)))  # fmt: skip
    passed &= ~bits(1 << at for at in range(end) if is_past_form(asked.word(at)))
    places = (at for at in range(end - 1, -1, -1) if not passed >> at & 1)
    return next((at for at in places if asked.word(at) not in STOP_WORDS), -1)


def _told(asked: Asked, span: Span) -> Span:
    """Where it is said of what a time is: for the second time of `in 2024 but not in 2025` where it is said of the first."""
    for before in reversed([one.span for one in asked.links.dates if one.span.end < span.start]):
        if _OF_TWO.issuperset(asked.words(before.end, span.start)):
            span = before
    return span


def _kind(entry: ColumnEntry, mention: DateMention) -> str:
    """How a column may hold a time; empty when it can't."""
    words = set(entry.forms[0]) | set(entry.forms[-1])
    if entry.temporal:
        return "date.temporal"
    if "year" in words:
        return "date.year"
    if words & {"date", "time", "month", "day"}:
        return "date.dated"
    years = entry.numeric and mention.year and not entry.key_like and entry.holds_years
    return "date.number" if years else ""


def _is_near(asked: Asked, entry: ColumnEntry) -> bool:
    near = asked.nearness(entry.table) > 0 or entry.table in asked.dating
    return near or not asked.named_tables


def _of_table(asked: Asked, entry: ColumnEntry, span: Span) -> Features:
    """How much the tables that are named speak for the one that a time is about."""
    beside = any(
        o.id == entry.table and o.score >= 0.6 and 0 <= span.start - m.span.end <= 2
        for m in asked.links.tables
        for o in m.options
    )
    return (
        ("date.table_beside", float(beside)),
        ("date.table_named", float(asked.named_tables.get(entry.table, 0.0) >= 0.9)),
        ("date.of_deal", float(entry.table in asked.dating)),
        *of_its_table(asked, entry),
        (
            "date.of_counted",
            float(_is_counted(asked, entry, span) or entry.table in had_then(asked, span)),
        ),
    )


def _is_counted(asked: Asked, entry: ColumnEntry, span: Span) -> bool:
    """True for the day of an order in `orders per customer in 2025`, `how many orders did they place in 2025`, `total price per customer in 2025`: not that of the customer."""
    grouped = asked.links.cues_of("per", "group")
    if entry.temporal and entry.table in tables_of_amounts(asked, span.start):
        return True
    first = asked.links.tables[:1]
    did = [one for one in first if asked.word(one.span.end) in _DID]
    heading = any(one.span.start == 0 for one in first)
    counted = (did or grouped) and asked.links.cues_of("count")
    counted = counted or (grouped and heading)
    return bool(counted) and entry.temporal and asked.is_subject(entry.table)


def had_then(asked: Asked, span: Span) -> Iterator[int]:
    """The thing that somebody had or did at a time: the visits of `had a visit in Rome in 2025`, but not those of `by visitors in 2025`."""
    flags = (m for m in asked.links.columns if asked.column(m.best.id).is_flag)
    often = (*asked.links.numbers, *asked.links.cues_of(*_BOUNDS))  # more than once
    told = spans((*asked.links.values, *flags, *often)) | asked.marked(STOP_WORDS)
    before = [m for m in asked.links.tables if m.span.end <= span.start]
    for mention in before[-1:] if len(before) > 1 else ():
        start = mention.span.start
        start -= asked.word(start - 1) in _ONE
        near = all(told >> place & 1 for place in range(mention.span.end, span.start))
        grouped = asked.cue_before(mention.span.start, 1, "per", "group", "by")
        if (
            near
            and grouped is None
            and (asked.word(start - 1) == "with" or asked.word(start - 1) not in _LEADING)
        ):
            yield mention.best.id


def _rank(good: Mapping[str, float], entry: ColumnEntry) -> float:
    named = good.get("where.named", 0.0) + good["where.table"]
    table = good["date.table_beside"] + good["date.of_deal"] + 2 * good["date.of_event"]
    return (
        named
        + table
        + 0.5 * good["date.own_name"]
        + ("date.number" not in good)
        + 0.3 * entry.temporal
    )


def _date_condition(
    entry: ColumnEntry, mention: DateMention, operator: str, years: tuple[int, int] | None
) -> Condition | None:
    column = entry.ref
    if mention.weekdays:
        return _weekday_condition(entry, mention, operator)
    if entry.numeric:
        return _year_condition(entry, mention, operator, years)
    if not (entry.temporal or _iso(entry)):
        pattern = str(mention.year) if mention.year else mention.text
        return Comparison(column, "like", (f"%{pattern}%",)) if operator == "=" else None
    if mention.months and operator in ("=", ">="):
        last = 12 if operator == ">=" else mention.months[-1]
        months = tuple(f"{month:02d}" for month in range(mention.months[0], last + 1))
        return Comparison(DatePart(column, "month of the year"), _any_of(months), months)
    start, end = mention.start.isoformat(), mention.end.isoformat()
    if operator in ("=", "between"):
        return Comparison(column, "within", (start, end))
    operator, edge = {">": (">=", end), ">=": (">=", start), "<": ("<", start), "<=": ("<", end)}[operator]  # fmt: skip
    return Comparison(column, operator, (edge,))


def _weekday_condition(entry: ColumnEntry, mention: DateMention, operator: str) -> Condition | None:
    if not entry.temporal or entry.column.kind is Kind.TIME or operator != "=":
        return None
    day = DatePart(entry.ref, "day of the week")
    return Comparison(day, _any_of(mention.weekdays), mention.weekdays)


def _any_of(values: Sized) -> str:
    return "=" if len(values) == 1 else "in"


def _year_condition(
    entry: ColumnEntry, mention: DateMention, operator: str, years: tuple[int, int] | None
) -> Condition | None:
    """A column that holds years, or months, as numbers."""
    if operator == "between":
        return Comparison(entry.ref, "between", years) if years else None
    if mention.year is not None:
        return Comparison(entry.ref, operator, (mention.year,))
    if mention.months and "month" in entry.forms[0]:
        return Comparison(entry.ref, _any_of(mention.months), mention.months)
    return None


def _iso(entry: ColumnEntry) -> bool:
    samples = entry.column.samples
    return any(isinstance(s, str) and s[:4].isdigit() and s[4:5] == "-" for s in samples)
