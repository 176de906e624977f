"""Who is held out, and how often."""

from random import Random

import pytest

from oldhand.learning.evidence import HoldOut
from oldhand.loop.recalling import Considered
from oldhand.record.effect import Alias
from oldhand.record.lesson import Lesson
from oldhand.record.memory import THUMB, Memory, MemoryType
from oldhand.record.stage import is_on_trial
from oldhand.settings import TrialSettings
from oldhand.testing.records import example_memory

HOLD_OUT = HoldOut(TrialSettings(), Random(7))
ALIAS = Alias(phrase="clients", database="shop", table="customers")


FOUND = {"source": "execution"}
"""Nobody with a say stands behind it."""


def found_out(memory_id: str = "m", kind: MemoryType = MemoryType.SEMANTIC, **changes: object) -> Memory:  # fmt: skip
    return example_memory(memory_id, kind, provenance=FOUND, **changes)


def rejected(memory_id: str) -> Memory:
    payload = {"evaluator_type": THUMB, "issue": "wrong", "question": "How many?"}
    return example_memory(memory_id, MemoryType.ISSUE, payload=payload)


@pytest.mark.parametrize(
    "memory",
    [
        example_memory("confirmed", MemoryType.EXAMPLE),
        example_memory("alias", MemoryType.PREFERENCE, effect=ALIAS),
        example_memory("pinned", MemoryType.SEMANTIC, tags=("rule", "pinned")),
        example_memory("pinned-trusted", MemoryType.SEMANTIC, tags=("pinned", "trusted")),
        example_memory("prompt", MemoryType.PROMPT),
        rejected("rejected"),
        example_memory("owner's", MemoryType.SEMANTIC, provenance={"source": "owner"}),
        example_memory("expert's", MemoryType.CHECKLIST, provenance={"source": "expert"}),
        found_out("approved", tags=("reviewed",)),
    ],
    ids=lambda memory: memory.id,
)
def test_what_people_vouched_for_is_always_shown(memory):
    assert not is_on_trial(memory)
    drawn = [HOLD_OUT.draw([Lesson(memory=memory)])[0] for _ in range(50)]
    assert {(one.shown, one.chance) for one in drawn} == {(True, 1.0)}


@pytest.mark.parametrize(
    "kind",
    [
        MemoryType.SEMANTIC,
        MemoryType.CHECKLIST,
        MemoryType.PREFERENCE,
        MemoryType.BUG_FIX,
        MemoryType.ISSUE,
    ],
)
def test_what_was_found_out_is_shown_by_the_chance_of_its_stage(kind):
    for tags, chance in (((), 0.5), (("candidate",), 0.5), (("trusted",), 0.9)):
        lesson = Lesson(memory=found_out(kind=kind, tags=tags))
        drawn = [HOLD_OUT.draw([lesson])[0] for _ in range(2_000)]
        assert {one.chance for one in drawn} == {chance}
        assert sum(one.shown for one in drawn) / len(drawn) == pytest.approx(chance, abs=0.05)


def test_retired_and_set_aside_lessons_are_not_even_drawn():
    hidden = [
        Lesson(memory=example_memory(tag, MemoryType.SEMANTIC, tags=(tag, "trusted", "pinned")))
        for tag in ("retired", "quarantined")
    ]
    assert HOLD_OUT.draw(hidden) == ()


def test_lessons_of_one_answer_are_drawn_apart_from_each_other():
    lessons = [Lesson(memory=found_out(f"m{n}")) for n in range(2)]
    both = [tuple(one.shown for one in HOLD_OUT.draw(lessons)) for _ in range(4_000)]
    for wanted in ((True, True), (True, False), (False, True), (False, False)):
        assert both.count(wanted) / len(both) == pytest.approx(0.25, abs=0.03)


def test_the_same_seed_draws_the_same():
    lessons = [Lesson(memory=found_out(f"m{n}")) for n in range(30)]
    assert HoldOut(TrialSettings(), Random(3)).draw(lessons) == HoldOut(TrialSettings(), Random(3)).draw(lessons)  # fmt: skip


def test_the_draw_is_what_the_mind_sees_and_what_is_recorded():
    lessons = tuple(Lesson(memory=found_out(f"m{n}")) for n in range(20))
    roomy = lessons[:15]  # the mind has no room for the rest
    considered = Considered(lessons, HOLD_OUT.draw(roomy))
    items = considered.recollection("e1", None).items
    assert [one.item_id for one in items] == [one.id for one in lessons]
    assert [one.item_id for one in items if one.shown] == [one.id for one in considered.shown]
    assert 0 < len(considered.shown) < len(roomy)
    assert {one.chance for one in items[:15]} == {0.5}
    assert {(one.shown, one.chance) for one in items[15:]} == {(False, 1.0)}, (
        "no trial: chance did not decide"
    )
