"""Kinds of questions as people ask them, one file for each kind: answered rightly, or honestly not."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel, ConfigDict, RootModel
from tests.unit.analyst.worlds import are_right

from oldhand.agent.analyst.deciding import DecisionKind
from oldhand.query.compiling.compile import spelled
from oldhand.query.form import Query

FOLDER = Path(__file__).parent


class Case(BaseModel):
    """One question, and what must come of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    q: str
    sql: str = ""
    """Names are `database.table`; empty when it must not be answered."""
    must: DecisionKind = DecisionKind.ANSWER
    none: bool = False
    """True when the right answer has no rows."""
    says: tuple[str, ...] = ()
    """What the sentence must hold; `{}` stands for the one value of the right answer."""
    notes: str = ""
    """What one of the notes must hold."""


class _File(RootModel[dict[str, tuple[Case, ...]]]):
    """Cases by the world that is asked."""


def _cases() -> Iterator[object]:
    for file in sorted(FOLDER.glob("*.yaml")):
        content = _File.model_validate(yaml.safe_load(file.read_text("utf-8"))).root
        for world, cases in content.items():
            for case in cases:
                yield pytest.param(world, case, id=f"{file.stem}-{world}-{case.q}")


CASES = tuple(_cases())


def test_there_are_cases_of_each_kind():
    assert len(CASES) >= 10 * len(list(FOLDER.glob("*.yaml"))) > 0


@pytest.mark.parametrize(("world", "case"), CASES)
def test_a_question_is_answered_rightly_or_honestly_not(worlds, world, case):
    asked = worlds[world]
    reading = asked.read(case.q)
    if case.must is DecisionKind.ABSTAIN:
        assert reading.decision.kind in (DecisionKind.ABSTAIN, DecisionKind.PROPOSE), reading
        assert reading.decision.reason
        return
    assert reading.decision.kind is case.must, reading
    if case.must is DecisionKind.CLARIFY:
        assert len(set(reading.decision.options)) > 1
        return
    expected = asked.rows(case.sql)
    (query, *_) = reading.queries
    assert isinstance(query, Query)
    found = asked.rows(query)
    assert bool(expected) is not case.none, "a right answer without rows proves little"
    assert are_right(expected, found, ordered=_is_ordered(case.sql)), spelled(query)
    told = asked.told(case.q, query)
    for part in case.says:
        assert part.replace("{}", _written(expected)) in told, told
    assert case.notes in " ".join(reading.notes)


def _is_ordered(sql: str) -> bool:
    """True when the rows must come in an order; that of a window is none of the rows."""
    return "ORDER BY" in sql and " OVER(" not in sql


def _written(rows: list[tuple[object, ...]]) -> str:
    value = rows[0][0] if rows else None
    return f"{round(value, 2):,}" if isinstance(value, int | float) else str(value)
