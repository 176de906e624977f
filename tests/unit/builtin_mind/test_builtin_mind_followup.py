"""Follow-ups change the query before, or ask back."""

from datetime import date

import pytest
from sqlglot import exp, parse_one

from oldhand.agent.analysis.mind import EarlierTurn
from oldhand.agent.analyst.conversation.followup import (
    changed_query,
    chosen_option,
    is_follow_up,
    merged_question,
)
from oldhand.agent.analyst.conversation.ran import as_it_ran
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.linking.indexes import index_of_samples
from oldhand.query.compiling.compile import compile_query, in_order
from oldhand.query.form import Has, Query
from oldhand.query.lifting import lift_tree
from oldhand.query.normal import same
from oldhand.record.answer import Outcome
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table


def column(name: str, kind: Kind, *samples: str) -> Column:
    return Column(name=name, type="", kind=kind, samples=samples, primary_key=name == "id")


SHOP = DatabaseSchema(
    name="shop",
    dialect="sqlite",
    tables=(
        Table(
            name="customers",
            schema_name="main",
            columns=(
                column("id", Kind.INTEGER),
                column("name", Kind.TEXT, "Ann", "Bob"),
                column("city", Kind.TEXT, "Berlin", "Hamburg", "New York"),
                column("segment", Kind.TEXT, "retail", "business"),
                column("email", Kind.TEXT),
                column("age", Kind.INTEGER),
                column("joined", Kind.DATE),
            ),
        ),
        Table(name="products", schema_name="main", columns=(column("id", Kind.INTEGER),)),
    ),
)
FROM = "FROM shop.main.customers AS t1"
COUNT = f"SELECT COUNT(*) {FROM} WHERE t1.city = 'Berlin'"
LIST = f"SELECT t1.name {FROM} WHERE t1.city = 'Berlin'"
TOP = f"SELECT t1.name {FROM} ORDER BY t1.age DESC LIMIT 5"
BORN = f"SELECT COUNT(*) {FROM} WHERE t1.joined >= '2024-01-01' AND t1.joined < '2025-01-01'"
AVERAGE = f"SELECT AVG(t1.age) {FROM} WHERE t1.city = 'Berlin'"


def query_of(sql: str, shop: DatabaseSchema = SHOP) -> Query:
    tree = parse_one(sql)
    assert isinstance(tree, exp.Query)
    found = lift_tree(tree, (shop,))
    assert found is not None
    return found


def changed(before: str, question: str, shop: DatabaseSchema = SHOP) -> Query | None:
    values, today = index_of_samples(shop), date(2026, 3, 1)
    scene = Scene(query_of(before, shop), "How many customers?", (shop,), values, today)
    return changed_query(question, scene)


def is_changed(before: str, question: str, after: str) -> bool:
    found = changed(before, question)
    return (
        found is not None and same(found, query_of(after)) and found.order == query_of(after).order
    )


CASES = [
    (COUNT, "and in Hamburg?", f"SELECT COUNT(*) {FROM} WHERE t1.city = 'Hamburg'"),
    (COUNT, "What about New York?", f"SELECT COUNT(*) {FROM} WHERE t1.city = 'New York'"),
    (COUNT, "How about Hamburg and New York?", f"SELECT COUNT(*) {FROM} WHERE t1.city IN ('Hamburg', 'New York')"),
    (COUNT, "and not in Hamburg?", f"SELECT COUNT(*) {FROM} WHERE NOT t1.city = 'Hamburg'"),
    (COUNT, "and in the business segment?", f"SELECT COUNT(*) {FROM} WHERE t1.city = 'Berlin' AND t1.segment = 'business'"),
    (COUNT, "how many of them are retail?", f"SELECT COUNT(*) {FROM} WHERE t1.city = 'Berlin' AND t1.segment = 'retail'"),
    (COUNT, "How many of those joined in 2023?", f"SELECT COUNT(*) {FROM} WHERE t1.city = 'Berlin' AND t1.joined >= '2023-01-01' AND t1.joined < '2024-01-01'"),
    (BORN, "what about 2023?", f"SELECT COUNT(*) {FROM} WHERE t1.joined >= '2023-01-01' AND t1.joined < '2024-01-01'"),
    (BORN, "and last year?", f"SELECT COUNT(*) {FROM} WHERE t1.joined >= '2025-01-01' AND t1.joined < '2026-01-01'"),
    (BORN, "and before 2020?", f"SELECT COUNT(*) {FROM} WHERE t1.joined < '2020-01-01'"),
    (f"SELECT COUNT(*) {FROM} WHERE t1.age > 30", "and above 40?", f"SELECT COUNT(*) {FROM} WHERE t1.age > 40"),
    (f"SELECT COUNT(*) {FROM} WHERE t1.age > 30", "and below 20?", f"SELECT COUNT(*) {FROM} WHERE t1.age < 20"),
    (COUNT, "which ones?", LIST),
    (COUNT, "Who are they?", LIST),
    (COUNT, "and their emails?", f"SELECT t1.email {FROM} WHERE t1.city = 'Berlin'"),
    (LIST, "and their emails?", f"SELECT t1.name, t1.email {FROM} WHERE t1.city = 'Berlin'"),
    (LIST, "show their age and segment", f"SELECT t1.name, t1.age, t1.segment {FROM} WHERE t1.city = 'Berlin'"),
    (LIST, "only the first three", f"{LIST} LIMIT 3"),
    (LIST, "Just the top 2.", f"{LIST} LIMIT 2"),
    (LIST, "sort them by age", f"{LIST} ORDER BY t1.age NULLS LAST"),
    (LIST, "Sort by age descending", f"{LIST} ORDER BY t1.age DESC"),
    (LIST, "sort them alphabetically", f"{LIST} ORDER BY t1.name NULLS LAST"),
    (LIST, "how many are there?", COUNT),
    (LIST, "count them", COUNT),
    (LIST, "and which of them has the highest age?", f"{LIST} ORDER BY t1.age DESC LIMIT 1"),
    (LIST, "And the one with the lowest age?", f"{LIST} ORDER BY t1.age NULLS LAST LIMIT 1"),
    (LIST, "the oldest one", f"{LIST} ORDER BY t1.age DESC LIMIT 1"),
    (LIST, "only the retail ones", f"{LIST} AND t1.segment = 'retail'"),
    (TOP, "only the last 2", f"SELECT t1.name {FROM} ORDER BY t1.age NULLS LAST LIMIT 2"),
    (TOP, "how many of them are from Hamburg?", f"SELECT COUNT(*) {FROM} WHERE t1.id IN (SELECT t1.id {FROM} ORDER BY t1.age DESC LIMIT 5) AND t1.city = 'Hamburg'"),
    (TOP, "reverse the order", f"SELECT t1.name {FROM} ORDER BY t1.age NULLS LAST LIMIT 5"),
    (AVERAGE, "and the maximum?", f"SELECT MAX(t1.age) {FROM} WHERE t1.city = 'Berlin'"),
    (LIST, "and their total age?", f"SELECT SUM(t1.age) {FROM} WHERE t1.city = 'Berlin'"),
    (COUNT, "and the average age?", f"SELECT AVG(t1.age) {FROM} WHERE t1.city = 'Berlin'"),
    (AVERAGE, "by segment", f"SELECT t1.segment, AVG(t1.age) {FROM} WHERE t1.city = 'Berlin' GROUP BY t1.segment"),
    (COUNT, "and per segment?", f"SELECT t1.segment, COUNT(*) {FROM} WHERE t1.city = 'Berlin' GROUP BY t1.segment"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "question", "after"), CASES, ids=[f"{i} {c[1]}" for i, c in enumerate(CASES)])  # fmt: skip
def test_a_follow_up_changes_the_query_before(before: str, question: str, after: str) -> None:
    assert is_follow_up(question, (SHOP,))
    assert is_changed(before, question, after)


@pytest.mark.parametrize(
    "question",
    ["how many of them are happy?", "and in Atlantis?", "sort them by shoe size", "and their blood types?", "and the average?"],
)  # fmt: skip
def test_what_is_not_known_is_not_ignored(question: str) -> None:
    assert changed(COUNT, question) is None


@pytest.mark.parametrize(
    "question",
    [
        "How many customers live in Berlin?",
        "Which customers changed their email?",
        "List the first three customers",
        "What is the average age of customers in Berlin and Hamburg?",
        "Show all products",
        "How many customers are there?",
    ],
)
def test_whole_questions_are_no_follow_ups(question: str) -> None:
    assert not is_follow_up(question, (SHOP,))


def test_another_thing_takes_the_place_of_the_first() -> None:
    merged = merged_question("and products?", "How many customers are there?", (SHOP,))
    assert merged == "How many products are there?"


BACK = EarlierTurn(
    question="How many?",
    text="Which one is meant?",
    outcome=Outcome.CLARIFY,
    options=("number of customers", "number of products, where price is high"),
)


@pytest.mark.parametrize(
    ("reply", "option"),
    [("the first one", 0), ("2", 1), ("Second.", 1), ("the latter", 1), ("customers", 0), ("number of customers", 0), ("products", 1)],
)  # fmt: skip
def test_a_reading_is_chosen_by_place_or_by_words(reply: str, option: int) -> None:
    assert chosen_option(reply, BACK) == BACK.options[option]


@pytest.mark.parametrize("reply", ["seventh", "number", "How many employees are there?", ""])
def test_anything_else_chooses_nothing(reply: str) -> None:
    assert chosen_option(reply, BACK) is None


def test_another_value_takes_the_place_of_the_one_that_tells_the_part_of_a_percentage():
    share = f"SELECT AVG(CASE WHEN t1.city = 'Berlin' THEN 100.0 ELSE 0.0 END) {FROM}"
    assert is_changed(share, "and from Hamburg?", share.replace("Berlin", "Hamburg"))


ORDERS = Table(
    name="orders",
    schema_name="main",
    columns=(column("id", Kind.INTEGER), column("customer_id", Kind.INTEGER), column("amount", Kind.NUMBER)),
    foreign_keys=(ForeignKey(columns=("customer_id",), database="shop", schema_name="main", table="customers", target_columns=("id",)),),
)  # fmt: skip
WITH_ORDERS = SHOP.model_copy(update={"tables": (*SHOP.tables, ORDERS)})
OF_ORDERS = "FROM shop.main.orders AS o JOIN shop.main.customers AS c ON o.customer_id = c.id"


@pytest.mark.parametrize(
    ("before", "question", "after"),
    [
        ("SELECT COUNT(*)", "and in Hamburg?", f"SELECT COUNT(*) {OF_ORDERS} WHERE c.city = 'Hamburg'"),
        ("SELECT SUM(o.amount)", "by segment", f"SELECT c.segment, SUM(o.amount) {OF_ORDERS} GROUP BY c.segment"),
        ("SELECT o.id", "and their emails?", f"SELECT o.id, c.email {OF_ORDERS}"),
    ],
)  # fmt: skip
def test_a_column_of_what_the_rows_refer_to_brings_its_table(
    before: str, question: str, after: str
) -> None:
    found = changed(f"{before} FROM shop.main.orders AS o", question, WITH_ORDERS)
    assert found is not None
    assert same(found, query_of(after, WITH_ORDERS))


def test_a_sum_over_many_rows_is_no_column_to_sort_by() -> None:
    before = "SELECT o.id FROM shop.main.orders AS o"
    assert changed(before, "sort them by total amount", WITH_ORDERS) is None


def test_no_row_comes_twice_because_of_a_follow_up() -> None:
    found = changed(COUNT, "and with an amount above 100?", WITH_ORDERS)
    assert found is not None
    assert len(found.rows.relations) == 1
    assert isinstance(found.where[-1], Has)


@pytest.mark.parametrize("dialect", ["sqlite", "postgres", "mysql", "duckdb"])
@pytest.mark.parametrize("after", sorted({after for *_, after in CASES if "GROUP" not in after}))
def test_what_ran_is_read_as_what_was_asked(after: str, dialect: str) -> None:
    shop = SHOP.model_copy(update={"dialect": dialect})
    sql = compile_query(in_order(query_of(after), dialect, (shop,)), (shop,), dialect)
    ran = as_it_ran(sql, shop)
    assert isinstance(ran, Query)
    assert same(ran, query_of(after))
