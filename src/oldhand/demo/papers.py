"""What the demo company has written down: a handbook, contracts and minutes, out of its seed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random

import yaml

from oldhand.demo.company import Company
from oldhand.demo.expected import ExpectedAnswer
from oldhand.demo.questions import Question, QuestionKind

_CITIES = ("Antwerp", "Basel", "Ghent", "Graz", "Lund", "Porto")


@dataclass(frozen=True)
class Papers:
    """The documents of a company, by name, and what stands in them."""

    texts: Mapping[str, str]
    facts: Mapping[str, str]

    def write(self, folder: Path) -> tuple[Path, ...]:
        """Write each into a file of its own."""
        folder.mkdir(parents=True, exist_ok=True)
        paths = tuple(folder / f"{name}.md" for name in self.texts)
        for path, text in zip(paths, self.texts.values(), strict=True):
            path.write_text(text, "utf-8")
        return paths


def make_papers(company: Company) -> Papers:
    """The papers of a company; the same seed gives the same ones.

    >>> from oldhand.demo.company import make_company
    >>> papers = make_papers(make_company(7))
    >>> f"within {papers.facts['return_days']} days of delivery" in papers.texts["handbook"]
    True
    """
    facts = _facts(company, Random(f"papers {company.seed}"))  # noqa: S311  as the company
    return Papers({name: text.format(**facts) for name, text in _texts().items()}, facts)


def document_questions(company: Company) -> tuple[Question, ...]:
    """Five questions that need the papers: two of them nothing else, three of them a database as well."""
    facts = make_papers(company).facts
    high = sum(one.refund > float(facts["refund_limit"]) for one in company.returns)
    flagships = sum(store.floor_area > float(facts["flagship_area"]) for store in company.stores)
    return (
        Question(
            QuestionKind.HANDBOOK,
            "What is our return deadline?",
            ExpectedAnswer((), says=f"{facts['return_days']} days"),
        ),
        Question(
            QuestionKind.CONTRACT,
            f"When does the contract with {facts['supplier_1']} end?",
            ExpectedAnswer((), says=facts["end_1"]),
        ),
        Question(
            QuestionKind.HALVES,
            "Who approves expenses, and how many stores do we have?",
            ExpectedAnswer(((len(company.stores),),), says="controller"),
        ),
        Question(
            QuestionKind.DEFINED,
            "How many flagship stores are there?",
            ExpectedAnswer(((flagships,),), says=facts["flagship_area"]),
        ),
        Question(
            QuestionKind.LIMIT,
            "How many returns have a refund above the approval limit of the handbook?",
            ExpectedAnswer(((high,),), says=facts["refund_limit"]),
        ),
    )


@cache
def _texts() -> dict[str, str]:
    text = files("oldhand.demo").joinpath("papers.yaml").read_text("utf-8")
    return {str(name): str(paper) for name, paper in yaml.safe_load(text).items()}


def _facts(company: Company, rng: Random) -> dict[str, str]:
    suppliers = rng.sample(company.suppliers, 2)
    store = rng.choice(company.stores)
    people = rng.sample(company.employees, 3)
    areas = sorted(one.floor_area for one in company.stores)
    refunds = sorted(one.refund for one in company.returns)
    prices = sorted(one.price for one in company.products)
    cities = [one for one in _CITIES if one not in {store.city for store in company.stores}]
    ends = (_day(company.today + timedelta(days=rng.randrange(90, 1500))) for _ in range(3))
    numbers = {
        "return_days": rng.choice((14, 21, 30)),
        "member_days": rng.choice((45, 60, 90)),
        "refund_days": rng.choice((5, 7, 10)),
        "discount": rng.choice((10, 12, 15)),
        "flagship_area": areas[len(areas) * 2 // 3] // 10 * 10,
        "premium_price": round(prices[len(prices) * 4 // 5] / 10) * 10,
        "key_points": rng.choice((500, 800, 1000)),
        "holidays": rng.choice((25, 26, 28, 30)),
        "small_expenses": rng.choice((50, 80, 100)),
        "receipt_days": rng.choice((20, 40)),
        "urgent_hours": rng.choice((2, 4, 6)),
        "notice_1": rng.choice((3, 6, 9)),
        "rebate_1": rng.choice((2, 3, 4)),
        "rebate_from": rng.choice((2000, 5000)),
        "penalty": rng.choice((1, 2)),
        "rent": rng.randrange(2800, 9000, 100),
        "budget": rng.randrange(120_000, 400_000, 10_000),
        "refund_limit": round(refunds[len(refunds) * 4 // 5] / 10) * 10,
    }
    named = {
        "company": company.name,
        "supplier_1": suppliers[0].name,
        "supplier_2": suppliers[1].name,
        "store": store.name,
        "store_city": store.city,
        "new_city": rng.choice(cities),
        "opening": f"the spring of {company.today.year + 1}",
        "topic": company.tickets[0].topic,
        "meeting_1": _day(company.today - timedelta(days=75)),
        "meeting_2": _day(company.today - timedelta(days=12)),
        **{f"person_{place}": one.name for place, one in enumerate(people, 1)},
        **{f"end_{place}": end for place, end in enumerate(ends, 1)},
    }
    return {**{name: f"{number}" for name, number in numbers.items()}, **named}


def _day(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"
