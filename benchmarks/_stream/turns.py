"""A stream: the questions of all databases in a random order, and which SQL was asked for before."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from sqlglot import parse_one
from sqlglot.errors import SqlglotError

from benchmarks._spider_data import Question


@dataclass(frozen=True)
class Turn:
    """One question at its place in a stream."""

    order: int
    """The seed of the order."""
    position: int
    """How many questions of all databases came before it."""
    number: int
    """Which question it is, in all orders."""
    question: Question
    seen: bool
    """A question about the same database with the same gold query came before it."""


def streams(questions: Sequence[Question], orders: Sequence[int]) -> dict[int, list[Turn]]:
    """A stream for each seed."""
    return {order: _stream(questions, order) for order in orders}


def _stream(questions: Sequence[Question], order: int) -> list[Turn]:
    numbers = list(range(len(questions)))
    Random(order).shuffle(numbers)
    asked: set[tuple[str, str]] = set()
    turns: list[Turn] = []
    for position, number in enumerate(numbers):
        question = questions[number]
        key = (question.database, spelled_alike(question.gold))
        turns.append(Turn(order, position, number, question, key in asked))
        asked.add(key)
    return turns


def spelled_alike(sql: str) -> str:
    """The query with keywords, names and literals spelled in one way: case, quotes and blanks don't count.

    >>> spelled_alike('select Name FROM singer where country = "FRANCE"')
    'select name from singer where country = france'
    """
    try:
        plain = parse_one(sql, "sqlite").sql("sqlite")
    except SqlglotError:
        plain = " ".join(sql.split())
    return plain.casefold().replace('"', "").replace("'", "")
