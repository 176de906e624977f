"""Eight questions of rising difficulty about the demo company, with their right answers.

The right answers come from the company's own objects, never out of a database. The seed chooses what is asked, and in which words.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum
from random import Random
from statistics import fmean
from typing import NamedTuple

from oldhand.demo.company import Company
from oldhand.demo.expected import ExpectedAnswer
from oldhand.demo.objects import Employee, Product, Shop, Thing


class QuestionKind(StrEnum):
    """What a question asks of the one who answers."""

    COUNT = "count"
    FILTER = "filter by value"
    AVERAGE = "average by group"
    TOP = "top-N"
    JOIN = "join"
    CROSS = "cross-database join"
    REPAIR = "needs repair"
    UNANSWERABLE = "cannot be answered"
    HANDBOOK = "from the handbook"
    CONTRACT = "from a contract"
    HALVES = "from the handbook and a database"
    DEFINED = "a word of the handbook, counted in a database"
    LIMIT = "an amount of the handbook, compared in a database"


@dataclass(frozen=True)
class Question:
    """A question with its right answer."""

    kind: QuestionKind
    text: str
    expected: ExpectedAnswer


def make_questions(company: Company) -> tuple[Question, ...]:
    """The eight questions of a company, from the easiest to the one without an answer."""
    rng = Random(f"questions {company.seed}")  # noqa: S311
    return tuple(
        Question(kind, *make(company, rng))
        for kind, make in (
            (QuestionKind.COUNT, count),
            (QuestionKind.FILTER, filter_by_value),
            (QuestionKind.AVERAGE, average_by_group),
            (QuestionKind.TOP, top_n),
            (QuestionKind.JOIN, join),
            (QuestionKind.CROSS, cross_database_join),
            (QuestionKind.REPAIR, needs_repair),
            (QuestionKind.UNANSWERABLE, cannot_be_answered),
        )
    )


Asked = tuple[str, ExpectedAnswer]
"""A question's words and its right answer."""


def count(company: Company, rng: Random) -> Asked:
    """How many there are of something."""
    name, things = rng.choice(
        (
            ("customers", company.customers),
            ("orders", company.orders),
            ("products", company.products),
            ("suppliers", company.suppliers),
            ("stores", company.stores),
            ("employees", company.employees),
            ("tickets", company.tickets),
            ("returns", company.returns),
        )
    )
    words = (
        "How many {} are there?",
        "How many {} do we have?",
        "What is the total number of {}?",
        "Count all {}.",
        "How many {} are there in total?",
    )
    return rng.choice(words).format(name), _one(len(things))


def filter_by_value(company: Company, rng: Random) -> Asked:
    """How many there are with one value."""
    things, attribute, words = rng.choice(
        (
            (company.customers, "city", ("How many customers live in {}?", "How many of our customers are from {}?")),
            (company.customers, "segment", ("How many customers belong to the segment {}?", "How many customers are in the {} segment?")),
            (company.orders, "status", ("How many orders have the status {}?", "How many orders are {}?")),
            (company.orders, "payment_method", ("How many orders were paid by {}?", "How many orders have the payment method {}?")),
            (company.tickets, "priority", ("How many tickets have the priority {}?", "How many tickets have {} priority?")),
            (company.tickets, "topic", ("How many tickets are about {}?", "How many tickets have the topic {}?")),
            (company.employees, "job_title", ("How many employees have the job title {}?", "How many employees work as {}?")),
            (company.products, "category", ("How many products are in the category {}?", "How many products belong to the {} category?")),
            (company.suppliers, "country", ("How many suppliers are in {}?", "How many suppliers come from {}?")),
        )
    )  # fmt: skip
    value = _some(rng, things, attribute)
    matching = [thing for thing in things if getattr(thing, attribute) == value]
    return rng.choice(words).format(value), _one(len(matching))


def average_by_group(company: Company, rng: Random) -> Asked:
    """The mean of a number in each group."""
    things, measured, by, measure, name, group = rng.choice(
        (
            (company.employees, "salary", "department", "salary", "employees", "department"),
            (company.employees, "salary", "job_title", "salary", "employees", "job title"),
            (company.products, "price", "category", "price", "products", "category"),
            (company.stores, "floor_area", "city", "floor area", "stores", "city"),
            (company.suppliers, "lead_time_days", "country", "lead time", "suppliers", "country"),
            (company.orders, "shipping_cost", "payment_method", "shipping cost", "orders", "payment method"),
        )
    )  # fmt: skip
    words = (
        "What is the average {measure} of {things} per {group}?",
        "What is the average {measure} of {things} for each {group}?",
        "Show the average {measure} of the {things} by {group}.",
        "For each {group}, what is the average {measure} of the {things}?",
    )
    groups: dict[str, list[float]] = {}
    for thing in things:
        groups.setdefault(getattr(thing, by), []).append(getattr(thing, measured))
    text = rng.choice(words).format(measure=measure, things=name, group=group)
    return text, ExpectedAnswer(
        tuple((key, fmean(values)) for key, values in sorted(groups.items()))
    )


def top_n(company: Company, rng: Random) -> Asked:
    """The names of those with the most or the least of something."""
    n = rng.randint(3, 6)
    asks: tuple[tuple[Sequence[Employee | Product | Shop], str, bool, tuple[str, ...]], ...] = (
        (company.employees, "salary", True, ("Which {n} employees have the highest salary?", "Who are the {n} employees with the highest salary?")),
        (company.employees, "salary", False, ("Which {n} employees have the lowest salary?", "List the names of the {n} employees with the lowest salary.")),
        (company.products, "price", True, ("What are the {n} most expensive products?", "Which {n} products have the highest price?")),
        (company.products, "price", False, ("What are the {n} cheapest products?", "List the {n} products with the lowest price.")),
        (company.stores, "floor_area", True, ("Which {n} stores have the largest floor area?", "Show the {n} stores with the largest floor area.")),
        (company.stores, "floor_area", False, ("Which {n} stores have the smallest floor area?", "Name the {n} stores with the smallest floor area.")),
    )  # fmt: skip
    things, attribute, most, words = rng.choice(asks)
    ranked = sorted(things, key=lambda thing: getattr(thing, attribute), reverse=most)[:n]
    number = rng.choice((str(n), ("three", "four", "five", "six")[n - 3]))
    rows = tuple((thing.name,) for thing in ranked)
    return rng.choice(words).format(n=number), ExpectedAnswer(rows, ranked=True)


class _Counted(NamedTuple):
    """Things that are counted by a value of what they belong to."""

    things: Sequence[Thing]
    key: str
    """Leads from each thing to its owner."""
    owners: Mapping[int, Thing]
    attribute: str
    words: tuple[str, ...]

    def asked(self, rng: Random) -> Asked:
        value = _some(rng, self.owners.values(), self.attribute)
        having = {key for key, one in self.owners.items() if getattr(one, self.attribute) == value}
        number = sum(getattr(thing, self.key) in having for thing in self.things)
        return rng.choice(self.words).format(value), _one(number)


_Makes = _Counted | Callable[[Company, Random], Asked]


def join(company: Company, rng: Random) -> Asked:
    """A question over two tables of one database."""
    asks: tuple[_Makes, ...] = (
        _Counted(company.orders, "customer_id", company.customer, "city", ("How many orders were placed by customers from {}?", "How many orders did customers in {} place?")),
        _Counted(company.products, "supplier_id", company.supplier, "country", ("How many products come from suppliers in {}?", "How many products are made by suppliers from {}?")),
        _price_of_country,
        _tickets_of_job,
    )  # fmt: skip
    return _asked(rng.choice(asks), company, rng)


def cross_database_join(company: Company, rng: Random) -> Asked:
    """A question over tables of two databases."""
    asks: tuple[_Makes, ...] = (
        _Counted(company.tickets, "customer_id", company.customer, "city", ("How many tickets were opened by customers from {}?", "How many tickets come from customers who live in {}?")),
        _Counted(company.tickets, "customer_id", company.customer, "segment", ("How many tickets were opened by customers in the {} segment?", "How many tickets come from customers of the segment {}?")),
        _Counted(company.orders, "store_id", company.store, "city", ("How many orders were placed in stores in {}?", "How many orders did the stores in {} take?")),
        _Counted(company.employees, "store_id", company.store, "city", ("How many employees work in stores in {}?", "How many employees are there in the stores in {}?")),
        _sold,
    )  # fmt: skip
    return _asked(rng.choice(asks), company, rng)


def _asked(make: _Makes, company: Company, rng: Random) -> Asked:
    return make.asked(rng) if isinstance(make, _Counted) else make(company, rng)


def _price_of_country(company: Company, rng: Random) -> Asked:
    country = _some(rng, [company.supplier[it.supplier_id] for it in company.products], "country")
    prices = [
        product.price
        for product in company.products
        if company.supplier[product.supplier_id].country == country
    ]
    words = ("What is the average price of products from suppliers in {}?", "What is the average price of the products made by suppliers from {}?")  # fmt: skip
    return rng.choice(words).format(country), _one(fmean(prices))


def _tickets_of_job(company: Company, rng: Random) -> Asked:
    title = rng.choice(("Technician", "Support Agent"))
    number = sum(company.employee[it.employee_id].job_title == title for it in company.tickets)
    words = ("How many tickets were handled by employees with the job title {}?", "How many tickets belong to employees whose job title is {}?")  # fmt: skip
    return rng.choice(words).format(title), _one(number)


def _sold(company: Company, rng: Random) -> Asked:
    category = _some(rng, company.products, "category")
    total = sum(
        item.quantity
        for item in company.order_items
        if company.product[item.product_id].category == category
    )
    words = ("What is the total quantity of order items for products in the category {}?", "What is the total quantity in the order items of products from the {} category?")  # fmt: skip
    return rng.choice(words).format(category), _one(total)


def needs_repair(company: Company, rng: Random) -> Asked:
    """Arithmetic on `tickets.cost`, which is text: Postgres refuses it until it is cast."""
    attribute, words = rng.choice(
        (
            ("topic", ("What is the {} cost of tickets about {}?", "What is the {} cost of tickets with the topic {}?")),
            ("priority", ("What is the {} cost of tickets with {} priority?", "What is the {} cost of the tickets whose priority is {}?")),
        )
    )  # fmt: skip
    value = _some(rng, company.tickets, attribute)
    costs = [
        float(ticket.cost)
        for ticket in company.tickets
        if ticket.cost is not None and getattr(ticket, attribute) == value
    ]
    name, aggregate = rng.choice((("average", fmean), ("total", fsum)))
    return rng.choice(words).format(name, value), _one(aggregate(costs))


def cannot_be_answered(company: Company, rng: Random) -> Asked:
    """Something that no table knows."""
    words = (
        "What is the blood type of {customer}?",
        "How many customers own a dog?",
        "Which of our employees speak Portuguese?",
        "What will the weather be like in {city} tomorrow?",
        "How many employees are members of a trade union?",
        "What is the carbon footprint of our {category}?",
        "Which suppliers have an organic certificate?",
        "Who won the football match in {city}?",
    )
    text = rng.choice(words).format(
        customer=rng.choice(company.customers).name,
        city=_some(rng, company.stores, "city"),
        category=_some(rng, company.products, "category").lower(),
    )
    return text, ExpectedAnswer(())


def _one(value: float) -> ExpectedAnswer:
    return ExpectedAnswer(((value,),))


def _some(rng: Random, things: Iterable[Thing], attribute: str) -> str:
    """One of the values, the rare ones as likely as the frequent ones."""
    return rng.choice(sorted({getattr(thing, attribute) for thing in things}))
