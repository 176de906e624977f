"""Two things set against each other: `more customers in Rome or in Bonn`, `orders in 2024 compared to 2023`."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, select, slot
from oldhand.agent.analyst.candidates.comparing import adjective_in
from oldhand.agent.analyst.candidates.conditions import Condition
from oldhand.agent.analyst.candidates.measures import measured
from oldhand.agent.analyst.candidates.sales import selling
from oldhand.agent.analyst.candidates.worth import line_amounts, worth_words
from oldhand.agent.analyst.words.links import Cue, DateMention, Span, spans
from oldhand.lexicon.entries import words
from oldhand.query.form import Aggregate, Attribute, Comparison, Count, DatePart, Expression

_MORE = words("comparing.amounts")
_HIGHER = words("comparing.higher") | words("comparing.lower")
_CHANGED = words("verbs.changing")
_ASKING = words("verbs.do") | words("verbs.have")
_AGAINST = words("comparing.against")
_PAIR = range(2)
_SURE = 0.6
_QUARTER, _YEAR = 3, 12
"""In months."""
_COMPARED = words("comparing.compared")
_GLUE = words("function_words.between_compared")


@dataclass(frozen=True, slots=True)
class Rivals:
    """Two values of one column, or two times, and the tokens that name them and set them against each other."""

    term: Attribute
    """What the groups are told apart by."""
    condition: Condition
    used: int
    near: float


def versus_slots(asked: Asked) -> Iterator[Slot]:
    """A slot for the words that compare two things: the number for each of the two."""
    lead = compared_at(asked)
    if lead is not None:
        yield from slot(1 << lead, _numbers(asked, lead))


def _numbers(asked: Asked, lead: int) -> Iterator[Choice]:
    sums = [amount.sum for amount in line_amounts(asked.vocabulary)]
    for rivals in _rivals(asked):
        owner = asked.entry(rivals.term).table
        where = Choice("where", position=lead, condition=rivals.condition)
        group = Choice("group", (), 0, 0, lead, (rivals.term,), shown="first")
        kinds = _kinds(asked, rivals)
        for term, table, used, score in (*_counted(asked, lead), *kinds):
            features: Features = (
                ("versus.count", score),
                ("versus.near", rivals.near),
                ("versus.worth", float(term in sums)),
                ("versus.own", float(owner == table)),
            )
            mask, along = used | rivals.used | 1 << lead, (where, group)
            yield select(asked, lead, mask, features, term, table=table, along=along)


def _kinds(asked: Asked, rivals: Rivals) -> Iterator[tuple[Expression, int, int, float]]:
    """`More starters than desserts`: the things that are of these kinds, where nothing else is named."""
    said = [v.span for v in asked.links.values if v.span.mask & rivals.used == v.span.mask]
    several = all(asked.word(span.end - 1).endswith("s") for span in said)
    entry = asked.entry(rivals.term)
    if several and len(said) == len(_PAIR) and not (asked.links.tables or asked.is_label(entry)):
        yield Count(), entry.table, 0, 1.0


def compared_at(asked: Asked) -> int | None:
    """Where the word stands that compares two things; None when none does."""
    words = [token.lower for token in asked.links.tokens]
    times = len(asked.links.dates) == len(_PAIR)
    for one, two in pairwise(asked.links.values):
        if asked.words(one.span.end, two.span.start) == ["and"] and _is_mean_before(asked, one.span):  # fmt: skip
            return one.span.end
        if cue := _comparing(asked, one.span, two.span):
            return cue.span.start
    for place, word in enumerate(words):
        more = word in (_MORE | _HIGHER if times else _MORE)
        more = more and words[place + 1 : place + 2] != ["than"]
        before = words[:place] if words[0] in _ASKING else []  # `do clinics or schools have more`
        rest = {*before, *words[place + 1 :]}
        if (more and {"or", "than"} & rest) or word in _COMPARED or (times and word in _CHANGED):
            return place
    return None


def _comparing(asked: Asked, one: Span, two: Span) -> Cue | None:
    """The comparative that alone stands between two values: `are varifocals more expensive than single vision`."""
    cues = asked.links.cues_of(">", "<")
    return next((c for c in cues if (c.span.start, c.span.end) == (one.end, two.start)), None)


def _is_mean_before(asked: Asked, span: Span) -> bool:
    """True for `the average age of men and women`: who asks for a mean of two kinds wants one of each."""
    means = [cue for cue in asked.links.cues_of("avg") if cue.span.end <= span.start]
    return bool(means) and asked.word(span.start - 1) in ("of", "for", "between")


def _counted(asked: Asked, lead: int) -> Iterator[tuple[Expression, int, int, float]]:
    """What there is more of: rows of a table, or revenue; with the tokens that say so."""
    if measures := list(_told_by_adjective(asked, lead)):
        yield from measures
        return
    worths = [span.mask for span in worth_words(asked.links.tokens)]
    if not worths and not asked.links.tables and selling(asked):
        worths = [selling(asked)]
    amounts = line_amounts(asked.vocabulary)
    for mask in worths:
        for amount in amounts:
            yield amount.sum, amount.table, mask, 1.0
    added = list(added_up(asked)) if not (worths and amounts) else []
    yield from added
    counts = spans(asked.links.cues_of("count")[:1])
    if added and not counts and asked.links.cues_of("avg"):
        return  # `the average age of men and women` counts neither
    for mention in asked.links.tables:
        heading = asked.word(lead) in _CHANGED | _COMPARED and not added
        if counts or mention.span.start > lead or heading:
            for option in mention.options[:2]:
                yield Count(), option.id, mention.span.mask | counts, option.score
            return


def _told_by_adjective(asked: Asked, lead: int) -> Iterator[tuple[Expression, int, int, float]]:
    """`More expensive`, `heavier`: the average of what the adjective measures."""
    for cue in asked.links.cues_of(">", "<"):
        adjective = adjective_in(asked, cue) if cue.span.start == lead else ""
        used = cue.span.mask | spans(asked.links.cues_of("avg"))
        for option, _ in measured(asked, adjective, lead) if adjective else ():
            table = asked.column(option.id).table
            yield Aggregate("avg", asked.ref(option.id)), table, used, option.score


def added_up(asked: Asked) -> Iterator[tuple[Expression, int, int, float]]:
    """`The total amount`, `the average fee`: columns of numbers, each with its table, the tokens that name it, and how well they do."""
    for mention in asked.links.columns:
        if asked.is_thing(mention) or mention.best.score < _SURE:
            continue
        cues = [c for c in asked.links.cues_of("sum", "avg") if c.span.end <= mention.span.end]
        aggregate = cues[-1].kind if cues else "sum"
        used = mention.span.mask | spans(cues)
        for option in mention.options[:3]:
            entry = asked.column(option.id)
            if entry.measures:
                yield Aggregate(aggregate, entry.ref), entry.table, used, option.score


def period_of(date: DateMention) -> tuple[str, str] | None:
    """Which part of a date a time is, and how it is written; None for other stretches of time.

    >>> from datetime import date
    >>> period_of(DateMention(Span(0, 2), date(2025, 4, 1), date(2025, 7, 1), "Q2 2025"))
    ('quarter', '2025-Q2')
    """
    start = date.start
    if date.weekdays or (date.months and not date.year) or start.day != 1 or date.end.day != 1:
        return None
    months = (date.end.year - start.year) * 12 + date.end.month - start.month
    if months == _YEAR and start.month == 1:
        return "year", str(start.year)
    if months == _QUARTER and start.month % _QUARTER == 1:
        return "quarter", f"{start.year}-Q{start.month // _QUARTER + 1}"
    return ("month", f"{start:%Y-%m}") if months == 1 else None


def _rivals(asked: Asked) -> Iterator[Rivals]:
    values = asked.links.values
    for one, two in pairwise(values):
        used = _between(asked, one.span, two.span)
        if used is None:
            continue
        seconds = {option.column: option for option in two.options}
        for option in one.options:
            other = seconds.get(option.column)
            if other is not None and option.operator == other.operator == "=":
                term = asked.ref(option.column)
                condition = Comparison(term, "in", (*option.values, *other.values))
                near = asked.nearness(asked.column(option.column).table)
                yield Rivals(term, condition, used, near)
    dates = asked.links.dates
    for first, last in pairwise(dates):
        used = _between(asked, first.span, last.span)
        one, two = period_of(first), period_of(last)
        if used is None or one is None or two is None or one[0] != two[0]:
            continue
        if asked.word(first.span.start - 1) in ("between", "from"):
            used |= 1 << first.span.start - 1
        for number, entry in enumerate(asked.vocabulary.columns):
            near = 1.0 if entry.table in asked.dating else asked.nearness(entry.table)
            if entry.temporal and near > 0:
                term = DatePart(asked.ref(number), one[0])
                condition = Comparison(term, "in", (one[1], two[1]))
                yield Rivals(term, condition, used, near)


def _between(asked: Asked, one: Span, two: Span) -> int | None:
    """The tokens of two alternatives and of what links them; None when they are not set against each other."""
    if _comparing(asked, one, two):
        return Span(one.start, two.end).mask
    words = _besides(asked, one, two) or asked.words(one.end, two.start)
    if len(words) > 3 or not set(words) <= _AGAINST | _GLUE or not set(words) & _AGAINST:
        return None
    return Span(one.start, two.end).mask


def _besides(asked: Asked, one: Span, two: Span) -> list[str]:
    """What stands between two values besides what they have more of: the `than` of `does Rome have more customers than Bonn`."""
    things = [
        m.span for m in asked.links.tables if one.end < m.span.start and m.span.end < two.start
    ]
    start = things[0].start - 1 if things else -1
    asking = asked.word(one.start - 1) in _ASKING and asked.word(start) in _MORE
    return asked.words(things[0].end, two.start) if asking and start <= one.end + 1 else []
