"""The repair dialogue: run a statement, and when it fails ask for another, a few times at most.

It is a generator without I/O. It yields `StatementAttempt`s, which somebody runs, and gets back what came of them; and it yields
`Failure`s, which a mind answers with another draft. Only the failed statement and the one before it ever reach the
mind, so that a long dialogue costs no more for each attempt than a short one.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Generic, TypeVar

from oldhand.agent.analysis.mind import Draft, Failure
from oldhand.record.answer import FailedAttempt

MAX_ATTEMPTS = 5
"""Statements tried for one step before it is given up."""

Rows = TypeVar("Rows")


@dataclass(frozen=True)
class StatementAttempt:
    """A statement that is to be run now."""

    number: int
    draft: Draft


@dataclass(frozen=True)
class Success(Generic[Rows]):
    """The statement ran."""

    rows: Rows


@dataclass(frozen=True)
class Rejected:
    """The statement did not run; `error` says why, in words that help to mend it."""

    error: str


@dataclass(frozen=True)
class Ending(Generic[Rows]):
    """How the dialogue ended."""

    draft: Draft
    """The statement that ran, or the last one tried."""
    attempts: int
    failures: tuple[FailedAttempt, ...]
    """Every statement that did not run, oldest first; with `draft` as the last when `rows` is None."""
    rows: Rows | None
    """What the statement brought; None when none ran."""


Reply = Success[Rows] | Rejected | Draft | None
"""To an `StatementAttempt`: what came of it. To a `Failure`: another draft, or None for giving up."""

Dialogue = Generator[StatementAttempt | Failure, Reply[Rows], Ending[Rows]]


def repair_dialogue(draft: Draft, *, max_attempts: int = MAX_ATTEMPTS) -> Dialogue[Rows]:
    """Try `draft`, then what the mind makes of each error, until one runs or the attempts are used up.

    >>> dialogue = repair_dialogue(Draft(sql="SELECT nam FROM users"))
    >>> next(dialogue).number
    1
    >>> dialogue.send(Rejected("no such column: nam")).error
    'no such column: nam'
    >>> dialogue.send(Draft(sql="SELECT name FROM users")).number
    2
    >>> try:
    ...     dialogue.send(Success("the rows"))
    ... except StopIteration as stopped:
    ...     ending = stopped.value
    >>> ending.attempts, ending.rows, len(ending.failures)
    (2, 'the rows', 1)
    """
    failures: list[FailedAttempt] = []
    for number in range(1, max_attempts + 1):
        reply = yield StatementAttempt(number, draft)
        if isinstance(reply, Success):
            return Ending(draft, number, tuple(failures), reply.rows)
        assert isinstance(reply, Rejected), "an attempt is answered with Success or Rejected"
        last = failures[-1] if failures else None
        failures.append(FailedAttempt(sql=draft.sql, error=reply.error))
        if number == max_attempts:
            break
        other = yield Failure(
            sql=draft.sql, error=reply.error, attempt_number=number, last_attempt=last
        )
        if other is None:
            break
        assert isinstance(other, Draft), "a failure is answered with a draft or None"
        draft = other
    return Ending(draft, len(failures), tuple(failures), None)
