"""Corrections in words of answers over a generated company, with the SQL that each asks for."""

from dataclasses import replace

import pytest
from tests.unit.analyst.worlds import are_right

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.correcting import corrected
from oldhand.query.compiling.compile import spelled
from oldhand.query.form import Query, Relation

TICKETS = "How many tickets are there?"
OPEN = "Count the open tickets"
REVENUE = "What is the total revenue?"
GERMANS = "How many customers are from Germany?"
STORES = "How many stores are in each city?"
DEAR = "What are the 5 most expensive products?"
LAMPS = "What is the average price of products in the category Lamps?"
IN_2023 = "How many orders did we have in 2023?"
HIGHEST = "What is the highest salary?"
PAY = "average salary by job title"

SAID = [
    (TICKETS, "only the open ones", "SELECT count(*) FROM crm.tickets WHERE status = 'open'"),
    (TICKETS, "It should only count urgent tickets.", "SELECT count(*) FROM crm.tickets WHERE priority = 'urgent'"),
    (TICKETS, "without the closed ones", "SELECT count(*) FROM crm.tickets WHERE status <> 'closed'"),
    (TICKETS, "only open ones, and without low priority", "SELECT count(*) FROM crm.tickets WHERE status = 'open' AND priority <> 'low'"),
    (OPEN, "you forgot the pending tickets", "SELECT count(*) FROM crm.tickets WHERE status IN ('open', 'pending')"),
    (OPEN, "pending ones too", "SELECT count(*) FROM crm.tickets WHERE status IN ('open', 'pending')"),
    (OPEN, "closed, not open", "SELECT count(*) FROM crm.tickets WHERE status = 'closed'"),
    (REVENUE, "leave out cancelled orders", "SELECT sum(total_amount) FROM sales.orders WHERE status <> 'cancelled'"),
    (REVENUE, "cancelled orders should not be included", "SELECT sum(total_amount) FROM sales.orders WHERE status <> 'cancelled'"),
    (REVENUE, "only in 2023", "SELECT sum(total_amount) FROM sales.orders WHERE order_date LIKE '2023%'"),
    (REVENUE, "the average, not the total", "SELECT avg(total_amount) FROM sales.orders"),
    (REVENUE, "for customers from Germany only", "SELECT sum(o.total_amount) FROM sales.orders o JOIN crm.customers c ON c.id = o.customer_id WHERE c.country = 'Germany'"),
    (GERMANS, "France, not Germany", "SELECT count(*) FROM crm.customers WHERE country = 'France'"),
    (GERMANS, "include Austria as well", "SELECT count(*) FROM crm.customers WHERE country IN ('Germany', 'Austria')"),
    (GERMANS, "just the business customers", "SELECT count(*) FROM crm.customers WHERE country = 'Germany' AND segment = 'Business'"),
    (STORES, "by country, not by city", "SELECT country, count(*) FROM places.stores GROUP BY country"),
    (STORES, "I wanted it per country", "SELECT country, count(*) FROM places.stores GROUP BY country"),
    (DEAR, "the top 3, not 5", "SELECT name FROM sales.products ORDER BY price DESC LIMIT 3"),
    (DEAR, "without discontinued products", "SELECT name FROM sales.products WHERE NOT discontinued ORDER BY price DESC LIMIT 5"),
    (LAMPS, "maximum instead of average", "SELECT max(p.price) FROM sales.products p JOIN sales.categories c ON c.id = p.category_id WHERE c.name = 'Lamps'"),
    (LAMPS, "it should be Tables", "SELECT avg(p.price) FROM sales.products p JOIN sales.categories c ON c.id = p.category_id WHERE c.name = 'Tables'"),
    (IN_2023, "for 2022, not 2023", "SELECT count(*) FROM sales.orders WHERE order_date LIKE '2022%'"),
    (IN_2023, "you counted cancelled orders too", "SELECT count(*) FROM sales.orders WHERE order_date LIKE '2023%' AND status <> 'cancelled'"),
    (HIGHEST, "the lowest, not the highest", "SELECT min(salary) FROM places.employees"),
    (PAY, "only employees in Rome", "SELECT e.job_title, avg(e.salary) FROM places.employees e JOIN places.stores s ON s.id = e.store_id WHERE s.city = 'Rome' GROUP BY 1"),
]  # fmt: skip
UNCLEAR = ("That is rubbish.", "only the purple ones", "my boss disagrees", "use the warehouse code", "thanks, great")  # fmt: skip


def changed(company, question: str, words: str) -> tuple[Query, ...]:
    query = company.understand(question).candidates[0].query
    scene = Scene(query, question, company.schemas, company.values, company.today)
    return corrected(words, scene)


@pytest.mark.parametrize(("question", "words", "sql"), SAID, ids=[f"{q}: {w}" for q, w, _ in SAID])
def test_a_correction_in_words_asks_for_these_rows(company, question, words, sql):
    (query,) = changed(company, question, words)
    assert are_right(company.rows(sql), company.rows(query), ordered="ORDER BY" in sql), spelled(query)  # fmt: skip


@pytest.mark.parametrize("words", UNCLEAR)
@pytest.mark.parametrize("question", [TICKETS, DEAR, PAY])
def test_words_that_say_nothing_of_the_query_change_nothing(company, question, words):
    assert changed(company, question, words) == ()


def test_rows_of_a_query_have_no_name_that_a_correction_could_exchange(company):
    query = company.understand(TICKETS).candidates[0].query
    inner = Relation("", "", "", query=query)
    outer = replace(query, rows=replace(query.rows, relations=(inner,), joins=()), where=())
    scene = Scene(outer, TICKETS, company.schemas, company.values, company.today)
    for words in ("I asked for customers", "It must count the open tickets", "only open ones"):
        corrected(words, scene)
