"""What an answer would have been with the opposite draw: looked at, recorded, and judged with the answer that was shown."""

import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import NormalDist, mean

import pytest
from tests.homes import with_turn

from oldhand.bootstrap import Home, open_home
from oldhand.learning.evidence import HoldOut
from oldhand.learning.evidence.contrast import Contrast
from oldhand.learning.evidence.weighed import Draws
from oldhand.record.effect import DefaultFilter
from oldhand.record.episode import SAME, Recalled
from oldhand.record.feedback import Said
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.stage import Stage, stage_of
from oldhand.record.trial import Trial
from oldhand.settings import TrialSettings
from oldhand.testing import FixedClock
from oldhand.testing.records import NOON, example_memory

CANCELLED = DefaultFilter(database="shop", table="orders", condition="status <> 'cancelled'")
COUNT = "How many orders are there?"
PAID = "How many orders have status paid?"
RIGHT = "SELECT COUNT(*) FROM orders WHERE status <> 'cancelled'"


def rule(source: str = "execution", **changes: object) -> Memory:
    return example_memory(
        "rule-1",
        MemoryType.SEMANTIC,
        user_id="default",
        payload={"rule": CANCELLED.says},
        effect=CANCELLED,
        provenance={"source": source},
        **changes,
    )


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.executescript("""
            CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT NOT NULL);
            INSERT INTO orders (status) VALUES ('paid'), ('paid'), ('cancelled'), ('open');
        """)
    connection.close()
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "settings.yaml").write_text("trial: {shadow_seconds: 120}\n", "utf-8")
    opened = open_home(tmp_path / "home", clock=FixedClock())
    opened.catalog.add(f"sqlite:///{tmp_path / 'shop.db'}", name="shop")
    yield opened
    await opened.close()


def drawing(home: Home, seed: int) -> Home:
    """The home with draws that can be foretold."""
    hold_out = HoldOut(home.settings.trial, Random(seed))
    recalling = replace(home.turn.recalling, hold_out=hold_out)
    return with_turn(home, replace(home.turn, recalling=recalling))


async def asked(home: Home, question: str, seed: int) -> tuple[int, Recalled, str]:
    """What was answered, what was recalled for it, and the id of the answer."""
    answer = await drawing(home, seed).turn.ask(question)
    recollection = home.store.recollection("default", answer.episode_id)
    assert recollection is not None
    (item,) = recollection.items
    return answer.rows[0][0], item, answer.episode_id


async def test_what_the_owner_corrected_is_in_force_every_time(home: Home) -> None:
    home.store.save_memory(rule("owner"))
    found = {(await asked(home, COUNT, seed))[:1] for seed in range(8)}
    assert found == {(3,)}


async def test_what_machines_found_is_drawn_only_where_it_changes_the_answer(home: Home) -> None:
    home.store.save_memory(rule())
    found = [await asked(home, COUNT, seed) for seed in range(8)]
    assert {rows for rows, _, _ in found} == {3, 4}
    assert all(item.shadow not in (None, SAME) for _, item, _ in found)
    assert {(rows, item.shown) for rows, item, _ in found} == {(3, True), (4, False)}
    same = [await asked(home, PAID, seed) for seed in range(8)]
    assert {(rows, item.shadow) for rows, item, _ in same} == {(2, SAME)}
    home.trials.decide()
    (known,) = home.trials.evidence()
    assert (known.shadows.same, known.shadows.differing, known.shown) == (8, 8, 0)


async def test_a_low_confidence_does_not_end_a_trial(home: Home) -> None:
    home.store.save_memory(rule(confidence=0.1))
    assert {rows for rows, _, _ in [await asked(home, COUNT, seed) for seed in range(8)]} == {3, 4}


async def test_a_correction_judges_the_answer_that_was_not_shown(home: Home) -> None:
    home.store.save_memory(rule())
    found = [await asked(home, COUNT, seed) for seed in range(8)]
    wrong = next(name for rows, _, name in found if rows == 4)
    right = next(name for rows, _, name in found if rows == 3)
    await home.critique.give(right, Said("default", rating=1))
    await home.critique.give(wrong, Said("default", correction=RIGHT))
    (known,) = home.trials.evidence()
    assert (known.shadows.judged, known.shadows.both) == (2, 2)


async def test_a_few_answers_that_it_spoils_retire_a_lesson(home: Home) -> None:
    home.store.save_memory(rule())
    for seed in range(24):
        rows, _, name = await asked(home, COUNT, seed)
        # Judged by people without a say, so that no confirmed pair settles the question.
        await home.critique.give(name, Said("guest", rating=1 if rows == 4 else -1))
        if home.trials.decide():
            memory = home.store.memory("default", "rule-1")
            if stage_of(memory) is Stage.RETIRED:
                return
    pytest.fail("it is still shown")


@pytest.mark.parametrize("chance", [0.3, 0.5, 0.7])
@pytest.mark.parametrize(("better", "worse"), [(0.4, 0.1), (0.2, 0.2), (0.05, 0.35)])
def test_the_effect_is_estimated_without_bias(chance: float, better: float, worse: float) -> None:
    """Two results are never both right; a quarter of the wrong answers is corrected, whichever was shown."""
    found: list[float] = []
    for seed in range(60):
        random, contrast = Random(seed), Contrast(0.5)
        for _ in range(400):
            luck = random.random()
            right, other = luck < better, better <= luck < better + worse
            shown, corrects = random.random() < chance, random.random() < 0.25
            outcome, shadow = (right, other) if shown else (other, right)
            known = 0.0 if outcome else float(shadow) if corrects else None
            contrast.add(shown, chance, float(outcome), known)
        found.append(contrast.score / contrast.weight)
    error = (sum((one - mean(found)) ** 2 for one in found) / len(found) / (len(found) - 1)) ** 0.5
    assert mean(found) == pytest.approx(better - worse, abs=NormalDist().inv_cdf(0.9995) * error)


def test_a_lesson_is_shown_more_often_the_more_it_is_believed_within_limits() -> None:
    limits = TrialSettings()
    for outcome, chance in ((1.0, 1 - limits.least), (0.0, limits.least)):
        draws = Draws(limits)
        for number in range(40):
            shown = number % 2 == 0
            draws.add(trial(shown, outcome if shown else 1 - outcome))
        assert draws.chance() == pytest.approx(chance)


def trial(shown: bool, success: float) -> Trial:
    return Trial("rule-1", "e1", NOON, shown, 0.5, success, shadow="other rows")
