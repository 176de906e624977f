"""Readings are told in words that people can choose between."""

import pytest

from oldhand.agent.analyst.linking.indexes import index_of_samples
from oldhand.agent.analyst.understanding import understand
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table

COLUMNS = (
    Column(name="id", type="INT", kind=Kind.INTEGER, primary_key=True),
    Column(name="name", type="TEXT", kind=Kind.TEXT, samples=("Lamp",)),
    Column(name="category", type="TEXT", kind=Kind.TEXT, samples=("Lights", "Bags")),
    Column(name="price", type="DECIMAL", kind=Kind.NUMBER),
    Column(name="introduced_on", type="DATE", kind=Kind.DATE),
)
SHOP = DatabaseSchema(
    name="shop",
    dialect="sqlite",
    tables=(Table(name="products", schema_name="main", columns=COLUMNS),),
)
CASES = [
    ("Which categories have more than 2 products?", "each category of products with more than 2 products"),
    ("Which category has the most products?", "each category of products, the one with the most products"),
    ("What is the name of the product with the highest price?", "name of products, the one with the highest price"),
    ("How many products are in the category Lights or Bags?", "number of products with category 'Lights' or 'Bags'"),
    ("How many products were introduced in 2025?", "number of products introduced in 2025"),
    ("What is the average price by category?", "average price of products for each category"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "reading"), CASES, ids=[case[0] for case in CASES])
def test_a_reading_is_told_in_plain_words(question, reading) -> None:
    found = understand(question, (SHOP,), index_of_samples(SHOP))
    assert found.candidates[0].reading == reading
