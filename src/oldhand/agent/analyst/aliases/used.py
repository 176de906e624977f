"""What the SQL of a confirmed pair uses: tables, columns and values, and in which part of the query."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from oldhand.agent.analyst.precedents.fitting import as_declared, fits
from oldhand.agent.analyst.rendering.names import home, qualified, sources
from oldhand.agent.analyst.repair.repairing import anchor
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.errors import QueryRefused
from oldhand.record.evidence import Pair
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases import check_sql

SHOWN, NARROWED, GROUPED, ORDERED, COUNTED, JOINED = "SFGOCJ"


@dataclass(slots=True)
class Item:
    """A table, a column, or a value of a column that a query uses."""

    table: int
    column: int = -1
    """-1 for the table itself."""
    value: str | None = None
    roles: set[str] = field(default_factory=set[str])
    aggregates: set[str] = field(default_factory=set[str])
    """`avg`, `sum`, `max`, `min` where the column is computed with."""
    place: int = 0
    """Its place in the query, counted as it is read."""


def query_of(pair: Pair, schemas: tuple[DatabaseSchema, ...]) -> exp.Query | None:
    """The SQL of a pair without regard to its dialect; None when it does not parse or fit the schemas."""
    schema = next((s for s in schemas if s.name == pair.database), None)
    try:
        if pair.database is None:
            tree: exp.Expr = parse_one(pair.sql)
        elif schema is not None:
            tree = check_sql(pair.sql, schema.dialect)
            anchor(tree, schema)
        else:
            return None
    except (QueryRefused, SqlglotError, RecursionError):
        return None
    found = qualified(as_declared(tree, schemas), schemas)
    return found if isinstance(found, exp.Query) and fits(found, schemas) else None


def items_of(query: exp.Query, words: Vocabulary) -> list[Item]:
    """The items of a query in the order in which it names them; keys that only join are left out."""
    found: dict[tuple[int, int, str | None], Item] = {}
    for table, column, value, role, aggregate in _uses(query, words):
        key = (table, column, value)
        item = found.setdefault(key, Item(table, column, value, place=len(found)))
        item.roles.add(role)
        if aggregate:
            item.aggregates.add(aggregate)
    return list(found.values())


_Use = tuple[int, int, str | None, str, str]


def _uses(query: exp.Query, words: Vocabulary) -> Iterator[_Use]:
    tables = {
        (entry.database, entry.table.schema_name, entry.table.name): entry.id
        for entry in words.tables
        if not entry.role
    }
    for select in query.find_all(exp.Select):
        for role, node in _clauses(select):
            yield from _in_clause(node, role, words, tables)
        counted = [t for t in _counts(select) if isinstance(t, exp.Star)]
        for source in sources(select):
            number = tables.get(_path(source.table)) if source.table is not None else None
            if number is not None:
                yield number, -1, None, COUNTED if counted else JOINED, ""


def _clauses(select: exp.Select) -> Iterator[tuple[str, exp.Expr]]:
    within = isinstance(select.parent, exp.Subquery) or select.find_ancestor(exp.Select) is not None
    for output in select.expressions:
        yield NARROWED if within else SHOWN, output
    for name, role in (("where", NARROWED), ("having", NARROWED), ("group", GROUPED), ("order", ORDERED)):  # fmt: skip
        if node := select.args.get(name):
            yield role, node


def _counts(select: exp.Select) -> Iterator[exp.Expr]:
    for count in select.find_all(exp.Count):
        if count.find_ancestor(exp.Select) is select and isinstance(count.this, exp.Expr):
            yield count.this


def _in_clause(
    node: exp.Expr, role: str, words: Vocabulary, tables: dict[tuple[str, str, str], int]
) -> Iterator[_Use]:
    inside = node.find_ancestor(exp.Select)
    for column in node.find_all(exp.Column):
        select = home(column)
        if column.find_ancestor(exp.Select) is not inside or select is None:
            continue
        source = next((s for s in sources(select) if s.alias == column.table), None)
        if source is None or source.table is None:
            continue
        path = _path(source.table)
        number = words.column_ids.get((*path, column.name))
        if number is None or _joins_queries(column):
            continue
        computed = column.find_ancestor(exp.AggFunc)
        own = computed is not None and computed.find_ancestor(exp.Select) is inside
        if own and isinstance(computed, exp.Count):
            yield tables[path], -1, None, COUNTED, ""
        yield tables[path], number, None, role, computed.key if computed is not None and own else ""
        if (text := _compared_text(column)) is not None:
            yield tables[path], number, text, role, ""


def _joins_queries(column: exp.Column) -> bool:
    """True for the key on the left of `IN (SELECT …)`, and for what such a query returns."""
    parent = column.parent
    if isinstance(parent, exp.In) and parent.args.get("query") is not None:
        return True
    select = parent if isinstance(parent, exp.Select) else None
    return select is not None and isinstance(select.find_ancestor(exp.In), exp.In)


def _compared_text(column: exp.Column) -> str | None:
    parent = column.parent
    if not isinstance(parent, (exp.EQ, exp.NEQ)):
        return None
    other = parent.expression if parent.this is column else parent.this
    return other.name if isinstance(other, exp.Literal) and other.is_string else None


def _path(table: exp.Table) -> tuple[str, str, str]:
    return (table.catalog, table.db, table.name)
