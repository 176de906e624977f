"""Rows compared with the mean of their own group: `who earn more than the average of their department`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot
from oldhand.agent.analyst.candidates.means import partner
from oldhand.agent.analyst.candidates.measured_by import comparative_before, compared_column
from oldhand.agent.analyst.words.links import Span
from oldhand.lexicon.entries import words
from oldhand.query.form import Aggregate, Column, Comparison, OwnGroup

_TOLD: Features = (("average.own_group", 1.0),)
_AVERAGE = words("grouping.aggregates.avg")
_OWN = words("function_words.own")
_LOOSE = words("function_words.determiners")
_REACH = 6


def own_group_slots(asked: Asked) -> list[Slot]:
    """One slot for each mean of the own group that rows are compared with."""
    choices: list[Choice] = []
    for place in range(2, len(asked.links.tokens)):
        if asked.word(place) in _AVERAGE:
            choices += _compared(asked, place)
    return [Slot(choices[0].used, (*choices, Choice("skip")))] if choices else []


def _compared(asked: Asked, place: int) -> Iterator[Choice]:
    """The rows whose number lies above, or below, the mean at a place."""
    for table, key, group in _groups(asked, place):
        start = min(place, group.start)
        while asked.word(start - 1) in _LOOSE:
            start -= 1
        than = asked.word(start - 1) == "than"
        there = comparative_before(asked, start - 1 if than else start, _REACH if than else 1)
        if there is None:
            continue
        found = compared_column(asked, there, start, table) or _after(asked, place, there, table)
        if found is None:
            continue
        column, mask, operator = found
        used = mask | Span(there, max(place + 1, group.end)).mask
        number, group_key = asked.ref(column), asked.ref(key)
        if not isinstance(group_key, Column):
            continue
        mean = OwnGroup(Aggregate("avg", number), (group_key,))
        condition = Comparison(number, operator, mean)
        yield Choice("where", _TOLD, used, 1 << table, there, condition=condition, table=table)
        return


def _after(asked: Asked, place: int, there: int, table: int) -> tuple[int, int, str] | None:
    """`Above the average salary of their department`: the number is named after the mean."""
    found = compared_column(asked, place, place + 3, table)
    if found is None:
        return None
    column, mask, _ = found
    own = compared_column(asked, there, place + 3, table)
    return column, mask | 1 << there, own[2] if own is not None else ">"


def _groups(asked: Asked, place: int) -> Iterator[tuple[int, int, Span]]:
    """The tables of rows, their column that tells the group, and the words that name it."""
    edge = range(place - 3, place + 1 + _REACH)
    near = [m for m in (*asked.links.tables, *asked.links.columns) if m.span.start in edge]
    for mention in sorted(near, key=lambda m: (m.span.start < place, m.span.start)):
        before = asked.word(mention.span.start - 1)
        if before not in _OWN and not (mention.span.end == place and before == "the"):
            continue
        for table in _subjects(asked, mention.span):
            key = _key(asked, mention.span, table)
            if key is not None:
                yield table, key, mention.span


def _subjects(asked: Asked, group: Span) -> list[int]:
    """The tables whose rows may be compared: named before the group."""
    named = [m for m in asked.links.tables if m.span.end <= group.start and m.best.score >= 0.5]
    people = [t for t in asked.named_tables if not asked.vocabulary.tables[t].role]
    beside = [
        edge.left
        for m in asked.links.tables if m.span == group
        for edge in asked.vocabulary.joins.edges(m.best.id)
        if edge.right == m.best.id and asked.word(0) == "who"
    ]  # fmt: skip
    return list(dict.fromkeys([*(m.best.id for m in named), *people, *beside]))


def _key(asked: Asked, group: Span, table: int) -> int | None:
    """The column of a table by which its rows belong to a group that is named."""
    for mention in asked.links.columns:
        for option in mention.options if mention.span == group else ():
            entry = asked.column(option.id)
            if entry.table == table and option.score >= 0.6 and not entry.column.primary_key:
                return option.id
    for mention in asked.links.tables:
        if mention.span == group and mention.best.id != table:
            return partner(asked, table, mention.best.id)
    return None
