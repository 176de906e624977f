"""Lessons are examined by confirmed questions: what breaks one never gets in."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from oldhand.bootstrap import Home, open_home
from oldhand.learning.evidence.exam_results import ExamResult, exam_of
from oldhand.learning.lifecycle.quarantine import reason_of
from oldhand.record.effect import DefaultFilter
from oldhand.record.feedback import Said
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.stage import SUGGESTION, Stage, stage_of
from oldhand.testing import FixedClock
from oldhand.testing.records import example_memory

OPEN = DefaultFilter(database="shop", table="orders", condition="status <> 'open'")
CONFIRMED = (
    ("How many orders are there?", "SELECT COUNT(*) FROM orders WHERE status <> 'open'"),
    ("How many orders did Ana place?", None),
    ("How many orders have status paid?", None),
)
"""Questions with the SQL that was given for them; None where the answer was confirmed as it was."""


def rule(**changes: object) -> Memory:
    said: dict[str, object] = {
        "user_id": "default",
        "payload": {"rule": OPEN.says},
        "effect": OPEN,
        "provenance": {"source": "execution"},
    }
    return example_memory("rule-1", MemoryType.SEMANTIC, **{**said, **changes})


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.executescript("""
            CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), status TEXT NOT NULL);
            INSERT INTO customers VALUES (1, 'Ana'), (2, 'Bo');
            INSERT INTO orders (customer_id, status) VALUES (1, 'paid'), (1, 'open'), (2, 'paid'), (2, 'open'), (2, 'open');
        """)
    connection.close()
    opened = open_home(tmp_path / "home", clock=FixedClock())
    opened.catalog.add(f"sqlite:///{tmp_path / 'shop.db'}", name="shop")
    for question, correction in CONFIRMED:
        answer = await opened.turn.ask(question)
        said = Said("default", rating=None if correction else 1, correction=correction)
        # What the correction says of rules is left for the tests to state.
        await replace(opened.critique, distil=lambda _: ()).give(answer.episode_id, said)
    yield opened
    await opened.close()


async def test_an_exam_says_what_a_lesson_mends_and_what_it_breaks(home: Home) -> None:
    result = await asyncio.to_thread(home.night.examining.exam.result, rule())
    assert result is not None
    assert result.asked == 3
    assert result.mended == ("How many orders are there?",)
    assert result.broken == ("How many orders did Ana place?",)


async def test_the_questions_that_a_lesson_came_from_are_left_out(home: Home) -> None:
    pairs = home.store.memories("default", type=MemoryType.EXAMPLE)
    origin = next(one for one in pairs if "Ana" in one.summary)
    provenance = {"source": "execution", "episode_ids": origin.provenance.episode_ids}
    lesson = rule(provenance=provenance)
    result = await asyncio.to_thread(home.night.examining.exam.result, lesson)
    assert result is not None
    assert (result.asked, result.broken) == (2, ())


async def test_what_breaks_a_confirmed_answer_waits_and_says_which(home: Home) -> None:
    (fault,) = await asyncio.to_thread(home.night.distiller.faults, rule())
    assert fault == "It would break the confirmed answer to 'How many orders did Ana place?'"


async def test_a_night_sets_aside_what_breaks_a_confirmed_answer(home: Home) -> None:
    home.store.save_memory(rule())
    report = await home.night.work()
    lesson = home.store.memory("default", "rule-1")
    assert stage_of(lesson) is Stage.QUARANTINED
    assert "How many orders did Ana place?" in str(report.told)
    assert exam_of(lesson) is not None


async def test_what_an_owner_stands_behind_stays_in_force_and_tells_what_it_breaks(
    home: Home,
) -> None:
    home.store.save_memory(rule(provenance={"source": "owner"}))
    assert (
        await asyncio.to_thread(lambda: [*home.night.examining.examine(go_on=lambda: True)]) == []
    )
    lesson = home.store.memory("default", "rule-1")
    assert stage_of(lesson) is Stage.CANDIDATE
    found = exam_of(lesson)
    assert found is not None
    assert found.broken == ("How many orders did Ana place?",)


async def test_an_exam_is_taken_again_only_when_more_was_confirmed(home: Home) -> None:
    home.store.save_memory(rule(provenance={"source": "owner"}))
    await home.night.work()
    first = home.store.memory("default", "rule-1")
    await home.night.work()
    assert home.store.memory("default", "rule-1") == first


async def test_a_rule_that_is_stated_tells_what_it_mends_and_breaks(home: Home) -> None:
    preview = await home.rules.preview("Open orders don't count", None)
    assert preview.exam is not None
    assert preview.exam.mended == ("How many orders are there?",)
    assert preview.exam.broken == ("How many orders did Ana place?",)


async def test_a_lesson_is_examined_again_when_it_is_edited_or_approved(home: Home) -> None:
    home.store.save_memory(rule())
    after = await asyncio.to_thread(home.reviewing.approve, "rule-1", "default")
    found = exam_of(after)
    assert found is not None
    assert found.broken == ("How many orders did Ana place?",)


async def test_evidence_shows_what_was_examined_though_it_was_never_drawn(home: Home) -> None:
    home.store.save_memory(rule(provenance={"source": "owner"}))
    await home.night.work()
    found = await asyncio.to_thread(home.trials.evidence)
    assert [
        (one.exam and one.exam.asked, one.shown) for one in found if one.lesson_id == "rule-1"
    ] == [(3, 0)]


async def test_what_a_rule_breaks_is_seen_though_its_own_pair_breaks_it_too(home: Home) -> None:
    question = "How many orders did Bo place?"
    answer = await home.turn.ask(question)
    right = "SELECT COUNT(*) FROM orders AS o JOIN customers AS c ON o.customer_id = c.id WHERE c.name = 'Bo' AND o.status <> 'open'"
    receipt = await home.critique.give(answer.episode_id, Said("default", correction=right))
    (lesson,) = (one for one in receipt.learned if one.effect is not None)
    assert stage_of(lesson) is Stage.QUARANTINED
    assert reason_of(lesson) == (
        "It would break the confirmed answer to 'How many orders did Ana place?'."
    )
    result = await asyncio.to_thread(home.night.examining.exam.result, lesson)
    assert result is not None
    assert result.broken == ("How many orders did Ana place?",)
    assert (await home.turn.ask(question)).rows == ((1,),)


async def test_a_pair_takes_its_exam_when_somebody_asks_for_it(home: Home) -> None:
    pairs = home.store.memories("default", type=MemoryType.EXAMPLE)
    pair = next(one for one in pairs if "Ana" in one.summary)
    only = await asyncio.to_thread(home.trials.looked_at, pair.id)
    assert only.exam is not None
    assert (only.exam.asked, only.exam.broken) == (2, ())


def _given(result: ExamResult, _of: Memory) -> ExamResult:
    return result


async def test_a_version_of_a_prompt_that_breaks_a_confirmed_answer_is_not_tried(
    home: Home,
) -> None:
    broken = ExamResult(asked=1, broken=("How many orders are there?",), at=FixedClock().now())
    evolving = replace(home.night.evolving, gate_reads=True, exam=partial(_given, broken))
    home.store.save_memory(
        example_memory(
            "suggestion-1",
            MemoryType.SEMANTIC,
            user_id="default",
            tags=(SUGGESTION,),
            payload={"rule": "Answer in one sentence."},
            provenance={"source": "owner", "episode_ids": ("e1", "e2", "e3", "e4", "e5")},
        )
    )
    evolved = await asyncio.to_thread(evolving.evolve)
    (refused,) = evolved.refused
    waits = home.store.memory("default", refused)
    assert reason_of(waits) == (
        "It would break the confirmed answer to 'How many orders are there?'"
    )
