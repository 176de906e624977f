"""Figures that are compared with the same one of something named: `films longer than Alien`, `venues with more shows than the Odeon`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import (
    Choice,
    Features,
    Slot,
    having,
    told_slot,
    where,
)
from oldhand.agent.analyst.candidates.conditions import Condition
from oldhand.agent.analyst.candidates.means import partner
from oldhand.agent.analyst.candidates.measures import comparative_before, compared_column
from oldhand.agent.analyst.words.links import Span, ValueMention, ValueOption, spans
from oldhand.lexicon.entries import words
from oldhand.query.form import Aggregate, Comparison, Count, Expression, Query

_ARTICLES, _LESS = words("function_words.determiners"), words("comparing.less")
_NAMED, _SURE = 0.8, 0.5
"""How well something must be named by the value, and the things that are counted."""
_COMPARED: Features = (("row.compared", 1.0),)


def than_named_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each `than` with the name of something behind it."""
    for value in asked.links.values:
        start = value.span.start - (asked.word(value.span.start - 1) in _ARTICLES)
        there = comparative_before(asked, start - 1) if asked.word(start - 1) == "than" else None
        if there is not None:
            yield from told_slot(_compared(asked, value, there, start - 1))


def _compared(asked: Asked, value: ValueMention, there: int, than: int) -> Iterator[Choice]:
    before = {m.best.id for m in asked.links.tables if m.span.end <= there}
    for option in value.options[:2]:
        entry = asked.column(option.column)
        thing = entry.table in before or (not before and asked.word(0) == "who")
        if option.score < _NAMED or not thing or not asked.is_label(entry):
            continue
        used = value.span.mask | Span(than, value.span.start).mask | 1 << there
        own = list(_of_rows(asked, option, there, than, used))
        yield from own or _of_partners(asked, option, there, than, used)


def _of_rows(
    asked: Asked, option: ValueOption, there: int, than: int, used: int
) -> Iterator[Choice]:
    """`Longer than Alien`: a number of the thing itself."""
    table = asked.column(option.column).table
    found = compared_column(asked, there, than, table)
    if found is not None:
        column, mask, operator = found
        named = Comparison(asked.ref(option.column), "=", option.values[:1])
        one = Query(asked.alone(table), (asked.ref(column),), (named,))
        condition = Comparison(asked.ref(column), operator, one)
        yield where(asked, there, used | mask, _COMPARED, condition)


def _of_partners(
    asked: Asked, option: ValueOption, there: int, than: int, used: int
) -> Iterator[Choice]:
    """`More shows than the Odeon`, `taller on average than the planes`: how many rows belong to each, or their mean or sum."""
    table = asked.column(option.column).table
    for term, rows, mask, operator in _figures(asked, table, there, than):
        tree = asked.tree({table, rows})
        if tree is not None and partner(asked, rows, table) is not None:
            named = Comparison(asked.ref(option.column), "=", option.values[:1])
            condition = Comparison(term, operator, Query(tree, (term,), (named,)))
            yield having(asked, there, used | mask, _COMPARED, condition, rows)


def _figures(
    asked: Asked, table: int, there: int, than: int
) -> Iterator[tuple[Expression, int, int, str]]:
    """What of the rows of other tables is compared: the figure, their table, the tokens that say so, and how."""
    means = asked.links.cues_of("avg")
    for other in dict.fromkeys(asked.vocabulary.joins.holders(table)):
        found = compared_column(asked, there, than, other)
        added = found is not None and asked.column(found[0]).counts_sold
        if found is not None and (means or added):
            term = Aggregate("avg" if means else "sum", asked.ref(found[0]))
            yield term, other, found[1] | spans(means), found[2]
    for mention in asked.tables_after(there + 1, than - there - 2) if not means else ():
        operator = "<" if asked.word(there) in _LESS else ">"
        if mention.span.end <= than and mention.best.score >= _SURE:
            yield Count(), mention.best.id, mention.span.mask, operator


def carried(asked: Asked, condition: Condition, others: Sequence[Condition]) -> Condition:
    """A condition on groups with what else narrows their rows in its query, too: `more shows in 2024 than the Odeon`.

    What tells the things themselves does not: of `venues in Rome with more shows than the Odeon`, that may be elsewhere.
    """
    one = condition.query if isinstance(condition, Comparison) else None
    if one is None or not isinstance(condition, Comparison):
        return condition
    things = asked.owners(c.left for c in one.where if isinstance(c, Comparison))
    narrowing = [c for c in others if not asked.owners([c.left]) <= things]
    rows = asked.tree({*asked.inside(one.rows), *asked.owners(c.left for c in narrowing)})
    if not narrowing or rows is None:
        return condition
    return replace(condition, right=replace(one, rows=rows, where=(*one.where, *narrowing)))
