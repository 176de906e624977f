"""Readings that pass over what the words say: another deed, another kind of thing, an exclusion that leaves nothing out."""

from collections.abc import Callable

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.conditions import is_plain, single
from oldhand.agent.analyst.candidates.events import named_at
from oldhand.agent.analyst.candidates.lateness import is_same_day
from oldhand.query.form import Comparison, Elapsed, Has, Query


def _other_kind(asked: Asked, query: Query) -> int:
    """`Which agent` by their tickets, where agents are a kind of employees: nothing is shown of them."""
    shown = asked.owners(query.select)
    for value in asked.links.values if asked.word(0) in ("which", "what") else ():
        told = {o.column for o in value.options} & {
            entry.id for entry in asked.entries(c.left for c in single(query.where))
        }
        owners = {asked.column(column).table for column in told}
        alone = value.span.start == 1 and not any(asked.tables_after(value.span.end, 0))
        if alone and owners and shown and not owners & shown:
            return value.span.mask
    return 0


def _last_deed(asked: Asked, query: Query) -> int:
    """`When did each member last borrow a book` by another day than that of the deed."""
    shown = {entry.id for entry in asked.entries(query.select)}
    for cue in asked.links.cues_of("superlative") if asked.word(0) == "when" else ():
        place = cue.span.end
        deed = asked.word(cue.span.start) in ("last", "first") and asked.word(place).isalpha()
        named = [m.span.start for m in asked.links.tables if m.best.score >= 0.9]
        thing = place in (*named, *(date.span.start for date in asked.links.dates))
        if deed and not thing and not shown & set(named_at(asked, place)):
            return cue.span.mask
    return 0


def _same_day(asked: Asked, query: Query) -> int:
    """`On the day they were ordered` by a query that compares no two days."""
    if any(isinstance(c.left, Elapsed) for c in single(query.where)):
        return 0
    days = (i for i in range(len(asked.links.tokens)) if asked.word(i + 1) == "day")
    return sum(2 << place for place in days if is_same_day(asked, place))


def _vain_exclusion(asked: Asked, query: Query) -> int:
    """`Sick leave but no vacation` of single rows: none that is the one is the other, so that nothing is left out."""
    both = [c for c in query.where if isinstance(c, Comparison | Has)]
    equal = [c.left for c in both if c.operator in ("=", "in")]
    vain = [c for c in both if c.operator in ("!=", "not in") and is_plain(c)]
    if not any(c.left in equal for c in vain):
        return 0
    return sum({cue.span.mask for cue in asked.links.cues_of("not")})


def _undone_deed(asked: Asked, query: Query) -> int:
    """`Never been borrowed`, of books, by loans that were never fined: it is the loans that there are none of."""
    excluded = [c.rows for c in single(query.where) if isinstance(c, Has) and c.none]
    mask = 0
    for cue in asked.links.cues_of("not") if excluded else ():
        place = cue.span.end + (asked.word(cue.span.end) == "been")
        if not asked.word(place).endswith("ed"):
            continue
        hits = asked.vocabulary.hits(asked.links.tokens[place].stem)
        deeds = {hit.table for hit in hits if hit.table >= 0 and hit.strength >= 0.6}
        without = {table for one in excluded for table in asked.inside(one.rows)}
        if deeds & set(asked.inside(query.rows)) and not deeds & without:
            mask |= cue.span.mask
    return mask


UNHEEDED: tuple[Callable[[Asked, Query], int], ...] = (
    _other_kind,
    _last_deed,
    _same_day,
    _vain_exclusion,
    _undone_deed,
)
"""The checks; each gives the tokens that a query passes over, as bits."""
