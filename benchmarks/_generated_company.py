"""A company's schema of any size up to 60 tables, with values, and questions about it."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table
from oldhand.sources.databases.value_files import indexed_columns
from oldhand.sources.databases.values import ValueIndex

DATABASE = "company"
VALUES = 300
"""Distinct values of each text column."""

_TABLES = """
customers: name, city, country, email, segment, joined_on, credit_limit
products: name, category, color, price, weight, launched_on
stores: name, city, opened_on, floor_area
orders > customers stores: status, ordered_on, total_amount
order_items > orders products: quantity, unit_price, discount
employees > stores: first_name, last_name, job_title, salary, hired_on
suppliers: name, country, rating
departments: name, budget
shipments > orders: carrier, shipped_on, cost
payments > orders: method, paid_on, amount
invoices > customers: number, issued_on, due_on, amount
reviews > products customers: stars, headline, written_on
tickets > customers employees: priority, state, subject, opened_on
categories: label, description
warehouses: name, region, capacity
stock > products warehouses: quantity, counted_on
purchases > suppliers: purchased_on, amount
campaigns: name, channel, started_on, cost
returns > order_items: reason, returned_on, refund
contracts > suppliers: title, signed_on, value
projects > departments: name, phase, started_on, budget
tasks > projects employees: title, state, due_on, hours
skills: name, field
employee_skills > employees skills: level, since
trainings > skills: title, held_on, seats
absences > employees: kind, started_on, days
vehicles > warehouses: plate, maker, mileage
drivers > vehicles: name, license, hired_on
routes > drivers: name, distance
deliveries > routes shipments: delivered_on, delay
machines > warehouses: model, maker, bought_on, price
repairs > machines: repaired_on, cost, fault
sensors > machines: kind, unit
readings > sensors: measured_on, reading
visitors > stores: visited_on, count
events > stores: name, held_on, attendance
sponsors > events: name, contribution
coupons > campaigns: code, percent, expires_on
redemptions > coupons orders: redeemed_on
newsletters > campaigns: subject, sent_on, opens
subscriptions > customers: plan, started_on, fee
devices > employees: model, serial, bought_on
licenses > departments: software, seats, renews_on
offices > departments: building, street, rooms
meetings > offices: topic, held_on, minutes
bids > contracts: bidder, offered_on, price
audits > departments: auditor, done_on, score
findings > audits: severity, summary
accounts > customers: iban, bank, balance
transfers > accounts: booked_on, amount, purpose
loans > accounts: granted_on, principal, rate
insurers: name, country
policies > insurers vehicles: premium, starts_on
claims > policies: filed_on, amount, cause
regions: name, population
territories > regions employees: name, quota
competitors > regions: name, revenue
forecasts > products regions: quarter, units
complaints > stores: about, raised_on
donations > events: donor, amount, given_on
"""
_NUMBERS = frozenset(
    """credit_limit price weight floor_area total_amount quantity unit_price discount salary rating
    budget cost amount stars capacity refund value hours level seats days mileage distance delay
    reading count attendance contribution percent opens fee rooms minutes score balance principal
    rate premium population quota revenue units""".split()  # noqa: SIM905
)

_ASKED = """
How many customers are there?
How many customers live in {city}?
What are the names of all products?
List the name and price of each product.
What is the average price of products?
What is the average price of products for each category?
Which product is the most expensive?
What are the 5 most expensive products?
How many orders were placed in 2023?
Which customers have placed no orders?
Which customer has the most orders?
What are the names of customers who ordered more than 5 times?
Show the number of orders for each store.
What is the total amount of orders per customer?
How many different cities do customers live in?
Show the names of stores in {city}.
Which products cost more than 100?
Which products cost between 20 and 50?
Show products whose price is above the average.
List customers from {country} sorted by name.
What is the highest credit limit?
Who are the customers that joined after 2020?
Which stores opened before 2015?
What is the name of the customer with the highest credit limit?
Show the number of customers in each country in descending order.
What is the most common color of products?
Which categories have more than 3 products?
How many orders have the status {status}?
Show the ids of orders with a total amount of at least 500.
What are the names of products that were never ordered?
What is the total quantity of each product?
Find the names of customers in {city} or {other}.
Which segment has the fewest customers?
List all stores ordered by floor area.
What are the minimum, maximum and average price of products?
Show the name of each customer and the number of their orders.
Which store had the most orders in 2022?
What is the total discount of the order items of product {product}?
Find customers who do not live in {city}.
How many products are heavier than 10?
"""
_ASKED_OF_MORE = """
Which employees earn more than the average salary?
What is the average salary for each job title?
How many employees work in stores in {city}?
What are the first and last names of employees hired in 2021?
Which suppliers have no contracts?
How many tickets with priority {priority} were opened by customers from {country}?
What is the total cost of shipments for each carrier?
Which payment method was used most often?
What is the average number of stars of product {product}?
Which warehouses have a capacity of more than 1000?
Show the names of suppliers and the value of their contracts.
Which customers wrote reviews of product {product}?
"""
NEEDED_BY_MORE = 20
"""Tables from which on the second half of the questions can be asked."""


@dataclass(frozen=True)
class Company:
    """A schema with its values, and questions that it can answer."""

    schema: DatabaseSchema
    values: ValueIndex
    questions: tuple[str, ...]


def company(tables: int) -> Company:
    """The first `tables` tables, of 60; the same every time."""
    schema = DatabaseSchema(name=DATABASE, dialect="sqlite", tables=tuple(_tables(tables)))
    words = {
        f"{table}.{column.name}": _words(f"{table}.{column.name}")
        for _, table, column in indexed_columns(schema)
    }
    values = ValueIndex.in_memory(
        DATABASE,
        (
            (space, table, column.name, words[f"{table}.{column.name}"])
            for space, table, column in indexed_columns(schema)
        ),
    )
    asked = _ASKED + (_ASKED_OF_MORE if tables >= NEEDED_BY_MORE else "")
    filled = {
        "city": words["customers.city"][3],
        "other": words["customers.city"][4],
        "country": words["customers.country"][1],
        "product": words["products.name"][7],
        "status": words["orders.status"][2],
        "priority": words.get("tickets.priority", ["high"])[0],
    }
    return Company(schema, values, tuple(asked.format(**filled).strip().splitlines()))


def _tables(count: int) -> Iterator[Table]:
    keys: dict[str, str] = {}
    for line in _TABLES.strip().splitlines()[:count]:
        head, _, rest = line.partition(":")
        name, _, parents = head.partition(" > ")
        keys[name] = f"{name.removesuffix('s')}_id"
        own = Column(name=keys[name], type="INTEGER", kind=Kind.INTEGER, primary_key=True)
        known = [parent for parent in parents.split() if parent in keys]
        foreign = [Column(name=keys[p], type="INTEGER", kind=Kind.INTEGER) for p in known]
        plain = [_column(column.strip()) for column in rest.split(",")]
        yield Table(
            name=name,
            schema_name="main",
            columns=(own, *foreign, *plain),
            foreign_keys=tuple(_key(keys[parent], parent) for parent in known),
        )


def _column(name: str) -> Column:
    if name in _NUMBERS:
        return Column(name=name, type="REAL", kind=Kind.NUMBER)
    if name.endswith("_on"):
        return Column(name=name, type="DATE", kind=Kind.DATE)
    return Column(name=name, type="TEXT", kind=Kind.TEXT)


def _key(column: str, table: str) -> ForeignKey:
    return ForeignKey(
        columns=(column,),
        database=DATABASE,
        schema_name="main",
        table=table,
        target_columns=(column,),
    )


def _words(seed: str) -> list[str]:
    """Made-up values of one or two words, each once."""
    chance = random.Random(seed)
    found: dict[str, None] = {}
    while len(found) < VALUES:
        words = (made_up_word(chance) for _ in range(chance.choice((1, 1, 2))))
        found[" ".join(words)] = None
    return list(found)


def made_up_word(chance: random.Random) -> str:
    """A word of two to four syllables."""
    syllables = (
        chance.choice("bdfghklmnprstvz") + chance.choice("aeiou")
        for _ in range(chance.randint(2, 4))
    )
    return "".join(syllables).title()
