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
    doubt: str = ""
    """What is odd about its rows; empty when nothing is."""


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

    Rows that are odd are told to the mind once; when that leads to nothing better, they are taken.

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
    doubted: tuple[Draft, Rows] | None = None
    for number in range(1, max_attempts + 1):
        reply = yield StatementAttempt(number, draft)
        assert isinstance(reply, Success | Rejected), "an attempt is answered with one of these"
        if isinstance(reply, Success):
            if doubted is not None and reply.doubt:
                break  # the other way brought nothing better
            if not reply.doubt or number == max_attempts:
                return Ending(draft, number, tuple(failures), reply.rows)
            doubted = draft, reply.rows
        error = reply.doubt if isinstance(reply, Success) else reply.error
        last = failures[-1] if failures else None
        failures.append(FailedAttempt(sql=draft.sql, error=error))
        if number == max_attempts:
            break
        other = yield Failure(sql=draft.sql, error=error, attempt_number=number, last_attempt=last)
        if other is None:
            break
        assert isinstance(other, Draft), "a failure is answered with a draft or None"
        if doubted is not None and plain(other.sql) == plain(doubted[0].sql):
            break
        draft = other
    if doubted is not None:
        kept = tuple(one for one in failures if one.sql != doubted[0].sql)
        return Ending(doubted[0], len(failures), kept, doubted[1])
    return Ending(draft, len(failures), tuple(failures), None)


def plain(sql: str) -> str:
    """A statement as it is compared with others: blanks and a last semicolon aside."""
    return " ".join(sql.split()).rstrip("; ")
