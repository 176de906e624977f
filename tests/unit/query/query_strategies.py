"""Queries over a small shop, made at random."""

from hypothesis import strategies as st

from oldhand.query.form import (
    Aggregate,
    AnyOf,
    ColumnRef,
    Comparison,
    Count,
    DatePart,
    Has,
    Join,
    Order,
    Query,
    Relation,
    Rows,
)

CUSTOMERS = Relation("shop", "main", "customers")
ORDERS = Relation("shop", "main", "orders")
BUYS = Join(ORDERS, CUSTOMERS, (("customer_id", "id"),))
TEXTS = (ColumnRef(CUSTOMERS, "city"), ColumnRef(CUSTOMERS, "name"), ColumnRef(ORDERS, "status"))
NUMBERS = (ColumnRef(ORDERS, "amount"), ColumnRef(ORDERS, "weight"), ColumnRef(CUSTOMERS, "age"))
MOMENTS = (ColumnRef(ORDERS, "ordered_at"), ColumnRef(ORDERS, "paid_at"))

measures = st.one_of(
    st.just(Count()),
    st.builds(Count, st.sampled_from(TEXTS), st.just(True)),
    st.builds(Aggregate, st.sampled_from(("sum", "avg", "min", "max")), st.sampled_from(NUMBERS)),
)
attributes = st.one_of(
    st.sampled_from((*TEXTS, *NUMBERS)),
    st.builds(DatePart, st.sampled_from(MOMENTS), st.sampled_from(("year", "month"))),
)
textual = st.builds(
    Comparison,
    st.sampled_from(TEXTS),
    st.sampled_from(("=", "!=", "like")),
    st.tuples(st.sampled_from(("Rome", "Lyon", "paid"))),
)
numeric = st.builds(
    Comparison,
    st.sampled_from(NUMBERS),
    st.sampled_from(("<", "<=", ">", ">=")),
    st.tuples(st.integers(1, 9)),
)
timely = st.builds(
    Comparison,
    st.sampled_from(MOMENTS),
    st.sampled_from((">=", "<")),
    st.tuples(st.sampled_from(("2024-01-01", "2025-06-30"))),
)
ordering_customers = st.builds(
    lambda where, none: Has(
        ColumnRef(CUSTOMERS, "id"),
        Query(Rows((ORDERS,)), (ColumnRef(ORDERS, "customer_id"),), where),
        none,
    ),
    st.lists(
        st.builds(
            Comparison,
            st.just(ColumnRef(ORDERS, "weight")),
            st.sampled_from(("<", ">")),
            st.tuples(st.integers(1, 9)),
        ),
        max_size=1,
    ).map(tuple),
    st.booleans(),
)
predicates = st.one_of(
    textual,
    numeric,
    timely,
    ordering_customers,
    st.lists(st.one_of(textual, numeric), min_size=2, max_size=3, unique=True).map(
        lambda several: AnyOf(tuple(several))
    ),
)


@st.composite
def queries(draw: st.DrawFn) -> Query:
    """A list of rows, or measures of groups; sorted and cut or not."""
    shown = draw(st.lists(attributes, min_size=1, max_size=2, unique=True))
    computed = draw(st.lists(measures, max_size=2, unique=True))
    order = draw(
        st.lists(st.builds(Order, st.sampled_from((*shown, *computed)), st.booleans()), max_size=1)
    )
    having = st.builds(
        Comparison, st.just(Count()), st.sampled_from((">", "<")), st.tuples(st.integers(1, 9))
    )
    return Query(
        Rows((CUSTOMERS, ORDERS), (BUYS,)),
        (*shown, *computed),
        tuple(draw(st.lists(predicates, max_size=3, unique=True))),
        tuple(shown) if computed else (),
        tuple(draw(st.lists(having, max_size=1))) if computed else (),
        tuple(order),
        draw(st.one_of(st.none(), st.integers(1, 9))) if order else None,
        distinct=draw(st.booleans()),
    )
