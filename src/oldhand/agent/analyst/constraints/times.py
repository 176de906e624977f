"""Times that are taken for those of something else."""

from itertools import pairwise

from oldhand.agent.analyst.candidates.events import named_at
from oldhand.agent.analyst.candidates.lateness import is_same_day
from oldhand.agent.analyst.candidates.worth import line_amounts
from oldhand.agent.analyst.constraints.hypothesis import Hypothesis
from oldhand.agent.analyst.words.links import Span, bits, spans
from oldhand.lexicon.entries import words
from oldhand.query.form import DatePart, Elapsed, Ratio
from oldhand.query.walk import attribute, function_of, is_measure

_BACK = words("time.back")
_PERIODS = words("time.units") | {"hours"}
_TAKING = words("verbs.taking")


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


def time_of_the_deed(one: Hypothesis) -> int:
    """`Pieces sold in 2025` by the day on which stock was counted: what is added up has a day of its own."""
    asked = one.asked
    deals = {amount.table: amount.deal for amount in line_amounts(asked.vocabulary)}
    summed = asked.owners(term for term in one.output if is_measure(term)) & set(deals)
    if not summed:
        return 0
    dated = {deals[table] for table in summed} | (summed & {e.table for e in asked.times})
    times = one.compared("within", "not within")
    wrong = any(entry.table not in dated and not one.names(entry) for entry in times)
    return spans(asked.links.dates) if wrong else 0


def time_named_before_the_date(one: Hypothesis) -> int:
    """`Certifications expired before 2009` by the day on which they were made."""
    asked, used = one.asked, one.compared()
    tables = {entry.table for entry in used if entry.temporal}
    mask = 0
    for date in asked.links.dates:
        for mention in asked.columns_before(date.span.start, 1):
            entry = asked.column(mention.best.id)
            named = entry.temporal and mention.best.score >= 0.9
            mask |= date.span.mask if named and entry.table in tables and entry not in used else 0
    return mask


def day_of_the_deed_shown(one: Hypothesis) -> int:
    """`When did each member last borrow a book` by another day than that of the deed."""
    asked = one.asked
    shown = {entry.id for entry in asked.entries(one.query.select)}
    things = {m.span.start for m in asked.links.tables if m.best.score >= 0.9}
    things |= {date.span.start for date in asked.links.dates}
    for cue in asked.links.cues_of("superlative") if asked.word(0) == "when" else ():
        place = cue.span.end
        deed = asked.word(cue.span.start) in ("last", "first") and asked.word(place).isalpha()
        if deed and place not in things and not shown & set(named_at(asked, place)):
            return cue.span.mask
    return 0


def both_days_compared(one: Hypothesis) -> int:
    """`On the day they were ordered` by a query that compares no two days."""
    if any(isinstance(c.left, Elapsed) for c in one.conditions):
        return 0
    last = range(len(one.asked.links.tokens))
    days = (place for place in last if one.asked.word(place + 1) == "day")
    return bits(2 << place for place in days if is_same_day(one.asked, place))


def durations_by_durations(one: Hypothesis) -> int:
    """`Tickets that took the longest to close`: the day on which they were closed is no duration."""
    said = {token.lower for token in one.asked.links.tokens}
    days = any(entry.temporal for entry in one.sorted_by)
    return one.cues("superlative") if days and _TAKING & said else 0


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
