"""The repair dialogue: run a statement, and when it fails ask for another, a few times at most.

It is a generator without I/O. It yields `StatementAttempt`s, which somebody runs, and gets back what came of them; and it yields
`Failure`s, which a mind answers with another draft. Only the failed statement and the one before it ever reach the
mind, so that a long dialogue costs no more for each attempt than a short one.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from oldhand.agent.analysis.mind import Draft, Failure
from oldhand.record.answer import FailedAttempt

MAX_ATTEMPTS = 5
"""Statements tried for one step before it is given up."""
_LAST_RESORT = "No other statement ran, so the first one was run as it is. {}"

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
    held_back: bool = False
    """Whether it could have run: the data speaks against it."""


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

    Rows that are odd are told to the mind once; when that leads to nothing better, they are taken. A statement that was held
    back is run when no other one ran.

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
    held_back: Draft | None = None
    for number in range(1, max_attempts + 1):
        reply = yield StatementAttempt(number, draft)
        assert isinstance(reply, Success | Rejected), "an attempt is answered with one of these"
        if isinstance(reply, Success):
            if doubted is not None and reply.doubt:
                break  # the other way brought nothing better
            if not reply.doubt or number == max_attempts:
                return Ending(draft, number, tuple(failures), reply.rows)
            doubted = draft, reply.rows
        held_back = _still_held_back(held_back, draft, reply)
        error = reply.doubt if isinstance(reply, Success) else reply.error
        before = failures[-1] if failures else None
        failures.append(FailedAttempt(sql=draft.sql, error=error))
        if number == max_attempts:
            break
        other = yield Failure(
            sql=draft.sql,
            error=error,
            attempt_number=number,
            last_attempt=before,
            by_rule=isinstance(reply, Success) or reply.held_back,
        )
        if other is None:
            break
        assert isinstance(other, Draft), "a failure is answered with a draft or None"
        if doubted is not None and plain(other.sql) == plain(doubted[0].sql):
            break
        draft = other
    if doubted is not None:
        kept = tuple(one for one in failures if one.sql != doubted[0].sql)
        return Ending(doubted[0], len(failures), kept, doubted[1])
    if held_back is not None:
        last: Dialogue[Rows] = _last_resort(held_back, failures)
        return (yield from last)
    return Ending(draft, len(failures), tuple(failures), None)


def _still_held_back(
    held_back: Draft | None, draft: Draft, reply: Success[Rows] | Rejected
) -> Draft | None:
    """The statement that could have run, until it has had its run."""
    if isinstance(reply, Rejected) and reply.held_back:
        return draft
    ran = held_back is not None and plain(draft.sql) == plain(held_back.sql)
    return None if ran else held_back


def _last_resort(held_back: Draft, failures: Sequence[FailedAttempt]) -> Dialogue[Rows]:
    """Run the statement that was held back, for no other one ran."""
    against = next(one.error for one in failures if one.sql == held_back.sql)
    others = tuple(one for one in failures if one.sql != held_back.sql)
    notes = (*held_back.notes, _LAST_RESORT.format(against))
    draft = held_back.model_copy(update={"notes": notes})
    reply = yield StatementAttempt(len(failures) + 1, draft)
    if isinstance(reply, Success):
        return Ending(draft, len(failures), others, reply.rows)
    assert isinstance(reply, Rejected), "an attempt is answered with one of these"
    failed = FailedAttempt(sql=draft.sql, error=reply.error)
    return Ending(draft, len(failures), (*others, failed), None)


def plain(sql: str) -> str:
    """A statement as it is compared with others: blanks and a last semicolon aside."""
    return " ".join(sql.split()).rstrip("; ")
