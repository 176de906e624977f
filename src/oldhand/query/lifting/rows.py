"""What a query reads: the entries of its FROM, by which columns they are tied, and which conditions are left over."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from oldhand.query.form import Column, Comparison, Predicate, Query, Relation, Rows
from oldhand.query.lifting.roles import Tie, with_roles
from oldhand.query.lifting.scope import Common, CommonTable, Scope, Source
from oldhand.query.lifting.tying import tied
from oldhand.query.lifting.unfit import Unfit, only
from oldhand.record.schema import Table


@dataclass(frozen=True)
class _Entry:
    """One relation as FROM names it."""

    source: Source
    join: exp.Join | None


def read_rows(select: exp.Select, scope: Scope) -> tuple[Rows, tuple[Predicate, ...]]:
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
            said[place] = scope.reader.conjuncts(on, scope)
    clause = select.args.get("where")
    where = scope.reader.conjuncts(clause.this, scope) if isinstance(clause, exp.Where) else ()
    if "RIGHT" in sides:
        entries, sides, said = entries[::-1], ["", "LEFT"], [(), said[1]]
    own = [entry.source.relation for entry in entries]
    return tied(own, said, [side == "LEFT" for side in sides], where, _References(entries).refers)


def _entry(node: exp.Expr, of: exp.Join | None, scope: Scope) -> _Entry:
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
        return _Entry(Source(node.alias_or_name.casefold(), relation, columns, table), of)
    if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Query):
        only(node, ("this", "alias"))
        return _Entry(_derived(node.this, node, scope, scope.common), of)
    raise Unfit("what is read is no table")


def _only_a_name(node: exp.Expr) -> None:
    alias = node.args.get("alias")
    if isinstance(alias, exp.TableAlias) and alias.columns:
        raise Unfit("columns named anew")


def _common(node: exp.Table, common: CommonTable, scope: Scope) -> Source:
    inner = common.node.this
    source = _derived(inner, common.node, scope, common.known)
    _only_a_name(node)
    return replace(source, name=node.alias_or_name.casefold(), folded={})


def _derived(inner: exp.Expr, named: exp.Expr, scope: Scope, common: Common) -> Source:
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
    return Source(named.alias_or_name.casefold(), relation, given)


def output_names(query: Query) -> tuple[str, ...]:
    """What the outputs of a query are called: as it says, by their columns, or by their places."""
    given = query.names or ("",) * len(query.select)
    return tuple(
        name or (one.name if isinstance(one, Column) else f"c{place}")
        for place, (name, one) in enumerate(zip(given, query.select, strict=True), 1)
    )


def _give_roles(entries: Sequence[_Entry], select: exp.Select, scope: Scope) -> None:
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


def _shared(entry: _Entry, scope: Scope) -> list[Comparison]:
    """What USING makes equal."""
    if entry.join is None:
        return []
    using = [name.name for name in entry.join.args.get("using") or ()]
    equal: list[Comparison] = []
    for name in using:
        right = entry.source.column(name)
        left = scope.column(exp.column(name))
        if right is None or not isinstance(left, Column):
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

    def refers(self, one: Column, two: Column) -> bool:
        first, second = self._tables.get(one.of), self._tables.get(two.of)
        if first is None or second is None:
            return False
        if _points(first, one, second, two):
            return not _points(second, two, first, one)
        if _points(second, two, first, one):
            return False
        return first.primary_key != (one.name,) and second.primary_key == (two.name,)


def _points(table: Table, column: Column, target: Table, key: Column) -> bool:
    return any(
        (column.name, key.name) in zip(known.columns, known.target_columns, strict=False)
        and known.table == target.name
        and known.database == key.of.database
        for known in table.foreign_keys
    )
