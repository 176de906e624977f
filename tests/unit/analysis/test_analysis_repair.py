from collections.abc import Sequence

import pytest

from oldhand.agent.analysis.mind import Draft, Failure
from oldhand.agent.analysis.repair import (
    Ending,
    Rejected,
    StatementAttempt,
    Success,
    repair_dialogue,
)
from oldhand.record.answer import FailedAttempt


def talk(
    outcomes: Sequence[str | None], drafts: Sequence[Draft | None], max_attempts: int = 5
) -> tuple[Ending[str], list[StatementAttempt | Failure]]:
    """Carry on a dialogue: `outcomes` are errors, or None where the statement runs."""
    answers, others = iter(outcomes), iter(drafts)
    dialogue = repair_dialogue(Draft(sql="SELECT 0"), max_attempts=max_attempts)
    asked: list[StatementAttempt | Failure] = []
    try:
        request = next(dialogue)
        while True:
            asked.append(request)
            if isinstance(request, Failure):
                request = dialogue.send(next(others))
            else:
                error = next(answers)
                request = dialogue.send(Success("rows") if error is None else Rejected(error))
    except StopIteration as stopped:
        return stopped.value, asked


def drafts(count: int) -> list[Draft]:
    return [Draft(sql=f"SELECT {n}") for n in range(1, count + 1)]


def test_a_statement_that_runs_ends_the_dialogue() -> None:
    ending, asked = talk([None], [])
    assert (ending.rows, ending.attempts, ending.failures) == ("rows", 1, ())
    assert asked == [StatementAttempt(1, Draft(sql="SELECT 0"))]


def test_a_failed_statement_is_answered_with_another() -> None:
    ending, _ = talk(["no such table", None], drafts(1))
    assert ending.draft.sql == "SELECT 1"
    assert ending.attempts == 2
    assert ending.failures == (FailedAttempt(sql="SELECT 0", error="no such table"),)


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_no_more_attempts_are_made_than_allowed(limit: int) -> None:
    ending, asked = talk(["wrong"] * 9, drafts(9), max_attempts=limit)
    assert ending.rows is None
    assert ending.attempts == limit == len(ending.failures)
    assert len([request for request in asked if isinstance(request, StatementAttempt)]) == limit
    assert isinstance(asked[-1], StatementAttempt), "a mind is not asked for what would never run"


def test_the_first_failure_has_no_attempt_before_it() -> None:
    _, asked = talk(["a", None], drafts(1))
    assert asked[1] == Failure(sql="SELECT 0", error="a", attempt_number=1, last_attempt=None)


def test_only_the_last_attempt_is_shown_and_never_the_history() -> None:
    _, asked = talk(["a", "b", "c", None], drafts(3))
    failures = [request for request in asked if isinstance(request, Failure)]
    assert [failure.last_attempt for failure in failures] == [
        None,
        FailedAttempt(sql="SELECT 0", error="a"),
        FailedAttempt(sql="SELECT 1", error="b"),
    ]
    assert [failure.attempt_number for failure in failures] == [1, 2, 3]


def test_a_mind_may_give_up_early() -> None:
    ending, _ = talk(["a", "b"], [*drafts(1), None])
    assert ending.rows is None
    assert ending.attempts == 2
    assert ending.draft.sql == ending.failures[-1].sql == "SELECT 1"


def test_empty_rows_are_rows() -> None:
    dialogue = repair_dialogue(Draft(sql="SELECT 0"))
    next(dialogue)
    with pytest.raises(StopIteration) as stopped:
        dialogue.send(Success(()))
    assert stopped.value.value.rows == ()
