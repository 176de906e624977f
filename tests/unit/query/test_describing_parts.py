"""Any query is described without error, and no two queries that differ in one part sound the same."""

from dataclasses import replace

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from oldhand.query.describing.describing import describe, describe_part, things_read
from oldhand.query.describing.headings import headings
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
    Node,
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
)
from oldhand.query.negating import OPPOSITE
from oldhand.query.opaque import Opaque
from oldhand.query.walk import changed, walk
from oldhand.record import schema
from oldhand.record.schema import DatabaseSchema, ForeignKey, Kind, Table

CUSTOMERS, ORDERS = Relation("shop", "main", "customers"), Relation("shop", "main", "orders")
MANAGERS, STAFF = Relation("shop", "main", "staff", "manager"), Relation("shop", "main", "staff")
KINDS = {
    "id": Kind.INTEGER, "customer_id": Kind.INTEGER, "buyer_id": Kind.INTEGER, "age": Kind.INTEGER,
    "price": Kind.NUMBER, "pieces": Kind.INTEGER, "name": Kind.TEXT, "city": Kind.TEXT,
    "country": Kind.TEXT, "status": Kind.TEXT, "newsletter": Kind.BOOLEAN, "closed": Kind.BOOLEAN,
    "ordered_on": Kind.DATE, "due_date": Kind.DATE, "signed_up_on": Kind.DATE,
}  # fmt: skip
COLUMNS = {
    "customers": ("id", "name", "city", "country", "age", "newsletter", "signed_up_on"),
    "orders": ("id", "customer_id", "buyer_id", "price", "pieces", "status", "closed", "ordered_on", "due_date"),
}  # fmt: skip
KEYS = tuple(
    ForeignKey(columns=(name,), database="shop", schema_name="main", table="customers", target_columns=("id",))
    for name in ("customer_id", "buyer_id")
)  # fmt: skip
SHOP = DatabaseSchema(
    name="shop",
    dialect="sqlite",
    tables=tuple(
        Table(
            name=name,
            schema_name="main",
            columns=tuple(
                schema.Column(name=one, type="", kind=KINDS[one], primary_key=one == "id")
                for one in columns
            ),
            foreign_keys=KEYS if name == "orders" else (),
        )
        for name, columns in COLUMNS.items()
    ),
)
SCHEMAS = (SHOP,)
BOTH = Rows((ORDERS, CUSTOMERS), (Join(ORDERS, CUSTOMERS, (("customer_id", "id"),)),))
VALUES = {
    Kind.TEXT: st.sampled_from(["Rome", "O'Hara", "paid", "or open"]),
    Kind.INTEGER: st.sampled_from([1, 2, 1000]), Kind.NUMBER: st.sampled_from([0.5, 10, 0.123456]),
    Kind.DATE: st.sampled_from(["2024-01-01", "2024-03-05", "2025-01-01"]),
    Kind.BOOLEAN: st.booleans(),
}  # fmt: skip
OPERATORS = {
    Kind.BOOLEAN: ["=", "!=", "null", "not null"],
    Kind.TEXT: ["=", "!=", "like", "not like", "in", "not in", "null", "not null"],
}
MORE = ["=", "!=", "<", "<=", ">", ">=", "in", "not in", "between", "not between", "within", "null"]


def columns(relations: tuple[Relation, ...]) -> st.SearchStrategy[ColumnRef]:
    return st.sampled_from([ColumnRef(r, name) for r in relations for name in COLUMNS[r.table]])


@st.composite
def comparisons(draw: st.DrawFn, relations: tuple[Relation, ...]) -> Comparison:
    column = draw(columns(relations))
    kind = KINDS[column.name]
    operator = draw(st.sampled_from(OPERATORS.get(kind, MORE)))
    plain = operator.removeprefix("not ")
    size = {"null": 0, "in": 3, "between": 2, "within": 2}.get(plain, 1)
    values = draw(st.lists(VALUES[kind], min_size=size, max_size=size, unique=plain != "like"))
    if plain == "like":
        values = [draw(st.sampled_from(["{}%", "%{}", "%{}%", "{}_%"])).format(values[0])]
    return Comparison(column, operator, tuple(sorted(values)))


def predicates(relations: tuple[Relation, ...]) -> st.SearchStrategy[Predicate]:
    plain = comparisons(relations)
    several = st.lists(plain, min_size=2, max_size=3, unique=True).map(tuple)
    return st.one_of(
        plain,
        plain,
        several.map(AnyOf),
        several.map(AllOf).map(Negation),
        st.builds(Has, st.just(ColumnRef(relations[-1], "id")), buyers(), st.booleans()),
        st.builds(
            Comparison,
            st.just(ColumnRef(CUSTOMERS, "age")),
            st.sampled_from(["<", ">"]),
            st.sampled_from([OwnGroup(Aggregate("avg", ColumnRef(CUSTOMERS, "age")), (ColumnRef(CUSTOMERS, "city"),)),
                             Query(Rows((CUSTOMERS,)), (Aggregate("avg", ColumnRef(CUSTOMERS, "age")),))]),
        ) if CUSTOMERS in relations else plain,
    )  # fmt: skip


@st.composite
def buyers(draw: st.DrawFn) -> Query:
    shown = ColumnRef(ORDERS, draw(st.sampled_from(["customer_id", "buyer_id"])))
    where = tuple(draw(st.lists(comparisons((ORDERS,)), max_size=1)))
    if draw(st.booleans()):
        return Query(Rows((ORDERS,)), (shown,), where)
    many = Comparison(Count(), draw(st.sampled_from([">", "<", "="])), (draw(st.integers(2, 4)),))
    return Query(Rows((ORDERS,)), (shown,), where, (shown,), (many,))


def measures(relations: tuple[Relation, ...]) -> st.SearchStrategy[Expression]:
    numbers = columns(relations).filter(lambda one: KINDS[one.name] in schema.NUMBERS)
    functions = st.sampled_from(["sum", "avg", "min", "max", "median"])
    simple = st.one_of(st.just(Count()), st.builds(Aggregate, functions, numbers))
    return st.one_of(
        simple,
        st.builds(Count, columns(relations), st.booleans()),
        st.builds(lambda one, two: Aggregate("sum", Worth((one, two))), numbers, numbers),
        st.builds(lambda when: Share((when,)), comparisons(relations)),
        st.builds(Proportion, simple),
        st.builds(lambda top, key: Ratio(top, Count(key, distinct=True)), simple, numbers),
    )


@st.composite
def queries(draw: st.DrawFn) -> Query:
    rows = draw(st.sampled_from([Rows((CUSTOMERS,)), Rows((ORDERS,)), BOTH]))
    relations = rows.relations
    where = tuple(draw(st.lists(predicates(relations), max_size=2, unique=True)))
    keys = tuple(draw(st.lists(columns(relations), min_size=1, max_size=2, unique=True)))
    grouped = draw(st.booleans())
    shown = (*keys, draw(measures(relations))) if grouped else keys
    by = draw(st.sampled_from(shown))
    order = (Order(by, draw(st.booleans())),) if draw(st.booleans()) else ()
    query = Query(
        rows,
        shown,
        where,
        group=keys if grouped else (),
        having=(Comparison(Count(), ">", (draw(st.integers(1, 5)),)),) if grouped else (),
        order=order,
        limit=draw(st.sampled_from([None, 1, 3])) if order else None,
    )
    if draw(st.integers(0, 4)) or order:
        return query
    kind = draw(st.sampled_from(["intersect", "union", "union all", "except"]))
    other = replace(query, where=(draw(comparisons(relations)),))
    return replace(query, compound=Compound(kind, other))


@st.composite
def exchanged(draw: st.DrawFn, query: Query) -> Query:
    """The query with one part exchanged for another of a different meaning."""
    places = [part for part in walk(query, inner=True) if _others(part)]
    assume(places)
    part = draw(st.sampled_from(places))
    other = draw(st.sampled_from(_others(part)))
    return changed(query, lambda one: other if one == part else one)


def _others(part: Node) -> list[Node]:  # noqa: C901, PLR0911, PLR0912 - one for each kind of part
    match part:
        case Comparison(operator=operator, right=tuple(values)):
            others: list[Node] = [replace(part, operator=OPPOSITE[operator])]
            if operator in ("<", ">"):
                others.append(replace(part, operator=f"{operator}="))
            if len(values) == 1 and not isinstance(values[0], bool | str):
                others.append(replace(part, right=(values[0] + 7,)))
            return others
        case Comparison(operator=operator):
            return [replace(part, operator=OPPOSITE[operator])]
        case ColumnRef(name="city"):
            return [replace(part, name="country")]
        case ColumnRef(name="price"):
            return [replace(part, name="pieces")]
        case Aggregate(function=function):
            return [replace(part, function=one) for one in ("sum", "avg", "max") if one != function]
        case Count(of=of, distinct=distinct) if of is not None:
            return [Count(), Count(of, distinct=not distinct)]
        case Has(none=none):
            return [replace(part, none=not none)]
        case Order(descending=descending):
            return [replace(part, descending=not descending)]
        case Join(keys=(("customer_id", "id"),)):
            return [replace(part, keys=(("buyer_id", "id"),)), replace(part, outer=True)]
        case Compound(kind=kind):
            return [replace(part, kind=one) for one in ("union", "except") if one != kind]
        case _:
            return []


@given(queries())
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_query_is_described_on_one_line(query: Query) -> None:
    said = describe(query, SCHEMAS)
    assert said == describe(query, SCHEMAS)
    assert "\n" not in said
    assert "  " not in said
    assert "None" not in said
    assert len(set(headings(query, SCHEMAS))) == len(query.select)
    assert things_read(query, SCHEMAS)


@given(st.data())
@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
def test_queries_that_differ_in_one_part_never_sound_the_same(data: st.DataObject) -> None:
    query = data.draw(queries())
    other = data.draw(exchanged(query))
    assume(query != other)
    assert describe(query, SCHEMAS) != describe(other, SCHEMAS)


NAME, CITY, AGE = (ColumnRef(CUSTOMERS, name) for name in ("name", "city", "age"))
PRICE, STATUS, ORDERED = (ColumnRef(ORDERS, name) for name in ("price", "status", "ordered_on"))
PAID, OLD = Comparison(STATUS, "=", ("paid",)), Comparison(AGE, ">=", (65,))
WORTH = Aggregate("sum", Worth((PRICE, ColumnRef(ORDERS, "pieces"))))
ALL, SALES = Rows((CUSTOMERS,)), Rows((ORDERS,))
IN_2024 = Comparison(ORDERED, "within", ("2024-01-01", "2025-01-01"))
BUYER = Query(SALES, (ColumnRef(ORDERS, "customer_id"),), (PAID,))
SAID = [
    (Query(ALL, (Count(),), (Comparison(CITY, "=", ("Rome",)),)), "number of customers with city 'Rome'"),
    (Query(ALL, (NAME, CITY), (OLD,)), "name and city of customers with age of at least 65"),
    (Query(SALES, (Count(), Aggregate("avg", PRICE)), (IN_2024,)), "number and average price of orders ordered in 2024"),
    (Query(SALES, (Aggregate("sum", PRICE),), group=()), "total price of orders"),
    (Query(SALES, (STATUS, Count()), group=(STATUS,)), "number of orders for each status"),
    (Query(SALES, (Count(),), group=(STATUS,)), "number of orders for each status (not shown)"),
    (Query(ALL, (CITY, Count()), group=(CITY,), having=(Comparison(Count(), ">", (5,)),)), "number of customers for each city with more than 5 customers"),
    (Query(ALL, (NAME,), order=(Order(AGE, descending=True),), limit=3), "name of customers, the 3 with the highest age"),
    (Query(ALL, (NAME,), order=(Order(AGE),), limit=1, offset=1), "name of customers, the one with the second lowest age"),
    (Query(ALL, (NAME,), order=(Order(NAME, descending=True),)), "name of customers, sorted by name, from Z to A"),
    (Query(ALL, (NAME, CITY), order=(Order(AGE),), limit=1, each=(CITY,)), "name and city of customers, the one with the lowest age in each city"),
    (Query(ALL, (CITY,), distinct=True), "different cities of customers"),
    (Query(BOTH, (NAME,), group=(ColumnRef(CUSTOMERS, "id"), NAME), order=(Order(Count(), descending=True),), limit=3), "name of each customer, the 3 with the most orders, orders tied to customers by customer id"),
    (Query(SALES, (Count(),), (AnyOf((PAID, Comparison(PRICE, ">", (10,)))),)), "number of orders with status 'paid' or with price above 10"),
    (Query(SALES, (Count(),), (Negation(AllOf((PAID, IN_2024))),)), "number of orders except those both with status 'paid' and ordered in 2024"),
    (Query(SALES, (Share((PAID,)),), (IN_2024,)), "percentage with status 'paid' among orders ordered in 2024"),
    (Query(SALES, (STATUS, Proportion(Count())), group=(STATUS,)), "percentage of the whole number of orders for each status"),
    (Query(SALES, (Ratio(Count(), Count(ColumnRef(ORDERS, "customer_id"), distinct=True)),)), "average number of orders per different customer id"),
    (Query(SALES, (WORTH,)), "total price \N{MULTIPLICATION SIGN} pieces of orders"),
    (Query(SALES, (DatePart(ORDERED, "month"), Count()), group=(DatePart(ORDERED, "month"),)), "number of orders for each month ordered"),
    (Query(SALES, (Count(),), (Comparison(DatePart(ORDERED, "day of the week"), "in", (6, 7)),)), "number of orders ordered on Saturdays or Sundays"),
    (Query(SALES, (Aggregate("avg", Elapsed(ORDERED, ColumnRef(ORDERS, "due_date"))),)), "average days from ordered to due of orders"),
    (Query(ALL, (NAME,), (Has(ColumnRef(CUSTOMERS, "id"), BUYER),)), "name of customers with id among the customer id of orders with status 'paid'"),
    (Query(ALL, (NAME,), (Comparison(AGE, ">", OwnGroup(Aggregate("avg", AGE), (CITY,))),)), "name of customers with age above the average age with the same city"),
    (Query(ALL, (NAME,), (Comparison(AGE, ">", Query(ALL, (Aggregate("avg", AGE),))),)), "name of customers with age above the average age of customers"),
    (Query(ALL, (NAME,), (OLD,), compound=Compound("except", Query(ALL, (NAME,), (Comparison(CITY, "=", ("Rome",)),)))), "name of customers with age of at least 65, but not of customers with city 'Rome'"),
    (Query(Rows((STAFF, MANAGERS), (Join(STAFF, MANAGERS, (("manager_id", "id"),)),)), (ColumnRef(MANAGERS, "name"), Count()), group=(ColumnRef(MANAGERS, "name"),)), "number of staff for each name of managers"),
    (Query(ALL, (Function("round", (Arithmetic("/", AGE, Value(3)), Value(1))),)), "rounded age divided by 3 to 1 decimals of customers"),
    (Query(ALL, (Case(((OLD, Value("old")),), Value("young")),)), "'old' for those with age of at least 65, else 'young', from customers"),
    (Query(ALL, (NAME,), order=(Order(Case(((OLD, Value(0)),), Value(1))), Order(NAME))), "name of customers, sorted by those with age of at least 65 first and name, from A to Z"),
    (Opaque("shop", "SELECT 1\nFROM x"), "what this SQL reads: SELECT 1 FROM x"),
]  # fmt: skip


def test_each_construct_has_its_words() -> None:
    assert [describe(query, SCHEMAS) for query, _ in SAID] == [said for _, said in SAID]


def test_parts_are_said_by_themselves() -> None:
    assert describe_part(AGE, SCHEMAS) == "age of customers"
    assert describe_part(OLD, SCHEMAS) == "customers with age of at least 65"
    assert describe_part(BOTH.joins[0], SCHEMAS) == "orders tied to customers by customer id"
    assert describe_part(Count(), SCHEMAS) == "number of rows"
