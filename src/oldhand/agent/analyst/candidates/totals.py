"""Totals of each thing compared with a number: `spent more than 500 in total`, `sold fewer than 10 times`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.amounts import is_ranking, may_be_worth, summing, worth_spans
from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, having
from oldhand.agent.analyst.candidates.comparing import Compared
from oldhand.agent.analyst.candidates.sales import done_at
from oldhand.agent.analyst.candidates.worth import SPENT, line_amounts
from oldhand.agent.analyst.words.links import Cue, Span, spans
from oldhand.lexicon.tokens import word_stems
from oldhand.query.form import Aggregate, Count

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
        used = comparison.used | worth.mask | summing(asked, worth) | _totalling(asked, span)
        for amount in line_amounts(asked.vocabulary):
            if may_be_worth(asked, amount, worth):
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
        if _distance(mention.span, span, comparison) > NEAR:
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
    condition = comparison.of(Aggregate("sum", asked.ref(column)))
    return having(asked, comparison.start, comparison.used | used, features, condition)


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
    return after or 0 <= span.start - cue.span.end <= NEAR


def _distance(named: Span, number: Span, comparison: Compared) -> int:
    """The words between a comparison and what is named before or after it."""
    if named.end <= comparison.start:
        return comparison.start - named.end
    return max(named.start - number.end, 0)
