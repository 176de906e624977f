"""Rows compared with others of their table, and columns with others of their row: `who earn more than their manager`, `stock below the reorder level`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import (
    Choice,
    Features,
    Slot,
    select,
    told_slot,
    where,
)
from oldhand.agent.analyst.candidates.events import event_before
from oldhand.agent.analyst.candidates.means import partner
from oldhand.agent.analyst.candidates.measures import comparative_before, compared_column
from oldhand.agent.analyst.candidates.self_references import (
    SelfReference,
    SpokenTie,
    Tie,
    moved,
    told_references,
)
from oldhand.agent.analyst.words.links import Span
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import word_stems
from oldhand.query.form import Aggregate, ColumnRef, Comparison, OwnGroup

_ABOVE: Features = (("hierarchy.told", 1.0), ("hierarchy.compared", 1.0))
_GROUP: Features = (("average.own_group", 1.0),)
_COLUMN: Features = (("row.compared", 1.0),)
_LESS = words("comparing.less")
_COMPARING = words("comparing.more") | _LESS
_STOCK = word_stems("money.in_stock")
_LEVELS, _REORDERING = word_stems("names.levels"), words("money.reordering")
_RUNNING = words("money.running")
_AVERAGE = words("grouping.aggregates.avg")
_OWN = words("function_words.own")
_LOOSE = words("function_words.determiners")
_REACH = 6
_NAMED = 0.8
"""How well words must fit a column that another one is compared with."""


def superior_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for rows that are compared with those above them: `hired before their boss`."""
    yield from told_slot(
        choice
        for reference, spoken in told_references(asked)
        if len(spoken) == 1 and spoken[0].tie is Tie.SUPERIOR
        for choice in _with_superior(asked, reference, spoken[0])
    )


def _with_superior(asked: Asked, reference: SelfReference, spoken: SpokenTie) -> Iterator[Choice]:
    start = _before(asked, spoken.start)
    if start == spoken.start:
        return
    lead = asked.word(start - 1)
    end = spoken.end + (asked.word(spoken.end) == "s")
    same = next(asked.columns_after(end, 1), None)
    end = same.span.end if end > spoken.end and same is not None else end
    found = None
    if lead == "than":
        there = comparative_before(asked, start - 1, _REACH)
        found = None if there is None else compared_column(asked, there, start - 1, reference.below)
    elif lead in ("before", "after"):
        events = event_before(asked, start - 1)
        events = [e for e in events if asked.column(e.column).table == reference.below]
        if len(events) == 1:
            mask = 1 << events[0].place | 1 << start - 1
            found = events[0].column, mask, "<" if lead == "before" else ">"
    if found is None:
        return
    column, mask, operator = found
    theirs = moved(asked, reference, column, reference.above)
    used = mask | Span(start - 1, end).mask
    condition = Comparison(asked.ref(column), operator, asked.ref(theirs))
    tables, table = 1 << reference.below | 1 << reference.above, reference.below
    yield Choice("where", _ABOVE, used, tables, start - 1, condition=condition, table=table)


def _before(asked: Asked, start: int) -> int:
    """Where the words begin that determine the one at a place."""
    while asked.word(start - 1) in _LOOSE:
        start -= 1
    return start


def column_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each column that is compared with another one of the same row: `stock below the reorder level`."""
    for place, token in enumerate(asked.links.tokens):
        low = token.lower == "low" and asked.word(place - 1) in _RUNNING
        if token.lower in _REORDERING or low:
            yield from told_slot(_below_level(asked, place, low=low))
        than = token.lower == "than"
        if than or token.lower in _COMPARING:
            there = comparative_before(asked, place) if than else place
            choices = _with_column(asked, there, place + 1) if there is not None else ()
            yield from told_slot(choices)


def _with_column(asked: Asked, there: int, start: int) -> Iterator[Choice]:
    """The rows whose number lies above, or below, the one that is named from a place on."""
    while asked.word(start) in _LOOSE or asked.word(start) in _OWN:
        start += 1
    for mention in (one for one in asked.links.columns if one.span.start == start):
        for option in mention.options:
            entry = asked.column(option.id)
            measures = (entry.measures or entry.temporal) and option.score >= _NAMED
            found = compared_column(asked, there, start, entry.table) if measures else None
            found = found or (_in_stock(asked, there, entry.id) if measures else None)
            if found is None or found[0] == option.id:
                continue
            column, mask, operator = found
            if asked.column(column).temporal is entry.temporal:
                used = mask | Span(there, there + 1).mask | Span(start - 1, mention.span.end).mask
                condition = Comparison(asked.ref(column), operator, asked.ref(option.id))
                yield where(asked, there, used, _COLUMN, condition)


def _in_stock(asked: Asked, there: int, level: int) -> tuple[int, int, str] | None:
    """What lies in stock of things that are `below the reorder level`: how many there are is no more named than the things are."""
    entry = asked.column(level)
    amounts = [asked.column(one) for one in asked.vocabulary.tables[entry.table].columns]
    amounts = [one for one in amounts if one.measures and one.id != level]
    amounts = [one for one in amounts if one.words & _STOCK] or amounts
    if len(amounts) != 1 or not entry.words & _LEVELS:
        return None
    return amounts[0].id, 1 << there, "<" if asked.word(there) in _LESS else ">"


def _below_level(asked: Asked, place: int, *, low: bool) -> Iterator[Choice]:
    """`What do we need to reorder`, `what is running low`: of what is named, or the only table that tells levels, there is too little in stock."""
    levels = [e for e in asked.vocabulary.columns if e.measures and e.words & _LEVELS]
    found = [(e, held) for e in levels if (held := _in_stock(asked, place, e.id)) is not None]
    other = [m for m in asked.links.columns if m.best.score >= _NAMED]
    meant = {*asked.named_tables, *(asked.column(m.best.id).table for m in other)}
    found = [one for one in found if not meant or one[0].table in meant]
    if len({entry.table for entry, _ in found}) == 1:
        level, (column, mask, _) = found[0]
        named, names = level.table in asked.named_tables, asked.names(level.table)
        shown = () if named else (select(asked, place, 0, (), *names, table=level.table),)
        condition = Comparison(asked.ref(column), "<", asked.ref(level.id))
        mask |= Span(place - low, place + 1).mask
        yield where(asked, place, mask, _COLUMN, condition, shown)


def own_group_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each mean of the own group that rows are compared with."""
    places = range(2, len(asked.links.tokens))
    averages = [place for place in places if asked.word(place) in _AVERAGE]
    yield from told_slot(one for place in averages for one in _with_mean(asked, place))


def _with_mean(asked: Asked, place: int) -> Iterator[Choice]:
    """The rows whose number lies above, or below, the mean at a place."""
    for table, key, group in _groups(asked, place):
        start = _before(asked, min(place, group.start))
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
        if not isinstance(group_key, ColumnRef):
            continue
        mean = OwnGroup(Aggregate("avg", number), (group_key,))
        condition = Comparison(number, operator, mean)
        yield Choice("where", _GROUP, used, 1 << table, there, condition=condition, table=table)
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
    tables = asked.links.tables
    named = [m.best.id for m in tables if m.span.end <= group.start and m.best.score >= 0.5]
    people = [t for t in asked.named_tables if not asked.vocabulary.tables[t].role]
    groups = [m.best.id for m in tables if m.span == group and asked.word(0) == "who"]
    beside = [holder for one in groups for holder in asked.vocabulary.joins.holders(one)]
    return list(dict.fromkeys([*named, *people, *beside]))


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
