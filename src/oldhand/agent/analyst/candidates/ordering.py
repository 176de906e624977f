"""Sorting: `sorted by name`, `in descending order of age`, `ordered by the number of sales`."""

from collections.abc import Iterator
from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, skip
from oldhand.agent.analyst.candidates.measures import measured
from oldhand.agent.analyst.candidates.select import aggregates_before
from oldhand.agent.analyst.words.links import Cue, Mention, Span, spans
from oldhand.lexicon.wordlists import adjective_of
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.form import Aggregate, Count, Expression

_OWN = 0.9
"""How surely the things must be named that an adjective sorts."""


def order_slots(asked: Asked) -> Iterator[Slot]:
    """`sorted by …`: the first order cue that names something, with its direction."""
    cues = asked.links.cues_of("order")
    if not cues:
        return
    start, last = cues[0].span.start, len(asked.links.tokens)
    stops = (i for i in range(start, last) if asked.word(i) in ("?", ";") or (asked.word(i) == "." and i > start))  # fmt: skip
    end = next(stops, last)
    ways = asked.links.cues_of("desc", "asc")
    ways = tuple(cue for cue in ways if start - 8 <= cue.span.start < end + 8)
    asked_for = spans((*asked.links.tables, *asked.links.columns)) if start == 0 else 0
    used = (
        spans((*cues, *ways)) & ~asked_for | 1 << start
    )  # `sort the customers by name` shows them
    descending = any(cue.kind == "desc" for cue in ways)
    choices = [
        *_orders(asked, cues[0].span, end),
        Choice("order", (("order.first_selected", 1.0),)),
    ]
    measured_by = list(_by_adjective(asked, cues[0]))
    sorting = (
        replace(choice, used=used | choice.used, position=start, descending=descending)
        for choice in choices
    )
    sorting = (*measured_by, *sorting)
    yield Slot(used, (*sorting, skip("order")))


def _by_adjective(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`Most expensive first`, `oldest first`: by what the adjective measures, the end first that it names."""
    computed = asked.links.cues_of("count", "how_much", "share", *AGGREGATES)
    said = asked.words(cue.span.start, cue.span.end) if not computed else []
    adjectives = (
        [adjective_of(word) or word for word in said[:-1]] if said[-1:] == ["first"] else []
    )
    for option, upwards in (one for word in adjectives[-1:] for one in measured(asked, word)):
        if option.nearness < _OWN:
            continue
        features: Features = (("order.score", option.score), ("sel.near", option.nearness))
        chosen = _order(asked, cue.span.mask, features, asked.ref(option.id))
        yield replace(chosen, position=cue.span.start, descending=upwards)


def _order(
    asked: Asked, used: int, features: Features, *terms: Expression, table: int = -1
) -> Choice:
    bit = asked.bits(*terms) | (1 << table if table >= 0 else 0)
    return Choice("order", features, used, bit, terms=terms, table=table)


def _orders(asked: Asked, said: Span, end: int) -> Iterator[Choice]:
    """By what is named behind the words that ask for an order, up to `end`, else among them: `sort the names in that order`."""
    start = said.start
    yield from _by_counts(asked, start, end)
    named = [m for m in asked.columns_after(start, end - start) if m.best.score >= 0.4]
    behind = [m for m in named if m.span.start >= said.end]
    mentions = behind or [m for m in named if m.span.start] or list(_named_by(asked, start))
    if not mentions:
        yield from _by_labels(asked, start, end)
        return
    first, *further = mentions
    cues = [c.kind for c in aggregates_before(asked, first.span.start) if c.kind in AGGREGATES]
    for option in first.options[:3]:
        features: Features = (("order.score", option.score), ("sel.near", option.nearness))
        mask, column = first.span.mask, asked.ref(option.id)
        yield _order(asked, mask, features, column)
        for kind in cues[:1]:
            extra: Features = (*features, ("order.aggregate", 1.0))
            yield _order(asked, mask, extra, Aggregate(kind, column))
        for second in further[:1]:
            extra = (*features, ("order.second", second.best.score))
            both = mask | second.span.mask
            yield _order(asked, both, extra, column, asked.ref(second.best.id))


def _named_by(asked: Asked, start: int) -> Iterator[Mention]:
    """`by price in descending order`: the column stands before."""
    for cue in asked.links.cues_of("by"):
        if cue.span.end < start:
            yield from list(asked.columns_after(cue.span.end, 2))[:1]


def _by_counts(asked: Asked, start: int, end: int) -> Iterator[Choice]:
    """`sorted by the number of orders`."""
    for cue in asked.links.cues_of("count"):
        things = asked.tables_after(cue.span.end, 3) if start <= cue.span.start < end else ()
        for mention in list(things)[:1]:
            mask = cue.span.mask | mention.span.mask
            for option in mention.options[:2]:
                features: Features = (("order.count", option.score),)
                yield _order(asked, mask, features, Count(), table=option.id)


def _by_labels(asked: Asked, start: int, end: int) -> Iterator[Choice]:
    """`sorted by customer`: by the customer's name."""
    for mention in list(asked.tables_after(start, end - start))[:1]:
        features: Features = (("order.thing", mention.best.score),)
        for label in asked.labels(mention.best.id)[:2]:
            yield _order(asked, mention.span.mask, features, asked.ref(label))
