"""Reads SQL, and neutral trees, into the form."""

import logging
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from oldhand.query.compiling.medians import MIDDLE, SORTED, with_middle_rows
from oldhand.query.compiling.tree import COMPOUNDS
from oldhand.query.form import (
    ColumnRef,
    Compound,
    Expression,
    Order,
    Predicate,
    Query,
    Relation,
    Rows,
)
from oldhand.query.lifting.literals import scalar
from oldhand.query.lifting.predicates import read_predicate
from oldhand.query.lifting.ranked import read_ranked
from oldhand.query.lifting.rows import output_names
from oldhand.query.lifting.scope import Common, CommonTable, LiftScope, PartReader, Unfit, only
from oldhand.query.lifting.selects import cut, in_direction, order_terms, read_select
from oldhand.query.lifting.terms import read_term
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
_CLAUSES = frozenset({"this", "expression", "distinct", "order", "limit", "offset", "with_"})
_KINDS: dict[tuple[type[exp.Expr], bool], str] = {kind: name for name, kind in COMPOUNDS.items()}


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


# Queries whose rows are set against each other: UNION, INTERSECT, EXCEPT.
def read_compound(
    node: exp.SetOperation, reader: PartReader, around: LiftScope | None, common: Common
) -> Query:
    """Two queries, the second one set against the first.

    Raises:
        Unfit: one of them doesn't fit, or they are combined in another way.
    """
    only(node, _CLAUSES)
    kind = _KINDS.get((type(node), bool(node.args.get("distinct"))))
    if kind is None:
        raise Unfit(f"{type(node).__name__.lower()} all")
    first = reader.query(node.this, around, common)
    second = reader.query(node.expression, around, common)
    if len(first.select) != len(second.select):
        raise Unfit("queries of different widths")
    if first.compound or first.order or first.limit is not None or first.offset or first.each:
        first = as_rows(first)
    made = replace(first, compound=Compound(kind, replace(second, names=())))
    order = tuple(_order(one, made) for one in order_terms(node))
    return cut(replace(made, order=order), node)


def as_rows(query: Query) -> Query:
    """A query that shows the rows of another one."""
    names = _output_names(query)
    relation = Relation("", "", "", query=replace(query, names=names))
    shown = tuple(ColumnRef(relation, name) for name in names)
    return Query(Rows((relation,)), shown, names=query.names)


def _output_names(query: Query) -> tuple[str, ...]:
    names = output_names(query)
    if len({name.casefold() for name in names}) < len(names):
        return tuple(f"c{place}" for place in range(1, len(names) + 1))
    return names


def _order(node: exp.Ordered, query: Query) -> Order:
    """Rows of two queries are sorted by an output of the first."""
    by = node.this
    place = scalar(by) if isinstance(by, exp.Literal) else None
    if isinstance(place, int) and 1 <= place <= len(query.select):
        return in_direction(node, query.select[place - 1], None)
    if not isinstance(by, exp.Column):
        raise Unfit("order of two queries by more than a name")
    names = [name.casefold() for name in _output_names(query)]
    if names.count(by.name.casefold()) != 1:
        raise Unfit("order of two queries by more than a name")
    return in_direction(node, query.select[names.index(by.name.casefold())], None)


# Medians as they are written for databases that have no function for them: numbered rows, of which the middle ones count.
def as_median(select: exp.Select, dialect: str) -> exp.Select:
    """A query over numbered rows as the query for a median that it stands for; any other as it is."""
    start = select.args.get("from_")
    derived = start.this if isinstance(start, exp.From) else None
    inner = derived.this if isinstance(derived, exp.Subquery) else None
    if not isinstance(inner, exp.Select) or inner.parent is None or inner.parent.alias != SORTED:
        return select
    meant = {one.alias: one.this for one in inner.expressions if isinstance(one, exp.Alias)}
    where = inner.args.get("where")
    if MIDDLE not in meant or not isinstance(where, exp.Where):
        return select
    outer = select.copy()
    for node in list(outer.find_all(exp.Avg)):
        if node.this == exp.column(MIDDLE, SORTED):
            node.replace(exp.Median(this=meant[MIDDLE].copy()))
    for column in list(outer.find_all(exp.Column)):
        if column.table == SORTED and column.name in meant:
            column.replace(meant[column.name].copy())
    for clause in ("from_", "joins", "where"):
        outer.set(clause, inner.copy().args.get(clause))
    condition = where.this  # that there is a value comes last
    rest = condition.this if isinstance(condition, exp.And) else None
    outer.set("where", exp.Where(this=rest.copy()) if rest is not None else None)
    written = with_middle_rows(outer)
    return outer if written.sql(dialect) == select.sql(dialect) else select
