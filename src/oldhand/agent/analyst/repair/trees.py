"""Which tables a statement reads, and to which of them a column belongs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import MappingSchema, exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify_columns import qualify_columns

from oldhand.query.form import Relation
from oldhand.query.known import known_table
from oldhand.record.schema import Column, DatabaseSchema, Table


@dataclass(frozen=True)
class Source:
    """One entry of a SELECT's FROM: a table, or a derived table when `table` is None."""

    alias: str
    node: exp.Expr
    table: exp.Table | None


def real_tables(tree: exp.Expr) -> Iterator[exp.Table]:
    """The tables under `tree` that lie in a database."""
    return (table for table in tree.find_all(exp.Table) if table.catalog)


def sources(select: exp.Select) -> tuple[Source, ...]:
    """What `select` reads from, in order."""
    nodes: list[exp.Expr] = []
    if isinstance(start := select.args.get("from_"), exp.From):
        nodes.append(start.this)
    nodes += [join.this for join in joins(select)]
    return tuple(
        Source(node.alias_or_name, node, node if isinstance(node, exp.Table) else None)
        for node in nodes
    )


def joins(select: exp.Select) -> list[exp.Join]:
    """The joins of `select`, in order."""
    return [join for join in select.args.get("joins") or () if isinstance(join, exp.Join)]


def home(column: exp.Column) -> exp.Select | None:
    """The SELECT whose FROM holds the table that `column` names, seen from inside out."""
    node: exp.Expr | None = column.parent
    while node is not None:
        if isinstance(node, exp.Select) and any(s.alias == column.table for s in sources(node)):
            return node
        node = node.parent
    return None


def described(table: exp.Table, schemas: Sequence[DatabaseSchema]) -> Table | None:
    """What the schemas say about `table`."""
    return known_table(Relation(table.catalog, table.db, table.name), schemas)


def column_of(column: exp.Column, schemas: Sequence[DatabaseSchema]) -> Column | None:
    """What the schemas say about `column`; None for columns of derived tables and for unclear ones."""
    select = home(column) if column.table else column.find_ancestor(exp.Select)
    if select is None:
        return None
    found = [
        known
        for source in sources(select)
        if column.table in ("", source.alias) and source.table is not None
        if (table := described(source.table, schemas)) is not None
        and (known := table.column(column.name)) is not None
    ]
    return found[0] if len(found) == 1 else None


def qualified(query: exp.Expr, schemas: Sequence[DatabaseSchema]) -> exp.Expr:
    """A copy of `query` in which each column names its table; stars and USING are written out.

    Where the query and the schemas don't fit, it is left as it is.
    """
    tree = query.copy()
    for table in real_tables(tree):
        if not table.alias:
            table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name)))
    known = MappingSchema(normalize=False)
    for node in real_tables(tree):
        table = described(node, schemas)
        if table is not None:
            path = exp.table_(table.name, db=table.schema_name, catalog=node.catalog)
            known.add_table(path, {column.name: "unknown" for column in table.columns})
    before = tree.copy()
    try:
        qualify_columns(tree, known, expand_alias_refs=False, allow_partial_qualification=True)
    except SqlglotError:
        return before
    for select in tree.find_all(exp.Select):
        _without_given_names(select)
    return tree


def _without_given_names(select: exp.Select) -> None:
    """Take away the aliases that qualifying gave to outputs, also where the query sorts by them."""
    given = {o.alias: o.this for o in select.expressions if _is_given(o)}
    select.set("expressions", [o.this if _is_given(o) else o for o in select.expressions])
    clauses = (select.args.get("order"), select.args.get("having"))
    for column in [c for clause in clauses if clause for c in clause.find_all(exp.Column)]:
        if not column.table and column.name in given:
            column.replace(given[column.name].copy())


def _is_given(output: exp.Expr) -> bool:
    if not isinstance(output, exp.Alias):
        return False
    made = output.alias.startswith("_col_") or isinstance(output.this, exp.Literal)
    return made or output.alias == output.this.name
