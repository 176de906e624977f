"""Which of several keys to the same rows is followed."""

from collections import Counter

from oldhand.agent.analyst.constraints.hypothesis import Hypothesis
from oldhand.agent.analyst.words.ends import tells_doer
from oldhand.agent.analyst.words.links import ValueMention, bits, spans
from oldhand.lexicon.entries import words

_PLAIN = words("ends.plain")


def key_that_is_told(one: Hypothesis) -> int:
    """`Trains to Oslo` by those that start there."""
    return bits(
        end.used | end.of.mask
        for end in one.asked.links.ends
        if end.of is not None and end.holder in one.tables and not one.speaks_of(end)
    )


def key_that_is_meant(one: Hypothesis) -> int:
    """`Trains of Oslo`, `trains of each country`: nothing says whether they start or end there."""
    asked = one.asked
    told = {(end.holder, end.column) for end in asked.links.ends}
    nouns = [(role, end) for role, end in asked.vocabulary.ends.items() if end.is_noun]
    untold = [(role, end) for role, end in nouns if (end.holder, end.column) not in told]
    # The one key that is left, once all others are told, is meant by the rest.
    left = Counter((end.holder, end.table) for _, end in untold)
    doubtful = {
        table
        for role, end in untold
        if _PLAIN.isdisjoint(end.pieces)
        and left[end.holder, end.table] > 1
        and one.follows(end.holder, end.column)
        for table in (end.table, role)
    }
    compared = {entry.id: entry.table for entry in one.compared()}
    values = (
        value
        for value in asked.links.values
        if any(compared.get(option.column) in doubtful for option in value.options)
        or _may_be_of_several(one, value)
    )
    things = (m for m in asked.links.tables if m.best.id in doubtful)
    shown = asked.entries((*one.query.group, *one.query.select))
    told_of = {entry.id for entry in shown if entry.table in doubtful}
    columns = (m for m in asked.links.columns if m.best.id in told_of)
    return spans((*values, *things, *columns))


def all_keys_that_are_told(one: Hypothesis) -> int:
    """`Museums that lent and borrowed` by those that lent alone: verbs tell two keys to the same rows, and one is not followed."""
    tokens = one.asked.links.tokens
    told = dict[tuple[int, int], dict[str, int]]()
    for end in one.asked.vocabulary.ends.values():
        if end.holder not in one.tables:
            continue
        places = (p for p, token in enumerate(tokens) if tells_doer(token, end.column))
        if mask := bits(1 << place for place in places):
            told.setdefault((end.holder, end.table), {})[end.column] = mask
    return bits(
        mask
        for (holder, _), keys in told.items()
        for column, mask in keys.items()
        if len(keys) > 1 and not one.follows(holder, column)
    )


def _may_be_of_several(one: Hypothesis, value: ValueMention) -> bool:
    """True for the last name of `from Oslo to Bergen Lund`."""
    tables = (one.asked.vocabulary.table_of(option.column) for option in value.options)
    return len({table.id for table in tables if table.is_end}) > 1
