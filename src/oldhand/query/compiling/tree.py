"""Writes a query of the form as a tree of sqlglot expressions, without regard to any dialect."""

from collections.abc import Mapping, Sequence
from functools import reduce

from sqlglot import exp

from oldhand.query import form
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.compiling.conditions import (
    COMPARISONS,
    WHOLE,
    both,
    divided,
    literal,
    percent,
    with_values,
)
from oldhand.query.compiling.functions import call
from oldhand.query.compiling.places import cut_in_each, in_direction
from oldhand.query.compiling.times import part_of_date, span
from oldhand.query.form import ColumnRef, Relation

COMPUTED: Mapping[str, type[exp.Binary]] = {
    "+": exp.Add, "-": exp.Sub, "*": exp.Mul, "%": exp.Mod, "||": exp.DPipe,
}  # fmt: skip
COMPOUNDS: Mapping[str, tuple[type[exp.SetOperation], bool]] = {
    "intersect": (exp.Intersect, True), "union": (exp.Union, True), "union all": (exp.Union, False),
    "except": (exp.Except, True),
}  # fmt: skip


def to_tree(query: form.Query, names: Sequence[str] = ()) -> exp.Query:
    """The query; every table is `database.schema.table` with an alias, every column has its alias.

    >>> from oldhand.query.form import ColumnRef, Comparison, Count, Query, Relation, Rows
    >>> orders = Relation("shop", "main", "orders")
    >>> to_tree(Query(Rows((orders,)), (Count(),), (Comparison(ColumnRef(orders, "status"), "=", ("paid",)),))).sql()
    "SELECT COUNT(*) FROM shop.main.orders AS t1 WHERE t1.status = 'paid'"
    """
    return _query(query, None, names or query.names)


class AliasScope:
    """Aliases `t1`, `t2`, … of the relations of one query; those of queries inside follow on."""

    def __init__(self, outer: "AliasScope | None") -> None:
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

    def table(self, relation: Relation, rows: exp.Query | None = None) -> exp.Expr:
        """The relation as it stands after FROM or JOIN; `rows` is the query whose rows it has, if it is no table."""
        alias = self.take(relation)
        if rows is not None:
            return rows.subquery(alias, copy=False)
        place = relation.schema or None, relation.database or None
        return exp.table_(relation.table, *place, alias=alias)

    def column(self, column: ColumnRef) -> exp.Column:
        """A column with its relation's alias."""
        return self.named(column.of, column.name)

    def named(self, relation: Relation, name: str) -> exp.Column:
        """A column of a relation by its name."""
        return exp.column(name, self.alias(relation))


def _query(query: form.Query, outer: AliasScope | None, names: Sequence[str]) -> exp.Query:
    scope = AliasScope(outer)
    made = _select(query, scope)
    if query.each:
        each = [_term(term, scope) for term in query.each]
        return cut_in_each(query, made, each, _ordered(query.order[0], scope), names)
    if query.compound is None:
        _sort_and_cut(query, made, [_ordered(order, scope) for order in query.order])
        return _named(made, names)
    combine, distinct = COMPOUNDS[query.compound.kind]
    second = query.compound.second
    other = _query(second, outer, ())
    if second.order or second.limit is not None or second.compound or second.each:
        rest = exp.TableAlias(this=exp.to_identifier("rest"))
        other = exp.select("*").from_(exp.Subquery(this=other, alias=rest), copy=False)
    joined = combine(this=_named(made, names), expression=other, distinct=distinct)
    _sort_and_cut(query, joined, [_by_place(order, query) for order in query.order])
    return joined


def _select(query: form.Query, scope: AliasScope) -> exp.Select:
    """The query up to its groups, without its order, cut and second query."""
    for relation in query.rows.relations:
        scope.take(relation)
    made = exp.Select(expressions=[_term(term, scope) for term in query.select])
    first, *others = query.rows.relations
    made = made.from_(_table(first, scope), copy=False)
    for relation, join in zip(others, query.rows.joins, strict=True):
        made = made.join(
            _table(relation, scope), on=_on(join, scope), join_type=_kind(join), copy=False
        )
    if query.where:
        made = made.where(_all_of(query.where, scope), copy=False)
    if query.group:
        made = made.group_by(*(_term(term, scope) for term in query.group), copy=False)
    if query.having:
        made = made.having(_all_of(query.having, scope), copy=False)
    return made.distinct(copy=False) if query.distinct else made


def _table(relation: form.Relation, scope: AliasScope) -> exp.Expr:
    if relation.query is None:
        return scope.table(relation)
    scope.take(relation)
    return scope.table(relation, _query(relation.query, scope, relation.query.names))


def _kind(join: form.Join) -> str | None:
    if not join.keys:
        return "cross"
    return "left" if join.outer else None


def _on(join: form.Join, scope: AliasScope) -> exp.Expr | None:
    equal = [
        exp.EQ(this=scope.named(join.left, left), expression=scope.named(join.right, right))
        for left, right in join.keys
    ]
    return reduce(both, equal) if equal else None


def _sort_and_cut(query: form.Query, made: exp.Query, order: Sequence[exp.Ordered]) -> None:
    if order:
        made.order_by(*order, copy=False)
    if query.limit is not None:
        made.limit(query.limit, copy=False)
    if query.offset:
        made.offset(query.offset, copy=False)


def _ordered(order: form.Order, scope: AliasScope) -> exp.Ordered:
    return in_direction(_term(order.by, scope), order)


def _by_place(order: form.Order, query: form.Query) -> exp.Ordered:
    """Rows of two queries are sorted by the place of an output: they have no columns in common."""
    place = query.select.index(order.by) + 1
    return in_direction(exp.Literal.number(place), order)


def _named(made: exp.Select, names: Sequence[str]) -> exp.Select:
    if names:
        for output, name in zip(list(made.selects), names, strict=True):
            plain = isinstance(output, exp.Column) and output.name == name
            if name and not plain:
                output.replace(exp.alias_(output.copy(), name))
    return made


def _either(one: exp.Expr, two: exp.Expr) -> exp.Expr:
    return exp.Or(this=one, expression=two)


def _all_of(predicates: Sequence[form.Predicate], scope: AliasScope) -> exp.Expr:
    """All of some predicates; an `OR` among several stands in parentheses."""
    made = [_predicate(one, scope) for one in predicates]
    if len(made) > 1:
        made = [exp.Paren(this=one) if isinstance(one, exp.Or) else one for one in made]
    return reduce(both, made)


def _predicate(predicate: form.Predicate, scope: AliasScope) -> exp.Expr:
    match predicate:
        case form.AllOf(predicates=all_of):
            return _all_of(all_of, scope)
        case form.AnyOf(predicates=any_of):
            return reduce(_either, [_predicate(one, scope) for one in any_of])
        case form.Negation(predicate=inner):
            made = _predicate(inner, scope)
            return exp.Not(this=exp.Paren(this=made) if isinstance(made, exp.Connector) else made)
        case form.Has(left=left, rows=rows, none=none):
            among = exp.Subquery(this=_query(rows, scope, ()))
            found = exp.In(this=_term(left, scope), query=among)
            return exp.Not(this=found) if none else found
        case form.Comparison(left=left, operator=operator, right=right):
            one = _term(left, scope)
            if isinstance(right, tuple):
                return with_values(one, operator, [literal(value) for value in right])
            nested = isinstance(right, form.Query)
            other = exp.Subquery(this=_query(right, scope, ())) if nested else _term(right, scope)
            return COMPARISONS[operator](this=one, expression=other)


def _term(term: form.Expression, scope: AliasScope) -> exp.Expr:
    match term:
        case form.ColumnRef():
            return scope.column(term)
        case form.Elapsed(since=since, until=until):
            last = None if until is None else _term(until, scope)
            return span(last, _term(since, scope), term)
        case form.DatePart(of=of, part=part):
            return part_of_date(_term(of, scope), part)
        case form.Value(value=value):
            return literal(value)
        case form.Worth():
            return _worth(term, scope)
        case form.Arithmetic():
            return _arithmetic(term, scope)
        case form.Function(name=name, of=of):
            return call(name, [_term(one, scope) for one in of])
        case form.Case():
            return _case(term, scope)
        case _:
            return _measure(term, scope)


def _measure(term: form.Expression, scope: AliasScope) -> exp.Expr:
    match term:
        case form.Count(of=of, distinct=distinct):
            if of is None:
                return exp.Count(this=exp.Star())
            inner = _term(of, scope)
            return exp.Count(this=exp.Distinct(expressions=[inner]) if distinct else inner)
        case form.Aggregate(function=function, of=of, distinct=distinct):
            inner = _term(of, scope)
            inner = exp.Distinct(expressions=[inner]) if distinct else inner
            return AGGREGATES[function].tree(this=inner)
        case form.Share():
            return _share(term, scope)
        case form.Proportion(of=of):
            own = _term(of, scope)
            return percent(own, exp.Window(this=exp.Sum(this=own.copy())))
        case form.Ratio(top=top, bottom=bottom):
            return divided(_term(top, scope), _term(bottom, scope))
        case form.OwnGroup():
            return _of_own_group(term, scope)
        case _:
            raise TypeError(type(term))


def _worth(term: form.Worth, scope: AliasScope) -> exp.Expr:
    first, *others = (_operand(factor, scope) for factor in term.factors)
    product = first
    for other in others:
        product = exp.Mul(this=product, expression=other)
    for rate in term.off:
        rest = exp.Sub(this=exp.Literal.number(1), expression=_operand(rate, scope))
        product = exp.Mul(this=product, expression=exp.Paren(this=rest))
    return product


def _operand(term: form.Expression, scope: AliasScope) -> exp.Expr:
    made = _term(term, scope)
    return exp.Paren(this=made) if isinstance(made, exp.Binary) else made


def _arithmetic(term: form.Arithmetic, scope: AliasScope) -> exp.Expr:
    left, right = _operand(term.left, scope), _operand(term.right, scope)
    if term.operator in ("/", "//"):
        return exp.Div(this=left, expression=right, typed=term.operator == "//", safe=True)
    return COMPUTED[term.operator](this=left, expression=right)


def _case(term: form.Case, scope: AliasScope) -> exp.Expr:
    made = exp.Case()
    for predicate, value in term.when:
        made = made.when(_predicate(predicate, scope), _term(value, scope), copy=False)
    return made if term.otherwise is None else made.else_(_term(term.otherwise, scope), copy=False)


def _share(term: form.Share, scope: AliasScope) -> exp.Expr:
    """The percentage of rows that meet the predicates: a mean, so that no rows divide by nothing."""
    met = _all_of(term.when, scope)
    if term.of is not None:
        worth = _term(term.of, scope)
        part = exp.case().when(met, worth).else_(exp.Literal.number(0))
        return percent(exp.Sum(this=part), exp.Sum(this=worth.copy()))
    parts = exp.case().when(met, exp.Literal.number(WHOLE)).else_(exp.Literal.number("0.0"))
    return exp.Avg(this=parts)


def _of_own_group(term: form.OwnGroup, scope: AliasScope) -> exp.Expr:
    """A query for the rows of the same relation that belong to the same group."""
    relation = term.same[0].of
    own = AliasScope(scope)
    own.take(relation)
    made = exp.Select(expressions=[_term(term.measure, own)]).from_(
        _table(relation, own), copy=False
    )
    same = [exp.EQ(this=own.column(one), expression=scope.column(one)) for one in term.same]
    return exp.Subquery(this=made.where(reduce(both, same), copy=False))
