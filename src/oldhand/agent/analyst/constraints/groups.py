"""Groups that nobody asked for, or that are not made."""

from collections.abc import Sequence, Set

from oldhand.agent.analyst.candidates.days import part_at
from oldhand.agent.analyst.candidates.group_words import kind_of_groups
from oldhand.agent.analyst.candidates.measures import extreme_figures
from oldhand.agent.analyst.constraints.hypothesis import Hypothesis
from oldhand.agent.analyst.words.joins import JoinEdge
from oldhand.agent.analyst.words.links import spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import word_stems
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.form import DatePart
from oldhand.query.walk import function_of, is_measure
from oldhand.record.schema import DATES, Kind

_TIMES = word_stems("time.asked")
_OWN = words("function_words.determiners")
_INTO = words("places.prepositions")
_EVERY, _NEAR, _NAMED = ("every", "each"), 5, 0.9
"""How far the period of `in every one of the three years` stands, and how well the things must be named."""
_GROUPED = ("their", "its", "his", "her", "each", "same", "own")


def average_of_own_group(one: Hypothesis) -> int:
    """`More than the average of their department`: the average of all is another one."""
    if one.rests_on("average.own_group"):
        return 0
    asked, mask = one.asked, 0
    named = [m for m in (*asked.links.tables, *asked.links.columns) if m.best.score >= 0.5]
    for cue in asked.links.cues_of("than_average"):
        end = cue.span.end + 2
        of, own = asked.word(end - 2), asked.word(end - 1)
        if of in _INTO and own in _OWN and own in _GROUPED:
            mask |= spans(m for m in named if 0 <= m.span.start - end <= 1)
    return mask


def several_in_each_group(one: Hypothesis) -> int:
    """`Which city has the most customers per store`: each store has one city, so that none is the first of several."""
    select = one.query.select
    shown = one.asked.owners(term for term in select if not is_measure(term))
    each = one.asked.entries(one.query.each)
    keyed = {entry.table for entry in each if entry.column.primary_key}
    return one.cues("per", "group") if keyed and shown == keyed else 0


def figures_of_each(one: Hypothesis) -> int:
    """`How many projects did each person work on`: a figure of all is none of each."""
    query, used = one.query, one.draft.used
    if query.group or query.each or query.compound or not all(map(is_measure, query.select)):
        return 0
    return spans(cue for cue in one.asked.links.cues_of("group") if not cue.span.mask & used)


def figures_of_what_belongs_together(one: Hypothesis) -> int:
    """`Which treatment brought in the most money` by the invoices of those whose animals were treated: they tell of no treatment."""
    asked, query = one.asked, one.query
    output = (*query.select, *(order.by for order in query.order))
    summed = asked.owners(t for t in output if function_of(t) in ("sum", "avg"))
    others = asked.owners((*query.group, *(c.left for c in one.conditions))) - summed
    apart = any(not _never_turns_down(asked.edges(query.rows), start, others) for start in summed)
    said = one.cues("superlative", "sum", "avg", "how_much", "per", "group", "by")
    return (said or spans(asked.links.tables)) if apart else 0


def _never_turns_down(edges: Sequence[JoinEdge], start: int, goals: Set[int]) -> bool:
    """True when no way from a table to `goals` goes up to what rows belong to, and down again to others that belong to it."""
    found, ways = {start}, [(start, False, False)]
    while ways:
        table, up, down = ways.pop()
        if down and table in goals:
            return False
        for edge in edges:
            other = edge.other(table) if table in (edge.left, edge.right) else table
            if other not in found:
                rising = edge.left == table
                found.add(other)
                ways.append((other, up or rising, down or (up and not rising)))
    return True


def no_groups_of_moments(one: Hypothesis) -> int:
    """`Tickets that each agent has open`, for each moment at which one was opened, `how many cats died`, for each day: nobody asked for these."""
    terms = (term for term in one.query.group if not isinstance(term, DatePart))
    cued = one.cues("per", "group", "by", "superlative", "most_count", "most_common", "top")
    days = {Kind.DATETIME} if cued else DATES
    moments = any(e.column.kind in days for e in one.asked.entries(terms))
    output = (*one.query.select, *(order.by for order in one.query.order))
    counted = any(function_of(term) == "count" for term in output)
    said = _TIMES & {token.stem for token in one.asked.links.tokens}
    return one.cues("per", "group", "by", "count") if moments and counted and not said else 0


def figure_in_each_group(one: Hypothesis) -> int:
    """`What is the lowest fee in each month`: the figure is asked for, and not the parcels that have it."""
    each = [c for c in one.asked.links.cues_of("per", "group", "by") if kind_of_groups(one.asked, c) != "by"]  # fmt: skip
    told = any(function_of(term) in ("max", "min") for term in one.query.select)
    cut = bool(one.query.each) or one.query.limit is not None
    return spans(extreme_figures(one.asked)) if each and cut and not told else 0


def cut_in_each_group(one: Hypothesis) -> int:
    """`The top 3 products per category`: the cut is made in each group, not in all rows.

    `The most orders per customer` is one number, which the cut finds.
    """
    query, links = one.query, one.asked.links
    if query.limit is None or query.each or all(map(is_measure, query.select)):
        return 0
    cuts = links.cues_of("top", "superlative", "most_count", "most_common")
    first = min((cut.span.end for cut in cuts), default=len(links.tokens))
    return spans(cue for cue in links.cues_of("per", "group") if first <= cue.span.start)


def things_in_every_period(one: Hypothesis) -> int:
    """`Customers who ordered in every year from 2021 to 2024` by those who ordered in one: no figure is asked for, but things."""
    asked, links = one.asked, one.asked.links
    figures = ("count", "how_much", "share", "superlative", "most_count", "most_common", "top")
    if asked.word(0) == "how" or links.cues_of(*figures, *AGGREGATES, "beyond"):
        return 0
    things = [m.span.start for m in links.tables if m.best.score >= _NAMED]
    mask = 0
    for cue in links.cues_of("group"):
        last, verb = (
            asked.word(cue.span.end - 1),
            cue.span.start - min(things, default=cue.span.start),
        )
        parts = (part_at(asked, place) for place in range(cue.span.end, cue.span.end + _NEAR))
        inside = "in" in asked.words(cue.span.start - 1, cue.span.end)
        mask |= cue.span.mask if inside and last in _EVERY and verb > 2 and any(parts) else 0
    return mask
