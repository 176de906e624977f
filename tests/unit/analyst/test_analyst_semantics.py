"""What people have named is read in the generated company, whose tables lie in three databases."""

from dataclasses import replace

import pytest

from oldhand.agent.analyst.stating.reading import read_rule


def taught(company, *sentences):
    """The company with rules."""
    world = company
    for sentence in sentences:
        stated = read_rule(sentence, world.schemas, world.values)
        schemas = tuple(
            one.model_copy(update={"semantics": one.semantics.having(stated.rule)})
            if one.name == stated.database
            else one
            for one in world.schemas
        )
        world = replace(world, schemas=schemas)
    return world


@pytest.mark.parametrize(
    ("sentences", "question", "sql"),
    [
        (["piece price = line_total / quantity"], "average piece price per product", "SELECT p.name, avg(1.0 * line_total / quantity) FROM sales.order_items JOIN sales.products p ON p.id = product_id GROUP BY p.id, p.name"),
        (["density = floor_area / 10"], "total density per city", "SELECT city, sum(floor_area / 10.0) FROM places.stores GROUP BY city"),
        (["catalogue value = quantity * products.price"], "total catalogue value", "SELECT sum(quantity * price) FROM sales.order_items JOIN sales.products p ON p.id = product_id"),
        (["available product = not discontinued"], "How many available products are there?", "SELECT count(*) FROM sales.products WHERE discontinued = 0"),
        (["big order = total_amount > 500"], "How many big orders were shipped?", "SELECT count(*) FROM sales.orders WHERE total_amount > 500 AND status = 'shipped'"),
        (["big order = total_amount > 500"], "How many big orders do customers from Berlin have?", "SELECT count(*) FROM sales.orders o JOIN crm.customers c ON c.id = o.customer_id WHERE total_amount > 500 AND city = 'Berlin'"),
        (["patrons are customers"], "How many patrons are there in Rome?", "SELECT count(*) FROM crm.customers WHERE city = 'Rome'"),
        (["net = total_amount * 0.81"], "total net by year", "SELECT strftime('%Y', order_date), sum(total_amount * 0.81) FROM sales.orders GROUP BY 1"),
        (["heavy = weight_kg >= 8"], "heavy products", "SELECT name FROM sales.products WHERE weight_kg >= 8"),
    ],
)  # fmt: skip
def test_names_are_read(company, sentences, question, sql):
    world = taught(company, *sentences)
    found = world.understand(question)
    one, other = world.rows(found.candidates[0].query), world.rows(sql)
    assert len(one) == len(other) > 0
    for left, right in zip(sorted(one), sorted(other), strict=True):
        assert list(left) == pytest.approx(list(right))


def test_without_rules_nothing_changes(company):
    question = "total revenue per city"
    assert taught(company).understand(question) == company.understand(question)
