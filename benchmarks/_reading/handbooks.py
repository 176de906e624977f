"""Handbooks made of facts, with questions that they answer and questions that they do not."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import yaml
from pydantic import BaseModel

from benchmarks._reading.passages import MemoryPassages

FOLDER = Path(__file__).parent
_NAMES = ("Halden Cycles", "Orbit Tools", "Marlow Freight", "Kestrel Paper", "Juniper Foods")
_PLACES = ("Lund", "Basel", "Porto", "Ghent", "Graz")


class Fact(BaseModel):
    """Something that a handbook may say."""

    heading: str
    says: list[str]
    asks: list[str]
    gold: str


class AskedOfDocuments(NamedTuple):
    """A question; `gold` is empty where no passage answers it."""

    question: str
    gold: str


class MadeHandbook(NamedTuple):
    """A handbook and what is asked of it."""

    passages: MemoryPassages
    questions: Sequence[AskedOfDocuments]


def facts() -> list[Fact]:
    """All facts."""
    return [Fact.model_validate(one) for one in yaml.safe_load((FOLDER / "facts.yaml").read_text())]


def handbooks(number: int, seed: int) -> Iterator[MadeHandbook]:
    """Handbooks that hold from a tenth of the facts to most of them."""
    known = facts()
    for place in range(number):
        yield _handbook(known, Random(f"{seed} {place}"))


def _handbook(known: Sequence[Fact], rng: Random) -> MadeHandbook:
    values = {
        "a": rng.choice((14, 21, 28, 30, 45, 60)),
        "b": rng.choice((2, 3, 5, 8, 10, 12)),
        "c": rng.choice((10, 15, 20, 25)),
        "d": rng.choice((90, 120, 500, 800)),
        "e": rng.choice(("1,500", "2,000", "4,800", "12,000")),
        "n": rng.choice(_NAMES),
        "p": rng.choice(_PLACES),
        "y": rng.choice((2027, 2028, 2029)),
    }
    share = rng.choice((0.1, 0.25, 0.5, 0.7))
    held, questions = dict[str, list[str]](), list[AskedOfDocuments]()
    for fact in known:
        told = rng.random() < share
        if told:
            held.setdefault(fact.heading, []).append(rng.choice(fact.says).format(**values))
        questions += (
            AskedOfDocuments(ask.format(**values), fact.gold.format(**values) if told else "")
            for ask in fact.asks
        )
    passages = MemoryPassages()
    text = "\n\n".join(
        f"{_headings(heading)}\n\n{' '.join(said)}" for heading, said in held.items()
    )
    passages.add("handbook", text)
    return MadeHandbook(passages, questions)


def _headings(heading: str) -> str:
    """`Returns > Deadlines` as two headings, one under the other."""
    levels = heading.split(" > ")
    return "\n\n".join(f"{'#' * depth} {one}" for depth, one in enumerate(levels, 1))
