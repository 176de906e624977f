"""Which tables a statement reads, and to which of them a column belongs."""

from dataclasses import dataclass

from sqlglot import exp

from oldhand.query.form import Relation
from oldhand.query.known import known_table
from oldhand.record.schema import Column, DatabaseSchema, Table


@dataclass(frozen=True)
class FromEntry:
    """One entry of a SELECT's FROM."""

    alias: str
    name: str
    """Of the table itself; empty for a derived one."""
    table: Table | None
    """What the schema says about it; None for a derived table, and for one that it does not know."""


def sources(select: exp.Select, schema: DatabaseSchema) -> tuple[FromEntry, ...]:
    """What `select` reads from, in order."""
    start = select.args.get("from_")
    held = [start] if isinstance(start, exp.From) else []
    nodes = [one.this for one in (*held, *joins(select))]
    return tuple(_source(node, schema) for node in nodes)


def _source(node: exp.Expr, schema: DatabaseSchema) -> FromEntry:
    if not isinstance(node, exp.Table):
        return FromEntry(node.alias_or_name, "", None)
    known = known_table(Relation(node.catalog, node.db, node.name), (schema,))
    return FromEntry(node.alias_or_name, node.name, known)


def joins(select: exp.Select) -> list[exp.Join]:
    """The joins of `select`, in order."""
    return [join for join in select.args.get("joins") or () if isinstance(join, exp.Join)]


def home(column: exp.Column, schema: DatabaseSchema) -> exp.Select | None:
    """The SELECT whose FROM holds the table that `column` names, seen from inside out."""
    select = column.find_ancestor(exp.Select)
    while select is not None:
        if any(source.alias == column.table for source in sources(select, schema)):
            return select
        select = select.find_ancestor(exp.Select)
    return None


def column_of(column: exp.Column, schema: DatabaseSchema) -> Column | None:
    """What the schema says about `column`; None for columns of derived tables and for unclear ones."""
    select = home(column, schema) if column.table else column.find_ancestor(exp.Select)
    found = [
        known
        for source in (sources(select, schema) if select is not None else ())
        if column.table in ("", source.alias) and source.table is not None
        if (known := source.table.column(column.name)) is not None
    ]
    return found[0] if len(found) == 1 else None
