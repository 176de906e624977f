"""`oldhand learn` and `oldhand memory list --waiting|approve|…`, as people use them."""

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from benchmarks._reflections import example_proposal, example_reflection
from tests.command_line import CommandLine

from oldhand.bootstrap import Home, open_home
from oldhand.cli.learn import report_lines
from oldhand.cli.whole import app
from oldhand.learning.distillation.distilling import Distilled
from oldhand.learning.distillation.report import DistilledLesson, Happening, told
from oldhand.loop.night import NightReport
from oldhand.record.episode import Recalled, Recollection
from oldhand.record.memory import MemoryType
from oldhand.record.stage import PINNED, State, is_approved, is_on_trial, is_shown, state_of
from oldhand.store.journal.lines import export_line
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import NOON, example_episode, example_feedback, example_memory

RUNNER = CommandLine()
RULE = MemoryType.SEMANTIC
FOUND = {"source": "execution"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def home(folder: Path) -> Iterator[Home]:
    opened = open_home(folder, clock=FixedClock(NOON))
    yield opened
    asyncio.run(opened.close())


def said(folder: Path, *arguments: str, code: int = 0) -> str:
    done = RUNNER.invoke(app, [*arguments, "--home", str(folder)])
    assert done.exit_code == code, done.output
    return " ".join(done.output.split())


def save_rule(home: Home, name: str, rule: str, **changes: object) -> None:
    fields = {"payload": {"rule": rule}, "summary": f"Rule: {rule}", "user_id": "default"}
    home.store.save_memory(example_memory(name, RULE, **{**fields, **changes}))


def test_learn_says_what_was_learned_and_what_waits(home, folder):
    one = example_proposal("Leave out test orders", "e1")
    other = example_proposal("Round to cents", "e2", source="external")
    home.store.save_memories("default", [example_reflection("e1", one), example_reflection("e2", other)])  # fmt: skip
    dry = said(folder, "learn", "--dry-run")
    assert "1 lesson would be learned" in dry
    told = said(folder, "learn")
    assert "1 lesson learned: rule-" in told
    assert "Leave out test orders" in told
    assert "waiting until the owner has looked" in told
    assert "Nothing to learn" in said(folder, "learn")
    assert json.loads(said(folder, "learn", "--json"))["told"]["events"] == []


def test_learn_says_that_what_it_read_is_known():
    forgotten = DistilledLesson(what=Happening.ERASED, lesson_id="rule-1", says="Round to cents")
    read = NightReport(
        at=datetime(2026, 1, 5, tzinfo=UTC), distilled=Distilled(read=1, proposals=1)
    )
    known = "What was proposed is known already, or somebody took it out."
    assert [*report_lines(read)][-1] == known
    one = read.model_copy(update={"told": told([forgotten]), "dry": True})
    assert [*report_lines(one)][1] == "1 memory would be erased:"


def test_the_owner_looks_approves_and_retires(home, folder):
    for number, text in enumerate(("Round to cents", "Round to euros")):
        proposal = example_proposal(text, f"e{number}", source="external")
        home.store.save_memory(example_reflection(f"e{number}", proposal))
    said(folder, "learn")
    listed = said(folder, "memory", "list", "--waiting")
    assert "Round to cents" in listed
    assert "people we don't know" in listed
    waiting = json.loads(said(folder, "memory", "list", "--waiting", "--json"))
    names = {one["memory"]["payload"]["rule"]: one["memory"]["id"] for one in waiting}
    assert (
        "Only the owner approves"
        in RUNNER.invoke(
            app,
            ["memory", "approve", names["Round to cents"], "--rater", "eve", "--home", str(folder)],
        ).stderr
    )
    said(folder, "memory", "approve", names["Round to cents"][:14])
    said(folder, "memory", "retire", names["Round to euros"])
    assert said(folder, "memory", "list", "--waiting") == "No lesson waits for you."
    assert is_shown(home.store.memory("default", names["Round to cents"]))
    assert not is_shown(home.store.memory("default", names["Round to euros"]))


def test_taking_back_does_not_replace_approval(home, folder):
    proposal = example_proposal("Round to cents", "e1", source="external")
    home.store.save_memory(example_reflection("e1", proposal))
    said(folder, "learn")
    (waiting,) = json.loads(said(folder, "memory", "list", "--waiting", "--json"))
    said(folder, "memory", "undo", waiting["memory"]["id"], code=2)
    said(folder, "memory", "retire", waiting["memory"]["id"])
    said(folder, "memory", "undo", waiting["memory"]["id"])
    assert state_of(home.store.memory("default", waiting["memory"]["id"])) is State.WAITING


def test_a_lesson_is_set_aside_and_taken_back(home, folder):
    save_rule(home, "rule-1", "Round to cents")
    told = said(folder, "memory", "retire", "rule-1", "--reason", "I have doubts.")
    assert told.startswith("Retired: rule-1")
    assert not is_shown(home.store.memory("default", "rule-1"))
    assert "retired" in said(folder, "memory", "list", "--state", "retired")
    assert "I have doubts." in said(folder, "memory", "list")
    assert "says so, already" in said(
        folder, "memory", "retire", "rule-1", "--reason", "I have doubts.", code=2
    )
    assert "in force now" in said(folder, "memory", "undo", "rule-1")
    assert is_shown(home.store.memory("default", "rule-1"))
    assert "retired now" in said(folder, "memory", "undo", "rule-1")


def test_prune_tells_first_and_then_does(home, folder):
    save_rule(home, "rule-old", "Round", confidence=0.2, created_at=NOON - timedelta(days=9_000))
    save_rule(home, "rule-new", "Sort")
    assert "1 memory would be erased" in said(folder, "memory", "prune", "--dry-run")
    assert "1 memory erased" in said(folder, "memory", "prune")
    assert [one.id for one in home.store.memories("default", type=RULE)] == ["rule-new"]


def test_hygiene_finds_what_is_wrong_and_sets_it_aside(home, folder):
    now = home.turn.clock.now()
    save_rule(home, "twice-1", "Count the clients by id", created_at=now)
    save_rule(home, "twice-2", "Always count clients by the id", created_at=now)
    save_rule(home, "says", "Sort rows by date", created_at=now)
    save_rule(home, "denies", "Never sort rows by date", created_at=now + timedelta(minutes=1))
    broken = {"rule": "Ask back", "applies_when": "mood == 'bad'"}
    save_rule(home, "broken", "Ask back", payload=broken, created_at=now)
    save_rule(home, "fed", "Use the view", created_at=now, provenance={"source": "owner", "episode_ids": ["e1"]})  # fmt: skip
    save_rule(home, "judged", "Use the table", created_at=now, provenance={"source": "owner", "episode_ids": ["e2"]})  # fmt: skip
    for name, rule in (("e1", "fed"), ("e2", "judged")):
        items = (Recalled(kind="memory", item_id=rule, rank=1, score=1, shown=True, chance=0.5),)
        home.store.record_episode(
            example_episode(name, session_id=name), Recollection(episode_id=name, items=items)
        )
    home.store.add_feedback(example_feedback("f2", 1, episode_id="e2"))
    found = {one.lesson_id: one.flaw.value for one in home.reviewing.flaws()}
    assert found == {
        "twice-1": "duplicate",
        "says": "contradicting",
        "fed": "fed back",
        "broken": "condition does not parse",
    }
    later = home.reviewing.hygiene.report(now + timedelta(days=91))
    assert {one.flaw.value for one in later if one.lesson_id == "judged"} == {"stale"}
    assert {one.flaw.value for one in later if one.lesson_id == "twice-2"} == {"never used"}
    home.reviewing.flaws(retire=True)
    shown = {one.id for one in home.store.memories("default", type=RULE) if is_shown(one)}
    assert {"twice-2", "denies", "judged"} <= shown
    assert shown.isdisjoint(found)
    home.editing.undo("twice-1", "default")
    assert is_shown(home.store.memory("default", "twice-1"))


def test_confidence_follows_from_the_log_and_is_the_same_when_derived_again(home):
    proposal = example_proposal("Leave out test orders", "e0")
    home.store.save_memory(example_reflection("e0", proposal))
    asyncio.run(home.night.work())
    (lesson,) = (m for m in home.store.memories("default", type=RULE) if "distilled" in m.tags)
    items = (Recalled(kind="memory", item_id=lesson.id, rank=1, score=1, shown=True, chance=0.5),)
    for number, rating in enumerate((1, -1, -1, -1)):
        name = f"a{number}"
        home.store.record_episode(
            example_episode(name, session_id=name), Recollection(episode_id=name, items=items)
        )
        home.store.add_feedback(example_feedback(f"f{number}", rating, episode_id=name))
    assert home.night.upkeep.believe() == 1
    assert home.store.memory("default", lesson.id).confidence == 0.6
    assert home.night.upkeep.believe() == 0


def test_what_the_owner_pins_is_always_shown_and_stays(home, folder):
    proposal = example_proposal("Round to cents", "e1", source="external")
    home.store.save_memory(example_reflection("e1", proposal))
    said(folder, "learn")
    (waiting,) = json.loads(said(folder, "memory", "list", "--waiting", "--json"))
    waiting = waiting["memory"]
    stranger = [
        "memory",
        "approve",
        waiting["id"],
        "--pin",
        "--rater",
        "eve",
        "--home",
        str(folder),
    ]
    assert "Only the owner approves" in RUNNER.invoke(app, stranger).stderr
    assert "In force, and pinned: " in said(folder, "memory", "approve", waiting["id"], "--pin")
    said(folder, "learn")
    lesson = home.store.memory("default", waiting["id"])
    assert (is_shown(lesson), is_approved(lesson), is_on_trial(lesson)) == (True, True, False)
    assert lesson.confidence == 0.9
    assert "In force: " in said(folder, "memory", "approve", waiting["id"])
    unpinned = home.store.memory("default", waiting["id"])
    assert (PINNED in unpinned.tags, is_on_trial(unpinned)) == (False, False)  # it stays approved
    said(folder, "memory", "approve", waiting["id"], code=2)


def test_only_lessons_are_pinned(home, folder):
    home.store.save_memory(example_reflection("e1"))
    said(folder, "memory", "approve", "reflection-e1", "--pin", code=2)


def test_what_was_imported_from_strangers_waits_for_the_owner(home, folder, tmp_path):
    file = tmp_path / "theirs.jsonl"
    rule = example_memory("rule-theirs", RULE, payload={"rule": "Round to cents"}, tags=("rule",))
    prompt = {"version": "v2", "text": "You are Kai."}
    theirs = example_memory("orchestrator_v2", MemoryType.PROMPT, payload=prompt, tags=("orchestrator", "active"))  # fmt: skip
    file.write_text(f"{export_line(rule)}\n{export_line(theirs)}\n")
    said(folder, "memory", "import", str(file))
    listed = said(folder, "memory", "list", "--waiting")
    assert "rule-theirs" in listed
    assert "orchestrator_v2" in listed
    assert listed.count("people we don't know") == 2
    said(folder, "memory", "approve", "rule-theirs")
    assert "rule-theirs" not in said(folder, "memory", "list", "--waiting")
    assert is_approved(home.store.memory("default", "rule-theirs"))


def test_a_night_does_not_touch_how_far_an_imported_lesson_is_believed(home, folder):
    save_rule(home, "rule-theirs", "Round", confidence=0.85, tags=("rule", "distilled"), provenance={"source": "owner"})  # fmt: skip
    said(folder, "learn")
    assert home.store.memory("default", "rule-theirs").confidence == 0.85


def test_who_said_what_of_which_question_is_told_of_what_waits(home, folder):
    episode = example_episode("e1", session_id="e1", user_id="eve", question="How many visits?")
    home.store.record_episode(episode)
    home.store.add_feedback(
        example_feedback(
            "f1", -1, episode_id="e1", rater="eve", source="external", text="Always round"
        )
    )
    proposal = example_proposal("Round to cents", "e1", source="external")
    home.store.save_memory(example_reflection("e1", proposal))
    said(folder, "learn")
    listed = said(folder, "memory", "list", "--waiting")
    assert "eve (external) asked 'How many visits?', 2026-01-01" in listed
    assert "eve (external) said 'Always round' of 'How many visits?', 2026-01-01" in listed


def test_an_edit_is_the_word_of_whoever_edits_and_is_taken_back(home, folder):
    save_rule(
        home,
        "rule-1",
        "Round to cents",
        provenance=FOUND,
        tags=("rule", "distilled", "candidate"),
    )
    assert home.memories.one("rule-1").state is State.ON_TRIAL
    assert "Only the owner or an expert" in said(folder, "memory", "edit", "rule-1", "X", "--rater", "eve", code=2)  # fmt: skip
    said(folder, "memory", "edit", "rule-1", "Round to euros")
    edited = home.memories.one("rule-1")
    assert (edited.state, edited.memory.summary) == (State.IN_FORCE, "Rule: Round to euros")
    assert edited.memory.provenance.rater == "default"
    assert [one.version for one in edited.versions] == [1, 2]
    said(folder, "memory", "undo", "rule-1")
    assert home.memories.one("rule-1").memory.summary == "Rule: Round to cents"


def test_what_is_more_than_its_words_is_not_edited(home, folder):
    effect = {"kind": "tool_ban", "tool": "web"}
    save_rule(home, "rule-1", "Don't use the web", effect=effect)
    assert "retire it" in said(folder, "memory", "edit", "rule-1", "Use it", code=2)


def test_what_was_forgotten_is_erased_and_comes_back(home, folder):
    save_rule(home, "rule-1", "Round to cents", provenance=FOUND)
    said(folder, "memory", "forget", "rule-1", "--yes")
    shown = json.loads(said(folder, "memory", "show", "rule-1", "--json"))
    assert shown["state"] == "erased"
    said(folder, "memory", "undo", "rule-1")
    assert home.memories.one("rule-1").state is State.ON_TRIAL


def test_lists_say_the_state_and_no_stored_tag(home, folder):
    save_rule(home, "rule-1", "Round to cents", provenance=FOUND, tags=("rule", "quarantined"))
    save_rule(home, "rule-2", "Sort by date", tags=("rule", "trusted", "by-hand"))
    listed = json.loads(said(folder, "memory", "list", "--json"))
    assert {one["id"]: (one["state"], one["tags"]) for one in listed} == {
        "rule-1": ("waiting", ["rule"]),
        "rule-2": ("in force", ["rule"]),
    }
    told = said(folder, "memory", "list") + said(folder, "memory", "show", "rule-1")
    assert "2 memories: 1 in force, 1 waiting." in told
    assert "quarantined" not in told


def test_what_is_long_on_trial_is_called_stuck_and_what_waits_waiting(home):
    save_rule(home, "tried", "Sort rows by date", provenance=FOUND, created_at=NOON)
    save_rule(home, "waits", "Round", tags=("rule", "quarantined"), created_at=NOON)
    items = (Recalled(kind="memory", item_id="tried", rank=1, score=1, shown=True, chance=0.5),)
    late = NOON + timedelta(days=100)
    home.store.record_episode(
        example_episode("e1", created_at=late), Recollection(episode_id="e1", items=items)
    )
    found = {one.lesson_id: one.flaw.value for one in home.reviewing.hygiene.report(late)}
    assert found == {"tried": "stuck", "waits": "waiting"}
    home.reviewing.hygiene.clean(late)
    assert is_shown(home.store.memory("default", "tried"))


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Always round to cents", "Never round to cents"),
        ("Never count test orders", "Always count test orders"),
        ("Revenue includes cancelled orders", "Revenue leaves out cancelled orders"),
        ("Exclude cancelled orders", "Include cancelled orders"),
    ],
)
def test_the_newer_word_of_a_person_retires_the_opposite_rule(home, folder, older, newer):
    save_rule(home, "older", older)
    save_rule(home, "newer", newer, provenance=FOUND)
    save_rule(home, "other", "Sort rows by date")
    said(folder, "memory", "approve", "newer")
    states = {name: home.memories.one(name).state for name in ("older", "newer", "other")}
    assert states == {"older": State.RETIRED, "newer": State.IN_FORCE, "other": State.IN_FORCE}
    assert "newer is newer and says otherwise" in said(
        folder, "memory", "list", "--state", "retired"
    )
    said(folder, "memory", "approve", "older")
    assert home.memories.one("newer").state is State.RETIRED


def test_an_edit_into_the_opposite_retires_what_it_contradicts(home, folder):
    save_rule(home, "older", "Always round to cents")
    save_rule(home, "edited", "Round to euros")
    said(folder, "memory", "edit", "edited", "Never round to cents")
    assert home.memories.one("older").state is State.RETIRED


def test_of_many_flaws_the_first_of_each_are_shown_and_the_rest_counted(home, folder):
    now = datetime.now(UTC) - timedelta(hours=1)
    for number in range(8):
        save_rule(home, f"top-{number}", f"Show the top {number + 2} towns", created_at=now + timedelta(minutes=number))  # fmt: skip
    for number in range(3):
        save_rule(home, f"twice-{number}", "Count the clients by id", created_at=now)
    told = said(folder, "memory", "list", "--flawed", "--limit", "4")
    assert "And more like these: 5 contradicting." in told
    assert told.count(" duplicate ") == told.count(" contradicting ") == 2
    assert "9 lessons at fault" in told
    assert "And more" not in said(folder, "memory", "list", "--flawed")
