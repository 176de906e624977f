"""`oldhand evidence`: whether each lesson helps."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from oldhand.cli import options
from oldhand.cli.opening import opened_home
from oldhand.cli.screen import make_console, print_json
from oldhand.errors import UsageError

EXAMPLES = options.examples("""
oldhand evidence
oldhand evidence rule-3f9c2a --plot rule.svg
oldhand evidence --decide
""")


def evidence(
    lesson: Annotated[
        str | None, Argument(help="Only this lesson: its id, or the first characters.")
    ] = None,
    *,
    decide: Annotated[
        bool, Option("--decide", help="Promote and retire now what the night would.")
    ] = False,
    plot: Annotated[
        Path | None, Option("--plot", metavar="FILE", help="Draw it into this SVG file.")
    ] = None,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Say for each lesson whether answers are better with it or without.

    A lesson is left out of some answers at random; the answers with it and without it are compared. What does harm is
    retired, and what helps is shown more often, each night. `oldhand memory restore` takes a lesson back.
    """
    from oldhand.cli.evidence_plot import drawn
    from oldhand.cli.evidence_tables import decided_lines, evidence_lines, lesson_lines

    if plot is not None:
        _check_plot(plot)
    with opened_home(home, store=store) as opened:
        limits = opened.settings.trial
        chosen = None if lesson is None else opened.memories.one(lesson).memory.id
        decided = opened.trials.decide() if decide else ()
        found = opened.trials.evidence(chosen)
    if plot is not None:
        _write(plot, drawn(found, limits))
    if as_json:
        print_json(found)
        return
    console = make_console()
    if decide:
        console.print(*decided_lines(decided), sep="\n")
    if lesson is not None and found:
        console.print(*lesson_lines(found[0], limits), sep="\n")
    else:
        console.print(*evidence_lines(console, found, limits), sep="\n")
    if plot is not None:
        console.print(f"Drawn: {plot}")


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
