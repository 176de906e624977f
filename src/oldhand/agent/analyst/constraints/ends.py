"""Which of several keys to the same rows is followed."""

from oldhand.agent.analyst.constraints.hypothesis import Hypothesis
from oldhand.agent.analyst.words.links import bits, spans
from oldhand.lexicon.entries import words

_PLAIN = words("ends.plain")


def key_that_is_told(one: Hypothesis) -> int:
    """`Trains to Oslo` by those that start there."""
    return bits(
        end.used | end.of.mask
        for end in one.asked.links.ends
        if end.of is not None
        and end.holder in one.tables
        and not one.follows(end.holder, end.column)
    )


def key_that_is_meant(one: Hypothesis) -> int:
    """`Trains of Oslo`: nothing says whether they start or end there."""
    asked = one.asked
    told = {(end.holder, end.column) for end in asked.links.ends}
    doubtful = {
        table
        for role, end in asked.vocabulary.ends.items()
        if end.is_noun
        and _PLAIN.isdisjoint(end.pieces)
        and (end.holder, end.column) not in told
        and one.follows(end.holder, end.column)
        for table in (end.table, role)
    }
    compared = {entry.id for entry in one.compared() if entry.table in doubtful}
    return spans(v for v in asked.links.values if compared & {o.column for o in v.options})
