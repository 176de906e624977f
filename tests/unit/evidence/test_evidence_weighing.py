"""What follows from the evidence in a store: lessons are promoted, retired, held back, and taken back."""

import logging
from collections.abc import Iterator
from datetime import timedelta
from random import Random

import pytest

from oldhand.learning.evidence import EvidenceDecision, Weighing
from oldhand.learning.recall import Recall
from oldhand.record.episode import Recalled, Recollection
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.stage import Stage, at_stage, stage_of
from oldhand.settings import RecallSettings, TrialSettings
from oldhand.store import Store
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import NOON, example_episode, example_feedback, example_memory

LIMITS = TrialSettings(horizon=100)
"""Great effects are told after few answers."""
ANSWERS = 120


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture
def store(tmp_path, clock) -> Iterator[Store]:
    with Store.open(f"sqlite:///{tmp_path}/oldhand.db", clock=clock) as opened:
        yield opened


def rule(name: str, **changes: object) -> Memory:
    found = {"provenance": {"source": "execution"}, **changes}
    return example_memory(name, MemoryType.SEMANTIC, user_id="default", **found)


def live(store: Store, clock: FixedClock, effects: dict[str, float], *, answers: int = ANSWERS, seed: int = 1) -> None:  # fmt: skip
    """Answers with lessons drawn at random, each judged a minute later; `effects` on a base of one half."""
    random = Random(seed)
    for number in range(answers):
        name = f"e{seed}-{number}"
        shown = {lesson: random.random() < 0.5 for lesson in effects}
        chance = 0.5 + sum(effects[lesson] for lesson in shown if shown[lesson])
        items = tuple(
            Recalled(
                kind="memory", item_id=lesson, rank=rank, score=1, shown=shown[lesson], chance=0.5
            )
            for rank, lesson in enumerate(effects, 1)
        )
        episode = example_episode(name, created_at=clock.now(), session_id=name)
        store.record_episode(episode, Recollection(episode_id=name, items=items))
        clock.advance(60)
        rating = 1 if random.random() < chance else -1
        store.add_feedback(
            example_feedback(f"f-{name}", rating, episode_id=name, created_at=clock.now())
        )


@pytest.fixture
def weighing(store, clock) -> Weighing:
    return Weighing("default", store, LIMITS, clock)


def night(weighing: Weighing) -> dict[str, EvidenceDecision]:
    decided = weighing.weigh()
    weighing.carry_out(decided)
    moved = {one.memory.id: one.evidence.decision for one in decided}
    return {
        name: decision for name, decision in moved.items() if decision is not EvidenceDecision.WAIT
    }


def test_harm_is_retired_and_help_is_promoted_without_anybody_asking(
    store, clock, weighing, caplog
):
    store.save_memories("default", [rule("good"), rule("bad"), rule("idle")])
    live(store, clock, {"good": 0.4, "bad": -0.4, "idle": 0.0})
    with caplog.at_level(logging.INFO):
        assert night(weighing) == {"good": EvidenceDecision.PROMOTE, "bad": EvidenceDecision.RETIRE}
    assert "lesson_retired: bad" in caplog.text
    stages = {name: stage_of(store.memory("default", name)) for name in ("good", "bad", "idle")}
    assert stages == {"good": Stage.TRUSTED, "bad": Stage.RETIRED, "idle": Stage.CANDIDATE}
    assert night(weighing) == {}


def test_a_retirement_holds_its_numbers_and_the_words_stay(store, clock, weighing):
    store.save_memories("default", [rule("bad")])
    live(store, clock, {"bad": -0.5})
    night(weighing)
    memory = store.memory("default", "bad")
    trial = memory.payload.model_extra["trial"]
    assert trial["decided"] == "retire"
    assert trial["effect"]["high"] < 0
    assert trial["judged_shown"] + trial["judged_held_out"] == ANSWERS
    assert abs(trial["standing"]) >= trial["bound"]
    assert memory.payload.model_dump()["rule"] == rule("bad").payload.model_dump()["rule"]
    assert memory.tags == ("money", "retired")


def test_a_retired_lesson_is_recalled_no_more(store, clock, weighing):
    store.save_memories("default", [example_memory("pair", MemoryType.EXAMPLE, user_id="default")])
    recall = Recall.of_store(store, "default", RecallSettings(), clock)  # fmt: skip
    assert [one.id for one in recall.recall("How many clients?")] == ["pair"]
    store.save_memory(at_stage(store.memory("default", "pair"), Stage.RETIRED))
    assert recall.recall("How many clients?") == ()


def test_a_restored_lesson_begins_a_new_trial(store, clock, weighing):
    store.save_memories("default", [rule("bad")])
    live(store, clock, {"bad": -0.5})
    night(weighing)
    clock.advance(60)
    store.save_memory(at_stage(store.memory("default", "bad"), Stage.CANDIDATE))
    assert night(weighing) == {}
    (known,) = weighing.evidence()
    assert (known.shown, known.held_out) == (0, 0)
    live(store, clock, {"bad": -0.5}, seed=2)
    assert night(weighing) == {"bad": EvidenceDecision.RETIRE}


def test_a_lesson_that_says_something_else_begins_a_new_trial(store, clock, weighing):
    store.save_memories("default", [rule("bad")])
    live(store, clock, {"bad": -0.5})
    clock.advance(60)
    better = rule("bad", payload={"rule": "Revenue leaves out cancelled and test orders"})
    store.save_memory(better)
    assert night(weighing) == {}
    assert weighing.evidence()[0].shown == 0


def test_more_evidence_or_confidence_keeps_the_trial(store, clock, weighing):
    store.save_memories("default", [rule("bad")])
    live(store, clock, {"bad": -0.5})
    clock.advance(60)
    payload = rule("bad").payload.model_copy(update={"evidence": ("episode-1",)})
    store.save_memory(rule("bad", confidence=0.85, payload=payload.model_dump()))
    assert night(weighing) == {"bad": EvidenceDecision.RETIRE}


def test_votes_that_are_changed_change_the_evidence(store, clock, weighing):
    store.save_memories("default", [rule("bad")])
    live(store, clock, {"bad": -0.5})
    before = weighing.evidence()[0].effect
    for number in range(ANSWERS):
        vote = example_feedback(f"again-{number}", 1, episode_id=f"e1-{number}", created_at=clock.now())  # fmt: skip
        store.add_feedback(vote)
    after = weighing.evidence()[0]
    assert before.high < 0
    assert abs(after.effect.mean) < 0.02
    assert after.decision is EvidenceDecision.WAIT


def test_answers_without_a_vote_are_counted_but_not_compared(store, clock, weighing):
    store.save_memories("default", [rule("new")])
    items = (Recalled(kind="memory", item_id="new", rank=1, score=1, shown=True, chance=0.5),)
    store.record_episode(example_episode(), Recollection(episode_id="episode-1", items=items))
    (known,) = weighing.evidence()
    assert (known.shown, known.judged_shown, known.effect) == (1, 0, None)


def test_clocks_that_jump_lose_no_trial(store, clock, weighing):
    store.save_memories("default", [rule("bad")])
    live(store, clock, {"bad": -0.5}, answers=60)
    clock.advance(400 * 86_400)
    live(store, clock, {"bad": -0.5}, answers=30, seed=2)
    clock.advance(-400 * 86_400)
    live(store, clock, {"bad": -0.5}, answers=60, seed=3)
    (known,) = weighing.evidence()
    assert known.judged_shown + known.judged_held_out == 150
    assert known.decision is EvidenceDecision.RETIRE


def test_a_lesson_that_breaks_a_spec_is_held_back_and_its_harm_still_retired(store, clock):
    store.save_memories("default", [rule("good"), rule("bad")])
    live(store, clock, {"good": 0.4, "bad": -0.4})
    strict = Weighing("default", store, LIMITS, clock, breaks=lambda _: ["a spec"])
    assert night(strict) == {"bad": EvidenceDecision.RETIRE}
    assert stage_of(store.memory("default", "good")) is Stage.CANDIDATE


def test_a_trusted_lesson_that_turns_harmful_is_retired(store, clock, weighing):
    store.save_memories("default", [rule("bad", tags=("trusted",))])
    live(store, clock, {"bad": -0.5})
    assert night(weighing) == {"bad": EvidenceDecision.RETIRE}


def test_prompts_are_compared_but_left_to_their_own_trial(store, clock, weighing):
    store.save_memories("default", [example_memory("v2", MemoryType.PROMPT, user_id="default")])
    live(store, clock, {"v2": -0.5})
    assert weighing.evidence()[0].decision is EvidenceDecision.RETIRE
    assert night(weighing) == {}


def test_forgotten_and_unknown_lessons_are_left_out(store, clock, weighing):
    store.save_memories("default", [rule("gone")])
    live(store, clock, {"gone": -0.5, "never-there": 0.0}, answers=20)
    store.forget_memory("default", "gone")
    assert weighing.evidence() == ()


def test_other_clones_have_other_evidence(store, clock):
    store.save_memories("default", [rule("bad")])
    live(store, clock, {"bad": -0.5}, answers=20)
    assert Weighing("other", store, LIMITS, clock).evidence() == ()


def test_votes_on_what_people_dislike_only_are_marked(store, clock, weighing):
    store.save_memories("default", [rule("odd")])
    for number in range(200):
        name, shown = f"e{number}", number % 2 == 0
        items = (Recalled(kind="memory", item_id="odd", rank=1, score=1, shown=shown, chance=0.5),)
        moment = NOON + timedelta(minutes=number)
        store.record_episode(
            example_episode(name, created_at=moment, session_id=name),
            Recollection(episode_id=name, items=items),
        )
        if shown or number % 10 == 1:
            store.add_feedback(
                example_feedback(f"f{number}", 1, episode_id=name, created_at=moment)
            )
    assert weighing.evidence()[0].uneven
