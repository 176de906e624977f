"""Times that are taken for those of something else."""

from itertools import pairwise

from oldhand.agent.analyst.candidates.events import event_before
from oldhand.agent.analyst.candidates.lateness import is_same_day
from oldhand.agent.analyst.candidates.measures import last_deed
from oldhand.agent.analyst.candidates.times import done_in, had_then
from oldhand.agent.analyst.constraints.hypothesis import Hypothesis
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import Span, bits, spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import word_stems
from oldhand.lexicon.wording import is_past_form
from oldhand.query.form import Comparison, Count, DatePart, Elapsed, Ratio
from oldhand.query.walk import attribute, function_of

_BACK, _DATED = words("time.back"), word_stems("names.times")
_OF_TWO = words("comparing.of_two_times")
_YEARS = range(1000, 2100)
_PLAIN = words("time.before") | words("places.prepositions")
_ANY_DEED = words("time.happening") | words("time.begins") | words("comparing.compared")
_PERIODS = words("time.units") | {"hours"}


def nothing_counted_back(one: Hypothesis) -> int:
    """`The last two years`, and `the last 12 months of 2025`: no date here is counted back from another day."""
    asked = one.asked
    mask = 0
    for number in asked.links.numbers:
        start, end = number.span.start - 1, number.span.end + 1
        if asked.word(start) in _BACK and asked.word(number.span.end) in _PERIODS:
            mask |= Span(start, end).mask
    for first, last in pairwise(asked.links.dates):
        nested = asked.words(first.span.end, last.span.start) in (["of"], ["in"], ["within"])
        if nested and not first.weekdays:
            mask |= first.span.mask | last.span.mask
    return mask


def both_days_compared(one: Hypothesis) -> int:
    """`On the day they were ordered` by a query that compares no two days."""
    if any(isinstance(c.left, Elapsed) for c in one.conditions):
        return 0
    last = range(len(one.asked.links.tokens))
    days = (place for place in last if one.asked.word(place + 1) == "day")
    return bits(2 << place for place in days if is_same_day(one.asked, place))


def no_day_of_lasting_things(one: Hypothesis) -> int:
    """`Salaries per year` by the year of hiring: what people are paid is no matter of that day."""
    asked, query = one.asked, one.query
    summed = [term for term in query.select if function_of(term) in ("sum", "avg")]
    measured = asked.owners(term for term in summed if not isinstance(term, Ratio))
    lasting = {t for t in measured if asked.column(asked.labels(t)[0]).name_like}
    parts = asked.entries(t for t in (*query.group, *query.select) if isinstance(t, DatePart))
    wrong = any(part.table in lasting and not one.names(part) for part in parts)
    twice = any(attribute(term) in query.group for term in summed)
    return one.cues("per", "group", "by") if wrong or twice else 0


def time_of_what_is_measured(one: Hypothesis) -> int:
    """`Total price by club in 2021` by the year in which clubs opened, where what has the price has a year of its own."""
    asked, dates = one.asked, one.asked.links.dates
    query = one.query
    narrowed = (c.left for c in query.having if isinstance(c, Comparison))
    terms = (*query.select, *(order.by for order in query.order), *narrowed) if dates else ()
    figures = asked.entries(t for t in terms if function_of(t) in ("sum", "avg"))
    measured = {entry.table for entry in figures} or {
        thing for date in dates for thing in had_then(asked, date.span)
    }
    chosen = one.draft.of("select")
    measured |= {c.table for c in chosen if c.terms == (Count(),) and c.table >= 0}
    measured &= one.tables
    days = [entry for entry in one.compared() if _is_time(entry)]
    own = (e for e in asked.vocabulary.columns if e.table in measured and _is_time(e))
    elsewhere = any(
        d.table not in measured and not (one.names(d) or _is_told(one, d)) for d in days
    )
    return spans(dates) if elsewhere and any(own) else 0


def _is_told(one: Hypothesis, day: ColumnEntry) -> bool:
    """True for the day of things that stand right before a time, or that were done at it: `visits of members who joined`, `films from 2023`, `books published in 2011`, `borrowed a book in 2025`."""
    asked = one.asked
    if any(day.table in done_in(asked, date.span.start) for date in asked.links.dates):
        return True
    ends = {
        m.span.end + is_past_form(asked.word(m.span.end))
        for m in asked.links.tables
        if m.best.id == day.table and not asked.cue_before(m.span.start, 1, "per", "group", "by")
    }
    return any({date.span.start, date.span.start - 1} & ends for date in one.asked.links.dates)


def time_of_the_deed(one: Hypothesis) -> int:
    """`Churches that opened before 1842` by the year of their weddings, where they have a day of opening."""
    asked, mask = one.asked, 0
    days = one.read
    times = [e for e in asked.vocabulary.columns if e.table in asked.named_tables and _is_time(e)]
    years = (n for n in asked.links.numbers if n.value in _YEARS)
    for date in (*asked.links.dates, *years):
        before = asked.links.tokens[max(date.span.start - 3, 0) : date.span.start]
        deeds = {token.stem for token in before if is_past_form(token.lower)}
        told = {entry.id for entry in times if deeds & entry.words}
        mask |= date.span.mask if told and not told & days else 0
    return mask


def day_of_another_deed(one: Hypothesis) -> int:
    """`Members who bought in 2024` by the day on which they joined: of what they did then nothing is known."""
    asked, links, mask = one.asked, one.asked.links, 0
    days = [entry for entry in one.compared() if _is_time(entry)]
    for date in links.dates:
        place = next((at for at in range(date.span.start - 1, -1, -1) if asked.word(at) not in _PLAIN), -1)  # fmt: skip
        deed = asked.word(place)
        if not is_past_form(deed) or deed in _ANY_DEED or done_in(asked, date.span.start):
            continue
        if spans((*links.tables, *links.columns, *links.values, *links.cues)) >> place & 1:
            continue
        told = {event.column for event in event_before(asked, date.span.start)}
        doers = {m.best.id for m in links.tables if m.span.end <= place}
        own = [day for day in days if day.table in doers and any(map(is_past_form, split_name(day.column.name)))]  # fmt: skip
        if own and told.isdisjoint(day.id for day in own):
            mask |= 1 << place
    return mask


def day_of_the_last_deed(one: Hypothesis) -> int:
    """`When was it last checked` by another day than that of the check."""
    asked, mask = one.asked, 0
    shown = {entry.id for entry in asked.entries(one.query.select)}
    for cue in asked.links.cues_of("superlative"):
        days = last_deed(asked, cue.span.start)
        mask |= cue.span.mask if days and not days & shown else 0
    return mask


def _is_time(entry: ColumnEntry) -> bool:
    """True for days and years, as numbers too; numbers of days are none."""
    named, said = bool(entry.words & _DATED), split_name(entry.column.name)
    return (
        entry.temporal
        or entry.holds_years
        or (named and (not entry.numeric or "year" in said or "date" in said))
    )


def one_day_in_two_times(one: Hypothesis) -> int:
    """`Came in 2024 but not in 2025` by the day of registration in 2024 and that of visits in 2025: one deed is spoken of."""
    asked = one.asked
    mask = 0
    for first, last in pairwise(asked.links.dates):
        between = asked.words(first.span.end, last.span.start)
        starts = {first.span.start, last.span.start}
        read = [
            c.condition.left for c in one.draft.of("where") if c.condition and c.position in starts
        ]
        days = {entry.id for entry in asked.entries(read)}
        if between and len(days) > 1 and _OF_TWO.issuperset(between):
            mask |= first.span.mask | last.span.mask
    return mask


def narrowed_by_the_day_of_groups(one: Hypothesis) -> int:
    """`Amounts per month in 2024` by the months of one day, where another day of the same rows narrows them."""
    parts = one.asked.entries(term for term in one.query.group if isinstance(term, DatePart))
    other = any(
        part.table == day.table and part.id != day.id and not (one.names(part) and one.names(day))
        for part in parts
        for day in one.compared("within")
    )
    return spans(one.asked.links.dates) if other else 0
