"""What breaks a spec is rolled back by the night, without anybody asking."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from tests.command_line import CommandLine

from oldhand import Oldhand
from oldhand.bootstrap import Home, open_home
from oldhand.cli.whole import app
from oldhand.errors import ModelUnavailable
from oldhand.learning.distillation.report import Happening
from oldhand.learning.lifecycle.quarantine import approved, reason_of
from oldhand.learning.regression.spec_files import SPECS_FOLDER
from oldhand.loop.night import NightReport
from oldhand.record.effect import DefaultFilter
from oldhand.record.memory import Memory, MemoryType, PromptPayload
from oldhand.record.stage import Stage, at_stage, stage_of
from oldhand.testing import ScriptedModel
from oldhand.testing.prompts import Prompt
from oldhand.testing.records import NOON, example_memory
from oldhand.testing.scripted import Scripted

BERLIN = "How many customers live in Berlin?"
SPEC = """\
episode_id: e1
created_at: 2026-01-01T00:00:00Z
failure_type: wrong_rows
input: {messages: [{role: user, content: "How many customers live in Berlin?"}]}
expected: {rows: [[3]]}
"""


def rule(memory_id: str, condition: str, *, days: int = 0, **changes: object) -> Memory:
    """A lesson that was distilled, and that filters rows."""
    fields = {
        "tags": ("rule", "distilled", "candidate"),
        "effect": DefaultFilter(database="shop", table="customers", condition=condition),
        "payload": {"rule": f"Only customers with {condition} count", "evidence": ["e7: said so"]},
        "created_at": NOON + timedelta(days=days),
        "user_id": "default",
    }
    return example_memory(memory_id, MemoryType.SEMANTIC, **{**fields, **changes})


A1, B2 = "tier = 'A1'", "tier = 'B2'"


@pytest.fixture
def home(old: Oldhand) -> Iterator[Home]:
    (old.path / SPECS_FOLDER).mkdir(parents=True)
    (old.path / SPECS_FOLDER / "berlin.yaml").write_text(SPEC)
    opened = open_home(old.path)
    yield opened
    asyncio.run(opened.close())


def night(home: Home) -> NightReport:
    return asyncio.run(home.night.work())


def stages(home: Home, *ids: str) -> list[str]:
    return [stage_of(home.store.memory("default", one)).value for one in ids]


def test_a_lesson_that_breaks_a_spec_is_rolled_back_and_the_next_answer_is_right(old, home):
    home.store.save_memories("default", [rule("bad", A1), rule("other", "city <> 'Rome'")])
    wrong = old.ask(BERLIN)
    report = night(home)
    (event,) = report.told.of(Happening.WAITING)
    assert event.lesson_id == "bad"
    assert BERLIN in event.why
    assert (report.guarded.specs, report.guarded.answered, report.guarded.failing) == (1, 1, ())
    assert stages(home, "bad", "other") == ["quarantined", "candidate"]
    assert old.ask(BERLIN).rows == ((3,),)
    if wrong.rows == ((2,),):  # it was shown: young lessons are, in half of the answers
        (cause,) = [one for one in old.episodes.why(wrong.episode_id).causes if one.id == "bad"]
        assert any("why: It broke the spec" in fact for fact in cause.facts)


def test_a_trusted_lesson_is_rolled_back_as_well(home):
    home.store.save_memory(at_stage(rule("bad", A1), Stage.TRUSTED))
    night(home)
    assert stages(home, "bad") == ["quarantined"]


def test_of_lessons_that_break_a_spec_each_for_itself_all_are_rolled_back(home):
    home.store.save_memories("default", [rule("one", A1), rule("two", "name LIKE 'A%'", days=1)])
    night(home)
    assert stages(home, "one", "two") == ["quarantined", "quarantined"]


def test_of_lessons_that_break_a_spec_only_together_the_older_one_stays(home):
    (home.path / SPECS_FOLDER / "berlin.yaml").write_text(SPEC.replace("[[3]]", "[[3]], sql_not_contains: [A1]"))  # fmt: skip
    harmless = "city <> 'Rome'"
    home.store.save_memories("default", [rule("old", harmless), rule("young", A1, days=1)])
    night(home)
    assert stages(home, "old", "young") == ["candidate", "quarantined"]


def test_what_people_stand_for_stays_and_the_failing_spec_is_told(home):
    home.store.save_memory(approved(rule("stated", A1), "default"))
    report = night(home)
    assert stages(home, "stated") == ["candidate"]
    assert not report.told.of(Happening.WAITING)
    (failing,) = report.guarded.failing
    assert BERLIN in failing
    assert "failing" in str(home.store.memory("default", "night").payload)


def test_a_spec_is_answered_again_only_when_something_it_rests_on_has_changed(home):
    assert night(home).guarded.answered == 1
    assert night(home).guarded.answered == 0
    home.store.save_memory(rule("far", A1, effect=None, payload={"rule": "Ships are slow"}))
    assert night(home).guarded.answered == 0
    home.store.save_memory(rule("bad", A1))
    assert night(home).guarded.answered == 1
    assert stages(home, "bad") == ["quarantined"]
    assert night(home).guarded.answered == 0
    (home.path / "index" / "specs_seen.json").write_text("{nonsense")
    assert night(home).guarded.answered == 1


def test_only_so_many_specs_are_answered_in_one_night(home):
    for number in range(3):
        text = SPEC.replace("e1", f"e{number + 2}")
        (home.path / SPECS_FOLDER / f"more_{number}.yaml").write_text(text)
    limited = replace(home.night, guarding=replace(home.night.guarding, most=3))
    reports = [asyncio.run(limited.work()).guarded for _ in range(3)]
    assert [(one.answered, one.finished) for one in reports] == [(3, False), (1, True), (0, True)]


def test_a_spec_that_cannot_be_read_waits_and_the_night_goes_on(home):
    (home.path / SPECS_FOLDER / "broken.yaml").write_text(SPEC.replace("rows", "rose"))
    home.store.save_memory(rule("bad", A1))
    report = night(home)
    assert report.finished
    assert "broken.yaml" in report.guarded.waits
    assert stages(home, "bad") == ["candidate"]


def test_a_dry_run_tells_and_changes_nothing(home):
    home.store.save_memory(rule("bad", A1))
    report = asyncio.run(home.night.rehearse())
    assert [one.lesson_id for one in report.told.of(Happening.WAITING)] == ["bad"]
    assert stages(home, "bad") == ["candidate"]
    assert night(home).guarded.answered == 1


def test_the_commands_say_which_lesson_was_rolled_back_and_why(home):
    home.store.save_memory(rule("bad", A1))
    run = CommandLine()
    learned = run.invoke(app, ["learn", "--home", str(home.path)]).output
    assert "1 lesson waiting until the owner has looked" in learned
    assert "1 spec looked at, 1 answered anew." in learned
    review = run.invoke(app, ["memory", "list", "--waiting", "--home", str(home.path)]).output
    assert "It broke the spec" in " ".join(review.split())
    assert reason_of(home.store.memory("default", "bad")).startswith("It broke the spec")


def test_while_no_model_answers_the_specs_wait_and_are_not_asked_one_by_one(home):
    (home.path / SPECS_FOLDER / "second.yaml").write_text(SPEC.replace("e1", "e2"))
    away = ScriptedModel(lambda _: ModelUnavailable("Away."))
    opened = open_home(home.path, model=away)
    report = night(opened)
    asyncio.run(opened.close())
    assert report.finished
    assert (report.guarded.answered, report.guarded.finished) == (1, False)
    assert report.guarded.waits == "ModelUnavailable: Away."
    assert night(home).guarded.answered == 2


def version(number: int, state: str, text: str, before: str | None = None) -> Memory:
    return Memory(
        type=MemoryType.PROMPT,
        id=f"orchestrator_v{number}",
        created_at=NOON + timedelta(days=number),
        tags=("orchestrator", state),
        provenance={"source": "owner"},  # pyright: ignore
        payload=PromptPayload(version=f"v{number}", text=text, supersedes=before),
    )


def react(prompt: Prompt) -> Scripted:
    match prompt.stage:
        case "validate":
            return {"verdict": "answerable", "databases": ["shop"]}
        case "plan":
            return {"steps": [{"number": 1, "purpose": "count them", "database": "shop"}]}
        case "generate_sql":
            only = " AND tier = 'A1'" if "only a1" in prompt.text.casefold() else ""
            return {"sql": f"SELECT COUNT(*) AS n FROM customers WHERE city = 'Berlin'{only}"}
        case _:
            return {"text": "So many."}


@pytest.fixture
def reading(home: Home) -> Iterator[Home]:
    """The same home, with a model that reads prompts."""
    opened = open_home(home.path, model=ScriptedModel(react))
    yield opened
    asyncio.run(opened.close())


def used(home: Home) -> list[str | None]:
    standing = home.night.evolving.shelf.standing("orchestrator")
    return [one and one.id for one in (standing.active, standing.candidate)]


@pytest.mark.parametrize("before", ["orchestrator_v1", None])
def test_a_version_in_use_that_breaks_a_spec_makes_room_for_the_one_before(reading, before):
    reading.store.save_memories(
        "default",
        [
            version(1, "deprecated" if before else "active", "Be brief."),
            version(2, "active", "Only A1.", before),
        ],
    )
    report = night(reading)
    assert [one.lesson_id for one in report.told.of(Happening.WAITING)] == ["orchestrator_v2"]
    assert used(reading) == ["orchestrator_v1", None]
    assert "broke the spec" in reason_of(reading.store.memory("default", "orchestrator_v2"))
    assert night(reading).guarded.failing == ()


def test_the_only_version_makes_room_for_the_prompt_as_it_is_shipped(reading):
    reading.store.save_memory(version(2, "active", "Only A1."))
    night(reading)
    assert used(reading) == [None, None]


def test_a_version_on_trial_that_breaks_a_spec_is_tried_no_longer(reading):
    reading.store.save_memories(
        "default",
        [version(1, "active", "Be brief."), version(2, "candidate", "Only A1.", "orchestrator_v1")],
    )
    night(reading)
    assert used(reading) == ["orchestrator_v1", None]
    assert stages(reading, "orchestrator_v2") == ["quarantined"]


def test_with_a_version_on_trial_it_is_the_guilty_one_in_use_that_goes(reading):
    reading.store.save_memories(
        "default",
        [
            version(1, "deprecated", "Be brief."),
            version(2, "active", "Only A1.", "orchestrator_v1"),
            version(3, "candidate", "Be polite.", "orchestrator_v2"),
        ],
    )
    night(reading)
    assert used(reading)[0] == "orchestrator_v1"
    assert stages(reading, "orchestrator_v2") == ["quarantined"]


def test_specs_of_a_home_whose_folder_is_gone_are_no_specs(home, tmp_path: Path):
    (home.path / SPECS_FOLDER / "berlin.yaml").unlink()
    home.store.save_memory(rule("bad", A1))
    assert night(home).guarded.specs == 0
