"""What a query reads: the entries of its FROM, by which columns they are tied, and which conditions are left over."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from oldhand.query.form import ColumnRef, Comparison, Join, Predicate, Query, Relation, Rows
from oldhand.query.lifting.predicates import read_conjuncts
from oldhand.query.lifting.roles import Tie, with_roles
from oldhand.query.lifting.scope import Common, CommonTable, LiftedSource, LiftScope, Unfit, only
from oldhand.query.walk import equal_columns
from oldhand.record.schema import Table

_Refers = Callable[[ColumnRef, ColumnRef], bool]
"""Whether the first column refers to the second one, as an order does to its customer."""


@dataclass(frozen=True)
class _Entry:
    """One relation as FROM names it."""

    source: LiftedSource
    join: exp.Join | None


def read_rows(select: exp.Select, scope: LiftScope) -> tuple[Rows, tuple[Predicate, ...]]:
    """What a SELECT reads and which rows of it; its relations become known to the scope.

    Raises:
        Unfit: relations are tied by more than equal columns.
    """
    start = select.args.get("from_")
    if not isinstance(start, exp.From):
        raise Unfit("no table")
    parts = [part for part in select.args.get("joins") or () if isinstance(part, exp.Join)]
    entries = [_entry(start.this, None, scope)] + [_entry(p.this, p, scope) for p in parts]
    _give_roles(entries, select, scope)
    said: list[tuple[Predicate, ...]] = []
    for entry in entries:
        if any(entry.source.name == other.name for other in scope.sources):
            raise Unfit("one name for two tables")
        said.append(tuple(_shared(entry, scope)))
        scope.sources.append(entry.source)
    sides = [(e.join.side or "").upper() if e.join is not None else "" for e in entries]
    _mark_optional(entries, sides)
    for place, entry in enumerate(entries):
        on = entry.join.args.get("on") if entry.join is not None else None
        if isinstance(on, exp.Expr) and not (isinstance(on, exp.Boolean) and on.this):
            said[place] = read_conjuncts(on, scope)
    clause = select.args.get("where")
    where = read_conjuncts(clause.this, scope) if isinstance(clause, exp.Where) else ()
    if "RIGHT" in sides:
        entries, sides, said = entries[::-1], ["", "LEFT"], [(), said[1]]
    own = [entry.source.relation for entry in entries]
    return _tied(own, said, [side == "LEFT" for side in sides], where, _References(entries).refers)


def _entry(node: exp.Expr, of: exp.Join | None, scope: LiftScope) -> _Entry:
    if of is not None:
        only(of, ("this", "on", "using", "side", "kind"))
        if (of.args.get("kind") or "").upper() not in ("", "INNER", "CROSS", "OUTER"):
            raise Unfit(f"{of.args['kind'].lower()} join")
    if isinstance(node, exp.Table):
        only(node, ("this", "db", "catalog", "alias"))
        if not isinstance(node.this, exp.Identifier):
            raise Unfit("table function")
        common = scope.common.get(node.name.casefold()) if not node.db else None
        if common is not None:
            return _Entry(_common(node, common, scope), of)
        relation, table = scope.reader.table(node)
        columns = None if table is None else [column.name for column in table.columns]
        _only_a_name(node)
        return _Entry(LiftedSource(node.alias_or_name.casefold(), relation, columns, table), of)
    if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Query):
        only(node, ("this", "alias"))
        return _Entry(_derived(node.this, node, scope, scope.common), of)
    raise Unfit("what is read is no table")


def _only_a_name(node: exp.Expr) -> None:
    alias = node.args.get("alias")
    if isinstance(alias, exp.TableAlias) and alias.columns:
        raise Unfit("columns named anew")


def _common(node: exp.Table, common: CommonTable, scope: LiftScope) -> LiftedSource:
    inner = common.node.this
    source = _derived(inner, common.node, scope, common.known)
    _only_a_name(node)
    return replace(source, name=node.alias_or_name.casefold(), folded={})


def _derived(inner: exp.Expr, named: exp.Expr, scope: LiftScope, common: Common) -> LiftedSource:
    """The rows of a query in FROM, or of one in WITH."""
    alias = named.args.get("alias")
    query = scope.reader.query(inner, scope.around, common)
    if isinstance(alias, exp.TableAlias) and alias.columns:
        query = replace(query, names=tuple(one.name for one in alias.columns))
        if len(query.names) != len(query.select):
            raise Unfit("columns named anew")
    given = output_names(query)
    if len({name.casefold() for name in given}) < len(given):
        raise Unfit("two columns of one name")
    relation = Relation("", "", "", query=replace(query, names=given))
    return LiftedSource(named.alias_or_name.casefold(), relation, given)


def output_names(query: Query) -> tuple[str, ...]:
    """What the outputs of a query are called: as it says, by their columns, or by their places."""
    given = query.names or ("",) * len(query.select)
    return tuple(
        name or (one.name if isinstance(one, ColumnRef) else f"c{place}")
        for place, (name, one) in enumerate(zip(given, query.select, strict=True), 1)
    )


def _give_roles(entries: Sequence[_Entry], select: exp.Select, scope: LiftScope) -> None:
    """Tell apart the relations of one table."""
    plain = [entry.source.relation for entry in entries]
    around = set(scope.around.relations()) if scope.around is not None else set[Relation]()
    names = {entry.source.name: place for place, entry in enumerate(entries)}
    inside = {table.alias_or_name.casefold() for table in select.find_all(exp.Table)}
    inside |= {table.alias.casefold() for table in select.find_all(exp.Subquery)}
    meant = around and any(
        column.table and column.table.casefold() not in inside
        for column in select.find_all(exp.Column)
    )
    if len(set(plain)) == len(plain) and not meant:
        return
    ties = list(_ties(select, names))
    told = with_roles(plain, ties, around if meant else ())
    for entry, relation in zip(entries, told, strict=True):
        entry.source.relation = relation


def _ties(select: exp.Select, names: dict[str, int]) -> list[Tie]:
    """The equations between columns of two entries that name them."""
    clauses = [part.args.get("on") for part in select.args.get("joins") or ()]
    clauses.append(select.args.get("where"))
    found: list[Tie] = []
    for clause in clauses:
        for equal in clause.find_all(exp.EQ) if isinstance(clause, exp.Expr) else ():
            one, two = equal.this, equal.expression
            if not (isinstance(one, exp.Column) and isinstance(two, exp.Column)):
                continue
            places = names.get(one.table.casefold()), names.get(two.table.casefold())
            if places[0] is not None and places[1] is not None:
                found.append((places[0], one.name, places[1], two.name))
    return found


def _shared(entry: _Entry, scope: LiftScope) -> list[Comparison]:
    """What USING makes equal."""
    if entry.join is None:
        return []
    using = [name.name for name in entry.join.args.get("using") or ()]
    equal: list[Comparison] = []
    for name in using:
        right = entry.source.column(name)
        left = scope.column(exp.column(name))
        if right is None or not isinstance(left, ColumnRef):
            raise Unfit("unknown column")
        kept = right if (entry.join.side or "").upper() == "RIGHT" else left
        scope.merged[name.casefold()] = kept
        equal.append(Comparison(left, "=", right))
    return equal


def _mark_optional(entries: Sequence[_Entry], sides: Sequence[str]) -> None:
    for place, (entry, side) in enumerate(zip(entries, sides, strict=True)):
        if side == "FULL" or (side == "RIGHT" and len(entries) > 2):
            raise Unfit(f"{side.lower()} join")
        if side == "LEFT":
            entry.source.optional = True
        elif side == "RIGHT":
            entries[place - 1].source.optional = True


class _References:
    """Which of two equal columns refers to the other, by foreign keys, else by which one is a key."""

    def __init__(self, entries: Sequence[_Entry]) -> None:
        self._tables = {entry.source.relation: entry.source.table for entry in entries}

    def refers(self, one: ColumnRef, two: ColumnRef) -> bool:
        first, second = self._tables.get(one.of), self._tables.get(two.of)
        if first is None or second is None:
            return False
        if _points(first, one, second, two):
            return not _points(second, two, first, one)
        if _points(second, two, first, one):
            return False
        return first.primary_key != (one.name,) and second.primary_key == (two.name,)


def _points(table: Table, column: ColumnRef, target: Table, key: ColumnRef) -> bool:
    return any(
        (column.name, key.name) in zip(known.columns, known.target_columns, strict=False)
        and known.table == target.name
        and known.database == key.of.database
        for known in table.foreign_keys
    )


def _tied(
    relations: Sequence[Relation],
    said: Sequence[Sequence[Predicate]],
    outer: Sequence[bool],
    where: Sequence[Predicate],
    refers: _Refers,
) -> tuple[Rows, tuple[Predicate, ...]]:
    """Join relations so that each is tied to one before it, as far as equations do that; with the conditions that are left.

    Args:
        relations: in the order in which they were named; they keep it where an outer join is among them.
        said: what was said where each of them was joined.
        outer: which of them may lack.
        where: conditions on all rows; their equations are used where nothing else ties a relation.
        refers: which of two equal columns is the one that refers.

    Raises:
        Unfit: an outer join is by more than equal columns.
    """
    first, *left = relations
    taken, joins = [first], list[Join]()
    rest = [one for conditions in said for one in conditions]
    weaker = list(where)
    while left:
        place = relations.index(left[0])
        ahead, strong = (left[:1], list(said[place])) if any(outer) else (left, rest)
        found = _next(ahead, taken, strong)
        pool = rest
        if found is None and not outer[place]:
            found, pool = _next(ahead, taken, weaker), weaker
        relation, other = found or (left[0], first)
        among = strong if pool is rest else weaker
        keys = [one for one in among if _between(one, relation, other)]
        if outer[place] and (not keys or len(keys) < len(strong)):
            raise Unfit("outer join by more than equal columns")
        for key in keys:
            pool.remove(key)
        joins.append(_join(other, relation, keys, refers, outer=outer[place]))
        left.remove(relation)
        taken.append(relation)
    return Rows(tuple(taken), tuple(joins)), (*rest, *weaker)


def _join(
    one: Relation, two: Relation, keys: Sequence[Predicate], refers: _Refers, *, outer: bool
) -> Join:
    """The join of two relations by equations between them: as the first one is written, where nothing tells who refers."""
    pairs = [pair for key in keys if (pair := equal_columns(key))]
    if pairs:
        first, second = pairs[0]
        turned = refers(second, first) and not refers(first, second)
        one, two = (second.of, first.of) if turned else (first.of, second.of)
    pairs = [pair if pair[0].of == one else pair[::-1] for pair in pairs]
    names = dict.fromkeys((left.name, right.name) for left, right in pairs)
    return Join(one, two, tuple(names), outer)


def _next(
    left: Sequence[Relation], taken: Sequence[Relation], equations: Sequence[Predicate]
) -> tuple[Relation, Relation] | None:
    """The first relation that an equation ties to one that is taken, and that one."""
    pairs = [pair for equation in equations if (pair := equal_columns(equation)) is not None]
    for relation in left:
        for one, two in pairs:
            for near, far in ((one.of, two.of), (two.of, one.of)):
                if near == relation and far in taken:
                    return relation, far
    return None


def _between(equation: Predicate, one: Relation, two: Relation) -> bool:
    pair = equal_columns(equation)
    return pair is not None and {pair[0].of, pair[1].of} == {one, two}
