"""A whole analysis over two SQLite databases: a join in the workspace, with one repair on the way."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from oldhand.agent.analysis import Analysis, Inquiry, analyse
from oldhand.agent.analysis.lm_mind import LanguageModelMind
from oldhand.models import LanguageModel, Ledger, get_lm
from oldhand.record.answer import Outcome
from oldhand.record.progress import (
    Attempted,
    AttemptFailed,
    Planned,
    Progress,
    StepDone,
    TextDelta,
    Understood,
)
from oldhand.settings import ModelSettings, Settings
from oldhand.sources.databases import Catalog
from oldhand.testing.clock import FixedClock
from oldhand.testing.fake_server import FakeServer, Reply
from oldhand.testing.scripted import ScriptedModel

QUESTION = "What did each segment of customers spend?"
ANSWERS: list[dict[str, object]] = [
    {"verdict": "answerable", "databases": ["shop", "crm"], "confidence": 0.9},
    {
        "steps": [
            {"number": 1, "purpose": "Spent by customer", "database": "shop", "hidden": True},
            # After the first, so that the answers of the script come in their order.
            {
                "number": 2,
                "purpose": "Segments",
                "database": "crm",
                "depends_on": [1],
                "hidden": True,
            },
            {
                "number": 3,
                "purpose": "Spent by segment",
                "database": "workspace",
                "depends_on": [1, 2],
            },
        ],
        "notes": ["Cancelled orders count."],
    },
    {
        "sql": "SELECT customer_id, SUM(total) AS spent FROM orders GROUP BY customer_id",
        "confidence": 0.8,
    },
    {
        "cause": "The column is called amount",
        "corrected_sql": "SELECT customer_id, SUM(amount) AS spent FROM orders GROUP BY customer_id",
        "confidence": 0.7,
    },
    {"sql": "SELECT id, segment FROM clients", "confidence": 1.0},
    {
        "sql": "SELECT s.segment, SUM(o.spent) AS spent FROM step_1 AS o "
        "JOIN step_2 AS s ON s.id = o.customer_id GROUP BY s.segment ORDER BY spent DESC",
        "confidence": 0.95,
    },
    {"text": "Companies spent 30.5, private customers 7.", "confidence": 0.9},
]


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    make(
        tmp_path / "shop.db",
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, amount REAL);"
        "INSERT INTO orders VALUES (1, 1, 10.5), (2, 1, 20), (3, 2, 7), (4, 9, 100);",
    )
    make(
        tmp_path / "crm.db",
        "CREATE TABLE clients (id INTEGER PRIMARY KEY, segment TEXT NOT NULL);"
        "INSERT INTO clients VALUES (1, 'company'), (2, 'private');",
    )
    catalog = Catalog(tmp_path / "home")
    for name in ("shop", "crm"):
        catalog.add(f"sqlite:///{tmp_path / name}.db", name=name)
    yield catalog
    catalog.close()


def make(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


async def answered(
    catalog: Catalog, lm: LanguageModel, ledger: Ledger, seen: list[Progress]
) -> Analysis:
    inquiry = Inquiry(
        question=QUESTION,
        schemas=(catalog.schema("shop"), catalog.schema("crm")),
        today=date(2026, 3, 1),
        ledger=ledger,
    )
    return await analyse(
        inquiry,
        mind=LanguageModelMind(lm),
        sources=catalog,
        observe=seen.append,
        settings=Settings(),
        clock=FixedClock(),
    )


def check(analysis: Analysis) -> None:
    assert analysis.outcome is Outcome.ANSWERED
    assert analysis.text == "Companies spent 30.5, private customers 7."
    assert analysis.columns == ("segment", "spent")
    assert analysis.rows == (("company", 30.5), ("private", 7.0))
    assert analysis.confidence == 0.7
    assert analysis.notes == ("Cancelled orders count.",)
    assert [step.database for step in analysis.steps] == ["shop", "crm", "workspace"]
    assert [step.attempts for step in analysis.steps] == [2, 1, 1]
    assert "total" in analysis.steps[0].failures[0].error


async def test_rows_of_two_databases_meet_after_a_repair(catalog: Catalog) -> None:
    model, seen = ScriptedModel(ANSWERS), list[Progress]()
    analysis = await answered(catalog, model, Ledger(), seen)
    check(analysis)
    kinds = [type(event) for event in seen]
    assert kinds == [
        Understood,
        Planned,
        *(Attempted, AttemptFailed, Attempted, StepDone),
        *(Attempted, StepDone),
        *(Attempted, StepDone),
        TextDelta,
    ]
    joining = model.prompts[-2].text
    assert "**Table: step_1** (in workspace.main)\nDescription: Spent by customer" in joining
    assert "  - spent (DOUBLE, NULL)" in joining
    assert [prompt.stage for prompt in model.prompts] == [
        "validate",
        "plan",
        "generate_sql",
        "analyze_error",
        "generate_sql",
        "generate_sql",
        "summarise",
    ]


async def test_the_same_over_the_wire(catalog: Catalog) -> None:
    ledger = Ledger()
    with FakeServer([Reply(data=answer) for answer in ANSWERS]) as server:  # type: ignore[arg-type]
        settings = ModelSettings(base_url=server.openai_url, retries=0)
        lm = get_lm("openai:fake", settings=settings, environ={})
        try:
            check(await answered(catalog, lm, ledger, []))
        finally:
            await lm.aclose()
    assert list(dict.fromkeys(entry.stage for entry in ledger.entries)) == [
        "validate",
        "plan",
        "generate_sql",
        "analyze_error",
        "summarise",
    ]
    assert ledger.total.requests == len(ANSWERS)
    assert "no such column" in server.requests[3].prompt or "total" in server.requests[3].prompt
