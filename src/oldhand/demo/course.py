"""What a newcomer to the demo company has to learn: a rule of the house that stands in no schema, and questions that it matters for.

The right answers come from the company's own objects. The seed chooses the rule, the questions and their words.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeVar

from sqlglot import exp

from oldhand.demo.company import Company
from oldhand.demo.expected import Expected
from oldhand.demo.objects import Order, Product, Supplier

T = TypeVar("T")


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


@dataclass(frozen=True)
class _Rule(Generic[T]):
    """A rule of the house: some things don't count."""

    says: str
    things: Sequence[T]
    left_out: Callable[[T], bool]
    first: str
    """Words of the first question."""
    counted: tuple[str, str, str, str]
    """Database, table and column of the first question, and what counts."""
    asked: Sequence[tuple[Callable[[T], str], str, int | None]]
    """Values by which things are counted, words for that, and how many of the values; those of the first question first."""

    def course(self, rng: Random) -> Course:
        """Questions about values that the rule matters for."""
        values = [self._values(of, rng)[:most] for of, _, most in self.asked]
        first, (of, again, _) = values[0].pop(0), self.asked[0]
        others = [
            self._exercise(of, words, value)
            for (of, words, _), found in zip(self.asked, values, strict=True)
            for value in found
        ]
        return Course(
            rule=self.says,
            first=self._exercise(of, self.first, first),
            correction=self._correction(first),
            others=(self._exercise(of, again, first), *rng.sample(others, len(others))),
        )

    def _values(self, of: Callable[[T], str], rng: Random) -> list[str]:
        """Each once, in an order that the seed chooses."""
        known = sorted({of(one) for one in self.things if self.left_out(one)})
        return rng.sample(known, len(known))

    def _exercise(self, of: Callable[[T], str], words: str, value: str) -> Exercise:
        number = sum(not self.left_out(one) and of(one) == value for one in self.things)
        return Exercise(words.format(value), Expected(((number,),)))

    def _correction(self, value: str) -> str:
        """The right SQL, with the database that is meant before it."""
        database, table, column, counts = self.counted
        wanted = exp.column(column).eq(value)
        return f"{database}: {exp.select('COUNT(*)').from_(table).where(wanted, counts).sql()}"


def make_course(company: Company) -> Course:
    """The course of a company."""
    rng = Random(f"course {company.seed}")  # noqa: S311
    return rng.choice((cancelled_orders, discontinued_products))(company).course(rng)


def cancelled_orders(company: Company) -> _Rule[Order]:
    """Orders that were cancelled don't count."""

    def city(one: Order) -> str:
        return company.customer[one.customer_id].city

    return _Rule(
        says="Orders that were cancelled don't count here.",
        things=company.orders,
        left_out=lambda one: one.status == "cancelled",
        first="How many orders were paid by {}?",
        counted=("shop", "orders", "payment_method", "status <> 'cancelled'"),
        asked=(
            (lambda one: one.payment_method, "How many orders have the payment method {}?", None),
            (city, "How many orders were placed by customers from {}?", 4),
            (lambda one: str(one.ordered_on.year), "How many orders were placed in {}?", 2),
        ),
    )


def discontinued_products(company: Company) -> _Rule[Product]:
    """Products that were discontinued don't count."""

    def supplier(one: Product) -> Supplier:
        return company.supplier[one.supplier_id]

    return _Rule(
        says="Products that were discontinued don't count here.",
        things=company.products,
        left_out=lambda one: one.discontinued,
        first="How many products are in the category {}?",
        counted=("warehouse", "products", "category", "discontinued = FALSE"),
        asked=(
            (lambda one: one.category, "How many products belong to the {} category?", None),
            (
                lambda one: supplier(one).country,
                "How many products come from suppliers in {}?",
                4,
            ),
            (lambda one: supplier(one).name, "How many products are from the supplier {}?", 3),
        ),
    )
