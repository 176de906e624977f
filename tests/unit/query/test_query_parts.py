"""Parts of queries: taken apart, exchanged and compared."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.unit.query.query_strategies import BUYS, CUSTOMERS, NUMBERS, ORDERS, TEXTS, queries

from oldhand.query.difference import difference
from oldhand.query.form import (
    Aggregate,
    AllOf,
    AnyOf,
    ColumnRef,
    Comparison,
    Compound,
    Count,
    DatePart,
    Has,
    Join,
    Negation,
    Node,
    Order,
    Query,
    Rows,
    Value,
)
from oldhand.query.likeness import likeness
from oldhand.query.negating import negated
from oldhand.query.normal import same
from oldhand.query.parts import Path, at, parts
from oldhand.query.provenance import Option, Origin, QueryProvenance
from oldhand.query.walk import changed

CITY, NAME, STATUS = TEXTS
AMOUNT, WEIGHT, AGE = NUMBERS
IN_ROME = Comparison(CITY, "=", ("Rome",))


def of(*where: Node, **more: object) -> Query:
    fields = {"select": (NAME,), "where": where, **more}
    return Query(Rows((CUSTOMERS,)), **fields)  # pyright: ignore[reportArgumentType]


def replaced(held: object, path: Path, other: object) -> Query:
    """A query with something else at a path."""
    if not path:
        return other  # pyright: ignore[reportReturnType]
    step, *rest = path
    inner = replaced(at(held, (step,)), tuple(rest), other)
    if isinstance(held, tuple):
        return (*held[:step], inner, *held[step + 1 :])  # pyright: ignore
    return replace(held, **{step: inner})  # pyright: ignore


@given(queries())
def test_a_path_leads_to_each_part(query):
    for part in parts(query):
        if isinstance(part.node, int):
            continue
        assert at(query, part.path) == part.node


@given(queries())
def test_a_query_does_not_differ_from_itself(query):
    assert not difference(query, query)
    found = likeness(query, query)
    assert found.amount == pytest.approx(1.0)
    assert found.agreement.full


@given(queries(), queries())
def test_likeness_is_symmetric(one, other):
    assert likeness(one, other) == likeness(other, one)
    assert 0.0 <= likeness(one, other).amount <= 1.0


@given(queries(), queries())
def test_what_agrees_in_everything_and_shows_the_same_means_the_same(one, other):
    agrees = likeness(one, other).agreement.full and one.select == other.select
    assert agrees == (same(one, other) and one.select == other.select)


@given(queries(), st.randoms())
def test_the_order_of_conditions_and_the_names_of_roles_make_no_difference(query, random):
    where = list(query.where)
    random.shuffle(where)
    named = replace(CUSTOMERS, role="buyers")
    shuffled = changed(
        replace(query, where=tuple(where)), lambda one: named if one == CUSTOMERS else one
    )
    assert same(query, shuffled)
    assert not difference(query, shuffled)


@given(queries(), st.data())
def test_a_part_that_was_replaced_is_what_the_difference_names(query, data):
    conditions = [part for part in parts(query) if part.kind == "where" and not part.holder]
    assume(conditions)
    part = data.draw(st.sampled_from(conditions))
    other = Comparison(ColumnRef(ORDERS, "carrier"), "=", ("by ship",))
    gone = [one.node for one in parts(query) if one.path[: len(part.path)] == part.path]
    found = difference(query, replaced(query, part.path, other))
    assert found.only_one or found.exchanged
    for one in found.only_other:
        assert one.node == other
    for one in found.only_one:
        assert one.node in gone
    for one in found.exchanged:
        assert (one.one.node, one.other.node) == (part.node, other)


@given(queries(), st.data())
def test_what_is_turned_round_or_exchanged_is_always_seen(query, data):
    found = [(part, *change) for part in parts(query) for change in _changes(part.kind, part.node)]
    assume(found)
    part, aspect, other = data.draw(st.sampled_from(found))
    turned = replaced(query, part.path, other)
    assume(not same(query, turned))
    agreement = likeness(query, turned).agreement
    assert not agreement.full
    assert not getattr(agreement, aspect)
    assert difference(query, turned)


def _changes(kind: str, node: Node | int) -> list[tuple[str, Node | int]]:
    """What may take the place of a part, each with the respect in which the queries disagree then."""
    found: list[tuple[str, Node | int]] = []
    if isinstance(node, Comparison) and isinstance(node.left, ColumnRef) and kind == "where":
        timely = node.left.name.endswith("_at")
        turned = "direction" if node.operator[0] in "<>" else "polarity"
        other = replace(node, right=("2031-01-01",) if timely else ("elsewhere",))
        found = [(turned, negated(node)), ("time" if timely else "operands", other)]
    elif isinstance(node, Has):
        found = [("polarity", negated(node))]
    elif isinstance(node, Order):
        found = [("direction", replace(node, descending=not node.descending))]
    elif isinstance(node, Aggregate) and kind == "select":
        found = [("measure", replace(node, function="median"))]
    elif isinstance(node, DatePart) and kind == "select":
        found = [("time", replace(node, part="weekday"))]
    elif kind == "limit":
        found = [("operands", 77)]
    return found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (of(Comparison(AGE, "in", (1, 2))), of(AnyOf((Comparison(AGE, "=", (2,)), Comparison(AGE, "=", (1,)))))),
        (of(Comparison(AGE, "in", (1,))), of(Comparison(AGE, "=", (1,)))),
        (of(Comparison(Value(5), "<", AGE)), of(Comparison(AGE, ">", (5,)))),
        (of(Negation(AnyOf((IN_ROME, Comparison(AGE, "<", (5,)))))), of(Comparison(AGE, ">=", (5,)), negated(IN_ROME))),
        (of(AnyOf((IN_ROME,))), of(IN_ROME)),
        (of(AnyOf((AllOf((IN_ROME,)), Comparison(AGE, "<", (5,))))), of(AnyOf((Comparison(AGE, "<", (5,)), IN_ROME)))),
        (
            Query(Rows((CUSTOMERS, ORDERS), (BUYS,)), (NAME,)),
            Query(Rows((ORDERS, CUSTOMERS), (Join(CUSTOMERS, ORDERS, (("id", "customer_id"),)),)), (NAME,)),
        ),
        (
            Query(Rows((CUSTOMERS, ORDERS), (BUYS,)), (NAME,)),
            Query(
                Rows((CUSTOMERS, ORDERS), (Join(CUSTOMERS, ORDERS, ()),)), (NAME,),
                (Comparison(ColumnRef(CUSTOMERS, "id"), "=", ColumnRef(ORDERS, "customer_id")),),
            ),
        ),
        (
            Query(Rows((CUSTOMERS, ORDERS), (BUYS,)), (NAME,), group=(ColumnRef(ORDERS, "customer_id"),)),
            Query(Rows((CUSTOMERS, ORDERS), (BUYS,)), (NAME,), group=(ColumnRef(CUSTOMERS, "id"), NAME)),
        ),
        (
            of(IN_ROME, compound=Compound("intersect", of(Comparison(AGE, "<", (5,))))),
            of(Comparison(AGE, "<", (5,)), compound=Compound("intersect", of(IN_ROME))),
        ),
    ],
)  # fmt: skip
def test_other_spellings_mean_the_same(one, other):
    assert same(one, other)
    assert likeness(one, other).agreement.full
    assert not difference(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (of(select=(NAME, CITY)), of(select=(CITY, NAME))),
        (of(), of(distinct=True)),
        (of(IN_ROME), of()),
        (of(limit=1), of(limit=2)),
        (of(AnyOf((IN_ROME, Comparison(AGE, "<", (5,))))), of(IN_ROME, Comparison(AGE, "<", (5,)))),
        (
            of(IN_ROME, compound=Compound("except", of(Comparison(AGE, "<", (5,))))),
            of(Comparison(AGE, "<", (5,)), compound=Compound("except", of(IN_ROME))),
        ),
        (
            of(Comparison(AGE, ">", Query(Rows((CUSTOMERS,)), (Aggregate("avg", AGE),)))),
            of(Comparison(AGE, ">", Query(Rows((CUSTOMERS,)), (Aggregate("max", AGE),)))),
        ),
        (of(), Query(Rows((replace(CUSTOMERS, database="crm"),)), (replace(NAME, of=replace(CUSTOMERS, database="crm")),))),
    ],
)  # fmt: skip
def test_other_queries_do_not_mean_the_same(one, other):
    assert not same(one, other)


def test_conditions_that_change_places_with_their_queries_are_another_query():
    having = [
        Has(
            ColumnRef(CUSTOMERS, "id"),
            Query(Rows((ORDERS,)), (ColumnRef(ORDERS, "customer_id"),), (one,)),
        )
        for one in (Comparison(WEIGHT, ">", (1,)), Comparison(AMOUNT, ">", (1,)))
    ]
    one = of(having[0], negated(having[1]))
    assert not same(one, of(negated(having[0]), having[1]))


@pytest.mark.parametrize(
    ("what", "one", "other"),
    [
        ("value", of(IN_ROME), of(Comparison(CITY, "=", ("Lyon",)))),
        ("time", of(Comparison(AGE, ">", ("2024-01-01",))), of(Comparison(AGE, ">", ("2025-01-01",)))),
        ("column", of(IN_ROME), of(Comparison(NAME, "=", ("Rome",)))),
        ("operator", of(Comparison(AGE, ">", (5,))), of(Comparison(AGE, "<", (5,)))),
        ("direction", of(order=(Order(AGE),)), of(order=(Order(AGE, descending=True),))),
        ("measure", of(select=(Aggregate("sum", AGE),)), of(select=(Aggregate("avg", AGE),))),
        ("value", of(limit=1), of(limit=3)),
        ("join", Query(Rows((CUSTOMERS, ORDERS), (BUYS,)), (NAME,)),
         Query(Rows((CUSTOMERS, ORDERS), (replace(BUYS, keys=(("payer_id", "id"),)),)), (NAME,))),
    ],
)  # fmt: skip
def test_an_exchange_is_told_by_what_was_exchanged(what, one, other):
    found = difference(one, other)
    assert [exchange.what for exchange in found.exchanged] == [what]
    assert (found.only_one, found.only_other) == ((), ())


def test_a_part_of_a_query_inside_is_replaced_in_its_place():
    inner = Query(
        Rows((ORDERS,)), (ColumnRef(ORDERS, "customer_id"),), (Comparison(STATUS, "=", ("paid",)),)
    )
    query = of(Has(ColumnRef(CUSTOMERS, "id"), inner))
    (part,) = [one for one in parts(query) if one.kind == "where" and one.holder]
    (exchange,) = difference(
        query, replaced(query, part.path, Comparison(STATUS, "=", ("open",)))
    ).exchanged
    assert (exchange.what, exchange.one) == ("value", part)


def test_a_part_knows_the_words_it_came_from_and_what_else_they_could_have_meant():
    known = QueryProvenance(
        {("where", IN_ROME): Origin.of_bits(0b1100, (Option(negated(IN_ROME), 0.2),), 0.8)}
    )
    (part,) = [one for one in parts(of(IN_ROME)) if one.kind == "where"]
    origin = known.origin(part)
    assert origin is not None
    assert (origin.words, origin.score) == ((2, 3), 0.8)
    assert origin.options == (Option(negated(IN_ROME), 0.2),)


def test_a_key_tells_what_belongs_to_its_row_and_other_groups_stand_beside_it() -> None:
    key = ColumnRef(CUSTOMERS, "id")
    rows = Rows((ORDERS, CUSTOMERS), (Join(ORDERS, CUSTOMERS, (("customer_id", "id"),)),))
    by = Query(rows, (NAME, Count()), group=(key, NAME))
    assert same(by, replace(by, group=(key,)))
    finer = replace(by, select=(NAME, STATUS, Count()), group=(key, NAME, STATUS))
    assert {one.kind for one in difference(by, finer).only_other} == {"select", "group"}
