"""What a newcomer to the demo company has to learn: a rule of the house that stands in no schema, and questions that it matters for.

The right answers come from the company's own objects. The seed chooses the rule, the questions and their words.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeVar

from sqlglot import exp

from oldhand.demo.company import Company
from oldhand.demo.expected import ExpectedAnswer
from oldhand.demo.objects import Product, Purchase, Supplier

T = TypeVar("T")


@dataclass(frozen=True)
class Exercise:
    """A question with its right answer, the rule of the house kept."""

    text: str
    expected: ExpectedAnswer


@dataclass(frozen=True)
class Course:
    """A rule of the house, and what shows whether it is known."""

    rule: str
    """As the people of the company would say it."""
    first: Exercise
    correction: str
    """The right SQL for the first question, as its owner gives it."""
    words: str
    """The same in words."""
    others: tuple[Exercise, ...]
    """The first question in other words, then others for which the rule matters as well."""


@dataclass(frozen=True)
class _Rule(Generic[T]):
    """A rule of the house: some things don't count."""

    says: str
    things: Sequence[T]
    left_out: Callable[[T], bool]
    words: str
    """What its owner says of an answer that does not keep it."""
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
            words=self.words,
            others=(self._exercise(of, again, first), *rng.sample(others, len(others))),
        )

    def _values(self, of: Callable[[T], str], rng: Random) -> list[str]:
        """Each once, in an order that the seed chooses."""
        known = sorted({of(one) for one in self.things if self.left_out(one)})
        return rng.sample(known, len(known))

    def _exercise(self, of: Callable[[T], str], words: str, value: str) -> Exercise:
        number = sum(not self.left_out(one) and of(one) == value for one in self.things)
        return Exercise(words.format(value), ExpectedAnswer(((number,),)))

    def _correction(self, value: str) -> str:
        """The right SQL, with the database that is meant before it."""
        database, table, column, counts = self.counted
        wanted = exp.column(column).eq(value)
        return f"{database}: {exp.select('COUNT(*)').from_(table).where(wanted, counts).sql()}"


def make_course(company: Company) -> Course:
    """The course of a company."""
    rng = Random(f"course {company.seed}")  # noqa: S311
    return rng.choice((cancelled_orders, discontinued_products))(company).course(rng)


def teaching_courses(company: Company) -> tuple[Course, Course]:
    """A course about each rule of the house."""
    rng = Random(f"teaching {company.seed}")  # noqa: S311
    rules = (cancelled_orders(company), discontinued_products(company))
    one, other = rules if rng.random() < 0.5 else rules[::-1]
    return one.course(rng), other.course(rng)


@dataclass(frozen=True)
class CustomerQuestions:
    """Questions about customers in words that stand in no schema."""

    unclear: tuple[Exercise, Exercise]
    """A word that says nothing more about customers, and the question with another city."""
    rule: str
    """What another word means, as its owner states it."""
    ruled: tuple[Exercise, Exercise]
    """A question with that word, and another one."""


def make_customer_questions(company: Company) -> CustomerQuestions:
    """The questions of a company, each about a city of its own."""
    rng = Random(f"customers {company.seed}")  # noqa: S311
    known = sorted({one.city for one in company.customers})
    cities = rng.sample(known, 3)
    points = rng.choice((200, 300, 400))

    def exercise(words: str, city: str, least: int = -1) -> Exercise:
        number = sum(
            one.city == city and (one.loyalty_points or 0) > least for one in company.customers
        )
        return Exercise(words.format(city), ExpectedAnswer(((number,),)))

    here, ours = "How many VIP customers live in {}?", "How many gold customers live in {}?"
    everyone = sum((one.loyalty_points or 0) > points for one in company.customers)
    return CustomerQuestions(
        unclear=(exercise(here, cities[0]), exercise(here, cities[1])),
        rule=f"Gold customers are those with more than {points} loyalty points.",
        ruled=(
            exercise(ours, cities[2], points),
            Exercise("How many gold customers are there?", ExpectedAnswer(((everyone,),))),
        ),
    )


def cancelled_orders(company: Company) -> _Rule[Purchase]:
    """Orders that were cancelled don't count."""

    def city(one: Purchase) -> str:
        return company.customer[one.customer_id].city

    return _Rule(
        says="Orders that were cancelled don't count here.",
        things=company.orders,
        left_out=lambda one: one.status == "cancelled",
        words="It should leave out the cancelled orders.",
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
        words="Without discontinued products, please.",
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
