"""When memories are let go of, how far they are believed, and how they are set aside."""

from datetime import timedelta

import pytest

from oldhand.learning.lifecycle.confidence import LessonResults, confidence_of, initial_confidence
from oldhand.learning.lifecycle.pruning import may_be_pruned, should_prune
from oldhand.learning.lifecycle.quarantine import (
    approved,
    reason_of,
    restored,
    retired,
    set_aside,
    superseded,
)
from oldhand.record.effect import ValueMapping
from oldhand.record.feedback import Source
from oldhand.record.lesson import Tally
from oldhand.record.memory import Memory, MemoryType, Provenance
from oldhand.record.stage import (
    BY_HAND,
    State,
    is_approved,
    is_found_out,
    is_shown,
    state_of,
)
from oldhand.testing.records import NOON, example_memory

RULE, EPISODE, BUG = MemoryType.SEMANTIC, MemoryType.EPISODIC, MemoryType.BUG_FIX
FOUND_OUT = Provenance(source=Source.MODEL)
SUPERSEDED = {"rule": "Count by id", "superseded_by": "rule-2"}


@pytest.mark.parametrize(
    ("kind", "changes", "days", "goes"),
    [
        (EPISODE, {"ttl_days": 90, "confidence": 1.0}, 89, False),
        (EPISODE, {"ttl_days": 90, "confidence": 1.0}, 90, False),
        (EPISODE, {"ttl_days": 90, "confidence": 1.0}, 91, True),
        (EPISODE, {"ttl_days": 0, "confidence": 1.0}, 9_999, False),
        (RULE, {"ttl_days": 90, "confidence": 0.9}, 91, False),
        (RULE, {"ttl_days": 90, "confidence": 0.89}, 91, True),
        (MemoryType.PROMPT, {"ttl_days": 1, "confidence": 0.95}, 2, False),
        (MemoryType.CHECKLIST, {"ttl_days": 1, "confidence": 0.95}, 2, False),
        (BUG, {"ttl_days": 1, "confidence": 0.95}, 2, True),
        (RULE, {"confidence": 0.29}, 30, False),
        (RULE, {"confidence": 0.29}, 31, True),
        (RULE, {"confidence": 0.3}, 999, False),
        (RULE, {"confidence": 0.8, "payload": SUPERSEDED, "provenance": FOUND_OUT}, 0, True),
        (RULE, {"confidence": 0.8, "payload": SUPERSEDED}, 0, False),
        (RULE, {"confidence": 0.9, "payload": SUPERSEDED}, 0, False),
        (RULE, {"confidence": 0.1}, -400, False),
    ],
)
def test_pruning_is_that_of_the_lifecycle(kind, changes, days, goes):
    memory = example_memory(kind=kind, **changes)
    assert should_prune(memory, NOON + timedelta(days=days)) is goes


@pytest.mark.parametrize(
    ("kind", "tags", "may"),
    [
        (RULE, ("rule",), True),
        (RULE, ("pinned",), False),
        (MemoryType.PREFERENCE, ("order", "retraction"), False),
        (MemoryType.PREFERENCE, ("night",), False),
        (MemoryType.EXAMPLE, (), False),
        (MemoryType.ISSUE, (), False),
        (EPISODE, (), True),
    ],
)
def test_what_follows_from_feedback_is_not_pruned_by_age(kind, tags, may):
    assert may_be_pruned(example_memory(kind=kind, tags=tags)) is may


def test_a_lesson_that_maps_a_value_lives_as_other_lessons_do_and_a_word_does_not():
    mapped = ValueMapping(
        database="shop", table="orders", column="status", spoken="called off", value="cancelled"
    )
    lesson = example_memory(kind=MemoryType.SEMANTIC, tags=("distilled",), effect=mapped)
    word = example_memory(effect=mapped.alias)
    assert [(is_found_out(one), may_be_pruned(one)) for one in (lesson, word)] == [
        (True, True),
        (False, False),
    ]


@pytest.mark.parametrize(("answers", "confidence"), [(1, 0.8), (2, 0.82), (6, 0.9), (1_000, 0.9)])
def test_a_lesson_begins_between_eight_and_nine_tenths(answers, confidence):
    assert initial_confidence(answers) == confidence


@pytest.mark.parametrize(
    ("votes", "results", "contradicted", "confidence"),
    [
        (Tally(), LessonResults(), False, 0.8),
        (Tally(ups=1), LessonResults(), False, 0.9),
        (Tally(downs=1), LessonResults(), False, 0.7),
        (Tally(ups=50), LessonResults(), False, 1.0),
        (Tally(downs=50), LessonResults(), False, 0.0),
        (Tally(), LessonResults(successes=3), False, 0.83),
        (Tally(), LessonResults(failures=10_000), False, 0.7),
        (Tally(), LessonResults(), True, 0.7),
    ],
)
def test_confidence_follows_votes_and_results_and_stays_in_bounds(
    votes, results, contradicted, confidence
):
    assert confidence_of(0.8, votes, results, contradicted=contradicted) == confidence


def rule(**changes: object) -> Memory:
    return example_memory(kind=RULE, tags=("rule", "candidate"), **changes)


def test_what_is_set_aside_is_not_shown_says_why_and_comes_back():
    aside = set_aside(rule(), "Nobody knows where it comes from.")
    assert not is_shown(aside)
    assert reason_of(aside) == "Nobody knows where it comes from."
    back = restored(aside)
    assert back == rule()
    assert reason_of(back) == "It is the word of ana (owner)."


def test_what_was_superseded_comes_back_without_a_trace():
    assert restored(superseded(rule(), "rule-2", "It is newer.")) == rule()


def test_approval_makes_it_the_word_of_the_owner():
    stranger = rule(provenance={"source": "external", "rater": "eve"})
    assert not is_approved(stranger)
    mine = approved(set_aside(stranger, "A stranger said it."), "ana")
    assert is_shown(mine)
    assert is_approved(mine)
    assert (mine.provenance.source, mine.provenance.rater) == ("owner", "ana")


def test_what_a_person_retires_stays_so_until_it_is_restored():
    refused = retired(rule(), "Ana does not want it.")
    assert (state_of(refused), reason_of(refused)) == (State.RETIRED, "Ana does not want it.")
    assert set(restored(refused).tags) - {BY_HAND} == set(rule().tags)


FOUND, STRANGER = {"source": "execution"}, {"source": "external"}


@pytest.mark.parametrize(
    ("memory", "state", "why"),
    [
        (example_memory(kind=MemoryType.EXAMPLE), "in force", "the word of ana (owner)"),
        (example_memory(kind=MemoryType.EXAMPLE, confidence=0.3), "candidate", "0.30"),
        (example_memory(kind=RULE), "in force", "the word of ana (owner)"),
        (example_memory(kind=RULE, tags=("pinned",)), "in force", "ana (owner) pinned it"),
        (example_memory(kind=RULE, provenance=FOUND), "on trial", "chance"),
        (example_memory(kind=RULE, provenance=FOUND, confidence=0.1), "on trial", "chance"),
        (example_memory(kind=RULE, provenance=FOUND, tags=("trusted",)), "in force", "its trial has shown"),
        (example_memory(kind=RULE, provenance=FOUND, tags=("reviewed",)), "in force", "approved it"),
        (example_memory(kind=RULE, provenance=FOUND, tags=("summary",)), "candidate", "counts"),
        (example_memory(kind=RULE, tags=("prompt_suggestion",)), "candidate", "prompt"),
        (example_memory(kind=RULE, provenance=STRANGER), "waiting", "don't know"),
        (example_memory(kind=RULE, tags=("quarantined", "trusted")), "waiting", "Nobody said"),
        (example_memory(kind=RULE, tags=("retired", "rejected")), "retired", "Nobody said"),
        (example_memory(kind=MemoryType.EPISODIC, provenance=STRANGER), "in force", "on record"),
        (example_memory(kind=MemoryType.PROMPT, tags=("orchestrator", "deprecated")), "retired", "Another"),
        (example_memory(kind=MemoryType.PROMPT, tags=("orchestrator", "candidate")), "on trial", "chance"),
        (example_memory(kind=MemoryType.PROMPT, tags=("active",), provenance=STRANGER), "waiting", "don't know"),
    ],
)  # fmt: skip
def test_each_memory_is_in_one_state_and_says_why(memory: Memory, state: str, why: str):
    assert state_of(memory).value == state
    assert why.casefold() in reason_of(memory).casefold()
