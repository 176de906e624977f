"""Any query of the form over the shop."""

from hypothesis import strategies as st
from tests.unit.query.shop import TABLES

from oldhand.query.form import (
    Aggregate,
    AllOf,
    AnyOf,
    Arithmetic,
    Case,
    ColumnRef,
    Comparison,
    Compound,
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
    Rows,
    Share,
    Value,
    Worth,
)  # fmt: skip
from oldhand.record.schema import Kind

CUSTOMERS, ORDERS, LINES = (Relation("shop", "main", name) for name in TABLES)
BOSSES = Relation("shop", "main", "customers", "boss")
_NUMBERS = (Kind.INTEGER, Kind.NUMBER)
_PLACED = Join(ORDERS, CUSTOMERS, (("customer_id", "id"),))
_OF_ORDER = Join(LINES, ORDERS, (("order_id", "id"),))
_ROWS = (
    Rows((CUSTOMERS,)),
    Rows((ORDERS,)),
    Rows((LINES,)),
    Rows((CUSTOMERS, ORDERS), (_PLACED,)),
    Rows((ORDERS, LINES), (Join(LINES, ORDERS, (("order_id", "id"),), outer=True),)),
    Rows((CUSTOMERS, ORDERS, LINES), (_PLACED, _OF_ORDER)),
    Rows((CUSTOMERS, BOSSES), (Join(CUSTOMERS, BOSSES, (("boss_id", "id"),)),)),
    Rows((CUSTOMERS, BOSSES), (Join(CUSTOMERS, BOSSES, (("boss_id", "id"),), outer=True),)),
    Rows((CUSTOMERS, LINES), (Join(CUSTOMERS, LINES, ()),)),
)
_TEXTS = st.sampled_from(["Rome", "Dan", "pen", "it's", "%a%", ""])
_WHOLE = st.integers(-3, 12)
_NUMBER = st.one_of(_WHOLE, st.sampled_from([0.5, 1.25, 7.25]))
_DAYS = st.sampled_from(["2023-12-30", "2024-01-15", "2024-03-04", "2025-01-01"])
_VALUES = {Kind.TEXT: _TEXTS, Kind.DATE: _DAYS}
_PARTS = st.sampled_from([
    "year", "quarter", "month", "day", "weekday", "month of the year", "day of the week", "day of the month",
])  # fmt: skip
_COMPARED = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])


def _columns(rows: Rows, kinds: tuple[Kind, ...]) -> list[ColumnRef]:
    return [
        ColumnRef(relation, name)
        for relation in rows.relations
        for name, kind in TABLES[relation.table].items()
        if kind in kinds
    ]


def _kind(column: ColumnRef) -> Kind:
    return TABLES[column.of.table][column.name]


def _any_column(rows: Rows) -> st.SearchStrategy[ColumnRef]:
    return st.sampled_from(_columns(rows, tuple(Kind)))


def numbers(rows: Rows) -> st.SearchStrategy[Expression]:
    """Attributes that can be added up."""
    column = st.sampled_from(_columns(rows, _NUMBERS))
    made = [
        column,
        st.builds(lambda a, b: Worth((a, b)), column, column),
        st.builds(lambda a, b: Worth((a,), (b,)), column, column),
        st.builds(Arithmetic, st.sampled_from(["+", "-", "/", "//", "%"]), column, column),
        st.builds(lambda n, a: Arithmetic("*", Value(n), a), st.integers(2, 9), column),
        st.builds(lambda a: Function("abs", (a,)), column),
        st.builds(lambda a, n: Function("coalesce", (a, Value(n))), column, _WHOLE),
        st.builds(lambda a: Function("round", (a, Value(1))), column),
    ]
    dates = _columns(rows, (Kind.DATE,))
    if dates:
        date = st.sampled_from(dates)
        made.append(st.builds(Elapsed, date, date))
        made.append(st.builds(Elapsed, date, st.none(), st.just("years")))
        made.append(
            st.builds(Elapsed, date, date, st.sampled_from(["hours", "days"]), st.just(True))
        )
    return st.one_of(made)


def attributes(rows: Rows) -> st.SearchStrategy[Expression]:
    """What can be shown of a row."""
    made: list[st.SearchStrategy[Expression]] = [_any_column(rows), numbers(rows)]
    texts = _columns(rows, (Kind.TEXT,))
    if texts:
        text = st.sampled_from(texts)
        made.append(st.builds(lambda a: Function("upper", (a,)), text))
        made.append(st.builds(lambda a, b: Arithmetic("||", a, b), text, text))
    dates = _columns(rows, (Kind.DATE,))
    if dates:
        made.append(st.builds(DatePart, st.sampled_from(dates), _PARTS))
    made.append(
        st.builds(
            lambda p, a, b: Case(((p, a),), b),
            simple_predicates(rows),
            numbers(rows),
            numbers(rows),
        )
    )
    return st.one_of(made)


def measures(rows: Rows, *, grouped: bool) -> st.SearchStrategy[Expression]:
    """What can be shown of many rows."""
    sums = st.builds(Aggregate, st.sampled_from(["sum", "avg", "min", "max"]), numbers(rows))
    counts = st.one_of(
        st.just(Count()),
        st.builds(Count, _any_column(rows).filter(lambda one: one.name != "id")),
        st.builds(Count, _any_column(rows), st.just(True)),
    )
    plain = st.one_of(sums, counts)
    when = st.lists(simple_predicates(rows), min_size=1, max_size=2).map(tuple)
    made = [
        plain,
        st.builds(Share, when),
        st.builds(Share, when, st.sampled_from(_columns(rows, _NUMBERS))),
        st.builds(Ratio, plain, counts),
        st.builds(lambda m, n: Arithmetic("+", m, Value(n)), plain, _WHOLE),
    ]
    if grouped:
        made.append(st.builds(Proportion, counts))
    return st.one_of(made)


@st.composite
def simple_predicates(draw: st.DrawFn, rows: Rows) -> Predicate:
    """Comparisons of a column with values."""
    column = draw(_any_column(rows))
    values = _VALUES.get(_kind(column), _NUMBER)
    operator = draw(
        st.sampled_from(["=", "!=", "<", "<=", ">", ">=", "null", "not null", "between", "not between", "in", "not in",
                         "like", "not like", "within", "not within"])
    )  # fmt: skip
    if operator.endswith("null"):
        return Comparison(column, operator)
    if operator.endswith(("between", "within")):
        if operator.endswith("within") and _kind(column) is not Kind.DATE:
            operator = operator.replace("within", "between")
        return Comparison(column, operator, draw(st.tuples(values, values)))
    if operator.endswith("in"):
        return Comparison(column, operator, tuple(draw(st.lists(values, min_size=1, max_size=3))))
    if operator.endswith("like"):
        return Comparison(column, operator, (draw(_TEXTS),))
    return Comparison(column, operator, (draw(values),))


def predicates(rows: Rows, depth: int = 2) -> st.SearchStrategy[Predicate]:
    """Any condition on rows."""
    made: list[st.SearchStrategy[Predicate]] = [
        simple_predicates(rows),
        st.builds(Comparison, numbers(rows), _COMPARED, numbers(rows)),
        st.sampled_from(_columns(rows, _NUMBERS)).flatmap(_with_own_group),
    ]
    if dates := _columns(rows, (Kind.DATE,)):
        year = st.builds(DatePart, st.sampled_from(dates), st.just("year"))
        values = st.sampled_from([("2023",), ("2024",)])
        made.append(st.builds(Comparison, year, _COMPARED, values))
    if depth:
        inner = st.deferred(lambda: predicates(rows, depth - 1))
        several = st.lists(inner, min_size=2, max_size=3).map(tuple)
        joined = st.one_of(several.map(AnyOf), several.map(AllOf))
        made += [joined, joined.map(Negation), _with_query(rows, depth - 1)]
        made.append(st.builds(Has, _any_column(rows), inner_queries(depth - 1), st.booleans()))
    return st.one_of(made)


def _with_own_group(column: ColumnRef) -> st.SearchStrategy[Predicate]:
    same = st.sampled_from(_columns(Rows((column.of,)), tuple(Kind))).map(lambda one: (one,))
    own = st.builds(OwnGroup, st.just(Aggregate("avg", column)), same)
    return st.builds(Comparison, st.just(column), _COMPARED, own)


@st.composite
def _with_query(draw: st.DrawFn, rows: Rows, depth: int) -> Predicate:
    other = draw(st.sampled_from(_ROWS[:3]))
    where = tuple(draw(st.lists(predicates(other, depth), max_size=1)))
    query = Query(other, (Aggregate("avg", draw(numbers(other))),), where)
    return Comparison(draw(numbers(rows)), draw(_COMPARED), query)


@st.composite
def inner_queries(draw: st.DrawFn, depth: int) -> Query:
    """Queries that show one column."""
    rows = draw(st.sampled_from(_ROWS))
    where = tuple(draw(st.lists(predicates(rows, depth), max_size=2)))
    return Query(rows, (draw(_any_column(rows)),), where)


@st.composite
def _orders(draw: st.DrawFn, terms: tuple[Expression, ...]) -> tuple[Order, ...]:
    chosen = draw(st.lists(st.sampled_from(terms), max_size=2, unique=True))
    nulls = st.sampled_from(["", "first"])
    return tuple(Order(term, draw(st.booleans()), draw(nulls)) for term in chosen)


@st.composite
def queries(draw: st.DrawFn) -> Query:
    """Any query."""
    rows = draw(st.sampled_from(_ROWS))
    if draw(st.integers(0, 5)) == 0:
        names = ("a", "b")
        inner = Query(rows, tuple(draw(attributes(rows)) for _ in names), names=names)
        derived = Relation("", "", "", query=inner)
        shown = tuple(ColumnRef(derived, name) for name in names)
        where = (Comparison(shown[0], "not null"),)
        return Query(Rows((derived,)), shown, where, order=draw(_orders(shown)))
    where = tuple(draw(st.lists(predicates(rows), max_size=3)))
    shape = draw(st.sampled_from(["rows", "rows", "groups", "groups", "whole", "each", "two"]))
    if shape == "whole":
        few = st.lists(measures(rows, grouped=False), min_size=1, max_size=2).map(tuple)
        return Query(rows, draw(few), where)
    limit = draw(st.one_of(st.none(), st.integers(1, 4)))
    if shape in ("groups", "each"):
        group = tuple(draw(st.lists(_any_column(rows), min_size=1, max_size=2, unique=True)))
        measure = draw(measures(rows, grouped=shape == "groups"))
        select = (*group, measure)
        if shape == "each":
            order = (Order(measure, draw(st.booleans())),)
            return Query(rows, select, where, group, order=order, limit=limit or 1, each=group[:1])
        having = tuple(
            draw(st.lists(st.builds(lambda m, n: Comparison(m, ">", (n,)), measures(rows, grouped=False), _WHOLE), max_size=1))
        )  # fmt: skip
        order = draw(_orders(select))
        return Query(rows, select, where, group, having, order, limit)
    select = tuple(draw(st.lists(attributes(rows), min_size=1, max_size=3)))
    distinct = draw(st.booleans())
    if shape == "two":
        kind = draw(st.sampled_from(["intersect", "union", "union all", "except"]))
        other = draw(st.sampled_from(_ROWS))
        several = st.lists(
            _any_column(other),
            min_size=len(select),
            max_size=len(select),
            unique_by=lambda one: one.name,
        )
        cut = draw(st.sampled_from([None, None, 2]))
        second = Query(other, tuple(draw(several)), limit=cut)
        return Query(rows, select, where, distinct=distinct, compound=Compound(kind, second))
    order = draw(_orders(select))
    offset = draw(st.integers(0, 2)) if limit is not None else 0
    names = tuple(f"n{place}" for place in range(len(select))) if draw(st.booleans()) else ()
    return Query(rows, select, where, (), (), order, limit, offset, (), distinct, None, names)
