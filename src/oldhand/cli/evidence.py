"""`oldhand evidence`: whether each lesson helps."""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, with_home
from oldhand.cli.screen import one_line
from oldhand.errors import UsageError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.bootstrap import Home
    from oldhand.learning.evidence import Decided, LessonEvidence
    from oldhand.record.memory import Memory
    from oldhand.settings import TrialSettings

EXAMPLES = options.examples("""
oldhand evidence
oldhand evidence rule-3f9c2a --plot rule.svg
oldhand evidence --decide
""")
_UNTRIED = "No answer has come out otherwise with it yet."


@with_home
def evidence(
    opened: "Home",
    lesson: Annotated[
        str | None, Argument(help="Only this lesson: its id, or the first characters.")
    ] = None,
    decide: Annotated[
        bool, Option("--decide", help="Promote and retire now what the night would.")
    ] = False,
    plot: Annotated[
        Path | None, Option("--plot", metavar="FILE", help="Draw it into this SVG file.")
    ] = None,
    limit: options.LimitOption = 50,
) -> CommandResult:
    """Say for each lesson whether answers are better with it or without.

    Questions that people confirmed are answered with it and without; and while nobody stands behind it, it is left out of
    some answers at random. What does harm is retired, and what helps is shown more often, each night.
    """
    from oldhand.cli.evidence_plot import drawn
    from oldhand.sources.databases.files import write_atomically

    if plot is not None:
        _check_plot(plot)
    limits = opened.settings.trial
    chosen = None if lesson is None else opened.memories.one(lesson).memory.id
    decided = opened.trials.decide() if decide else None
    trials = opened.trials
    found = trials.evidence() if chosen is None else (trials.looked_at(chosen),)
    if plot is not None:
        write_atomically(plot, drawn(found[:limit], limits))
    lines = _lines(found, limits, decided, plot, alone=lesson is not None, most=limit)
    if lesson is not None:
        return CommandResult(found, lines)
    idle = _idle(opened, {one.lesson_id for one in found}, limit)
    credit = [one_line(f"Order of passages. {said}")] if (said := opened.passage_care.safeguard()) else []  # fmt: skip
    disagreeing = opened.rules.disagreeing()
    against = (one_line(f"The rule {one.rule!r} {one.why}.") for one in disagreeing)
    return CommandResult((*found, *disagreeing), chain(lines, idle, credit, against, _notes(opened)))  # fmt: skip


def _notes(opened: "Home") -> "Iterator[RenderableType]":
    """That notes of evaluators which models have read are not examined, and why; nothing where there were none."""
    from oldhand.cli.screen import program, some
    from oldhand.store import TallyFilter

    tallies = opened.store.results.tallies(opened.clone_id, TallyFilter())
    shown = [one for one in tallies if one.shown]
    if shown:
        again = sum(one.recurred > 0 for one in shown)
        yield one_line(
            f"Notes of evaluators: models have read {some(len(shown), 'note')}. No exam tries them on confirmed questions, since two answers of a model "
            "for each question would cost more than they tell: each is left out of some runs at random instead, and fades when its error stays away. "
            f"Of these, {again:,} came again in spite of it: {program()} evaluations --recurring"
        )


def _idle(opened: "Home", tried: set[str], most: int) -> "Iterator[RenderableType]":
    """The lessons that no trial says anything of: those that wait, and those that made no difference to any answer yet."""
    from oldhand.cli.evidence_tables import more_than
    from oldhand.cli.memory_care import coming
    from oldhand.cli.screen import make_table, program, some
    from oldhand.learning.lifecycle.quarantine import reason_of
    from oldhand.record.memory import MemoryType
    from oldhand.record.stage import LESSONS, State, is_on_trial, state_of

    known = (one for kind in LESSONS for one in opened.memories.all(kind, None, None, None))
    waiting: list[Memory] = []
    noted: list[Memory] = []
    untried: list[Memory] = []
    words = opened.memories.all(MemoryType.PREFERENCE, None, None, None)
    for one in (*known, *(one for one in words if one.word is not None)):
        if state_of(one) is State.WAITING:
            waiting.append(one)
        elif state_of(one) is State.CANDIDATE:
            noted.append(one)
        elif is_on_trial(one) and one.id not in tried:
            untried.append(one)
    told = [*waiting, *noted, *untried]
    rows = [
        (one.id, state_of(one).value, one_line(one.summary), one_line(reason_of(one)))
        for one in (*waiting, *noted)[:most]
    ]
    rows += [(one.id, "never tried", one_line(one.summary), _UNTRIED) for one in untried]
    if told:
        yield ""
        yield make_table(("id", "state", "lesson", "why"), rows, max_rows=most)
        yield from more_than(told, most)
    yield from coming(opened)
    if left := opened.store.reflections.waiting(opened.clone_id):
        yield f"{some(left, 'answer')} wait{'s' if left == 1 else ''} to be looked back on: {program()} learn does that now, and the night by itself."


def _lines(
    found: "Sequence[LessonEvidence]",
    limits: "TrialSettings",
    decided: "Sequence[Decided] | None",
    plot: Path | None,
    *,
    alone: bool,
    most: int,
) -> "Iterator[RenderableType]":
    from oldhand.cli.evidence_tables import decided_lines, evidence_lines, lesson_lines

    if decided is not None:
        yield from decided_lines(decided)
    if alone and found:
        yield from lesson_lines(found[0], limits)
    else:
        yield from evidence_lines(found, limits, most)
    if plot is not None:
        yield f"Drawn: {plot}"


def _check_plot(plot: Path) -> None:
    if plot.suffix.lower() != ".svg":
        raise UsageError(f"The plot is an SVG file: --plot {plot.with_suffix('.svg')}")
