"""Ordinary questions about a company, in the words that people use, with the SQL that answers them."""

from collections import Counter
from itertools import permutations

import pytest

QUESTIONS = [
    ("How many customers live in Berlin?", "SELECT count(*) FROM crm.customers WHERE city = 'Berlin'"),
    ("How many clients do we have?", "SELECT count(*) FROM crm.customers"),
    ("Number of customers in France", "SELECT count(*) FROM crm.customers WHERE country = 'France'"),
    ("What is the average order value per country?", "SELECT c.country, avg(o.total_amount) FROM sales.orders o JOIN crm.customers c ON c.id = o.customer_id GROUP BY c.country"),
    ("average salary by job title", "SELECT job_title, avg(salary) FROM places.employees GROUP BY job_title"),
    ("Show me the average salary for each job title", "SELECT job_title, avg(salary) FROM places.employees GROUP BY job_title"),
    ("Which customers never ordered anything?", "SELECT name FROM crm.customers WHERE id NOT IN (SELECT customer_id FROM sales.orders)"),
    ("List customers without orders", "SELECT name FROM crm.customers WHERE id NOT IN (SELECT customer_id FROM sales.orders)"),
    ("How many orders were placed in March 2024?", "SELECT count(*) FROM sales.orders WHERE order_date >= '2024-03-01' AND order_date < '2024-04-01'"),
    ("How many orders did we have in 2023?", "SELECT count(*) FROM sales.orders WHERE order_date >= '2023-01-01' AND order_date < '2024-01-01'"),
    ("How many orders were placed last year?", "SELECT count(*) FROM sales.orders WHERE order_date >= '2023-01-01' AND order_date < '2024-01-01'"),
    ("Number of orders since March 2024", "SELECT count(*) FROM sales.orders WHERE order_date >= '2024-03-01'"),
    ("What are the 5 most expensive products?", "SELECT name FROM sales.products ORDER BY price DESC LIMIT 5"),
    ("Show the names of the three cheapest products", "SELECT name FROM sales.products ORDER BY price LIMIT 3"),
    ("What is the cheapest product?", "SELECT name FROM sales.products ORDER BY price LIMIT 1"),
    ("What is the highest salary?", "SELECT max(salary) FROM places.employees"),
    ("What is the total revenue of orders in 2023?", "SELECT sum(total_amount) FROM sales.orders WHERE order_date >= '2023-01-01' AND order_date < '2024-01-01'"),
    ("total order amount per store", "SELECT s.name, sum(o.total_amount) FROM sales.orders o JOIN places.stores s ON s.id = o.store_id GROUP BY s.id"),
    ("How many orders are cancelled?", "SELECT count(*) FROM sales.orders WHERE status = 'cancelled'"),
    ("How many tickets have high priority?", "SELECT count(*) FROM crm.tickets WHERE priority = 'high'"),
    ("Count the open tickets", "SELECT count(*) FROM crm.tickets WHERE status = 'open'"),
    ("How many tickets were opened by customers from Berlin?", "SELECT count(*) FROM crm.tickets t JOIN crm.customers c ON c.id = t.customer_id WHERE c.city = 'Berlin'"),
    ("How many stores are in each city?", "SELECT city, count(*) FROM places.stores GROUP BY city"),
    ("Which city has the most stores?", "SELECT city FROM places.stores GROUP BY city ORDER BY count(*) DESC LIMIT 1"),
    ("Which cities have more than two stores?", "SELECT city FROM places.stores GROUP BY city HAVING count(*) > 2"),
    ("Which two countries have the most customers?", "SELECT country FROM crm.customers GROUP BY country ORDER BY count(*) DESC LIMIT 2"),
    ("Which customer has the most orders?", "SELECT c.name FROM crm.customers c JOIN sales.orders o ON o.customer_id = c.id GROUP BY c.id ORDER BY count(*) DESC LIMIT 1"),
    ("List the names of customers with at least 9 orders", "SELECT c.name FROM crm.customers c JOIN sales.orders o ON o.customer_id = c.id GROUP BY c.id HAVING count(*) >= 9"),
    ("names and cities of the stores", "SELECT name, city FROM places.stores"),
    ("List all products sorted by price", "SELECT name FROM sales.products ORDER BY price"),
    ("List the names of products by price in descending order", "SELECT name FROM sales.products ORDER BY price DESC"),
    ("Which products cost more than 100?", "SELECT name FROM sales.products WHERE price > 100"),
    ("names of products with a price between 50 and 90", "SELECT name FROM sales.products WHERE price BETWEEN 50 AND 90"),
    ("Which employees earn more than the average salary?", "SELECT first_name, last_name FROM places.employees WHERE salary > (SELECT avg(salary) FROM places.employees)"),
    ("What are the first and last names of employees working in Rome?", "SELECT e.first_name, e.last_name FROM places.employees e JOIN places.stores s ON s.id = e.store_id WHERE s.city = 'Rome'"),
    ("How many employees are technicians?", "SELECT count(*) FROM places.employees WHERE job_title = 'Technician'"),
    ("How many customers are not from Germany?", "SELECT count(*) FROM crm.customers WHERE country <> 'Germany'"),
    ("How many customers live in Paris or Lyon?", "SELECT count(*) FROM crm.customers WHERE city IN ('Paris', 'Lyon')"),
    ("Which countries do our customers come from?", "SELECT DISTINCT country FROM crm.customers"),
    ("How many different countries do customers come from?", "SELECT count(DISTINCT country) FROM crm.customers"),
    ("How many products are there in each category?", "SELECT c.name, count(*) FROM sales.products p JOIN sales.categories c ON c.id = p.category_id GROUP BY c.id"),
    ("What is the average price of products in the category Lamps?", "SELECT avg(p.price) FROM sales.products p JOIN sales.categories c ON c.id = p.category_id WHERE c.name = 'Lamps'"),
    ("When was Store C opened?", "SELECT opened_on FROM places.stores WHERE name = 'Store C'"),
    ("What is the email of Anna Bauer?", "SELECT email FROM crm.customers WHERE name = 'Anna Bauer'"),
    ("How many customers have no email?", "SELECT count(*) FROM crm.customers WHERE email IS NULL"),
    ("What is the total quantity sold of products in the category Chairs?", "SELECT sum(i.quantity) FROM sales.order_items i JOIN sales.products p ON p.id = i.product_id JOIN sales.categories c ON c.id = p.category_id WHERE c.name = 'Chairs'"),
    ("How many orders per month?", "SELECT strftime('%Y-%m', order_date), count(*) FROM sales.orders GROUP BY 1"),
    ("How many customers signed up in 2023?", "SELECT count(*) FROM crm.customers WHERE signup_date >= '2023-01-01' AND signup_date < '2024-01-01'"),
    ("Which store has the largest floor area?", "SELECT name FROM places.stores ORDER BY floor_area DESC LIMIT 1"),
    ("latitude and longitude of the stores in Vienna", "SELECT latitude, longitude FROM places.stores WHERE city = 'Vienna'"),
    ("Who has the highest salary?", "SELECT first_name, last_name FROM places.employees ORDER BY salary DESC LIMIT 1"),
    ("Who was hired most recently?", "SELECT first_name, last_name FROM places.employees ORDER BY hired_on DESC LIMIT 1"),
    ("top 5 products by quantity sold", "SELECT p.name FROM sales.products p JOIN sales.order_items i ON i.product_id = p.id GROUP BY p.id ORDER BY sum(i.quantity) DESC LIMIT 5"),
    ("top 3 customers by revenue", "SELECT c.name FROM crm.customers c JOIN sales.orders o ON o.customer_id = c.id GROUP BY c.id ORDER BY sum(o.total_amount) DESC LIMIT 3"),
    ("names of stores in cities with more than two stores", "SELECT name FROM places.stores WHERE city IN (SELECT city FROM places.stores GROUP BY city HAVING count(*) > 2)"),
    ("customers whose name starts with 'Car'", "SELECT name FROM crm.customers WHERE name LIKE 'Car%'"),
    ("average order value per customer segment", "SELECT c.segment, avg(o.total_amount) FROM sales.orders o JOIN crm.customers c ON c.id = o.customer_id GROUP BY c.segment"),
    ("How many orders by status?", "SELECT status, count(*) FROM sales.orders GROUP BY status"),
    ("number of tickets per priority", "SELECT priority, count(*) FROM crm.tickets GROUP BY priority"),
    ("revenue per month in 2023", "SELECT strftime('%Y-%m', order_date), sum(total_amount) FROM sales.orders WHERE order_date LIKE '2023%' GROUP BY 1"),
    ("How many customers are from Berlin and Paris?", "SELECT count(*) FROM crm.customers WHERE city IN ('Berlin', 'Paris')"),
    ("product with the highest price in the category Lamps", "SELECT p.name FROM sales.products p JOIN sales.categories c ON c.id = p.category_id WHERE c.name = 'Lamps' ORDER BY p.price DESC LIMIT 1"),
    ("List employees hired before 2023", "SELECT first_name, last_name FROM places.employees WHERE hired_on < '2023-01-01'"),
    ("Which stores opened after 2022-06-01?", "SELECT name FROM places.stores WHERE opened_on > '2022-06-01'"),
    ("emails of business customers", "SELECT email FROM crm.customers WHERE segment = 'Business'"),
    ("How many orders did Anna Bauer place?", "SELECT count(*) FROM sales.orders o JOIN crm.customers c ON c.id = o.customer_id WHERE c.name = 'Anna Bauer'"),
    ("total revenue by store city", "SELECT s.city, sum(o.total_amount) FROM sales.orders o JOIN places.stores s ON s.id = o.store_id GROUP BY s.city"),
    ("Which employees work in Store C?", "SELECT first_name, last_name FROM places.employees e JOIN places.stores s ON s.id = e.store_id WHERE s.name = 'Store C'"),
    ("orders with a total amount above 900", "SELECT id FROM sales.orders WHERE total_amount > 900"),
    ("Which customers have open tickets?", "SELECT DISTINCT c.name FROM crm.customers c JOIN crm.tickets t ON t.customer_id = c.id WHERE t.status = 'open'"),
    ("Which customers have never opened a ticket?", "SELECT name FROM crm.customers WHERE id NOT IN (SELECT customer_id FROM crm.tickets)"),
    ("How many employees does each store have?", "SELECT s.name, count(*) FROM places.stores s JOIN places.employees e ON e.store_id = s.id GROUP BY s.id"),
    ("Which category has the highest average price?", "SELECT c.name FROM sales.categories c JOIN sales.products p ON p.category_id = c.id GROUP BY c.id ORDER BY avg(p.price) DESC LIMIT 1"),
    ("What is the total revenue?", "SELECT sum(total_amount) FROM sales.orders"),
    ("How much did customers from Germany spend?", "SELECT sum(o.total_amount) FROM sales.orders o JOIN crm.customers c ON c.id = o.customer_id WHERE c.country = 'Germany'"),
    ("customers and their countries", "SELECT name, country FROM crm.customers"),
    ("What is the oldest store?", "SELECT name FROM places.stores ORDER BY opened_on LIMIT 1"),
    ("stores without employees", "SELECT name FROM places.stores WHERE id NOT IN (SELECT store_id FROM places.employees)"),
    ("How many products are discontinued?", "SELECT count(*) FROM sales.products WHERE discontinued = 1"),
    ("products heavier than 5 kg", "SELECT name FROM sales.products WHERE weight_kg > 5"),
    ("What is the weight of the heaviest product?", "SELECT max(weight_kg) FROM sales.products"),
    ("customers from Germany or France with segment Business", "SELECT name FROM crm.customers WHERE country IN ('Germany', 'France') AND segment = 'Business'"),
    ("top 3 cities by number of customers", "SELECT city FROM crm.customers GROUP BY city ORDER BY count(*) DESC LIMIT 3"),
    ("Which customers placed more than 3 orders in 2023?", "SELECT c.name FROM crm.customers c JOIN sales.orders o ON o.customer_id = c.id WHERE o.order_date LIKE '2023%' GROUP BY c.id HAVING count(*) > 3"),
    ("How many customers are from Berlin, Paris and Rome?", "SELECT count(*) FROM crm.customers WHERE city IN ('Berlin', 'Paris', 'Rome')"),
    ("Which products are cheaper than 50?", "SELECT name FROM sales.products WHERE price < 50"),
    ("Which products are lighter than 5 kg?", "SELECT name FROM sales.products WHERE weight_kg < 5"),
    ("orders without a store", "SELECT id FROM sales.orders WHERE store_id IS NULL"),
    ("How many discontinued products are there in each category?", "SELECT c.name, count(*) FROM sales.products p JOIN sales.categories c ON c.id = p.category_id WHERE p.discontinued = 1 GROUP BY c.id"),
]  # fmt: skip


def same(
    expected: list[tuple[object, ...]], found: list[tuple[object, ...]], ordered: bool
) -> bool:
    """Rows are right in any order of columns; an extra column beside the wanted ones does no harm."""
    if len(expected) != len(found):
        return False
    if not expected:
        return True
    expected, found = _rounded(expected), _rounded(found)
    width = len(expected[0])
    picks = [
        [tuple(row[i] for i in pick) for row in found] for pick in _picks(len(found[0]), width)
    ]
    if ordered:
        return any(pick == expected for pick in picks)
    return any(Counter(pick) == Counter(expected) for pick in picks)


def _rounded(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return [tuple(round(c, 6) if isinstance(c, float) else c for c in row) for row in rows]


def _picks(given: int, width: int) -> list[tuple[int, ...]]:
    return list(permutations(range(given), width)) if given <= width + 1 else []


@pytest.mark.parametrize(("question", "sql"), QUESTIONS, ids=[q for q, _ in QUESTIONS])
def test_an_ordinary_question_gets_the_rows_that_answer_it(company, question, sql):
    found = company.understand(question)
    assert found.candidates, found
    rows = company.rows(found.candidates[0].query)
    assert same(company.rows(sql), rows, "ORDER BY" in sql), found.candidates[0].query.sql()
