"""Revenue: what sold lines are worth is added up, or things are sorted by it."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, select, skip, slot
from oldhand.agent.analyst.candidates.superlative import Superlative, sorted_by
from oldhand.agent.analyst.candidates.worth import (
    REVENUE,
    SPENT,
    LineAmount,
    line_amounts,
    worth_words,
)
from oldhand.agent.analyst.words.links import Span


def amount_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each word that speaks of revenue: the sum, for all rows or for each group."""
    for span in worth_spans(asked):
        used = span.mask | summing(asked, span)
        choices = (
            select(asked, span.start, used, _features(asked, amount, span), amount.sum, table=amount.table)
            for amount in line_amounts(asked.vocabulary)
            if may_be_worth(asked, amount, span)
        )  # fmt: skip
        if not is_ranking(asked, span):
            yield from slot(span.mask, choices, skip("amount"))


def worth_spans(asked: Asked) -> Iterator[Span]:
    """Words that speak of revenue; the `sales department` is a value of its column and no revenue."""
    for span in worth_words(asked.links.tokens):
        beside = [option.id for m in asked.columns_after(span.end, 0) for option in m.options]
        values = [value for value in asked.links.values if value.span.overlaps(span)]
        if not any(option.column in beside for value in values for option in value.options):
            yield span


def may_be_worth(asked: Asked, amount: LineAmount, span: Span) -> bool:
    """False for `the value of the stock`: what is spoken of is none of what the lines belong to."""
    if asked.word(span.end) != "of" or asked.word(span.start) in REVENUE:
        return True
    named = next(asked.tables_after(span.end, 4), None)
    held = asked.vocabulary.joins.held(amount.table)
    return named is not None and named.best.id in {amount.table, amount.deal, *held}


def by_amount(asked: Asked, found: Superlative) -> Iterator[Choice]:
    """`top 5 customers by revenue`, `the most revenue`: sorted by the sum of what the lines are worth."""
    for span in worth_spans(asked):
        if not is_ranking(asked, span):
            continue
        by = asked.cue_before(span.start, 2, "by")
        used = span.mask | summing(asked, span) | (by.span.mask if by else 0)
        for amount in line_amounts(asked.vocabulary):
            features = (*found.features, *_features(asked, amount, span), ("amount.sorted", 1.0))
            yield sorted_by(asked, found, amount.sum, features, used, amount.table)


def _features(asked: Asked, amount: LineAmount, span: Span) -> Features:
    return (
        ("amount.product", 1.0),
        ("amount.near", asked.nearness(amount.table)),
        ("amount.named", _named(asked, span)),
    )


def _named(asked: Asked, span: Span) -> float:
    """How surely a column bears the very word, so that nothing need be multiplied."""
    best = [m.best.score for m in asked.links.columns if m.span.overlaps(span)]
    return max(best, default=0.0)


def summing(asked: Asked, span: Span) -> int:
    """The tokens of `total` right before an amount, and of `how much` somewhere before it."""
    cue = asked.cue_before(span.start, 1, "sum")
    mask = cue.span.mask if cue is not None else 0
    asking = asked.links.cues_of("how_much")
    return mask | (asking[0].span.mask if asking and asking[0].span.start < span.start else 0)


def is_ranking(asked: Asked, span: Span) -> bool:
    """True where a superlative sorts by the amount: `top 5 by revenue`, `the most revenue`, `spent the most`."""
    by = asked.cue_before(span.start, 2, "by")
    if by is not None and asked.links.cues_of("superlative", "top"):
        return True
    spent = asked.word(span.start) in SPENT
    after = spent and asked.cue_after(span.end, 2, "superlative") is not None
    return after or asked.cue_before(span.start, 3, "superlative", "top") is not None
