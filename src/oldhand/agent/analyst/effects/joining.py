"""Joins two tables in the way that a rule says, where a query joins them in another, goes over other tables, or takes a column of other rows."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from oldhand.agent.analyst.effects.mentions import names_key, names_table
from oldhand.query.form import (
    ColumnRef,
    Comparison,
    Function,
    Has,
    Join,
    Node,
    Query,
    Relation,
    Rows,
)
from oldhand.query.known import as_key, called_alike
from oldhand.query.walk import changed, equal_columns, walk, way_between
from oldhand.record.join_path import JoinPath
from oldhand.record.schema import DatabaseSchema, schema_of

_Tie = Join | Has | Comparison
"""What makes columns of two relations equal."""
_Key = frozenset[tuple[str, str]]
"""Table and column of both ends, in small letters."""


def rejoined(
    query: Query, path: JoinPath, question: str, schemas: Sequence[DatabaseSchema]
) -> Query | None:
    """The query with the tables of `path` joined as it says, or with the column that it means; None when nothing is to be changed.

    Only what ties the first and the last table is changed, be it directly or over tables that the query needs for
    nothing else, where each of them is read once, and where the question names neither the column that ties them now
    nor a table that stands between.
    """
    schema = schema_of(path.database, schemas)
    tables = _tables(path, schema) if schema is not None else None
    if schema is None or tables is None:
        return None
    path = path.model_copy(update={"on": tuple(as_key(one, schema) or one for one in path.on)})
    ends = {tables[path.tables[0].casefold()], tables[path.tables[-1].casefold()]}
    query = _without_roles(query)
    changing = owned if path.column is not None else rerouted
    around = None if path.filled else changing(query, path, tables, question)
    if around is not None or path.column is not None:
        return around
    ties = [tie for tie in _ties(query) if {column.of for column in _ends(tie)[0]} == ends]
    if len(ties) != 1 or any(_times_read(query, end) > 1 for end in ends):
        return None
    now = {_key((one.of.table, one.name), (two.of.table, two.name)) for one, two in _ends(ties[0])}
    wanted = {_key(*pair.ends) for pair in path.on}
    gone = set[tuple[str, str]]().union(*now).difference(*wanted)
    if path.filled:
        gone |= set().union(*wanted)
    if now == wanted or names_key(question, gone, [one.table for one in ends]):
        return None
    tie = ties[0]
    if isinstance(tie, Join):
        return (_by_first_filled if path.filled else _led_along)(query, tie, path, tables)
    return None if path.filled else _exchanged(query, tie, path, tables)


def goes_along(query: Query, path: JoinPath) -> bool:
    """Whether a query joins by all that `path` says."""
    ties = (pair for tie in _ties(query) for pair in _ends(tie))
    now = {_key((one.of.table, one.name), (two.of.table, two.name)) for one, two in ties}
    return {_key(*pair.ends) for pair in path.on} <= now


def _without_roles(query: Query) -> Query:
    """The query in which rows that it reads once have no role: which one they have is what is to be changed."""
    read = [one for one in walk(query, inner=True) if isinstance(one, Relation)]
    plain = {one: replace(one, role="") for one in read if one.role}
    several = Counter(replace(one, role="") for one in {*read})
    alone = {one: bare for one, bare in plain.items() if several[bare] == 1}
    return changed(query, lambda part: alone.get(part, part) if isinstance(part, Relation) else part) if alone else query  # fmt: skip


def _key(one: tuple[str, str], other: tuple[str, str]) -> _Key:
    return frozenset((table.casefold(), column.casefold()) for table, column in (one, other))


def _tables(path: JoinPath, schema: DatabaseSchema) -> dict[str, Relation] | None:
    """The tables of a path by their names in small letters; None where columns of it are gone."""
    found = {name.casefold(): schema.table(name) for name in path.tables}
    for name, column in (end for pair in path.on for end in pair.ends):
        table = schema.table(name)
        if table is None or table.column(column) is None:
            return None
    return {
        name: Relation(path.database, table.schema_name, table.name)
        for name, table in found.items()
        if table is not None
    }


def _ties(query: Query) -> Iterator[_Tie]:
    """What makes columns of two relations equal for all rows, in a query and those inside of it."""
    for part in walk(query, inner=True):
        held = (part,) if isinstance(part, Join | Has) else ()
        if isinstance(part, Query):
            held = (one for one in part.where if isinstance(one, Comparison))
        yield from filter(_ends, held)


def _ends(tie: _Tie) -> list[tuple[ColumnRef, ColumnRef]]:
    """The columns that a tie makes equal."""
    if isinstance(tie, Join):
        return [(ColumnRef(tie.left, one), ColumnRef(tie.right, two)) for one, two in tie.keys]
    if isinstance(tie, Comparison):
        pair = equal_columns(tie)
        return [pair] if pair else []
    left, right = tie.left, tie.rows.select[0]
    return [(left, right)] if isinstance(left, ColumnRef) and isinstance(right, ColumnRef) else []


def _times_read(query: Query, relation: Relation) -> int:
    """How often a query, with those inside of it, reads the table of a relation."""
    rows = (part for part in walk(query, inner=True) if isinstance(part, Rows))
    return sum(replace(one, role="") == relation for some in rows for one in some.relations)


def _by_first_filled(
    query: Query, tie: Join, path: JoinPath, tables: Mapping[str, Relation]
) -> Query | None:
    """The rows of two tables tied by the first of several keys that has a value."""
    target = ColumnRef(tables[path.on[0].other_table.casefold()], path.on[0].other_column)
    keys = tuple(ColumnRef(tables[one.table.casefold()], one.column) for one in path.on)
    if tie.outer:
        return None
    same = Comparison(target, "=", Function("coalesce", keys))

    def chosen(part: Node) -> Node:
        if not isinstance(part, Query) or tie not in part.rows.joins:
            return part
        joins = tuple(replace(one, keys=()) if one == tie else one for one in part.rows.joins)
        return replace(part, rows=replace(part.rows, joins=joins), where=(same, *part.where))

    return changed(query, chosen)


def _exchanged(
    query: Query, tie: Has | Comparison, path: JoinPath, tables: Mapping[str, Relation]
) -> Query | None:
    """Other columns that must be equal in the rows of a query and of one around it, over the tables between where there are some."""
    (own, theirs), *_ = _ends(tie)
    ahead = tables[path.tables[0].casefold()] == own.of
    order = path.tables if ahead else path.tables[::-1]
    between = [tables[name.casefold()] for name in order[1:-1]]
    steps = steps_of(path, tables, order)
    if not steps or len(steps[0].keys) != 1 or any(_times_read(query, one) for one in between):
        return None
    instead = {end.of: end for end in _ends(steps[0])[0]}
    moves: dict[Node, Node] = {own: instead[own.of]}
    if between:
        rows = tie.rows.rows if isinstance(tie, Has) else None
        if rows is None or theirs.of not in rows.relations or _start_again(own.of, steps):
            return None
        led = tied([*between, *rows.relations], [*steps[1:], *rows.joins])
        if led is None:
            return None
        moves |= {rows: led, theirs: instead[between[0]]}
    else:
        moves[theirs] = instead[theirs.of]
    inside = changed(tie, lambda part: moves.get(part, part))
    return changed(query, lambda part: inside if part == tie else part)


def _start_again(start: Relation, steps: Sequence[Join]) -> bool:
    """True where a later step leads on from the start: the way is no chain."""
    return any(start in (one.left, one.right) for one in steps[1:])


def _led_along(
    query: Query, join: Join, path: JoinPath, tables: Mapping[str, Relation]
) -> Query | None:
    """The joins of the path in place of a join; the tables between come right before the later one of its ends."""
    between = [tables[name.casefold()] for name in path.tables[1:-1]]
    if any(_times_read(query, one) for one in between) or (between and join.outer):
        return None

    def led(part: Node) -> Node:
        if not isinstance(part, Rows) or join not in part.joins:
            return part
        place = part.joins.index(join)
        later = part.relations[place + 1]
        ahead = tables[path.tables[-1].casefold()] == later
        steps = steps_of(path, tables, path.tables if ahead else path.tables[::-1])
        if not steps:
            return part
        steps[-1] = replace(steps[-1], outer=join.outer)
        way = between if ahead else between[::-1]
        return Rows(
            (*part.relations[: place + 1], *way, *part.relations[place + 1 :]),
            (*part.joins[:place], *steps, *part.joins[place + 1 :]),
        )

    made = changed(query, led)
    return None if made == query else made


def owned(
    query: Query, path: JoinPath, tables: Mapping[str, Relation], question: str
) -> Query | None:
    """The query with the column of the last table of `path` in place of another table's; None where nothing is to be changed.

    The other table is left out where it serves for nothing else. What the question names stays.
    """
    things, owner = tables[path.tables[0].casefold()], tables[path.tables[-1].casefold()]
    meant = ColumnRef(owner, path.column or "")

    def taken(part: Node) -> Node:
        if not isinstance(part, Query) or things not in part.rows.relations:
            return part
        rivals = {*part.rows.relations} - {things, owner}
        read = {one for one in walk(part) if isinstance(one, ColumnRef) and one.of in rivals}
        read = {one for one in read if called_alike(one, meant)}
        others = {one.of for one in read}
        if len(others) != 1 or names_table(question, [one.table for one in others]):
            return part
        made = changed(part, lambda inner: meant if inner in read else inner)
        rows = _led(made, path, tables, others.pop())
        return (
            part if rows is None else changed(made, lambda one: rows if one == made.rows else one)
        )

    made = changed(query, taken)
    return None if made == query else made


def _led(
    query: Query, path: JoinPath, tables: Mapping[str, Relation], other: Relation
) -> Rows | None:
    """The rows of a query with those that the path leads to, and without another table's that it no longer needs."""
    rows = query.rows
    known = {ties(join) for join in rows.joins}
    steps = [one for one in steps_of(path, tables, path.tables) if ties(one) not in known]
    if any(join.outer for join in rows.joins) or not (steps or known):
        return None
    beside = [join for join in rows.joins if other in (join.left, join.right)]
    read = any(isinstance(one, ColumnRef) and one.of == other for one in walk(query, inner=True))
    on_the_way = any(other in (step.left, step.right) for step in steps)
    needless = len(beside) == 1 and not read and not on_the_way
    joins = [join for join in rows.joins if not (needless and join in beside)]
    relations = [one for one in rows.relations if not (needless and one == other)]
    return tied(relations, [*joins, *steps])


def rerouted(
    query: Query, path: JoinPath, tables: Mapping[str, Relation], question: str
) -> Query | None:
    """The query with the way of a path in place of one over other tables; None where it takes no such way.

    Tables on the way that is left must serve for nothing else, and the question must not name them.
    """
    start, end = tables[path.tables[0].casefold()], tables[path.tables[-1].casefold()]
    steps = steps_of(path, tables, path.tables)

    def led(part: Node) -> Node:
        if not isinstance(part, Rows) or not {start, end} <= {*part.relations}:
            return part
        way = way_between(part, start, end)
        between = _between(way, start, end)
        if not between or not steps or any(join.outer for join in part.joins):
            return part
        needless = between - {join.left for join in steps} - {join.right for join in steps}
        needed = {one.of for one in walk(query, inner=True) if isinstance(one, ColumnRef)}
        beside = {one for join in part.joins if join not in way for one in (join.left, join.right)}
        named = names_table(question, [one.table for one in needless])
        if not needless or needless & (needed | beside) or named:
            return part
        kept = [join for join in part.joins if join not in way]
        rest = [one for one in part.relations if one not in needless]
        return tied(rest, [*kept, *steps]) or part

    made = changed(query, led)
    return None if made == query else made


def _between(way: Sequence[Join], start: Relation, end: Relation) -> set[Relation]:
    return {one for join in way for one in (join.left, join.right)} - {start, end}


def tied(relations: Sequence[Relation], joins: Sequence[Join]) -> Rows | None:
    """The relations, each after one that it is joined to, with those that the joins bring in; None where that is no tree."""
    order, made, left = [relations[0]], list[Join](), {ties(one): one for one in joins}
    while fitting := [ends for ends in left if len({*ends[0]} & {*order}) == 1]:
        join = left.pop(fitting[0])
        order += [one for one in (join.left, join.right) if one not in order]
        made.append(join)
    return None if left or not {*relations} <= {*order} else Rows(tuple(order), tuple(made))


def ties(join: Join) -> tuple[frozenset[Relation], frozenset[frozenset[tuple[Relation, str]]]]:
    """What a join makes equal, whichever side stands first."""
    keys = (frozenset({(join.left, one), (join.right, other)}) for one, other in join.keys)
    return frozenset({join.left, join.right}), frozenset(keys)


def steps_of(path: JoinPath, tables: Mapping[str, Relation], order: Sequence[str]) -> list[Join]:
    """The join that brings in each table but the first; none where one is tied to several, or to nothing, before it."""
    made: list[Join] = []
    for place, name in enumerate(order[1:], 1):
        known = {one.casefold() for one in order[:place]}
        pairs = [p for p in path.on if name.casefold() in p.tables and p.tables & known]
        if len({frozenset(pair.tables) for pair in pairs}) != 1:
            return []
        left, right = pairs[0].table.casefold(), pairs[0].other_table.casefold()
        keys = [(p.column, p.other_column) if p.table.casefold() == left else (p.other_column, p.column) for p in pairs]  # fmt: skip
        made.append(Join(tables[left], tables[right], tuple(keys)))
    return made
