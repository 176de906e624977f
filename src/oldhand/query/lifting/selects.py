"""One SELECT: its outputs, rows, groups, order and cut."""

from collections.abc import Iterator
from dataclasses import replace

from sqlglot import exp

from oldhand.query.form import Case, ColumnRef, Comparison, Count, Expression, Order, Query, Value
from oldhand.query.lifting.literals import scalar
from oldhand.query.lifting.predicates import read_conjuncts
from oldhand.query.lifting.rows import read_rows
from oldhand.query.lifting.scope import Common, LiftedSource, LiftScope, PartReader, Unfit, only

_CLAUSES = frozenset({
    "expressions", "from_", "joins", "where", "group", "having", "order", "limit", "offset", "distinct", "with_", "kind",
})  # fmt: skip
_Output = tuple[Expression, str]


def read_select(
    select: exp.Select, reader: PartReader, around: LiftScope | None, common: Common
) -> Query:
    """The query of one SELECT.

    Raises:
        Unfit: it holds what the form can't.
    """
    only(select, _CLAUSES)
    if select.args.get("kind"):
        raise Unfit("select of structures")
    scope = LiftScope(reader, around, common)
    rows, where = read_rows(select, scope)
    outputs: list[_Output] = []
    for node in select.expressions:
        for term, name in _outputs(node, scope):
            outputs.append((term, name))
            if name:
                scope.outputs.setdefault(name.casefold(), term)
    terms = tuple(term for term, _ in outputs)
    having = select.args.get("having")
    query = Query(
        rows,
        terms,
        where,
        group=_group(select, terms, scope),
        having=read_conjuncts(having.this, scope) if isinstance(having, exp.Having) else (),
        distinct=_distinct(select),
        names=_names(outputs),
    )
    order = [_order(one, terms, scope) for one in order_terms(select)]
    return cut(replace(query, order=_with_places_of_nothing(order)), select)


def _outputs(node: exp.Expr, scope: LiftScope) -> Iterator[_Output]:
    """The terms of an output, each with the name that it was given."""
    if isinstance(node, exp.Star):
        only(node, ())
        if scope.merged:
            raise Unfit("star over merged columns")
        yield from ((column, "") for column in _columns(scope.sources))
    elif isinstance(node, exp.Column) and isinstance(node.this, exp.Star):
        only(node.this, ())
        wanted = [s for s in scope.sources if s.name == node.table.casefold()]
        if not wanted:
            raise Unfit("unknown table")
        yield from ((column, "") for column in _columns(wanted))
    elif isinstance(node, exp.Alias):
        term = scope.reader.term(node.this, scope)
        plain = isinstance(term, ColumnRef) and term.name == node.alias
        yield term, "" if plain else node.alias
    else:
        yield scope.reader.term(node, scope), ""


def _columns(sources: list[LiftedSource]) -> Iterator[ColumnRef]:
    for source in sources:
        if source.columns is None:
            raise Unfit("columns that are not known")
        yield from (ColumnRef(source.relation, name) for name in source.columns)


def _names(outputs: list[_Output]) -> tuple[str, ...]:
    if not any(name for _, name in outputs):
        return ()
    return tuple(
        name or (term.name if isinstance(term, ColumnRef) else "") for term, name in outputs
    )


def _group(
    select: exp.Select, terms: tuple[Expression, ...], scope: LiftScope
) -> tuple[Expression, ...]:
    group = select.args.get("group")
    if not isinstance(group, exp.Group):
        return ()
    only(group, ("expressions",))
    return tuple(
        _by_place(node, terms) or scope.reader.term(node, scope) for node in group.expressions
    )


def _by_place(node: exp.Expr, terms: tuple[Expression, ...]) -> Expression | None:
    """The output that a number stands for."""
    if not isinstance(node, exp.Literal):
        return None
    place = scalar(node)
    if isinstance(place, int) and 1 <= place <= len(terms):
        return terms[place - 1]
    raise Unfit("order by a value")


def _distinct(select: exp.Select) -> bool:
    distinct = select.args.get("distinct")
    if isinstance(distinct, exp.Expr):
        only(distinct, ())
    return bool(distinct)


def order_terms(node: exp.Expr) -> list[exp.Ordered]:
    """What the rows of a query are sorted by."""
    order = node.args.get("order")
    if not isinstance(order, exp.Order):
        return []
    only(order, ("expressions",))
    return [one for one in order.expressions if isinstance(one, exp.Ordered)]


def _order(node: exp.Ordered, terms: tuple[Expression, ...], scope: LiftScope) -> Order:
    by = node.this
    named = None
    if isinstance(by, exp.Column) and not by.table:
        named = scope.outputs.get(by.name.casefold())
    term = _by_place(by, terms) or named or scope.reader.term(by, scope)
    return in_direction(node, term, scope)


def _with_places_of_nothing(order: list[Order]) -> tuple[Order, ...]:
    """The order in which `CASE WHEN x IS NULL THEN 1 ELSE 0 END, x` is one term, as MySQL has to write it."""
    made: list[Order] = []
    for one in order:
        last = made[-1] if made else None
        if last is not None and last.by == _nothing(one.by):
            made[-1] = replace(one, nulls="first" if last.descending else "")
        else:
            made.append(one)
    return tuple(made)


def _nothing(by: Expression) -> Case:
    return Case(((Comparison(by, "null"), Value(1)),), Value(0))


def in_direction(node: exp.Ordered, by: Expression, scope: LiftScope | None) -> Order:
    """A term with the direction in which it sorts; by itself it has missing values last."""
    only(node, ("this", "desc", "nulls_first"))
    if isinstance(by, Value):
        raise Unfit("order by a value")
    first = bool(node.args.get("nulls_first"))
    if isinstance(by, Count) or (scope is not None and scope.never_missing(by)):
        first = False
    return Order(by, bool(node.args.get("desc")), "first" if first else "")


def cut(query: Query, node: exp.Expr) -> Query:
    """A query with the limit and the offset of its SQL."""
    limit, offset = node.args.get("limit"), node.args.get("offset")
    count = None
    if isinstance(limit, exp.Limit):
        only(limit, ("expression",))
        count = limit.expression
    elif isinstance(limit, exp.Fetch):
        only(limit, ("count", "direction", "limit_options"))
        if isinstance(options := limit.args.get("limit_options"), exp.Expr):
            only(options, ("rows",))
        count = limit.args.get("count") or exp.Literal.number(1)
    elif limit is not None:
        raise Unfit("limit")
    passed = offset.expression if isinstance(offset, exp.Offset) else None
    return replace(query, limit=_whole(count), offset=_whole(passed) or 0)


def _whole(node: exp.Expr | None) -> int | None:
    if node is None:
        return None
    value = scalar(node)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Unfit("limit that is no number")
    return value
