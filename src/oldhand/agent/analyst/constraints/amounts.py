"""What is counted, added up or divided, against what the words ask for."""

from oldhand.agent.analyst.candidates.shares import rate_at
from oldhand.agent.analyst.candidates.yes_no import asks_of_all
from oldhand.agent.analyst.constraints.hypothesis import Hypothesis
from oldhand.agent.analyst.words.links import bits
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import stem, word_stems
from oldhand.query.form import Share
from oldhand.query.walk import attribute, function_of

_RATES = words("asking.rates")
_PIECES = word_stems("money.pieces")
_AMOUNTS = _PIECES | {"amount", "total"}


def pieces_added_up(one: Hypothesis) -> int:
    """`How many units`, of a column of quantities: not how many different ones there are."""
    counted = any(set(entry.forms[0]) & _AMOUNTS for entry in one.measured("count"))
    return one.cues("count", "how_much") if counted else 0


def things_counted(one: Hypothesis) -> int:
    """`How many members`, where a table is called so: their levels of membership are not added up.

    Pieces are: `How many products have been sold` asks for their quantities.
    """
    asked = one.asked
    if all(set(entry.forms[0]) & _PIECES for entry in one.measured("sum")):
        return 0
    mask = 0
    for cue in asked.links.cues_of("count"):
        things = any(m.best.score >= 0.95 for m in asked.tables_after(cue.span.end, 3))
        named = any(m.best.score >= 0.95 for m in asked.columns_after(cue.span.end, 3))
        many = asked.word(cue.span.start + 1) == "many"
        mask |= cue.span.mask if things and not named and many else 0
    return mask


def second_thing_counted_too(one: Hypothesis) -> int:
    """`The number of stores and customers`, where only one number is worked out."""
    asked = one.asked
    if sum(function_of(t) == "count" or attribute(t) is None for t in one.query.select) > 1:
        return 0
    mask = 0
    for cue in asked.links.cues_of("count"):
        first = next(asked.tables_after(cue.span.end, 1), None)
        if first is not None and asked.word(first.span.end) == "and":
            second = next(asked.tables_after(first.span.end + 1, 0), None)
            mask |= second.span.mask if second is not None else 0
    return mask


def rate_is_a_ratio(one: Hypothesis) -> int:
    """`Rate` is a ratio, unless a column that is read bears the very word."""
    asked, query = one.asked, one.query
    said = bits(1 << i for i, t in enumerate(asked.links.tokens) if t.lower in _RATES)
    ratio = any(isinstance(term, Share) for term in query.select) and rate_at(asked) is not None
    if not said or ratio:
        return 0
    read = asked.reading((*query.select, *query.order, *(c.left for c in one.conditions)))
    named = any(stem("rate") in form for entry in read for form in entry.forms)
    return 0 if named else said


def all_of_them_checked(one: Hypothesis) -> int:
    """`Are all orders paid`: rows that are found don't answer it."""
    return asks_of_all(one.asked)
