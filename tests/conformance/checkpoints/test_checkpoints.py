"""What every place does in which unfinished runs lie."""

import pytest

from oldhand.agent.acting import Checkpoints
from oldhand.errors import RunTakenOver
from oldhand.record.episode import Recalled
from oldhand.record.lesson import Lesson
from oldhand.record.memory import MemoryType
from oldhand.record.step import Action, AgentState, Checkpoint, Observation, ResultRows, Step
from oldhand.record.usage import LedgerEntry, Usage
from oldhand.testing.records import NOON, example_memory

HOSTILE = "a\x00b \x1a \x1a0000 \U0001f600 ' \" \\ %_ ; DROP TABLE runs; -- \u2028 Ω"


def step(number: int, text: str | None = "found", **changes: object) -> Step:
    action = Action(
        id=f"call_{number}_1", tool="look", arguments={"n": number, "deep": [{"a": None}]}
    )
    result = ResultRows(columns=("n", "said"), rows=((number, HOSTILE), (2.5, None)), row_count=2)
    seen = [] if text is None else [Observation(action_id=action.id, text=text, result=result)]
    fields = {"number": number, "actions": (action,), "observations": tuple(seen), **changes}
    return Step.model_validate(fields)


def checkpoint(*steps: Step, run_id: str = "r1", **state: object) -> Checkpoint:
    known = {"run_id": run_id, "query": HOSTILE, "query_idx": 11, "steps": steps, **state}
    return Checkpoint(
        state=AgentState.model_validate(known),
        lessons=(Lesson(memory=example_memory("e1", MemoryType.EXAMPLE), score=0.5, ups=2),),
        instructions={"use_tools": HOSTILE},
        recalled=tuple(
            Recalled(kind="memory", item_id=f"e{n}", rank=n, score=0.5, shown=n > 1, chance=0.5)
            for n in range(1, len(steps) + 2)
        ),
        ledger=(
            LedgerEntry(stage="act", model="gpt-4", usage=Usage(requests=1), seconds=0.5, at=NOON),
        ),
    )


def test_the_suite_runs_over_memory_sqlite_and_postgres(kinds: tuple[str, ...]):
    assert kinds == ("memory", "sqlite", "postgres")


def test_a_run_comes_back_as_it_was_saved(checkpoints: Checkpoints):
    kept = checkpoint(step(1), step(2, issues=("Degrees",)), step(3, None), seconds=2.5)
    checkpoints.begin(kept)
    assert checkpoints.load("r1") == kept


def test_a_run_that_was_not_saved_is_not_there(checkpoints: Checkpoints):
    assert checkpoints.load("r1") is None
    assert checkpoints.unfinished() == ()


def test_a_run_grows_step_by_step(checkpoints: Checkpoints):
    stages = (
        checkpoint(),
        checkpoint(step(1, None)),
        checkpoint(step(1, "found")),
        checkpoint(step(1, "found"), step(2, None)),
        checkpoint(step(1, "found"), step(2, "more"), outcome="answered", answer="Two."),
    )
    checkpoints.begin(stages[0])
    for stage in stages:
        checkpoints.save(stage)
        assert checkpoints.load("r1") == stage


def test_saving_the_same_again_changes_nothing(checkpoints: Checkpoints):
    checkpoints.begin(checkpoint())
    for _ in range(2):
        checkpoints.save(checkpoint(step(1), step(2)))
    assert checkpoints.load("r1") == checkpoint(step(1), step(2))


def test_a_run_that_was_dropped_is_gone_and_others_stay(checkpoints: Checkpoints):
    checkpoints.begin(checkpoint(step(1)))
    checkpoints.begin(checkpoint(step(1, "other"), run_id="r2"))
    checkpoints.drop("r1")
    checkpoints.drop("r1")
    assert checkpoints.load("r1") is None
    assert checkpoints.load("r2") == checkpoint(step(1, "other"), run_id="r2")
    checkpoints.begin(checkpoint())
    assert checkpoints.load("r1") == checkpoint()


def test_who_begins_a_run_anew_finds_nothing_of_the_old_one(checkpoints: Checkpoints):
    for kept in (checkpoint(step(1), step(2)), checkpoint(step(1, "again"))):
        checkpoints.begin(kept)
        assert checkpoints.load("r1") == kept


def test_only_who_took_a_run_up_last_can_change_it(checkpoints: Checkpoints):
    begun = checkpoint(step(1, None))
    checkpoints.begin(begun)
    first, second = checkpoints.take_up("r1"), checkpoints.take_up("r1")
    assert first == begun.model_copy(update={"taken_up": 1})
    assert second == begun.model_copy(update={"taken_up": 2})
    for lost in (begun, first):
        with pytest.raises(RunTakenOver):
            checkpoints.save(lost.model_copy(update={"state": checkpoint(step(1)).state}))
    assert checkpoints.load("r1") == second
    further = second.model_copy(update={"state": checkpoint(step(1)).state})
    checkpoints.save(further)
    assert checkpoints.load("r1") == further


def test_a_run_that_somebody_else_has_ended_does_not_come_back(checkpoints: Checkpoints):
    checkpoints.begin(checkpoint())
    checkpoints.drop("r1")
    assert checkpoints.take_up("r1") is None
    with pytest.raises(RunTakenOver):
        checkpoints.save(checkpoint(step(1)))
    assert checkpoints.load("r1") is None


def test_unfinished_runs_are_listed_the_newest_first(checkpoints: Checkpoints):
    for run_id in ("r1", "r2"):
        checkpoints.begin(checkpoint(run_id=run_id))
    checkpoints.save(checkpoint())
    assert checkpoints.unfinished() == ("r1", "r2")


@pytest.mark.parametrize("text", ["\ud800 alone", "x" * 100_000])
def test_rows_with_any_text_can_be_kept(checkpoints: Checkpoints, text: str):
    result = ResultRows(columns=("a",), rows=((text,),), row_count=1)
    seen = Observation(action_id="call_1_1", text="rows", result=result)
    kept = checkpoint(step(1, observations=(seen,)))
    checkpoints.begin(kept)
    assert checkpoints.load("r1") == kept
