"""How `oldhand evaluations` shows what it found: as a table, as objects, or as bars."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module

from pydantic import JsonValue

from oldhand.cli.commands import Told
from oldhand.cli.screen import Listing, make_console, one_line, some
from oldhand.errors import MissingExtra, UsageError
from oldhand.record.base import Row
from oldhand.record.evaluation import Evaluation, IssueTally
from oldhand.store.result_store import Total

_WIDEST = 48
_CUT = 90


@dataclass(frozen=True)
class Table:
    """Rows for people, and the same for machines."""

    columns: Sequence[str]
    rows: Sequence[Row]
    objects: Sequence[Mapping[str, JsonValue]]
    bars: Sequence[tuple[str, int]] = ()
    """What can be drawn."""
    measure: str = ""
    """What the bars are."""

    def told(self, nothing: str) -> Told:
        """What is printed: the rows, or `nothing` when there are none."""
        return Told(self.objects, [Listing(self.columns, self.rows, nothing)], one_each=True)


def listed(found: Sequence[Evaluation]) -> Table:
    """Evaluations, newest first."""
    newest = tuple(reversed(found))
    return Table(
        ("when", "evaluator", "model", "task", "question", "valid", "score", "issues", "sql"),
        [_row(one) for one in newest],
        [one.model_dump(mode="json") for one in newest],
    )


def _row(one: Evaluation) -> Row:
    more = f" (+{len(one.issues) - 1})" if len(one.issues) > 1 else ""
    issues = f"{one_line(one.issues[0], _CUT)}{more}" if one.issues else ""
    number = "" if one.query_idx is None else one.query_idx
    valid = {None: "", True: "yes", False: "no"}[one.is_valid]
    score = "" if one.score is None else one.score
    when = one.created_at.strftime("%Y-%m-%d %H:%M")
    return (
        when, one.evaluator_type, one.policy_model, one.task_type, number, valid, score, issues, one_line(one.sql_query or "", _CUT)
    )  # fmt: skip


def issue_table(found: Sequence[IssueTally]) -> Table:
    """Issues with how often they came, and how often in spite of their note."""
    return Table(
        ("times", "again", "shown in", "last seen", "evaluator", "model", "task", "issue"),
        [
            (
                one.count, one.recurred, one.shown, one.last_seen.strftime("%Y-%m-%d"), one.evaluator_type,
                one.policy_model, one.task_type, one_line(one.text, _CUT),
            )
            for one in found
        ],
        [one.model_dump(mode="json") for one in found],
        [(one.text, one.count) for one in found],
        "times",
    )  # fmt: skip


def total_table(by: str, found: Sequence[Total]) -> Table:
    """Numbers of evaluations."""
    return Table(
        (by, "evaluations", "invalid", "mean score"),
        [
            (one.name, one.evaluations, one.invalid, "" if one.score is None else one.score)
            for one in found
        ],
        [
            {by: one.name, **{k: v for k, v in one._asdict().items() if k != "name"}}
            for one in found
        ],
        # Not the invalid ones: many evaluators name issues and leave open whether the step is valid.
        [(one.name, one.evaluations) for one in found],
        "evaluations",
    )


def drawn(table: Table, target: str) -> None:
    """Draw the bars of a table: into an image, or on the terminal.

    Raises:
        MissingExtra: images need matplotlib.
    """
    if not table.bars:
        make_console().print("There is nothing to draw.")
    elif target == "terminal":
        _draw_here(table)
    else:
        _draw_image(table, target)
        make_console().print(f"{some(len(table.bars), 'bar')} drawn to {one_line(target)}")


def _draw_here(table: Table) -> None:
    from rich.bar import Bar
    from rich.table import Table as Grid
    from rich.text import Text

    console = make_console()
    most = max((number for _, number in table.bars), default=0)
    grid = Grid.grid(padding=(0, 1))
    grid.add_column(max_width=_WIDEST, no_wrap=True, overflow="ellipsis")
    grid.add_column(justify="right")
    grid.add_column(width=40)
    for name, number in table.bars:
        grid.add_row(Text(one_line(name)), str(number), Bar(max(most, 1), 0, number))
    console.print(grid)


def _draw_image(table: Table, target: str) -> None:
    try:
        module = import_module("matplotlib.figure")
    except ImportError as error:
        raise MissingExtra("matplotlib", "plot") from error
    figure = module.Figure(figsize=(9.0, 1.5 + 0.3 * len(table.bars)), layout="constrained")
    axes = figure.subplots()
    names = [one_line(name, _WIDEST).replace("$", "\\$") for name, _ in table.bars]
    axes.barh(
        [f"{name}{chr(0x200B) * n}" for n, name in enumerate(names)], [n for _, n in table.bars]
    )
    axes.invert_yaxis()
    axes.set_xlabel(table.measure)
    try:
        figure.savefig(target)
    except ValueError as error:  # an ending that is no kind of image
        raise UsageError(f"{one_line(target)}: {one_line(str(error))}") from error
