"""Joins two tables in the way that a rule says, where a query joins them in another."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlglot import exp

from oldhand.agent.analyst.effects.mentions import key_columns, names_key
from oldhand.agent.analyst.rendering.names import described, home, joins, sources
from oldhand.record.effect import JoinPath, KeyPair
from oldhand.record.schema import DatabaseSchema


class _Ends(NamedTuple):
    """The two tables of a query that a path is about, with what joins them now."""

    first: exp.Table
    last: exp.Table
    equalities: tuple[exp.EQ, ...]


def rejoined(
    query: exp.Expr, path: JoinPath, question: str, schemas: Sequence[DatabaseSchema]
) -> exp.Expr | None:
    """The query with the tables of `path` joined as it says; None when nothing is to be changed.

    Only a direct join of the first and the last table is changed, where each of them is read once, and where the
    question does not name the column that joins them now.

    Args:
        query: over `database.schema.table`, each with an alias; it is not changed.
        path: what a lesson says.
        question: as it was asked.
        schemas: the databases.
    """
    if not _exists(path, schemas):
        return None
    tree = query.copy()
    ends = _ends(tree, path, schemas)
    if ends is None or _is_as_wanted(ends, path) or names_key(question, _named(ends, path)):
        return None
    between = path.tables[1:-1]
    if not between:
        _replace(ends, [_equality(pair, _aliases(ends, path)) for pair in path.on])
        return tree
    return tree if _led_through(tree, ends, path, schemas) else None


def _exists(path: JoinPath, schemas: Sequence[DatabaseSchema]) -> bool:
    schema = next((one for one in schemas if one.name == path.database), None)
    if schema is None:
        return False
    named = [name for pair in path.on for name in key_columns(pair)]
    tables = ((schema.table(table), column) for table, column in named)
    return all(table is not None and table.column(column) is not None for table, column in tables)


def _ends(tree: exp.Expr, path: JoinPath, schemas: Sequence[DatabaseSchema]) -> _Ends | None:
    first, last = (
        _only(tree, path.database, name, schemas) for name in (path.tables[0], path.tables[-1])
    )
    if first is None or last is None:
        return None
    found = tuple(
        equality
        for equality in tree.find_all(exp.EQ)
        if _is_conjunct(equality) and _homes(equality) == {id(first), id(last)}
    )
    return _Ends(first, last, found) if found else None


def _only(
    tree: exp.Expr, database: str, name: str, schemas: Sequence[DatabaseSchema]
) -> exp.Table | None:
    """The table of that name where the query reads it once."""
    found = [
        node
        for node in tree.find_all(exp.Table)
        if node.catalog == database
        and (known := described(node, schemas)) is not None
        and known.name.casefold() == name.casefold()
    ]
    return found[0] if len(found) == 1 else None


def _homes(equality: exp.EQ) -> set[int] | None:
    """The tables whose columns are compared; None when other things are."""
    found: set[int] = set()
    for side in (equality.this, equality.expression):
        table = _table_of(side)
        if table is None:
            return None
        found.add(id(table))
    return found


def _table_of(side: object) -> exp.Table | None:
    select = home(side) if isinstance(side, exp.Column) else None
    if select is None or not isinstance(side, exp.Column):
        return None
    return next((s.table for s in sources(select) if s.alias == side.table), None)


def _is_conjunct(equality: exp.EQ) -> bool:
    node = equality.parent
    while isinstance(node, (exp.And, exp.Paren)):
        node = node.parent
    return isinstance(node, (exp.Join, exp.Where))


def _named(ends: _Ends, path: JoinPath) -> Iterator[tuple[str, str]]:
    """Table and column of what joins them now and would not any longer."""
    wanted = {
        (table.casefold(), column.casefold())
        for pair in path.on
        for table, column in key_columns(pair)
    }
    for equality in ends.equalities:
        for side in (equality.this, equality.expression):
            table = _table_of(side)
            name = (table.name if table is not None else "", side.name)
            if (name[0].casefold(), name[1].casefold()) not in wanted:
                yield name


def _is_as_wanted(ends: _Ends, path: JoinPath) -> bool:
    now = {
        frozenset(
            (table.name.casefold(), side.name.casefold())
            for side in (one.this, one.expression)
            if (table := _table_of(side)) is not None
        )
        for one in ends.equalities
    }
    wanted = {
        frozenset((table.casefold(), column.casefold()) for table, column in key_columns(pair))
        for pair in path.on
    }
    return now == wanted


def _aliases(ends: _Ends, path: JoinPath) -> dict[str, str]:
    return {
        path.tables[0].casefold(): ends.first.alias_or_name,
        path.tables[-1].casefold(): ends.last.alias_or_name,
    }


def _equality(pair: KeyPair, aliases: dict[str, str]) -> exp.Expr:
    one, two = (
        exp.column(column, table=aliases[table.casefold()]) for table, column in key_columns(pair)
    )
    return exp.EQ(this=one, expression=two)


def _replace(ends: _Ends, conditions: Sequence[exp.Expr]) -> None:
    """Put `conditions` in the place of what joins the tables now."""
    ends.equalities[0].replace(exp.and_(*conditions))
    for other in ends.equalities[1:]:
        other.replace(conditions[0].copy())


def _led_through(
    tree: exp.Expr, ends: _Ends, path: JoinPath, schemas: Sequence[DatabaseSchema]
) -> bool:
    """Join the tables between, right before the later of the two ends; False where they are read already."""
    select = ends.equalities[0].find_ancestor(exp.Select)
    join = ends.equalities[0].find_ancestor(exp.Join)
    if select is None or join is None or join.this not in (ends.first, ends.last) or join.side:
        return False
    if any(_reads(tree, path.database, name, schemas) for name in path.tables[1:-1]):
        return False
    aliases, taken = _aliases(ends, path), {source.alias for source in sources(select)}
    for name in path.tables[1:-1]:
        aliases[name.casefold()] = _free(name, taken)
    later = path.tables[-1] if join.this is ends.last else path.tables[0]
    order = path.tables if join.this is ends.last else tuple(reversed(path.tables))
    steps: list[exp.Join] = []
    known = {order[0].casefold()}
    for name in order[1:]:
        known.add(name.casefold())
        on = [
            _equality(pair, aliases) for pair in path.on if name.casefold() in pair.tables <= known
        ]
        if not on:
            return False
        if name == later:
            _replace(ends, on)
        else:
            steps.append(
                exp.Join(this=_source(path.database, name, aliases, schemas), on=exp.and_(*on))
            )
    all_joins = joins(select)
    at = all_joins.index(join)
    select.set("joins", [*all_joins[:at], *steps, *all_joins[at:]])
    return True


def _reads(tree: exp.Expr, database: str, name: str, schemas: Sequence[DatabaseSchema]) -> bool:
    return any(
        node.catalog == database and node.name.casefold() == name.casefold()
        for node in tree.find_all(exp.Table)
        if described(node, schemas) is not None
    )


def _free(name: str, taken: set[str]) -> str:
    alias = name
    while alias in taken:
        alias += "_"
    taken.add(alias)
    return alias


def _source(
    database: str, name: str, aliases: dict[str, str], schemas: Sequence[DatabaseSchema]
) -> exp.Table:
    schema = next(one for one in schemas if one.name == database)
    table = schema.table(name)
    assert table is not None, "the path exists"
    return exp.table_(
        table.name, db=table.schema_name, catalog=database, alias=aliases[name.casefold()]
    )
