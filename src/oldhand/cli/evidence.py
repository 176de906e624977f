"""`oldhand evidence`: whether each lesson helps."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from oldhand.cli import options
from oldhand.cli.commands import Told, with_home
from oldhand.errors import UsageError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.bootstrap import Home
    from oldhand.learning.evidence import Decided, LessonEvidence
    from oldhand.settings import TrialSettings

EXAMPLES = options.examples("""
oldhand evidence
oldhand evidence rule-3f9c2a --plot rule.svg
oldhand evidence --decide
""")


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
) -> Told:
    """Say for each lesson whether answers are better with it or without.

    A lesson is left out of some answers at random; the answers with it and without it are compared. What does harm is
    retired, and what helps is shown more often, each night. `oldhand memory undo` takes a lesson back.
    """
    from oldhand.cli.evidence_plot import drawn

    if plot is not None:
        _check_plot(plot)
    limits = opened.settings.trial
    chosen = None if lesson is None else opened.memories.one(lesson).memory.id
    decided = opened.trials.decide() if decide else None
    found = opened.trials.evidence(chosen)
    if plot is not None:
        _write(plot, drawn(found, limits))
    return Told(found, _lines(found, limits, decided, plot, alone=lesson is not None))


def _lines(
    found: "Sequence[LessonEvidence]",
    limits: "TrialSettings",
    decided: "Sequence[Decided] | None",
    plot: Path | None,
    *,
    alone: bool,
) -> "Iterator[RenderableType]":
    from oldhand.cli.evidence_tables import decided_lines, evidence_lines, lesson_lines

    if decided is not None:
        yield from decided_lines(decided)
    if alone and found:
        yield from lesson_lines(found[0], limits)
    else:
        yield from evidence_lines(found, limits)
    if plot is not None:
        yield f"Drawn: {plot}"


def _check_plot(plot: Path) -> None:
    if plot.suffix.lower() != ".svg":
        raise UsageError(f"The plot is an SVG file: --plot {plot.with_suffix('.svg')}")
    if not plot.parent.is_dir():
        raise UsageError(f"There is no folder {plot.parent}.")


def _write(plot: Path, picture: str) -> None:
    try:
        plot.write_text(picture, "utf-8")
    except OSError as error:
        raise UsageError(f"{plot} cannot be written: {error.strerror}.") from error
