"""What a view of the schemas keeps of what questions need, when the schemas are too long for a prompt."""

import csv
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from benchmarks._spider_data import Question, SpiderDatabase, load, same_answer
from oldhand.agent.analysis.mind import Inquiry
from oldhand.agent.analysis.view import SchemaView
from oldhand.agent.analyst.linking.indexes import IndexLookup
from oldhand.agent.viewing.viewer import LinkedViewer
from oldhand.models.tokens import estimate_tokens
from oldhand.record.schema import DatabaseSchema, Table
from oldhand.sources.databases.near_values import near_misses
from oldhand.sources.databases.values import AllValues

ROOM = 8_000
"""Tokens that the view may take."""
SAMPLE = 600
"""Questions that are asked; all with a higher number."""
_DAY = date(2026, 1, 1)


@dataclass(frozen=True)
class Needed:
    """What the gold query of a question reads."""

    tables: frozenset[tuple[str, str]]
    """Database and table."""
    columns: frozenset[tuple[str, str, str]]


@dataclass
class Kept:
    """What the views of some questions hold."""

    questions: int = 0
    tables: int = 0
    columns: int = 0
    longest: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    def add(self, view: SchemaView, needed: Needed, seconds: float) -> None:
        """Count one view."""
        shown = {
            (s.name, t.name, c.name) for s in view.schemas for t in s.tables for c in t.columns
        }
        self.questions += 1
        self.tables += needed.tables <= {place[:2] for place in shown}
        self.columns += needed.columns <= shown
        self.longest = max(self.longest, estimate_tokens(view.text))
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)

    def line(self, name: str, room: int) -> str:
        """A row of the table."""
        return (
            f"| {name} | {room:,} | {self.questions:,} | {self.tables / self.questions:.1%} | {self.columns / self.questions:.1%}"
            f" | {self.longest:,} | {1000 * self.seconds / self.questions:.0f} | {1000 * self.slowest:.0f} |"
        )


class _Known:
    """The values of some databases, held in memory."""

    def __init__(self, databases: dict[str, SpiderDatabase]) -> None:
        self._databases = databases

    def lookup(self, schemas: Sequence[DatabaseSchema], today: date) -> IndexLookup:  # noqa: ARG002
        """The values of these databases."""
        return IndexLookup(AllValues([self._databases[schema.name].values for schema in schemas]))


def run(data: Path | None, sample: int = SAMPLE) -> None:
    """Print the table."""
    if data is None:
        print("Needs `--data`.")
        return
    questions, databases = load(data / "text2sql" / "spider_train")
    names = sorted(databases)
    halves = (("first half", set(names[::2])), ("second half", set(names[1::2])))
    print(f"spider_train, all {len(names)} databases in one assistant.\n")
    print(
        "| questions of | room | asked | all tables | all columns | longest view | ms | slowest |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    whole = tuple(databases[name].schema for name in names)
    viewer = LinkedViewer(_Known(databases), ROOM)
    for name, half in halves:
        chosen = _sampled([q for q in questions if q.database in half], sample // 2)
        print(_kept(viewer, whole, chosen, databases).line(name, ROOM), flush=True)
    chosen = _sampled(questions, sample)
    print(_alone(databases, chosen).line("each its own database", ROOM), flush=True)
    _print_literals(data)


def _sampled(questions: Sequence[Question], number: int) -> list[Question]:
    chance = random.Random(7)
    return chance.sample(list(questions), min(number, len(questions)))


def _kept(
    viewer: LinkedViewer,
    schemas: tuple[DatabaseSchema, ...],
    questions: Sequence[Question],
    databases: dict[str, SpiderDatabase],
) -> Kept:
    kept = Kept()
    viewer.of(
        Inquiry("How many are there?", schemas, _DAY)
    ).view()  # the words of the schemas are gathered once
    for question in questions:
        began = time.perf_counter()
        view = viewer.of(Inquiry(question.text, schemas, _DAY)).view()
        seconds = time.perf_counter() - began
        kept.add(view, needed_for(question, databases[question.database].schema), seconds)
    return kept


def _alone(databases: dict[str, SpiderDatabase], questions: Sequence[Question]) -> Kept:
    viewer = LinkedViewer(_Known(databases), ROOM)
    kept = Kept()
    for question in questions:
        schema = databases[question.database].schema
        began = time.perf_counter()
        view = viewer.of(Inquiry(question.text, (schema,), _DAY)).view()
        kept.add(view, needed_for(question, schema), time.perf_counter() - began)
    return kept


def _print_literals(data: Path) -> None:
    """Of the recorded statements of models, those with a wrong text that the values tell of."""
    questions, databases = load(data / "text2sql" / "spider_dev")
    gold = {(one.database, one.text): one.gold for one in questions}
    print(
        "\n| recorded statements of | with texts | a wrong text | of these told | right rows | of these told |"
    )
    print("|---|---:|---:|---:|---:|---:|")
    for file in sorted((data / "text2sql" / "recorded_llm_spider_dev").glob("*.csv")):
        counts = Counter[str]()
        with file.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                if (known := gold.get((row["DATABASE"], row["NLQ"]))) is not None:
                    counts.update(_judged(row["PREDICTED SQL"], known, databases[row["DATABASE"]]))
        cells = (counts[name] for name in ("texts", "wrong", "wrong told", "right", "right told"))
        print(f"| {file.stem} |", " | ".join(f"{cell:,}" for cell in cells), "|", flush=True)


def _judged(sql: str, gold: str, database: SpiderDatabase) -> Iterator[str]:
    """What is counted of one statement; wrong is a text that the gold query hasn't and that no cell of the database equals."""
    said, meant = _texts(sql), _texts(gold)
    if not said:
        return
    yield "texts"
    expected = database.rows(gold)
    told = bool(near_misses(sql, database.schema, database.values))
    if expected is not None and same_answer(gold, expected, database.rows(sql)):
        if expected not in ([], [(0,)]):  # else the gold query's own texts may be held by no column
            yield from ("right", *(["right told"] if told else []))
    elif any(not _is_held(text, database) for text in said - meant):
        yield from ("wrong", *(["wrong told"] if told else []))


def _is_held(text: str, database: SpiderDatabase) -> bool:
    return any(one.value == text for one in database.values.exact([text]))


def _texts(sql: str) -> set[str]:
    try:
        tree = sqlglot.parse_one(sql, dialect="sqlite")
    except SqlglotError:
        return set()
    return {one.name.strip("%") for one in tree.find_all(exp.Literal) if one.is_string}


def needed_for(question: Question, schema: DatabaseSchema) -> Needed:
    """The tables and columns of the gold query; a name without a table is that of the first table that has it."""
    tree = sqlglot.parse_one(question.gold, dialect="sqlite")
    read: dict[str, Table] = {}
    for node in tree.find_all(exp.Table):
        if (table := schema.table(node.name)) is not None:
            read[node.alias_or_name.casefold()] = table
            read.setdefault(node.name.casefold(), table)
    columns = frozenset(_columns(tree, read, schema.name))
    return Needed(frozenset((schema.name, table.name) for table in read.values()), columns)


def _columns(
    tree: exp.Expr, read: dict[str, Table], database: str
) -> Iterator[tuple[str, str, str]]:
    for node in tree.find_all(exp.Column):
        tables = [read[node.table.casefold()]] if node.table.casefold() in read else read.values()
        for table in tables:
            if (column := table.column(node.name)) is not None:
                yield database, table.name, column.name
                break
