"""Totals of each thing compared with a number: `spent more than 500 in total`, `sold fewer than 10 times`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.amounts import (
    is_ranking,
    may_be_worth,
    summing,
    worth_spans,
)
from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features
from oldhand.agent.analyst.candidates.comparing import Compared
from oldhand.agent.analyst.candidates.verbs import done_at
from oldhand.agent.analyst.candidates.worth import SPENT, line_amounts
from oldhand.agent.analyst.words.links import Cue, Span
from oldhand.lexicon.tokens import word_stems
from oldhand.query.form import Aggregate, Comparison, Count, Expression

NEAR = 5
"""Words between a number and what it is a total of, at most."""
_MONEY = word_stems("money.prices")


def with_totals(asked: Asked, span: Span, comparison: Compared) -> Iterator[Choice]:
    """The totals that a number may be compared with.

    Args:
        asked: the question.
        span: the number.
        comparison: the words that compare it.
    """
    if comparison.operator != "=":
        yield from _of_worth(asked, span, comparison)
        yield from _of_columns(asked, span, comparison)
    if asked.word(span.end) in ("time", "times"):
        yield from _of_deeds(asked, span, comparison)


def _of_worth(asked: Asked, span: Span, comparison: Compared) -> Iterator[Choice]:
    """`Spent more than 500`, `revenue above 1000`: what the lines of each are worth."""
    for worth in worth_spans(asked):
        if _distance(worth, span, comparison) > NEAR or is_ranking(asked, worth):
            continue
        used = worth.mask | summing(asked, worth) | _totalling(asked, span)
        for amount in line_amounts(asked.vocabulary):
            if may_be_worth(asked, amount, worth):
                features: Features = (
                    ("total.worth", 1.0),
                    ("amount.near", asked.nearness(amount.table)),
                )
                yield _having(asked, comparison, amount.sum, features, used, amount.deal)


def _of_columns(asked: Asked, span: Span, comparison: Compared) -> Iterator[Choice]:
    """`Paid more than 500 in total`: a column that is named, added up; else the money of what is named."""
    totalling = _totalling(asked, span)
    verbs = [i for i in range(comparison.start - 1, comparison.start) if asked.word(i) in SPENT]
    if not totalling and not verbs:
        return
    used = totalling | sum(1 << place for place in verbs)
    named = False
    for mention in asked.links.columns:
        if _distance(mention.span, span, comparison) > NEAR:
            continue
        for option in mention.options[:3]:
            if asked.column(option.id).measures and option.score >= 0.5:
                named = True
                features: Features = (("total.column", option.score), ("num.near", option.nearness))
                term = Aggregate("sum", asked.ref(option.id))
                yield _having(asked, comparison, term, features, used | mention.span.mask)
    for entry in asked.vocabulary.columns if not named else ():
        sure = asked.named_tables.get(entry.table, 0.0)
        if sure >= 0.8 and entry.measures and set(entry.forms[0]) & _MONEY:
            features = (("total.column", 0.6 * sure),)
            yield _having(asked, comparison, Aggregate("sum", asked.ref(entry.id)), features, used)


def _of_deeds(asked: Asked, span: Span, comparison: Compared) -> Iterator[Choice]:
    """`Sold fewer than 10 times`, `booked twice`: how often it was done to each."""
    for place in range(comparison.start - 1, max(comparison.start - 3, 0), -1):
        for option, deed in done_at(asked, place):
            used = deed.mask | 1 << span.end
            features: Features = (("total.times", option.score),)
            yield _having(asked, comparison, Count(), features, used, option.id)


def _totalling(asked: Asked, span: Span) -> int:
    """The tokens that speak of a total near a number, as bits; 0 when none do."""
    cues = asked.links.cues_of("sum")
    return sum({cue.span.mask for cue in cues if _is_beside(cue, span)})


def _is_beside(cue: Cue, span: Span) -> bool:
    after = 0 <= cue.span.start - span.end <= 2
    return after or 0 <= span.start - cue.span.end <= NEAR


def _distance(named: Span, number: Span, comparison: Compared) -> int:
    """The words between a comparison and what is named before or after it."""
    if named.end <= comparison.start:
        return comparison.start - named.end
    return max(named.start - number.end, 0)


def _having(
    asked: Asked,
    comparison: Compared,
    term: Expression,
    features: Features,
    used: int,
    table: int = -1,
) -> Choice:
    """The condition on groups; `table` is the one whose rows are counted, or to which the lines belong."""
    return Choice(
        "having",
        features,
        comparison.used | used,
        asked.bit(term) | (1 << table if table >= 0 else 0),
        comparison.start,
        condition=Comparison(term, comparison.operator, comparison.values),
        table=table,
    )
