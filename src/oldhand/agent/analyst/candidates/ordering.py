"""Sorting: `sorted by name`, `in descending order of age`, `ordered by the number of sales`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, skip
from oldhand.agent.analyst.candidates.select import aggregates_before
from oldhand.agent.analyst.words.links import Mention
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.form import Aggregate, Count


def order_slots(asked: Asked) -> list[Slot]:
    """`sorted by …`: the first order cue that names something, with its direction."""
    cues = asked.links.cues_of("order")
    if not cues:
        return []
    start = cues[0].span.start
    end = next(
        (i for i in range(start, len(asked.links.tokens)) if asked.word(i) in ("?", ";") or (asked.word(i) == "." and i > start)),
        len(asked.links.tokens),
    )  # fmt: skip
    used = sum({1 << i for cue in cues for i in range(cue.span.start, cue.span.end)})
    descending = False
    for cue in asked.links.cues_of("desc", "asc"):
        if start - 8 <= cue.span.start < end + 8:
            used |= cue.span.mask
            descending = descending or cue.kind == "desc"
    choices = list(_orders(asked, (start, end), used, descending))
    first = Choice(
        "order", (("order.first_selected", 1.0),), used, 0, start, (), descending=descending
    )
    return [Slot(used, (*choices, first, skip("order")))]


def _orders(asked: Asked, where: tuple[int, int], used: int, descending: bool) -> Iterator[Choice]:
    start, end = where
    yield from _by_counts(asked, where, used, descending)
    mentions = [m for m in asked.columns_after(start, end - start) if m.best.score >= 0.4]
    if not mentions:
        mentions = list(_named_by(asked, start))
    if not mentions:
        yield from _by_labels(asked, where, used, descending)
        return
    second = mentions[1] if mentions[1:] else None
    cues = [c.kind for c in aggregates_before(asked, mentions[0].span.start)]
    for option in mentions[0].options[:3]:
        features: Features = (("order.score", option.score), ("sel.near", option.nearness))
        bit = asked.table_bit(option.id)
        mask = used | mentions[0].span.mask
        one = (asked.ref(option.id),)
        yield Choice("order", features, mask, bit, start, one, descending=descending)
        for aggregate in [kind for kind in cues if kind in AGGREGATES][:1]:
            extra: Features = (*features, ("order.aggregate", 1.0))
            of = (Aggregate(aggregate, asked.ref(option.id)),)
            yield Choice("order", extra, mask, bit, start, of, descending=descending)
        if second is not None:
            extra = (*features, ("order.second", second.best.score))
            two = (*one, asked.ref(second.best.id))
            mask |= second.span.mask
            bit |= asked.table_bit(second.best.id)
            yield Choice("order", extra, mask, bit, start, two, descending=descending)


def _named_by(asked: Asked, start: int) -> Iterator[Mention]:
    """`by price in descending order`: the column stands before."""
    for cue in asked.links.cues_of("by"):
        if cue.span.end < start:
            yield from list(asked.columns_after(cue.span.end, 2))[:1]


def _by_counts(
    asked: Asked, where: tuple[int, int], used: int, descending: bool
) -> Iterator[Choice]:
    """`sorted by the number of orders`."""
    start, end = where
    for cue in asked.links.cues_of("count"):
        if not start <= cue.span.start < end:
            continue
        for mention in list(asked.tables_after(cue.span.end, 3))[:1]:
            mask = used | cue.span.mask | mention.span.mask
            for option in mention.options[:2]:
                features: Features = (("order.count", option.score),)
                term = (Count(),)
                bit = 1 << option.id
                yield Choice(
                    "order",
                    features,
                    mask,
                    bit,
                    start,
                    term,
                    descending=descending,
                    table=option.id,
                )


def _by_labels(
    asked: Asked, where: tuple[int, int], used: int, descending: bool
) -> Iterator[Choice]:
    """`sorted by customer`: by the customer's name."""
    start, end = where
    for mention in list(asked.tables_after(start, end - start))[:1]:
        features: Features = (("order.thing", mention.best.score),)
        mask = used | mention.span.mask
        bit = 1 << mention.best.id
        for label in asked.labels(mention.best.id)[:2]:
            yield Choice(
                "order", features, mask, bit, start, (asked.ref(label),), descending=descending
            )
