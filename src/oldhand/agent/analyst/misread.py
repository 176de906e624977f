"""Readings that use every word and still answer another question: the words that they take wrongly."""

from collections.abc import Callable
from itertools import pairwise

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.ladders import untold
from oldhand.agent.analyst.candidates.rates import rate_at
from oldhand.agent.analyst.candidates.sketch import ROWS, Condition, Sketch, Term
from oldhand.agent.analyst.candidates.worth import line_amounts
from oldhand.agent.analyst.linking.links import Mention
from oldhand.agent.analyst.linking.unknown import is_general, newcomers
from oldhand.agent.analyst.unheeded import UNHEEDED
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import stem

_RATES = words("asking.rates")
_NEGATED = frozenset({"not within", "not between"})
_MEASURED = frozenset({"sum", "avg"})


def misread(asked: Asked, sketch: Sketch, *, told: bool = False) -> int:
    """The tokens that a query takes for something else than they say, as bits.

    Args:
        asked: the question.
        sketch: the query.
        told: True when it follows the words that tell who stands above whom.
    """
    mask = _nested_times(asked)
    mask |= 0 if told else _parts_of_names(asked) | _heads(asked) | untold(asked)
    for check in (*_CHECKS, *UNHEEDED):
        mask |= check(asked, sketch)
    return mask


def _nested_times(asked: Asked) -> int:
    """`The last 12 months of 2025`: the one time counts within the other, not back from today."""
    mask = 0
    for first, last in pairwise(asked.links.dates):
        nested = asked.words(first.span.end, last.span.start) in (["of"], ["in"], ["within"])
        if nested and not first.weekdays:
            mask |= first.span.mask | last.span.mask
    return mask


def _times_of_others(asked: Asked, sketch: Sketch) -> int:
    """`Pieces sold in 2025` by the day on which stock was counted: what is added up has a day of its own."""
    dated = _own_times(asked, sketch)
    wrong = [
        c
        for c in sketch.where
        if c.operator in ("within", "not within")
        and dated
        and asked.column(c.term.column).table not in dated
        and not _is_named(asked, c.term.column)
    ]
    return sum(date.span.mask for date in asked.links.dates) if wrong else 0


def _own_times(asked: Asked, sketch: Sketch) -> set[int]:
    """The tables that say when what is added up took place."""
    deals = {amount.table: amount.deal for amount in line_amounts(asked.vocabulary)}
    summed = {
        asked.column(term.column).table
        for term in (*sketch.select, *(o.term for o in sketch.order))
        if term.aggregate and term.column != ROWS
    }
    return {deals[table] for table in summed if table in deals} | {
        table for table in summed if table in deals and _is_dated(asked, table)
    }


def _is_dated(asked: Asked, table: int) -> bool:
    return any(asked.column(c).temporal for c in asked.vocabulary.tables[table].columns)


def _negated_times(asked: Asked, sketch: Sketch) -> int:
    """`Customers who ordered in 2024 but not in 2025`: each order is of one day, the customers are the ones meant."""
    negated = [c for c in sketch.where if c.operator in _NEGATED]
    if not any(_is_vain(asked, sketch, condition) for condition in negated):
        return 0
    return sum({cue.span.mask for cue in asked.links.cues_of("not")})


def _is_vain(asked: Asked, sketch: Sketch, negated: Condition) -> bool:
    """True for a negation of rows that leaves in what is shown, by another of its rows."""
    times = [c for c in sketch.where if asked.column(c.term.column).temporal]
    shown = {asked.column(t.column).table for t in sketch.select if t.column != ROWS}
    owner = asked.column(negated.term.column).table
    many = any(e.left == owner and e.right in shown for e in sketch.tree.edges)
    return many or len(times) > 1


def _extreme_of_part(asked: Asked, sketch: Sketch) -> int:
    """`The highest order` by the price of one of its lines, by its shipping, or by the size of a store: it is worth all its lines."""
    plain = [o.term.column for o in sketch.order if not o.term.aggregate]
    unnamed = [c for c in plain if c != ROWS and not _is_named(asked, c)]
    mask = 0
    for cue in asked.links.cues_of("superlative") if sketch.limit is not None else ():
        things = next(asked.tables_after(cue.span.end, 0), None)
        if things is None or things.best.score < 0.8:
            continue
        parts = {e.left for e in sketch.tree.edges if e.right == things.best.id}
        deals = {amount.deal for amount in line_amounts(asked.vocabulary)} & {things.best.id}
        for entry in map(asked.column, unnamed):
            elsewhere = entry.table != things.best.id and deals
            if entry.table in parts or (entry.numeric and (entry.table in deals or elsewhere)):
                mask |= cue.span.mask
    return mask


def _extreme_in_role(asked: Asked, sketch: Sketch) -> int:
    """`The manager of the highest paid`: the highest paid may have none, and the next one would be taken."""
    if sketch.limit is None or not any(not o.term.aggregate for o in sketch.order):
        return 0
    tables = asked.vocabulary.tables
    shown = {asked.column(t.column).table for t in sketch.select if t.column != ROWS}
    sorted_by = {asked.column(o.term.column).table for o in sketch.order if o.term.column != ROWS}
    across = any(
        {e.left, e.right} & shown and tables[e.right].role and e.left in sorted_by | shown
        for e in sketch.tree.edges
    )
    if not across or shown == sorted_by:
        return 0
    return sum({cue.span.mask for cue in asked.links.cues_of("superlative", "most_count")})


def _rates(asked: Asked, sketch: Sketch) -> int:
    """`Rate` is a ratio, unless a column that is read bears the very word."""
    if any(term.aggregate == "share" for term in sketch.select) and rate_at(asked) is not None:
        return 0
    columns = [*sketch.select, *(o.term for o in sketch.order), *(c.term for c in sketch.where)]
    named = {w for t in columns for c in t.columns for form in asked.column(c).forms for w in form}
    if stem("rate") in named:
        return 0
    return sum(1 << i for i in range(len(asked.links.tokens)) if asked.word(i) in _RATES)


def _top_of_each(asked: Asked, sketch: Sketch) -> int:
    """`The top 3 products per category`: the cut is made in each group, not in all rows.

    `The most orders per customer` is one number, which the cut finds.
    """
    if sketch.limit is None or sketch.each or all(term.aggregate for term in sketch.select):
        return 0
    cuts = asked.links.cues_of("top", "superlative", "most_count", "most_common")
    first = min((cut.span.end for cut in cuts), default=len(asked.links.tokens))
    groups = asked.links.cues_of("per", "group")
    return sum({cue.span.mask for cue in groups if first <= cue.span.start})


def _per_time_of_things(asked: Asked, sketch: Sketch) -> int:
    """`Salaries per year` by the year of hiring: what people are paid is no matter of that day."""
    measured = {
        asked.column(t.column).table
        for t in sketch.select
        if t.aggregate in _MEASURED and t.column != ROWS and not t.each
    }
    parts = [t for t in (*sketch.group, *sketch.select) if t.part]
    wrong = any(_is_thing(asked, t, measured) and not _is_named(asked, t.column) for t in parts)
    twice = {t.column for t in sketch.select if t.aggregate in _MEASURED} & {
        t.column for t in sketch.group if not t.part
    }
    if not wrong and not twice:
        return 0
    return sum({cue.span.mask for cue in asked.links.cues_of("per", "group", "by")})


def _is_thing(asked: Asked, time: Term, measured: set[int]) -> bool:
    """True for a day of something that has a name: it began on that day, and went on."""
    table = asked.column(time.column).table
    return table in measured and asked.column(asked.labels(table)[0]).name_like


def _parts_of_names(asked: Asked) -> int:
    """`Head` in `the head office`: part of a name that nothing knows, and nobody's role."""
    mask = 0
    for mention in asked.links.tables:
        following = mention.span.end
        if asked.vocabulary.tables[mention.best.id].role and _is_unread(asked, mention):
            mask |= mention.span.mask | 1 << following
    return mask


def _heads(asked: Asked) -> int:
    """`The head of sales`: who leads a department is told by a title, not by who manages its people."""
    return sum(
        mention.span.mask
        for mention in asked.links.tables
        if asked.vocabulary.tables[mention.best.id].role
        and asked.word(mention.span.start) in ("head", "chief")
        and any(v.span.start == mention.span.end + 1 for v in asked.links.values)
    )


def _is_unread(asked: Asked, mention: Mention) -> bool:
    """True when the word after a role is one that nothing surely names."""
    place = mention.span.end
    if place >= len(asked.links.tokens) or is_general(asked.links.tokens[place]):
        return False
    links = asked.links
    sure = [m.span for m in (*links.tables, *links.columns) if m.best.score >= 0.65]
    sure += [m.span for m in (*links.values, *links.numbers, *links.dates, *links.cues)]
    return not any(span.start <= place < span.end for span in sure)


def _extreme_row(asked: Asked, sketch: Sketch) -> int:
    """`Which topic has the worst satisfaction` by a single row: each topic has many."""
    if sketch.limit is None or sketch.group or len(sketch.select) != 1:
        return 0
    shown = sketch.select[0].column
    if shown == ROWS or not asked.is_attribute(shown):
        return 0
    if asked.named_tables and not _ends_with_extreme(asked):
        return 0
    if not any(_is_rated(asked, o.term) for o in sketch.order):
        return 0
    return sum({cue.span.mask for cue in asked.links.cues_of("superlative")})


def _ends_with_extreme(asked: Asked) -> bool:
    """True for `which reason is the most expensive`, which speaks of the reason, not of one of its rows."""
    return any(
        asked.word(cue.span.end) in ("", "?", ".") and asked.word(0) in ("which", "what")
        for cue in asked.links.cues_of("superlative")
    )


def _is_rated(asked: Asked, term: Term) -> bool:
    return not term.aggregate and asked.column(term.column).numeric


def began(asked: Asked, sketch: Sketch) -> int:
    """The tokens of `new` in `new customers each year`, where they are counted by their own first day."""
    mask = newcomers(asked.links)
    times = [t.column for t in sketch.group if t.part]
    times += [c.term.column for c in sketch.where if c.operator == "within"]
    owners = [asked.column(column).table for column in times]
    named = {
        m.best.id for m in asked.links.tables if m.span.start and mask >> (m.span.start - 1) & 1
    }
    return mask if owners and set(owners) == named and not _has_other_times(asked, times) else 0


def _has_other_times(asked: Asked, times: list[int]) -> bool:
    """True for things with several days: which of them is the first is not known."""
    return any(
        asked.column(other).temporal and other != time
        for time in times
        for other in asked.vocabulary.tables[asked.column(time).table].columns
    )


def _is_named(asked: Asked, column: int) -> bool:
    """True when words of the question name a column."""
    return any(
        option.id == column and option.score >= 0.5
        for m in asked.links.columns
        for option in m.options
    )


def _extreme_of_sum(asked: Asked, sketch: Sketch) -> int:
    """`The highest amount of an order`: the sum of all of them is none."""
    amounts = {amount.term.columns for amount in line_amounts(asked.vocabulary)}
    summed = [t for t in sketch.select if t.aggregate == "sum" and t.columns in amounts]
    if not summed or sketch.order or sketch.having or sketch.each:
        return 0
    kinds = ("superlative", "most_count", "max", "min")
    return sum({cue.span.mask for kind in kinds for cue in asked.links.cues_of(kind)})


_CHECKS: tuple[Callable[[Asked, Sketch], int], ...] = (
    _times_of_others,
    _negated_times,
    _extreme_of_part,
    _extreme_of_sum,
    _extreme_in_role,
    _rates,
    _top_of_each,
    _per_time_of_things,
    _extreme_row,
)
