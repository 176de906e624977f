"""Reads SQL, and neutral trees, into the form."""

import logging
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from oldhand.query.form import Expression, Predicate, Query, Relation
from oldhand.query.lifting.compounds import read_compound
from oldhand.query.lifting.medians import as_median
from oldhand.query.lifting.predicates import read_predicate
from oldhand.query.lifting.ranked import read_ranked
from oldhand.query.lifting.scope import Common, CommonTable, LiftScope
from oldhand.query.lifting.selects import read_select
from oldhand.query.lifting.terms import read_term
from oldhand.query.lifting.unfit import Unfit, only
from oldhand.query.opaque import Opaque
from oldhand.record.schema import DatabaseSchema, Table

LONGEST = 20_000
"""Letters of a statement; longer ones stay as they are."""
DEEPEST = 60
"""Parentheses within each other, and parts within parts."""
LARGEST = 2_000
"""Queries that are read while named ones are written in."""
_BROKEN = (SqlglotError, ValueError, TypeError, AttributeError, LookupError)
"""What a parser may raise on text that is no SQL."""


def lift(sql: str, schema: DatabaseSchema) -> Query | Opaque:
    """The query that a statement in the dialect of a database stands for.

    It means the same, or the statement stays as it is: what the form can't hold, what reads tables that the schema
    doesn't know, what can't be parsed, and what is too long or too deep. It never raises.

    >>> from oldhand.record.schema import Column, Kind
    >>> columns = (Column(name="id", type="INT", kind=Kind.INTEGER), Column(name="city", type="TEXT", kind=Kind.TEXT))
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite",
    ...                       tables=(Table(name="Customers", schema_name="main", columns=columns),))
    >>> lift("select count(*) from customers as c where 'Rome' = c.CITY", shop).where[0].values
    ('Rome',)
    >>> lift("SELECT ROW_NUMBER() OVER (ORDER BY id) FROM customers", shop).why
    'window'
    """
    try:
        tree = _parsed(sql, schema.dialect)
        return _Reader((schema,), schema.dialect, schema).query(tree, None, {})
    except Unfit as unfit:
        return Opaque(schema.name, sql, unfit.why)
    except RecursionError:
        return Opaque(schema.name, sql, "too deep")


def lift_tree(tree: exp.Query, schemas: Sequence[DatabaseSchema]) -> Query | None:
    """The query of a neutral tree, whose tables are `database.schema.table`; None where the form can't hold it.

    Tables without a database are rows of earlier steps, whose columns are not known.

    >>> found = lift_tree(sqlglot.parse_one("SELECT s.city FROM step_1 AS s LIMIT 3"), ())
    >>> found.rows.relations[0].table, found.limit
    ('step_1', 3)
    """
    try:
        return _Reader(schemas, "", None).query(tree, None, {})
    except (Unfit, RecursionError):
        return None


def _parsed(sql: str, dialect: str) -> exp.Expr:
    if len(sql) > LONGEST or _depth(sql) > DEEPEST:
        raise Unfit("too long or too deep")
    try:
        with _quiet():
            trees = [tree for tree in sqlglot.parse(sql, dialect=dialect) if tree is not None]
    except _BROKEN:
        raise Unfit("can't be parsed") from None
    if len(trees) != 1 or not isinstance(trees[0], exp.Query):
        raise Unfit("no query")
    return trees[0]


def _depth(sql: str) -> int:
    deepest = depth = 0
    for letter in sql:
        if letter == "(":
            depth += 1
            deepest = max(deepest, depth)
        elif letter == ")":
            depth -= 1
    return deepest


@contextmanager
def _quiet() -> Generator[None]:
    """Without the parser's warnings of commands that it doesn't know."""
    logger = logging.getLogger("sqlglot")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


class _Reader:
    """Reads all parts of one statement."""

    def __init__(
        self, schemas: Sequence[DatabaseSchema], dialect: str, home: DatabaseSchema | None
    ) -> None:
        self._schemas: Mapping[str, DatabaseSchema] = {schema.name: schema for schema in schemas}
        self.dialect = dialect
        self._home = home
        self._read = 0
        self._depth = 0

    def table(self, node: exp.Table) -> tuple[Relation, Table | None]:
        schema = self._home
        if schema is None and node.catalog:
            schema = self._schemas.get(node.catalog)
        if schema is None:
            return Relation(node.catalog, node.db, node.name), None
        table = _described(node, schema)
        if table is None:
            raise Unfit("unknown table")
        return Relation(schema.name, table.schema_name, table.name), table

    def term(self, node: exp.Expr, scope: LiftScope) -> Expression:
        with self._deeper():
            return read_term(node, scope)

    def predicate(self, node: exp.Expr, scope: LiftScope) -> Predicate:
        with self._deeper():
            return read_predicate(node, scope)

    def query(self, node: exp.Expr, around: LiftScope | None, common: Common) -> Query:
        self._read += 1
        if self._read > LARGEST:
            raise Unfit("too many queries")
        with self._deeper():
            return self._query(node, around, common)

    def _query(self, node: exp.Expr, around: LiftScope | None, common: Common) -> Query:
        while isinstance(node, exp.Subquery | exp.Paren):
            only(node, ("this",))
            node = node.this
        if (inner := _all_of(node)) is not None:
            return self._query(inner, around, common)
        common = _with_common(node, common)
        if isinstance(node, exp.SetOperation):
            return read_compound(node, self, around, common)
        if not isinstance(node, exp.Select):
            raise Unfit(type(node).__name__.lower())
        ranked = read_ranked(node, self, around, common)
        if ranked is not None:
            return ranked
        return read_select(as_median(node, self.dialect), self, around, common)

    @contextmanager
    def _deeper(self) -> Generator[None]:
        if self._depth >= DEEPEST:
            raise Unfit("too long or too deep")
        self._depth += 1
        yield
        self._depth -= 1


def _described(node: exp.Table, schema: DatabaseSchema) -> Table | None:
    if node.db:
        wanted = node.db.casefold()
        names = [t.schema_name for t in schema.tables if t.schema_name.casefold() == wanted]
        if names:
            return schema.table(node.name, names[0])
        return schema.table(node.name) if wanted == schema.name.casefold() else None
    return schema.table(node.name)


def _all_of(node: exp.Expr) -> exp.Expr | None:
    """The query of which another one only shows all rows, as they are."""
    said = {name: part for name, part in node.args.items() if part}
    if said.keys() != {"expressions", "from_"} or said["expressions"] != [exp.Star()]:
        return None
    start = node.args["from_"].this
    return start.this if isinstance(start, exp.Subquery) else None


def _with_common(node: exp.Expr, common: Common) -> Common:
    """The named queries that a query may read, with those of its own WITH."""
    clause = node.args.get("with_")
    if not isinstance(clause, exp.With):
        return common
    if clause.args.get("recursive"):
        raise Unfit("recursion")
    known = dict(common)
    for one in clause.expressions:
        only(one, ("this", "alias"))
        known[one.alias.casefold()] = CommonTable(one, dict(known))
    return known
