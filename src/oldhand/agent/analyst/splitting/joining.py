"""The tables of one SELECT, grouped by what one database can join and filter by itself."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import Source, conjuncts, home, is_within, joins, sources


@dataclass
class Group:
    """Tables of one SELECT that one database fetches together."""

    database: str
    members: list[Source]
    filters: list[exp.Expr] = field(default_factory=list[exp.Expr])
    """Conditions that touch these tables only; they are left to the database."""
    outputs: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """The name in the result for each column wanted, by alias and column."""
    step: str = ""
    """The table that holds the rows once they are fetched."""

    @property
    def aliases(self) -> tuple[str, ...]:
        """How the SELECT calls the tables."""
        return tuple(member.alias for member in self.members)

    @property
    def alias(self) -> str:
        """How the SELECT will call the rows: a table alone keeps its name."""
        return self.aliases[0] if len(self.members) == 1 else self.step

    def table(self, alias: str) -> exp.Table:
        """The table that goes by `alias`."""
        return next(m.table for m in self.members if m.alias == alias and m.table is not None)


def groups_of(select: exp.Select) -> list[Group]:
    """The tables of `select` by database, together where they join, each with the filters it can take.

    The conditions that a group takes are removed from `select`. Tables of an outer join stay alone, since
    joining them earlier could change which rows find no partner.
    """
    real = [source for source in sources(select) if source.database]
    if any(join.side for join in joins(select)):
        groups = [Group(source.database, [source]) for source in real]
    else:
        groups = _connected(select, real)
    for group in groups:
        _take_filters(select, group)
    return sorted(groups, key=lambda group: not _narrows(group))


def _connected(select: exp.Select, real: list[Source]) -> list[Group]:
    groups = [Group(source.database, [source]) for source in real]
    for condition in conditions(select):
        touched = _aliases(condition, select)
        for group in groups:
            if touched and not touched <= set(_of_database(groups, group.database)):
                continue
            if touched.intersection(group.aliases) and isinstance(condition, exp.EQ):
                _merge(groups, group, touched)
                break
    return groups


def _of_database(groups: list[Group], database: str) -> Iterator[str]:
    return (alias for group in groups if group.database == database for alias in group.aliases)


def _merge(groups: list[Group], into: Group, touched: set[str]) -> None:
    for other in [g for g in groups if g is not into and touched.intersection(g.aliases)]:
        into.members += other.members
        groups.remove(other)


def _narrows(group: Group) -> bool:
    """True when some filter speaks of one table only: its rows are likely to be few."""
    return any(len({c.table for c in f.find_all(exp.Column)}) == 1 for f in group.filters)


def conditions(select: exp.Select) -> list[exp.Expr]:
    """All conditions that rows of `select` must meet, one by one: of its joins, then of its WHERE."""
    found: list[exp.Expr] = []
    for clause in _clauses(select):
        found += conjuncts(clause)
    return found


def _clauses(select: exp.Select) -> list[exp.Expr]:
    clauses = [join.args.get("on") for join in joins(select)]
    where = select.args.get("where")
    clauses.append(where.this if isinstance(where, exp.Where) else None)
    return [clause for clause in clauses if isinstance(clause, exp.Expr)]


def _aliases(condition: exp.Expr, select: exp.Select) -> set[str]:
    """The tables of `select` that `condition` speaks of."""
    return {c.table for c in condition.find_all(exp.Column) if home(c) is select}


def _take_filters(select: exp.Select, group: Group) -> None:
    """Move the conditions that the group's database can check from `select` to the group."""
    takes_where = not any(join.side in {"RIGHT", "FULL"} for join in joins(select))
    nullable = {join.this.alias_or_name for join in joins(select) if join.side == "LEFT"}
    for join in joins(select):
        inner = not join.side and not nullable.intersection(group.aliases)
        own = join.side == "LEFT" and group.aliases == (join.this.alias_or_name,)
        if takes_where and (inner or own) and (clause := join.args.get("on")) is not None:
            join.set("on", _left_over(clause, select, group))
    where = select.args.get("where")
    if takes_where and not nullable.intersection(group.aliases) and isinstance(where, exp.Where):
        rest = _left_over(where.this, select, group)
        select.set("where", exp.Where(this=rest) if rest is not None else None)


def _left_over(clause: exp.Expr, select: exp.Select, group: Group) -> exp.Expr | None:
    """What remains of `clause` after the group took its part."""
    taken = [part for part in conjuncts(clause) if _is_own(part, select, group)]
    kept = [part for part in conjuncts(clause) if not any(part is other for other in taken)]
    group.filters += [part.copy() for part in taken]
    return all_of(kept) if taken else clause


def all_of(parts: Iterable[exp.Expr]) -> exp.Expr | None:
    """The conjunction of `parts`, or None when there are none."""
    copies = [copy for part in parts for copy in conjuncts(part.copy())]
    return exp.and_(*copies, copy=False) if copies else None


def _is_own(part: exp.Expr, select: exp.Select, group: Group) -> bool:
    """True when the group's database can check `part` by itself."""
    touched = False
    for column in part.find_all(exp.Column):
        where_from = home(column)
        if where_from is select and column.table in group.aliases:
            touched = True
        elif where_from is None or not is_within(where_from, part):
            return False
    tables = list(part.find_all(exp.Table))
    return touched and all(table.catalog == group.database for table in tables)


def name_outputs(select: exp.Select, group: Group) -> None:
    """Decide which columns of the group's tables `select` still needs, and how they will be called."""
    taken: set[str] = set()
    for column in select.find_all(exp.Column):
        key = (column.table, column.name)
        if column.table in group.aliases and home(column) is select and key not in group.outputs:
            name = column.name
            if name.casefold() in taken:
                name = f"{column.table}_{column.name}"
            while name.casefold() in taken:
                name += "_"
            taken.add(name.casefold())
            group.outputs[key] = name


def fetch_query(group: Group) -> exp.Select:
    """The query that fetches the rows of `group`, with no more columns than wanted."""
    outputs = [
        exp.column(column, alias) if name == column else exp.column(column, alias).as_(name)
        for (alias, column), name in group.outputs.items()
    ]
    start, *others = _in_joining_order(group)
    query = exp.select(*(outputs or [exp.Literal.number(1).as_("one")])).from_(start.node.copy())
    placed, left = {start.alias}, list(group.filters)
    for member in others:
        placed.add(member.alias)
        on = [part for part in left if _joins(part, member.alias, placed)]
        left = [part for part in left if not any(part is other for other in on)]
        condition = all_of(on)
        query = query.join(
            member.node.copy(), on=condition, join_type=None if condition is not None else "cross"
        )
    where = all_of(left)
    return query if where is None else query.where(where)


def _in_joining_order(group: Group) -> list[Source]:
    """The members so that each joins one before it, as far as they join at all."""
    ordered, waiting = [group.members[0]], list(group.members[1:])
    while waiting:
        placed = {member.alias for member in ordered}
        follower = next(
            (
                m
                for m in waiting
                if any(_joins(f, m.alias, placed | {m.alias}) for f in group.filters)
            ),
            waiting[0],
        )
        ordered.append(follower)
        waiting.remove(follower)
    return ordered


def _joins(part: exp.Expr, alias: str, placed: set[str]) -> bool:
    """True when `part` binds `alias` to tables that are placed already."""
    if part.find(exp.Query):
        return False
    touched = {column.table for column in part.find_all(exp.Column)}
    return alias in touched and len(touched) > 1 and touched <= placed


def rejoin(select: exp.Select, groups: list[Group]) -> None:
    """Let `select` read the rows of the groups' steps instead of their tables."""
    for group in groups:
        if len(group.members) > 1:
            _rename(select, group)
    if any(join.side for join in joins(select)):
        for group in groups:
            group.members[0].node.replace(_rows_of(group))
        for join in joins(select):
            if join.args.get("on") is None and join.side:
                join.set("on", exp.true())
        return
    _rebuild(select, groups)


def _rows_of(group: Group) -> exp.Table:
    table = exp.to_table(group.step)
    if group.alias != group.step:
        table.set("alias", exp.TableAlias(this=exp.to_identifier(group.alias)))
    return table


def _rename(select: exp.Select, group: Group) -> None:
    """Let columns of the group's tables name the step that holds them."""
    for column in list(select.find_all(exp.Column)):
        name = group.outputs.get((column.table, column.name))
        if name is None or home(column) is not select:
            continue
        moved = exp.column(name, group.step)
        is_output = isinstance(column.parent, exp.Select) and column.arg_key == "expressions"
        column.replace(moved.as_(column.name) if is_output and name != column.name else moved)


def _rebuild(select: exp.Select, groups: list[Group]) -> None:
    """Write FROM and the inner joins of `select` anew: each step with the conditions that bind it."""
    left = conditions(select)
    derived = [s.node for s in sources(select) if not s.database]
    first, *waiting = [*(_rows_of(group) for group in groups), *(node.copy() for node in derived)]
    select.set("from_", exp.From(this=first))
    placed, built = {first.alias_or_name}, list[exp.Join]()
    while waiting:
        names = [row.alias_or_name for row in waiting]
        joining = (n for n in names if any(_joins(part, n, placed | {n}) for part in left))
        row = waiting.pop(names.index(next(joining, names[0])))
        placed.add(row.alias_or_name)
        on = [part for part in left if _joins(part, row.alias_or_name, placed)]
        left = [part for part in left if not any(part is other for other in on)]
        condition = all_of(on)
        built.append(exp.Join(this=row, on=condition, kind=None if on else "CROSS"))
    select.set("joins", built)
    where = all_of(left)
    select.set("where", exp.Where(this=where) if where is not None else None)
