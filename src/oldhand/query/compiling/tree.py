"""Writes a query of the form as a tree of sqlglot expressions, without regard to any dialect."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

from sqlglot import exp

from oldhand.query.compiling.functions import call
from oldhand.query.compiling.times import part_of_date, span
from oldhand.query.form import (
    Aggregate,
    AllOf,
    AnyOf,
    Arithmetic,
    Case,
    Column,
    Comparison,
    Count,
    DatePart,
    Elapsed,
    Expression,
    Function,
    Has,
    Join,
    Negation,
    Order,
    OwnGroup,
    Predicate,
    Proportion,
    Query,
    Ratio,
    Relation,
    Scalar,
    Share,
    Value,
    Worth,
)

COMPARISONS: Mapping[str, type[exp.Binary]] = {
    "=": exp.EQ, "!=": exp.NEQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE,
}  # fmt: skip
AGGREGATES: Mapping[str, type[exp.AggFunc]] = {
    "sum": exp.Sum, "avg": exp.Avg, "min": exp.Min, "max": exp.Max, "median": exp.Median,
}  # fmt: skip
COMPUTED: Mapping[str, type[exp.Binary]] = {
    "+": exp.Add, "-": exp.Sub, "*": exp.Mul, "%": exp.Mod, "||": exp.DPipe,
}  # fmt: skip
COMPOUNDS: Mapping[str, tuple[type[exp.SetOperation], bool]] = {
    "intersect": (exp.Intersect, True), "union": (exp.Union, True), "union all": (exp.Union, False),
    "except": (exp.Except, True),
}  # fmt: skip
_RANKED, _PLACE = "ranked", "place"
WHOLE = 100.0
"""What shares are counted in: percent."""


def to_tree(query: Query, names: Sequence[str] = ()) -> exp.Query:
    """The query; every table is `database.schema.table` with an alias, every column has its alias.

    Args:
        query: in the form.
        names: what the outputs are called, where that must be said; else as the query names them, or not at all.

    >>> orders = Relation("shop", "main", "orders")
    >>> from oldhand.query.form import Rows
    >>> to_tree(Query(Rows((orders,)), (Count(),), (Comparison(Column(orders, "status"), "=", ("paid",)),))).sql()
    "SELECT COUNT(*) FROM shop.main.orders AS t1 WHERE t1.status = 'paid'"
    """
    return _query(query, None, names or query.names)


class _Scope:
    """Aliases `t1`, `t2`, … of the relations of one query; those of queries inside follow on."""

    def __init__(self, outer: "_Scope | None") -> None:
        self._outer = outer
        self._aliases: dict[Relation, str] = {}
        self._first = outer.next if outer is not None else 0

    @property
    def next(self) -> int:
        """The number of aliases that are taken, here and around."""
        return self._first + len(self._aliases)

    def take(self, relation: Relation) -> str:
        """The alias of a relation of this query."""
        return self._aliases.setdefault(relation, f"t{self.next + 1}")

    def alias(self, relation: Relation) -> str:
        """The alias of a relation of this query, or of one around it."""
        known = self._aliases.get(relation)
        if known is not None:
            return known
        return self._outer.alias(relation) if self._outer is not None else self.take(relation)

    def table(self, relation: Relation) -> exp.Expr:
        """The relation as it stands after FROM or JOIN."""
        alias = exp.TableAlias(this=exp.to_identifier(self.take(relation)))
        if relation.query is not None:
            inner = _query(relation.query, self, relation.query.names)
            return exp.Subquery(this=inner, alias=alias)
        return exp.Table(
            this=exp.to_identifier(relation.table),
            db=exp.to_identifier(relation.schema) if relation.schema else None,
            catalog=exp.to_identifier(relation.database) if relation.database else None,
            alias=alias,
        )

    def column(self, column: Column) -> exp.Column:
        """A column with its relation's alias."""
        return self.named(column.of, column.name)

    def named(self, relation: Relation, name: str) -> exp.Column:
        """A column of a relation by its name."""
        alias = exp.to_identifier(self.alias(relation))
        return exp.Column(this=exp.to_identifier(name), table=alias)


def _query(query: Query, outer: _Scope | None, names: Sequence[str]) -> exp.Query:
    scope = _Scope(outer)
    made = _select(query, scope)
    if query.each:
        return _cut_in_each(query, made, scope, names)
    if query.compound is None:
        _sort_and_cut(query, made, [_ordered(order, scope) for order in query.order])
        return _named(made, names)
    combine, distinct = COMPOUNDS[query.compound.kind]
    second = query.compound.second
    other = _query(second, outer, ())
    if second.order or second.limit is not None or second.compound or second.each:
        rest = exp.TableAlias(this=exp.to_identifier("rest"))
        other = exp.select("*").from_(exp.Subquery(this=other, alias=rest), copy=False)
    both = combine(this=_named(made, names), expression=other, distinct=distinct)
    _sort_and_cut(query, both, [_by_place(order, query) for order in query.order])
    return both


def _select(query: Query, scope: _Scope) -> exp.Select:
    """The query up to its groups, without its order, cut and second query."""
    for relation in query.rows.relations:
        scope.take(relation)
    made = exp.Select(expressions=[_term(term, scope) for term in query.select])
    first, *others = query.rows.relations
    made = made.from_(scope.table(first), copy=False)
    for relation, join in zip(others, query.rows.joins, strict=True):
        made = made.join(
            scope.table(relation), on=_on(join, scope), join_type=_kind(join), copy=False
        )
    if query.where:
        made = made.where(_all_of(query.where, scope), copy=False)
    if query.group:
        made = made.group_by(*(_term(term, scope) for term in query.group), copy=False)
    if query.having:
        made = made.having(_all_of(query.having, scope), copy=False)
    return made.distinct(copy=False) if query.distinct else made


def _kind(join: Join) -> str | None:
    if not join.keys:
        return "cross"
    return "left" if join.outer else None


def _on(join: Join, scope: _Scope) -> exp.Expr | None:
    equal = [
        exp.EQ(this=scope.named(join.left, left), expression=scope.named(join.right, right))
        for left, right in join.keys
    ]
    return reduce(_both, equal) if equal else None


def _sort_and_cut(query: Query, made: exp.Query, order: Sequence[exp.Ordered]) -> None:
    if order:
        made.order_by(*order, copy=False)
    if query.limit is not None:
        made.limit(query.limit, copy=False)
    if query.offset:
        made.offset(query.offset, copy=False)


def _ordered(order: Order, scope: _Scope) -> exp.Ordered:
    return _in_direction(_term(order.by, scope), order)


def _by_place(order: Order, query: Query) -> exp.Ordered:
    """Rows of two queries are sorted by the place of an output: they have no columns in common."""
    place = query.select.index(order.by) + 1
    return _in_direction(exp.Literal.number(place), order)


def _in_direction(by: exp.Expr, order: Order) -> exp.Ordered:
    first = {"first": True, "last": False}.get(order.nulls)
    return exp.Ordered(this=by, desc=order.descending, nulls_first=first)


def _named(made: exp.Select, names: Sequence[str]) -> exp.Select:
    if names:
        for output, name in zip(list(made.selects), names, strict=True):
            plain = isinstance(output, exp.Column) and output.name == name
            if name and not plain:
                output.replace(exp.alias_(output.copy(), name))
    return made


def _cut_in_each(query: Query, rows: exp.Select, scope: _Scope, names: Sequence[str]) -> exp.Select:
    """The rows of the first places in each group; those that tie share their place."""
    outputs = list(rows.selects)
    given = names or ("",) * len(outputs)
    names = [name or f"c{place}" for place, name in enumerate(given, 1)]
    first, *ties = query.order
    order = exp.Order(expressions=[exp.Ordered(this=_term(first.by, scope), desc=first.descending)])
    each = [_term(term, scope) for term in query.each]
    place = exp.Window(this=exp.Rank(), partition_by=each, order=order)
    inner = exp.Select(
        expressions=[
            *(exp.alias_(one.copy(), name) for one, name in zip(outputs, names, strict=True)),
            exp.alias_(place, _PLACE),
        ]
    )
    for clause, node in rows.args.items():
        if clause != "expressions":
            inner.set(clause, node)
    last = query.offset + (query.limit or 1)
    shown = [exp.column(name, _RANKED) for name in names]
    placed = exp.column(_PLACE, _RANKED)
    compare = exp.EQ if query.offset else exp.LTE
    reached = compare(this=placed, expression=exp.Literal.number(last))
    groups = [shown[n] for n, term in enumerate(query.select) if term in query.each]
    sorted_by = [_in_direction(shown[n], tie) for n, tie in _shown(ties, query)]
    made = exp.Select(expressions=shown).from_(
        exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier(_RANKED)))
    )
    return made.where(reached, copy=False).order_by(
        *(g.copy() for g in groups), placed.copy(), *sorted_by, copy=False
    )


def _shown(ties: Sequence[Order], query: Query) -> Iterator[tuple[int, Order]]:
    """What rows of the same place are sorted by, with its place among the outputs."""
    for tie in ties:
        if tie.by in query.select and tie.by not in query.each:
            yield query.select.index(tie.by), tie


def _both(one: exp.Expr, two: exp.Expr) -> exp.Expr:
    return exp.And(this=one, expression=two)


def _either(one: exp.Expr, two: exp.Expr) -> exp.Expr:
    return exp.Or(this=one, expression=two)


def _all_of(predicates: Sequence[Predicate], scope: _Scope) -> exp.Expr:
    """All of some predicates; an `OR` among several stands in parentheses."""
    made = [_predicate(one, scope) for one in predicates]
    if len(made) > 1:
        made = [exp.Paren(this=one) if isinstance(one, exp.Or) else one for one in made]
    return reduce(_both, made)


def _predicate(predicate: Predicate, scope: _Scope) -> exp.Expr:
    match predicate:
        case AllOf(predicates=all_of):
            return _all_of(all_of, scope)
        case AnyOf(predicates=any_of):
            return reduce(_either, [_predicate(one, scope) for one in any_of])
        case Negation(predicate=inner):
            made = _predicate(inner, scope)
            return exp.Not(this=exp.Paren(this=made) if isinstance(made, exp.Connector) else made)
        case Has(left=left, rows=rows, none=none):
            among = exp.Subquery(this=_query(rows, scope, ()))
            found = exp.In(this=_term(left, scope), query=among)
            return exp.Not(this=found) if none else found
        case Comparison(left=left, operator=operator, right=right):
            one = _term(left, scope)
            if isinstance(right, tuple):
                return _with_values(one, operator, [literal(value) for value in right])
            if isinstance(right, Query):
                inner = exp.Subquery(this=_query(right, scope, ()))
                return COMPARISONS[operator](this=one, expression=inner)
            return COMPARISONS[operator](this=one, expression=_term(right, scope))


def _with_values(left: exp.Expr, operator: str, values: Sequence[exp.Expr]) -> exp.Expr:
    plain = operator.removeprefix("not ")
    if plain == "null":
        made: exp.Expr = exp.Is(this=left, expression=exp.Null())
    elif plain == "like":
        made = exp.Like(this=left, expression=values[0])
    elif plain == "in":
        made = exp.In(this=left, expressions=list(values)) if values else exp.false()
    elif plain == "between":
        made = exp.Between(this=left, low=values[0], high=values[1])
    elif plain == "within":
        made = _both(
            exp.GTE(this=left, expression=values[0]), exp.LT(this=left.copy(), expression=values[1])
        )
        made = exp.Paren(this=made) if operator.startswith("not ") else made
    else:
        made = COMPARISONS[plain](this=left, expression=values[0])
    return exp.Not(this=made) if operator.startswith("not ") else made


def literal(value: Scalar | None) -> exp.Expr:
    """A value as it stands in a query."""
    if value is None:
        return exp.null()
    if isinstance(value, bool):
        return exp.true() if value else exp.false()
    if isinstance(value, str):
        return exp.Literal.string(value)
    return exp.Literal.number(int(value) if value == int(value) else value)


def _term(term: Expression, scope: _Scope) -> exp.Expr:
    match term:
        case Column():
            return scope.column(term)
        case Elapsed(since=since, until=until):
            return span(scope.column(until), scope.column(since), term)
        case DatePart(of=of, part=part):
            return part_of_date(_term(of, scope), part)
        case Value(value=value):
            return literal(value)
        case Worth():
            return _worth(term, scope)
        case Arithmetic():
            return _arithmetic(term, scope)
        case Function(name=name, of=of):
            return call(name, [_term(one, scope) for one in of])
        case Case():
            return _case(term, scope)
        case _:
            return _measure(term, scope)


def _measure(term: Expression, scope: _Scope) -> exp.Expr:
    match term:
        case Count(of=of, distinct=distinct):
            if of is None:
                return exp.Count(this=exp.Star())
            inner = _term(of, scope)
            return exp.Count(this=exp.Distinct(expressions=[inner]) if distinct else inner)
        case Aggregate(function=function, of=of, distinct=distinct):
            inner = _term(of, scope)
            inner = exp.Distinct(expressions=[inner]) if distinct else inner
            return AGGREGATES[function](this=inner)
        case Share():
            return _share(term, scope)
        case Proportion(of=of):
            own = _term(of, scope)
            return _percent(own, exp.Window(this=exp.Sum(this=own.copy())))
        case Ratio(top=top, bottom=bottom):
            return _divided(_term(top, scope), _term(bottom, scope))
        case OwnGroup():
            return _of_own_group(term, scope)
        case _:
            raise TypeError(type(term))


def _worth(term: Worth, scope: _Scope) -> exp.Expr:
    first, *others = (_operand(factor, scope) for factor in term.factors)
    product = first
    for other in others:
        product = exp.Mul(this=product, expression=other)
    for rate in term.off:
        rest = exp.Sub(this=exp.Literal.number(1), expression=_operand(rate, scope))
        product = exp.Mul(this=product, expression=exp.Paren(this=rest))
    return product


def _operand(term: Expression, scope: _Scope) -> exp.Expr:
    made = _term(term, scope)
    return exp.Paren(this=made) if isinstance(made, exp.Binary) else made


def _arithmetic(term: Arithmetic, scope: _Scope) -> exp.Expr:
    left, right = _operand(term.left, scope), _operand(term.right, scope)
    if term.operator in ("/", "//"):
        return exp.Div(this=left, expression=right, typed=term.operator == "//", safe=True)
    return COMPUTED[term.operator](this=left, expression=right)


def _case(term: Case, scope: _Scope) -> exp.Expr:
    made = exp.Case()
    for predicate, value in term.when:
        made = made.when(_predicate(predicate, scope), _term(value, scope), copy=False)
    return made if term.otherwise is None else made.else_(_term(term.otherwise, scope), copy=False)


def _share(term: Share, scope: _Scope) -> exp.Expr:
    """The percentage of rows that meet the predicates: a mean, so that no rows divide by nothing."""
    met = _all_of(term.when, scope)
    if term.of is not None:
        worth = _term(term.of, scope)
        part = exp.case().when(met, worth).else_(exp.Literal.number(0))
        return _percent(exp.Sum(this=part), exp.Sum(this=worth.copy()))
    parts = exp.case().when(met, exp.Literal.number(WHOLE)).else_(exp.Literal.number("0.0"))
    return exp.Avg(this=parts)


def _of_own_group(term: OwnGroup, scope: _Scope) -> exp.Expr:
    """A query for the rows of the same relation that belong to the same group."""
    relation = term.same[0].of
    own = _Scope(scope)
    own.take(relation)
    made = exp.Select(expressions=[_term(term.measure, own)]).from_(own.table(relation), copy=False)
    same = [exp.EQ(this=own.column(one), expression=scope.column(one)) for one in term.same]
    return exp.Subquery(this=made.where(reduce(_both, same), copy=False))


def _percent(part: exp.Expr, whole: exp.Expr) -> exp.Expr:
    return _divided(exp.Mul(this=exp.Literal.number(WHOLE), expression=part), whole)


def _divided(part: exp.Expr, whole: exp.Expr) -> exp.Expr:
    none = exp.Nullif(this=whole, expression=exp.Literal.number(0))
    return exp.Div(this=part, expression=none, typed=False, safe=False)
