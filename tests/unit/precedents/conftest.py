"""A small shop that is asked questions with what people have confirmed or rejected before."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime

import pytest

from oldhand.agent.analyst.conversation.reading import QuestionReader
from oldhand.agent.analyst.conversation.understood import UnderstoodQuestion
from oldhand.query.compiling.compile import spelled
from oldhand.record.feedback import Source
from oldhand.record.lesson import Lesson
from oldhand.record.memory import CORRECTED, Memory, MemoryType, Provenance
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table
from oldhand.sources.databases.values import ValueIndex

TODAY = date(2026, 12, 1)


def _column(name: str, kind: Kind = Kind.TEXT) -> Column:
    return Column(name=name, type=kind.value, kind=kind, primary_key=name == "id", nullable=False)


SHOP = DatabaseSchema(
    name="shop",
    dialect="sqlite",
    tables=(
        Table(
            name="customers",
            schema_name="main",
            columns=(
                _column("id", Kind.INTEGER),
                _column("name"),
                _column("city"),
                _column("segment"),
                _column("age", Kind.INTEGER),
            ),
        ),
        Table(
            name="orders",
            schema_name="main",
            columns=(
                _column("id", Kind.INTEGER),
                _column("customer_id", Kind.INTEGER),
                _column("status"),
                _column("amount", Kind.NUMBER),
                _column("weight", Kind.NUMBER),
            ),
            foreign_keys=(
                ForeignKey(
                    columns=("customer_id",),
                    database="shop",
                    schema_name="main",
                    table="customers",
                    target_columns=("id",),
                ),
            ),
        ),
    ),
)
VALUES = ValueIndex.in_memory(
    "shop",
    [
        ("main", "customers", "city", ["Berlin", "Rome", "Lyon"]),
        ("main", "customers", "segment", ["Private", "Business"]),
        ("main", "customers", "name", ["Linda Smith", "Tracy Kim"]),
        ("main", "orders", "status", ["open", "paid", "cancelled"]),
    ],
)


def confirmed(
    question: str,
    sql: str,
    *,
    name: str = "pair-1",
    database: str | None = "shop",
    source: Source = Source.OWNER,
    corrected: bool = True,
) -> Lesson:
    """A pair that ana confirmed on 20 November 2026."""
    payload = {"question": question, "database": database, "sql": sql, "confirmed_by": "ana"}
    return _lesson(name, MemoryType.EXAMPLE, payload, source, corrected)


def rejected(
    question: str, sql: str, *, name: str = "no-1", source: Source = Source.OWNER
) -> Lesson:
    """A pair that ana called wrong."""
    payload = {
        "evaluator_type": "thumb",
        "issue": "ana called this SQL wrong.",
        "question": question,
        "database": "shop",
        "sql_query": sql,
    }
    return _lesson(name, MemoryType.ISSUE, payload, source, False)


def _lesson(
    name: str, kind: MemoryType, payload: dict[str, str | None], source: Source, corrected: bool
) -> Lesson:
    fields = {
        "type": kind,
        "id": name,
        "created_at": datetime(2026, 11, 20, tzinfo=UTC),
        "tags": (CORRECTED,) if corrected else (),
        "provenance": Provenance(source=source, rater="ana"),
        "payload": payload,
    }
    return Lesson(memory=Memory.model_validate(fields), score=1.0)


@dataclass(frozen=True)
class Shop:
    """The shop and how to ask it."""

    schemas: tuple[DatabaseSchema, ...] = (SHOP,)
    values: ValueIndex = VALUES

    def read(self, question: str, *lessons: Lesson) -> UnderstoodQuestion:
        """What a question is read as with these lessons."""
        return QuestionReader(self.schemas, self.values, TODAY, lessons).read(question)

    def sql(self, question: str, *lessons: Lesson) -> str:
        """The first query, without the names of the database and its schema; empty when it is not answered."""
        reading = self.read(question, *lessons)
        return spelled(reading.queries[0]).replace("shop.main.", "") if reading.answers else ""


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
def dated() -> Shop:
    """The shop whose orders have a day."""
    customers, orders = SHOP.tables
    columns = (*orders.columns, _column("ordered", Kind.DATE))
    orders = orders.model_copy(update={"columns": columns})
    return Shop((SHOP.model_copy(update={"tables": (customers, orders)}),))


Confirm = Callable[..., Lesson]


@pytest.fixture
def confirm() -> Confirm:
    return confirmed


@pytest.fixture
def reject() -> Confirm:
    return rejected
