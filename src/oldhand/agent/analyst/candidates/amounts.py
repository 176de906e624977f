"""Revenue and other totals: what sold lines are worth is added up, sorted by, and compared as in `spent more than 500 in total`."""

from collections.abc import Iterator, Sequence

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import (
    Choice,
    Features,
    Slot,
    having,
    select,
    skip,
    slot,
)
from oldhand.agent.analyst.candidates.comparing import Compared
from oldhand.agent.analyst.candidates.counting import said_apart
from oldhand.agent.analyst.candidates.sales import done_at, selling
from oldhand.agent.analyst.candidates.superlative import Superlative, sorted_by
from oldhand.agent.analyst.candidates.worth import (
    REVENUE,
    SPENT,
    LineAmount,
    amounts_meant,
    worth_words,
)
from oldhand.agent.analyst.words.fitting import WHOLE
from oldhand.agent.analyst.words.links import Cue, Span, bits, spans
from oldhand.agent.analyst.words.money import money_verbs
from oldhand.lexicon.tokens import STOP_WORDS, word_stems
from oldhand.query.form import Aggregate, Count, Expression

_NEAR = 5
"""Words between a number and what it is a total of, at most."""
_MONEY = word_stems("money.prices")


def amount_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for the words that speak of revenue: the sum, for all rows or for each group."""
    said = [span for span in _worth_spans(asked) if not _is_ranking(asked, span)]
    used = bits(span.mask | _summing(asked, span) for span in said)
    for span in said[:1]:
        choices = (
            select(asked, span.start, used, _features(asked, amount, span), amount.sum, table=amount.table)
            for amount in amounts_meant(asked.vocabulary, asked.links, span)
            if _may_be_worth(asked, amount, span)
        )  # fmt: skip
        yield from slot(_asking(asked, span, used) or span.mask, choices, skip("amount"))


def _asking(asked: Asked, span: Span, used: int) -> int:
    """The tokens beside a verb that ask for the amount: the verb itself may also tell when it was paid."""
    if span.start not in money_verbs([token.lower for token in asked.links.tokens]):
        return 0
    what = next((cue.span.mask for cue in asked.links.cues_of("what") if cue.span.start == 0), 0)
    return (used & ~span.mask) or what


def _worth_spans(asked: Asked) -> Iterator[Span]:
    """Words that speak of revenue; neither the `sales department`, which is a value of its column, nor the `status of sales`, which are rows."""
    for span in worth_words(asked.links.tokens):
        beside = [option.id for m in asked.columns_after(span.end, 0) for option in m.options]
        values = [value for value in asked.links.values if value.span.overlaps(span)]
        is_value = any(option.column in beside for value in values for option in value.options)
        if not is_value and not _owns(asked, span):
            yield span


def _owns(asked: Asked, span: Span) -> bool:
    """True for the rows of which a column is named right before: `the average weight of all sales`."""
    tables = {m.best.id for m in asked.links.tables if m.span == span and m.best.score >= WHOLE}
    of = next((m for m in asked.links.columns if _leads(asked.words(m.span.end, span.start))), None)
    return of is not None and any(asked.column(one.id).table in tables for one in of.options)


def _leads(said: Sequence[str]) -> bool:
    """True for `of the`, and other words that lead from a column to its rows."""
    return said[:1] == ["of"] and STOP_WORDS.issuperset(said)


def _may_be_worth(asked: Asked, amount: LineAmount, span: Span) -> bool:
    """False for `the value of the stock`: what is spoken of is none of what the lines belong to."""
    if asked.word(span.end) != "of" or asked.word(span.start) in REVENUE:
        return True
    named = next(asked.tables_after(span.end, 4), None)
    held = asked.vocabulary.joins.held(amount.table)
    return named is not None and named.best.id in {amount.table, amount.deal, *held}


def ranked_takings(asked: Asked) -> tuple[int, frozenset[Expression]]:
    """The tokens of money that things are ranked by, and the columns that hold it: these are added up first."""
    said = [span for span in _worth_spans(asked) if _is_ranking(asked, span)]
    meant = (amounts_meant(asked.vocabulary, asked.links, span) for span in said)
    held = frozenset(amount.worth for amounts in meant for amount in amounts)
    return bits(span.mask for span in said), held


def by_amount(asked: Asked, found: Superlative) -> Iterator[Choice]:
    """`top 5 customers by revenue`, `the most revenue`: sorted by the sum of what the lines are worth."""
    said = [span for span in _worth_spans(asked) if _is_ranking(asked, span)]
    used = bits(span.mask | _summing(asked, span) for span in said)
    for span in said[:1]:
        by = asked.cue_before(span.start, 2, "by")
        used |= by.span.mask if by else 0
        for amount in amounts_meant(asked.vocabulary, asked.links, span):
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


def _summing(asked: Asked, span: Span) -> int:
    """The tokens of `total` right before an amount, and of `how much` somewhere before it."""
    cue = asked.cue_before(span.start, 1, "sum")
    mask = cue.span.mask if cue is not None else 0
    asking = asked.links.cues_of("how_much")
    mask |= spans(cue for cue in said_apart(asked, "sum") if cue.span.start >= span.end)
    return mask | (asking[0].span.mask if asking and asking[0].span.start < span.start else 0)


def _is_ranking(asked: Asked, span: Span) -> bool:
    """True where a superlative sorts by the amount: `top 5 by revenue`, `the most revenue`, `spent the most`."""
    by = asked.cue_before(span.start, 2, "by")
    if by is not None and asked.links.cues_of("superlative", "top"):
        return True
    verb = asked.word(span.start) not in REVENUE
    after = verb and asked.cue_after(span.end, 2, "superlative") is not None
    return after or asked.cue_before(span.start, 3, "superlative", "top") is not None


def with_totals(asked: Asked, span: Span, comparison: Compared) -> Iterator[Choice]:
    """The totals that a number may be compared with.

    Args:
        asked: the question.
        span: the number.
        comparison: the words that compare it.
    """
    money = comparison.unit is None or comparison.unit.kind == "money"
    if comparison.operator != "=" and money:
        yield from _of_worth(asked, span, comparison)
    if comparison.operator != "=":
        yield from _of_columns(asked, span, comparison)
    yield from _of_pieces(asked, span, comparison)
    if asked.word(span.end) in ("time", "times"):
        yield from _of_deeds(asked, span, comparison)


def _of_worth(asked: Asked, span: Span, comparison: Compared) -> Iterator[Choice]:
    """`Spent more than 500`, `revenue above 1000`: what the lines of each are worth."""
    for worth in _worth_spans(asked):
        if _distance(worth, span, comparison) > _NEAR or _is_ranking(asked, worth):
            continue
        used = comparison.used | worth.mask | _summing(asked, worth) | _totalling(asked, span)
        for amount in amounts_meant(asked.vocabulary, asked.links, worth):
            if _may_be_worth(asked, amount, worth):
                features: Features = (
                    ("total.worth", 1.0),
                    ("amount.near", asked.nearness(amount.table)),
                )
                condition = comparison.of(amount.sum)
                yield having(asked, comparison.start, used, features, condition, amount.deal)


def _of_columns(asked: Asked, span: Span, comparison: Compared) -> Iterator[Choice]:
    """`Paid more than 500 in total`: a column that is named, added up; else the money of what is named."""
    used = _totalling(asked, span) | asked.marked(SPENT, comparison.start - 1, comparison.start)
    if not used:
        return
    named = False
    for mention in asked.links.columns:
        if _distance(mention.span, span, comparison) > _NEAR:
            continue
        for option in mention.options[:3]:
            if asked.column(option.id).measures and option.score >= 0.5:
                named = True
                features: Features = (("total.column", option.score), ("num.near", option.nearness))
                yield _added_up(asked, comparison, option.id, features, used | mention.span.mask)
    for entry in asked.vocabulary.columns if not named else ():
        sure = asked.named_tables.get(entry.table, 0.0)
        if sure >= 0.8 and entry.measures and set(entry.forms[0]) & _MONEY:
            features = (("total.column", 0.6 * sure),)
            yield _added_up(asked, comparison, entry.id, features, used)


def _added_up(
    asked: Asked, comparison: Compared, column: int, features: Features, used: int
) -> Choice:
    compared = comparison.for_column(asked.column(column), named=True) or comparison
    condition = compared.of(Aggregate("sum", asked.ref(column)))
    return having(asked, comparison.start, comparison.used | used, features, condition)


def _of_pieces(asked: Asked, span: Span, comparison: Compared) -> Iterator[Choice]:
    """`Venues that sold more than 100 tickets`: all that each of them sold, where the number stands elsewhere."""
    for mention in asked.columns_after(span.end, 0):
        entry = asked.column(mention.best.id)
        things = [m.best.id for m in asked.links.tables if m.span.end <= comparison.start]
        if entry.counts_sold and things and entry.table not in things:
            used = comparison.used | mention.span.mask | selling(asked)
            features: Features = (("total.column", mention.best.score), ("num.near", 1.0))
            condition = comparison.of(Aggregate("sum", entry.ref))
            yield having(asked, comparison.start, used, features, condition)


def _of_deeds(asked: Asked, span: Span, comparison: Compared) -> Iterator[Choice]:
    """`Sold fewer than 10 times`, `booked twice`: how often it was done to each."""
    for place in range(comparison.start - 1, max(comparison.start - 3, 0), -1):
        for option, deed in done_at(asked, place):
            used = comparison.used | deed.mask | 1 << span.end
            features: Features = (("total.times", option.score),)
            condition = comparison.of(Count())
            yield having(asked, comparison.start, used, features, condition, option.id)


def _totalling(asked: Asked, span: Span) -> int:
    """The tokens that speak of a total near a number, as bits; 0 when none do."""
    cues = asked.links.cues_of("sum")
    return spans(cue for cue in cues if _is_beside(cue, span))


def _is_beside(cue: Cue, span: Span) -> bool:
    after = 0 <= cue.span.start - span.end <= 2
    return after or 0 <= span.start - cue.span.end <= _NEAR


def _distance(named: Span, number: Span, comparison: Compared) -> int:
    """The words between a comparison and what is named before or after it."""
    if named.end <= comparison.start:
        return comparison.start - named.end
    return max(named.start - number.end, 0)
