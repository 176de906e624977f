"""Versions of prompts: which is used, which is tried, and what becomes of them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from random import Random

import pytest

from oldhand.agent.acting import ACTING_PROMPTS
from oldhand.agent.acting.lm_policy import ROLE
from oldhand.errors import ModelUnavailable, UnknownMemory, UsageError
from oldhand.learning.lifecycle.pruning import may_be_pruned
from oldhand.learning.prompts import (
    AGENT_ROLES,
    ANALYSIS_ROLES,
    ROLES,
    PromptShelf,
    draw_prompts,
)
from oldhand.learning.prompts.evolving import Evolving
from oldhand.learning.prompts.versions import instruction_in, slug
from oldhand.learning.regression import Gate
from oldhand.learning.regression.spec import BehaviourSpec
from oldhand.models.templates import shipped_names
from oldhand.record.episode import Recollection
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.route import RouteResponse
from oldhand.settings import PromptSettings
from oldhand.store import Store
from oldhand.testing import FixedClock
from oldhand.testing.records import NOON, example_episode, example_feedback, example_memory

LIMITS = PromptSettings(episodes=20, most_episodes=200, sources=2)
SPEC = BehaviourSpec.model_validate(
    {
        "episode_id": "e1", "created_at": "2026-01-01T00:00:00Z", "failure_type": "too_short",
        "input": {"messages": [{"role": "user", "content": "How many?"}]},
        "expected": {"response_contains": ["customers"]},
    }
)  # fmt: skip


@dataclass
class Lab:
    """A store with versions in it, and people who vote."""

    store: Store
    clock: FixedClock
    evolving: Evolving
    shelf: PromptShelf
    count: int = field(default=0)

    def save(self, *memories: Memory) -> None:
        self.store.save_memories("default", memories)

    def answered(self, *, good: Callable[[str], bool], random: Random) -> str:
        """One answer, with the vote that it gets; gives the version that it was made with."""
        self.count += 1
        self.clock.advance(60)
        drawn = draw_prompts(self.shelf, ANALYSIS_ROLES, random)
        name = f"e{self.count}"
        self.store.record_episode(
            example_episode(name, created_at=self.clock.now(), session_id=name),
            Recollection(episode_id=name, items=drawn.recalled({"plan", "summarise"})),
        )
        used = next(one.version.id for one in drawn.drawn if one.shown)
        vote = example_feedback(
            f"f{self.count}", 1 if good(used) else -1, episode_id=name, rater="ana"
        )
        self.store.add_feedback(vote)
        return used


@pytest.fixture
def lab(sqlite_store_url: str) -> Lab:
    clock = FixedClock()
    store = Store.open(sqlite_store_url, clock=clock)
    shelf = PromptShelf("default", store, LIMITS)
    return Lab(store, clock, Evolving(shelf, clock, gate()), shelf)


def gate(*, breaking: str = "") -> Gate:
    """A gate with one spec, which an instruction of these words breaks."""

    def answer(messages, *, shown=(), hidden=()):
        told = " ".join(one.payload.text for one in shown)
        short = breaking and breaking in told
        return RouteResponse(text="Two." if short else "Two customers.", model_used="scripted")

    return Gate(lambda: [SPEC], answer)


def version(name: str, *, confidence: float = 0.9, tags: tuple[str, ...] = (), **payload: object) -> Memory:  # fmt: skip
    role, _, number = name.partition("_v")
    said = {"version": f"v{number}", "text": f"Text of {name}.", **payload}
    created = NOON - timedelta(days=10) + timedelta(hours=int(number[0]))
    return example_memory(
        name, MemoryType.PROMPT, confidence=confidence, tags=(role, *tags), payload=said,
        created_at=created, user_id="default",
    )  # fmt: skip


def suggestion(text: str = "Be concise.", *, sources: int = 2, **changes: object) -> Memory:
    episodes = tuple(f"episode-{number}" for number in range(sources))
    fields: dict[str, object] = {
        "tags": ("prompt_suggestion", "distilled", "candidate"),
        "payload": {"rule": text},
        "confidence": 0.85,
        "user_id": "default",
        "provenance": {"source": "owner", "episode_ids": episodes},
    }
    return example_memory(f"suggestion-{text}", MemoryType.SEMANTIC, **fields | changes)


def used(lab: Lab, role: str = "orchestrator") -> str | None:
    active = lab.shelf.standing(role).active
    return None if active is None else active.id


def test_roles_are_the_templates_and_one_that_is_in_all_of_them():
    acting = {name for name in shipped_names(ACTING_PROMPTS) if not name.endswith("_in_text")}
    assert set(ROLES) == {"orchestrator", *shipped_names(), *acting}
    assert set(AGENT_ROLES) == {"orchestrator", ROLE}
    assert set(ANALYSIS_ROLES) == {"orchestrator", *shipped_names()}


def test_without_versions_prompts_are_as_they_are_shipped(lab):
    drawn = draw_prompts(lab.shelf, ANALYSIS_ROLES, Random(1))
    assert drawn.recalled({"plan"}) == ()
    assert drawn.instructions.for_role("create_plan") == ""
    assert used(lab) is None


def test_the_version_with_the_highest_confidence_times_success_rate_is_used(lab):
    lab.save(version("orchestrator_v1", confidence=0.6), version("orchestrator_v2", confidence=0.7))
    assert used(lab) == "orchestrator_v2"  # nothing is known: 0.5 for both
    assert lab.answered(good=lambda _: False, random=Random(1)) == "orchestrator_v2"
    assert used(lab) == "orchestrator_v1"


def test_of_equally_good_versions_the_newer_one_is_used(lab):
    lab.save(version("orchestrator_v2"), version("orchestrator_v1"))
    assert used(lab) == "orchestrator_v2"


@pytest.mark.parametrize(
    "changes",
    [
        {"tags": ("deprecated",)},
        {"superseded_by": "orchestrator_v1"},
        {"tags": ("quarantined",)},
        {"tags": ("retired",)},
    ],
)
def test_a_version_that_was_replaced_or_set_aside_is_not_used(lab, changes):
    lab.save(version("orchestrator_v1", confidence=0.1), version("orchestrator_v2", **changes))
    assert used(lab) == "orchestrator_v1"


def test_a_version_that_rests_on_the_words_of_strangers_is_not_used(lab):
    stranger = version("orchestrator_v2").model_copy(
        update={"provenance": example_memory(provenance={"source": "external"}).provenance}
    )
    lab.save(version("orchestrator_v1", confidence=0.1), stranger)
    assert used(lab) == "orchestrator_v1"


def test_a_suggestion_with_enough_sources_becomes_a_version_on_trial(lab):
    lab.save(suggestion(sources=1))
    assert not lab.evolving.evolve().changed
    lab.save(suggestion(sources=2))
    assert lab.evolving.evolve().created == ("orchestrator_v2_concise",)
    first, second = lab.shelf.versions("orchestrator")
    assert (first.id, first.payload.text) == ("orchestrator_v1", "")
    assert second.payload.text == "- Be concise."
    assert second.payload.supersedes == "orchestrator_v1"
    assert used(lab) == "orchestrator_v1"
    assert lab.shelf.standing("orchestrator").candidate == second


def test_a_new_version_is_the_old_text_and_one_instruction_more(lab):
    lab.save(version("orchestrator_v4", text="Be kind."), suggestion(), suggestion("Name units."))
    lab.evolving.evolve()
    new = lab.shelf.standing("orchestrator").candidate
    assert new is not None
    assert new.payload.text.splitlines()[0] == "Be kind."
    assert len(new.payload.text.splitlines()) == 2
    assert new.number == 5


def test_one_test_at_a_time_runs_for_a_role(lab):
    lab.save(suggestion(), suggestion("Name units."))
    assert len(lab.evolving.evolve().created) == 1
    assert lab.evolving.evolve().created == ()


def test_a_suggestion_goes_to_the_role_that_it_names(lab):
    lab.save(suggestion(tags=("prompt_suggestion", "generate_sql", "candidate")))
    assert lab.evolving.evolve().created == ("generate_sql_v2_concise",)


@pytest.mark.parametrize(
    "changes",
    [
        {"tags": ("prompt_suggestion", "quarantined")},
        {"provenance": {"source": "external", "episode_ids": ("a", "b", "c")}},
        {"tags": ("rule",)},
    ],
)
def test_what_is_not_approved_or_no_suggestion_becomes_no_version(lab, changes):
    lab.save(suggestion(**changes))
    assert not lab.evolving.evolve().changed


def test_both_versions_are_drawn_and_both_chances_are_on_record(lab):
    lab.save(suggestion())
    lab.evolving.evolve()
    random = Random(3)
    names = {lab.answered(good=lambda _: True, random=random) for _ in range(20)}
    assert names == {"orchestrator_v1", "orchestrator_v2_concise"}
    recollection = lab.store.recollection("default", "e5")
    assert recollection is not None
    assert [one.kind for one in recollection.items] == ["prompt", "prompt"]
    assert sum(one.chance for one in recollection.items) == pytest.approx(1)
    assert sum(one.shown for one in recollection.items) == 1


def test_the_better_version_is_promoted_and_the_other_one_deprecated(lab):
    lab.save(suggestion())
    lab.evolving.evolve()
    random, users = Random(5), Random(6)
    for _ in range(100):
        lab.answered(good=lambda name: users.random() < (0.95 if "v2" in name else 0.5), random=random)  # fmt: skip
    done = lab.evolving.evolve()
    assert (done.promoted, done.deprecated) == (("orchestrator_v2_concise",), ("orchestrator_v1",))
    assert used(lab) == "orchestrator_v2_concise"
    old, new = lab.shelf.versions("orchestrator")
    assert old.payload.model_extra == {"superseded_by": "orchestrator_v2_concise"}
    assert new.payload.performance_metrics.success_rate > 0.8


def test_a_version_that_does_worse_is_given_up_and_not_tried_again(lab):
    lab.save(suggestion())
    lab.evolving.evolve()
    random, users = Random(5), Random(6)
    for _ in range(60):
        lab.answered(good=lambda name: users.random() < (0.4 if "v2" in name else 0.95), random=random)  # fmt: skip
    done = lab.evolving.evolve()
    assert (done.promoted, done.deprecated) == ((), ("orchestrator_v2_concise",))
    assert used(lab) == "orchestrator_v1"
    assert not lab.evolving.evolve().changed


def test_before_enough_answers_are_judged_nothing_is_decided(lab):
    lab.save(suggestion())
    lab.evolving.evolve()
    for _ in range(19):
        lab.answered(good=lambda name: "v2" in name, random=Random(lab.count))
    assert not lab.evolving.settle().changed


def test_figures_follow_from_the_votes_and_change_with_them(lab):
    lab.save(version("orchestrator_v1"))
    for _ in range(4):
        lab.answered(good=lambda _: True, random=Random(1))
    metrics = lab.shelf.metrics("orchestrator_v1")
    assert (metrics.success_rate, metrics.episodes_used, metrics.positive_feedback) == (1.0, 4, 4)
    later = NOON + timedelta(days=1)
    lab.store.add_feedback(example_feedback("late", -1, episode_id="e1", rater="ana", created_at=later))  # fmt: skip
    metrics = lab.shelf.metrics("orchestrator_v1")
    assert (metrics.success_rate, metrics.negative_feedback) == (0.75, 1)
    lab.evolving.evolve()
    assert lab.shelf.version("orchestrator_v1").payload.performance_metrics == metrics


def test_a_version_whose_prompt_was_not_asked_has_no_answers(lab):
    lab.save(version("generate_sql_v1"), version("create_plan_v1"))
    lab.answered(good=lambda _: True, random=Random(1))  # it planned, and wrote no SQL
    assert lab.shelf.metrics("create_plan_v1").episodes_used == 1
    assert lab.shelf.metrics("generate_sql_v1").episodes_used == 0


def test_a_version_that_breaks_a_spec_is_set_aside_with_the_reason(lab):
    lab.save(suggestion())
    evolving = replace(lab.evolving, gate=gate(breaking="Be concise."))
    assert evolving.evolve().refused == ("orchestrator_v2_concise",)
    held_back = lab.shelf.version("orchestrator_v2_concise")
    assert not held_back.is_usable
    assert "customers" in str(held_back.payload.model_extra)
    assert not evolving.evolve().changed


def test_while_no_model_answers_for_the_gate_nothing_is_tried(lab):
    def answer(messages, *, shown=(), hidden=()):
        raise ModelUnavailable("It sleeps.")

    lab.save(suggestion())
    assert not replace(lab.evolving, gate=Gate(lambda: [SPEC], answer)).evolve().changed
    assert not replace(lab.evolving, gate_reads=False).evolve().changed
    assert lab.evolving.evolve().created


def test_going_back_is_possible_in_both_directions(lab):
    lab.save(
        version("orchestrator_v1", tags=("deprecated",)),
        version("orchestrator_v2", supersedes="orchestrator_v1"),
    )
    lab.evolving.roll_back("orchestrator")
    assert used(lab) == "orchestrator_v1"
    with pytest.raises(UsageError, match="no earlier version"):
        lab.evolving.roll_back("orchestrator")
    lab.evolving.roll_back("orchestrator", "orchestrator_v2")
    assert used(lab) == "orchestrator_v2"
    assert lab.shelf.version("orchestrator_v1").is_deprecated


def test_going_back_while_a_test_runs_ends_the_test(lab):
    lab.save(suggestion())
    lab.evolving.evolve()
    lab.evolving.roll_back("orchestrator")
    assert lab.shelf.standing("orchestrator").candidate is None
    assert used(lab) == "orchestrator_v1"
    assert not lab.evolving.evolve().changed


def test_going_back_names_what_is_wrong(lab):
    lab.save(version("orchestrator_v1"), version("generate_sql_v1"))
    with pytest.raises(UsageError, match="No prompt has the role"):
        lab.evolving.roll_back("poet")
    with pytest.raises(UnknownMemory):
        lab.evolving.roll_back("orchestrator", "orchestrator_v9")
    with pytest.raises(UsageError, match="generate_sql prompt"):
        lab.evolving.roll_back("orchestrator", "generate_sql_v1")


@pytest.mark.parametrize(
    ("said", "instruction"),
    [
        ("Add 'be concise unless asked to elaborate' to system prompt", "Be concise unless asked to elaborate."),
        ("Add \"use concrete examples\" to the system prompt.", "Use concrete examples."),
        ("Emphasize step-by-step explanations\nfor complex topics", "Emphasize step-by-step explanations for complex topics."),
        ("Say why!", "Say why!"),
    ],
)  # fmt: skip
def test_a_suggestion_is_put_as_an_instruction(said, instruction):
    assert instruction_in(said) == instruction


def test_the_name_of_a_version_says_what_it_is_about():
    assert slug("Use concrete examples.") == "concrete"
    assert slug("../../evil") == "evil"
    assert slug("短い") == ""


def test_deprecated_versions_are_archived_not_pruned():
    old = version("orchestrator_v1", confidence=0.2, superseded_by="orchestrator_v2")
    assert not may_be_pruned(old)
