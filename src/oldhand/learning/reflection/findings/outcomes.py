"""How the answer came out: at once or late, with rows or without, cheap or dear."""

from collections.abc import Iterator

from oldhand.learning.reflection.findings.finding import Finding
from oldhand.learning.reflection.reflector import Reflected
from oldhand.models.quoting import one_line
from oldhand.record.answer import ASKING_BACK, Outcome
from oldhand.record.feedback import Source
from oldhand.settings import ReflectionSettings

_CHARS = 300


def went_well(reflected: Reflected, _: ReflectionSettings) -> Iterator[Finding]:
    """What may stay as it is."""
    answer = reflected.episode.answer
    if reflected.is_disliked or answer.outcome is not Outcome.ANSWERED:
        return
    if reflected.is_liked:
        yield Finding(went_well="People say that the answer was right.")
    if answer.steps and all(step.attempts == 1 and step.succeeded for step in answer.steps):
        yield Finding(went_well=f"Answered at the first attempt, in {answer.seconds:.1f} s.")


def no_answer(reflected: Reflected, _: ReflectionSettings) -> Iterator[Finding]:
    """There was none, although somebody wanted one."""
    answer = reflected.episode.answer
    if answer.outcome is Outcome.FAILED:
        failed = [step for step in answer.steps if step.failures and not step.succeeded]
        said = failed[-1].failures[-1].error if failed else answer.text
        error = one_line(said, _CHARS)
        yield Finding(
            improvement="There was no answer: every attempt failed."
            if failed
            else "There was no answer.",
            root_cause=error,
        )
    elif answer.outcome is not Outcome.ANSWERED and reflected.is_disliked:
        done = "asked back" if answer.outcome in ASKING_BACK else "gave no answer"
        yield Finding(improvement=f"It {done} where an answer was expected.")


def empty(reflected: Reflected, _: ReflectionSettings) -> Iterator[Finding]:
    """The last query found no rows."""
    answer = reflected.episode.answer
    done = [step for step in answer.steps if step.succeeded]
    if answer.outcome is not Outcome.ANSWERED or not done or done[-1].row_count:
        return
    if reflected.is_liked:
        return
    step = "When a filter finds no rows, look at how its column writes the values before answering."
    database = done[-1].database
    proposal = reflected.proposal("checklist", step, Source.EXECUTION, database)
    yield Finding(
        improvement=f"The query on {database} found no rows.",
        proposals=(proposal,) if reflected.is_disliked else (),
    )


def dear(reflected: Reflected, limits: ReflectionSettings) -> Iterator[Finding]:
    """It took long, or cost much."""
    answer = reflected.episode.answer
    if answer.seconds > limits.slow_seconds:
        slowest = max(answer.steps, key=lambda step: step.seconds, default=None)
        where = (
            f", {slowest.seconds:.1f} s of them in a query on {slowest.database}"
            if slowest is not None and slowest.seconds > answer.seconds / 2
            else ""
        )
        yield Finding(improvement=f"It took {answer.seconds:.1f} s{where}.")
    if answer.usage.cost > limits.dear_dollars:
        calls = answer.usage.requests
        yield Finding(
            improvement=f"It cost ${answer.usage.cost:.2f}, with {calls} calls of a model."
        )


def refused(reflected: Reflected, _: ReflectionSettings) -> Iterator[Finding]:
    """Statements were tried that do more than read."""
    tried = sum(step.refused for step in reflected.episode.answer.steps)
    if not tried:
        return
    yield Finding(
        improvement=f"It tried {tried} statement{'s' if tried > 1 else ''} that do more than read.",
        root_cause="The mind wrote statements that change data, which the guard refuses.",
        proposals=(
            reflected.proposal(
                "checklist",
                "Write statements that only read: all others are refused and cost an attempt.",
                Source.EXECUTION,
                "sql",
            ),
        ),
    )
