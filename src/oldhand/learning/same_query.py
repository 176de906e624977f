"""Whether two statements are the same query, however they are spelled."""

from collections.abc import Iterator

from sqlglot import MappingSchema, exp, parse_one
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify import qualify

from oldhand.learning.confirmation import spelled_alike
from oldhand.record.schema import DatabaseSchema

_SYMMETRIC = (exp.EQ, exp.NEQ)
_CHAINS = (exp.And, exp.Or)


def is_same_query(one: str, other: str, schema: DatabaseSchema) -> bool:
    """Whether two statements ask for the same rows, by the same tables, conditions and order.

    Names of results and of tables within the statement, letter case, what is left out of a name because it is clear,
    and the order of conditions are no difference. Statements that only happen to give the same rows are not the same.

    Args:
        one: in the dialect of the database.
        other: too.
        schema: the database.

    >>> from oldhand.record.schema import Column, Kind, Table
    >>> columns = (Column(name="id", type="INT", kind=Kind.INTEGER), Column(name="city", type="TEXT", kind=Kind.TEXT))
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite",
    ...                       tables=(Table(name="customers", schema_name="main", columns=columns),))
    >>> is_same_query("SELECT COUNT(*) AS n FROM customers AS t1 WHERE t1.city = 'Rome' AND t1.id > 1",
    ...               "select count(*) from shop.Customers where id > 1 and 'Rome' = city", shop)
    True
    >>> is_same_query("SELECT city FROM customers", "SELECT id FROM customers", shop)
    False
    """
    return spelled_alike(one) == spelled_alike(other) or (
        (first := _canonical(one, schema)) is not None and first == _canonical(other, schema)
    )


def _canonical(sql: str, schema: DatabaseSchema) -> str | None:
    """One spelling for all statements that are the same query; None where it cannot be read."""
    try:
        tree = qualified(sql, schema)
        _rename(tree)
        return _ordered(tree).sql(comments=False)
    except (SqlglotError, RecursionError):
        return None


def qualified(sql: str, schema: DatabaseSchema) -> exp.Expr:
    """A statement in small letters whose columns name their tables; schemas and databases are left out.

    Raises:
        SqlglotError: it cannot be read.
        RecursionError: it is nested too deeply.
    """
    tree = parse_one(sql, dialect=schema.dialect)
    for node in tree.find_all(exp.Identifier):
        node.replace(exp.to_identifier(node.name.casefold(), quoted=False))
    for table in tree.find_all(exp.Table):
        table.set("db", None)
        table.set("catalog", None)
    return qualify(
        tree,
        dialect=schema.dialect,
        schema=_columns(schema),
        validate_qualify_columns=False,
        quote_identifiers=False,
        identify=False,
    )


def _columns(schema: DatabaseSchema) -> MappingSchema:
    known = MappingSchema(normalize=False)
    for table in schema.tables:
        columns = {column.name.casefold(): "UNKNOWN" for column in table.columns}
        known.add_table(exp.table_(table.name.casefold()), columns, match_depth=False)
    return known


def _rename(tree: exp.Expr) -> None:
    """Name tables by their place, each name its own new one, and the results by theirs."""
    common = {cte.alias for cte in tree.find_all(exp.CTE)}
    names: dict[str, str] = {}
    for node in tree.find_all(exp.TableAlias, bfs=False):
        names.setdefault(node.name, f"t{len(names)}")
    for node in tree.find_all(exp.TableAlias):
        node.set("this", exp.to_identifier(names[node.name]))
    for column in tree.find_all(exp.Column):
        if column.table in names:
            column.set("table", exp.to_identifier(names[column.table]))
    for table in tree.find_all(exp.Table):
        if table.name in common:
            table.set("this", exp.to_identifier(names[table.name]))
    _rename_results(tree)


def _rename_results(tree: exp.Expr) -> None:
    """Results of the whole statement are named by their place; what it sorts by may use these names."""
    if not isinstance(tree, exp.Query):
        return
    names = {one.alias_or_name: f"c{n}" for n, one in enumerate(tree.selects) if one.alias}
    for select in _outer_selects(tree):
        for n, one in enumerate(select.expressions):
            if isinstance(one, exp.Alias):
                one.set("alias", exp.to_identifier(f"c{n}"))
    order = tree.args.get("order")
    for column in order.find_all(exp.Column) if isinstance(order, exp.Order) else ():
        if not column.table and column.name in names:
            column.set("this", exp.to_identifier(names[column.name]))


def _outer_selects(query: exp.Expr) -> Iterator[exp.Select]:
    if isinstance(query, exp.Select):
        yield query
    elif isinstance(query, exp.SetOperation):
        yield from _outer_selects(query.left)
        yield from _outer_selects(query.right)
    elif isinstance(query, exp.Subquery):
        yield from _outer_selects(query.this)


def _ordered(tree: exp.Expr) -> exp.Expr:
    """With conditions, and both sides of equations, in alphabetical order; inner joins are just joins."""

    def sort(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Join) and node.args.get("kind") == "INNER":
            node.set("kind", None)
        if isinstance(node, _SYMMETRIC):
            left, right = sorted((node.left, node.right), key=lambda one: one.sql())
            return type(node)(this=left.copy(), expression=right.copy())
        if isinstance(node, _CHAINS) and not isinstance(node.parent, type(node)):
            parts = sorted(
                (_ordered(part.copy()) for part in node.flatten(unnest=False)),
                key=lambda one: one.sql(),
            )
            return _chain(type(node), parts)
        return node

    return tree.transform(sort)


def _chain(kind: type[exp.Expr], parts: list[exp.Expr]) -> exp.Expr:
    chain = parts[0]
    for part in parts[1:]:
        chain = kind(this=chain, expression=part)
    return chain
