"""What a newcomer to the demo company has to learn: a rule of the house that stands in no schema, and questions that it matters for.

The right answers come from the company's own objects. The seed chooses the rule, the questions and their words.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from sqlglot import exp

from oldhand.demo.company import Company
from oldhand.demo.expected import Expected
from oldhand.demo.objects import Order, Product

T = TypeVar("T")

_PAID = "How many orders have the payment method {}?"
_BELONG = "How many products belong to the {} category?"


@dataclass(frozen=True)
class Exercise:
    """A question with its right answer, the rule of the house kept."""

    text: str
    expected: Expected


@dataclass(frozen=True)
class Course:
    """A rule of the house, and what shows whether it is known."""

    rule: str
    """As the people of the company would say it."""
    first: Exercise
    correction: str
    """The right SQL for the first question, as its owner gives it."""
    others: tuple[Exercise, ...]
    """The first question in other words, then others for which the rule matters as well."""


def make_course(company: Company) -> Course:
    """The course of a company."""
    rng = Random(f"course {company.seed}")  # noqa: S311
    return rng.choice((cancelled_orders, discontinued_products))(company, rng)


def cancelled_orders(company: Company, rng: Random) -> Course:
    """Orders that were cancelled don't count."""

    def matter(of: Callable[[Order], str]) -> list[str]:
        return _values((of(one) for one in company.orders if one.status == "cancelled"), rng)

    def count(of: Callable[[Order], str], value: str) -> Expected:
        return _one(one.status != "cancelled" and of(one) == value for one in company.orders)

    def method(one: Order) -> str:
        return one.payment_method

    def city(one: Order) -> str:
        return company.customer[one.customer_id].city

    def year(one: Order) -> str:
        return str(one.ordered_on.year)

    first, *methods = matter(method)
    others = [
        *_asked(methods, method, count, _PAID),
        *_asked(matter(city)[:4], city, count, "How many orders were placed by customers from {}?"),
        *_asked(matter(year)[:2], year, count, "How many orders were placed in {}?"),
    ]
    return Course(
        rule="Orders that were cancelled don't count here.",
        first=Exercise(f"How many orders were paid by {first}?", count(method, first)),
        correction=_counting("shop", "orders", ("payment_method", first), "status <> 'cancelled'"),
        others=(*_asked([first], method, count, _PAID), *rng.sample(others, len(others))),
    )


def discontinued_products(company: Company, rng: Random) -> Course:
    """Products that were discontinued don't count."""

    def matter(of: Callable[[Product], str]) -> list[str]:
        return _values((of(one) for one in company.products if one.discontinued), rng)

    def count(of: Callable[[Product], str], value: str) -> Expected:
        return _one(not one.discontinued and of(one) == value for one in company.products)

    def category(one: Product) -> str:
        return one.category

    def country(one: Product) -> str:
        return company.supplier[one.supplier_id].country

    def supplier(one: Product) -> str:
        return company.supplier[one.supplier_id].name

    first, *categories = matter(category)
    others = [
        *_asked(categories, category, count, _BELONG),
        *_asked(
            matter(country)[:4], country, count, "How many products come from suppliers in {}?"
        ),
        *_asked(
            matter(supplier)[:3], supplier, count, "How many products are from the supplier {}?"
        ),
    ]
    return Course(
        rule="Products that were discontinued don't count here.",
        first=Exercise(f"How many products are in the category {first}?", count(category, first)),
        correction=_counting("warehouse", "products", ("category", first), "discontinued = FALSE"),
        others=(*_asked([first], category, count, _BELONG), *rng.sample(others, len(others))),
    )


def _counting(database: str, table: str, wanted: tuple[str, str], rule: str) -> str:
    """The right SQL, with the database that is meant before it."""
    column, value = wanted
    query = exp.select("COUNT(*)").from_(table).where(exp.column(column).eq(value), rule)
    return f"{database}: {query.sql()}"


def _asked(
    values: Sequence[str],
    of: Callable[[T], str],
    count: Callable[[Callable[[T], str], str], Expected],
    words: str,
) -> list[Exercise]:
    return [Exercise(words.format(value), count(of, value)) for value in values]


def _values(values: Iterable[str], rng: Random) -> list[str]:
    """Each once, in an order that the seed chooses."""
    known = sorted(set(values))
    return rng.sample(known, len(known))


def _one(counted: Iterable[bool]) -> Expected:
    return Expected(((sum(counted),),))
