"""Charts: numbers as bars or lines, on the terminal or in an image."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from oldhand.cli.screen import make_console, one_line, shown_cell, some
from oldhand.errors import MissingExtra, UsageError
from oldhand.errors.files import written_to
from oldhand.record.charting import drawn_column, is_numeric

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.record.answer import Answer

TERMINAL = "terminal"
_WIDEST, _WIDTH, _HEIGHT = 40, 72, 12
"""Characters of a name, and of a drawing on the terminal."""
_TIME = re.compile(r"\d{4}(?:-(?:\d{2}|Q\d)(?:-\d{2}(?:[ T].*)?)?)?")
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of the eight dots of a Braille letter, four rows of two."""


@dataclass(frozen=True)
class Chart:
    """One number for each of several things."""

    measure: str
    """What the numbers are."""
    points: Sequence[tuple[str, float]]

    @property
    def over_time(self) -> bool:
        """Whether the things are moments, one after the other."""
        names = [name for name, _ in self.points]
        return len(names) > 2 and all(map(_TIME.fullmatch, names)) and names == sorted(set(names))


NOTHING = Chart("", ())


def chart_of(answer: "Answer") -> Chart:
    """The rows of an answer as a chart: the last column of numbers over the first of the others.

    Raises:
        UsageError: there is no number, or nothing else, to draw.
    """
    width = len(answer.columns)
    numeric = [is_numeric(row[place] for row in answer.rows) for place in range(width)]
    value = drawn_column(numeric)
    if value is None or width < 2:
        raise UsageError("There is nothing to draw: a chart needs names or times, and a number.")
    name = next((place for place, is_one in enumerate(numeric) if not is_one), 0)
    columns = answer.columns
    points = [
        (shown_cell(row[name], columns[name]), float(number))
        for row in answer.rows
        if isinstance(number := row[value], int | float)
    ]
    return Chart(columns[value], points)


def drawn(chart: Chart, target: str) -> None:
    """Draw on the terminal, or as `draw_image`, and say so."""
    console = make_console()
    if not chart.points:
        console.print("There is nothing to draw.")
    elif target == TERMINAL:
        console.print(*(_line(chart) if chart.over_time else [_bars(chart)]), sep="\n")
    else:
        draw_image(chart, target)
        kind = "point" if chart.over_time else "bar"
        console.print(f"{some(len(chart.points), kind)} drawn to {one_line(target)}")


def _bars(chart: Chart) -> "RenderableType":
    from rich.bar import Bar
    from rich.table import Table as Grid
    from rich.text import Text

    most = max((abs(number) for _, number in chart.points), default=0.0) or 1.0
    grid = Grid.grid(padding=(0, 1))
    grid.add_column(max_width=_WIDEST, no_wrap=True, overflow="ellipsis")
    grid.add_column(justify="right")
    grid.add_column(width=_WIDTH - _WIDEST)
    for name, number in chart.points:
        bar = Bar(most, 0, abs(number), color="red" if number < 0 else "default")
        grid.add_row(Text(one_line(name)), shown_cell(number), bar)
    return grid


def _line(chart: Chart) -> Iterator[str]:
    """A line in Braille dots, between the highest and the lowest number."""
    numbers = [number for _, number in chart.points]
    low, high = min(numbers), max(numbers)
    wide, tall = 2 * _WIDTH, 4 * _HEIGHT
    letters, before = [[0] * _WIDTH for _ in range(_HEIGHT)], 0
    for x in range(wide):
        at = x / (wide - 1) * (len(numbers) - 1)
        left = min(int(at), len(numbers) - 2)
        number = numbers[left] + (at - left) * (numbers[left + 1] - numbers[left])
        y = round((high - number) / ((high - low) or 1) * (tall - 1))
        for dot in range(min(y, before + 1), max(y, before - 1) + 1) if x else [y]:
            letters[dot // 4][x // 2] |= _DOTS[dot % 4][x % 2]
        before = y
    sides = {0: shown_cell(high), _HEIGHT - 1: shown_cell(low)}
    side = max(map(len, sides.values()))
    yield one_line(chart.measure)
    for row, dots in enumerate(letters):
        yield f"{sides.get(row, ''):>{side}} │" + "".join(chr(0x2800 + bits) for bits in dots)
    first, last = chart.points[0][0], chart.points[-1][0]
    yield f"{'':{side}} └{first}{last:>{_WIDTH - len(first)}}"


def draw_image(chart: Chart, target: str) -> None:
    """Draw into a file, whose ending says which kind of image it is.

    Raises:
        MissingExtra: matplotlib is not installed.
        StoreError: the file cannot be written.
        UsageError: the ending is no kind of image.
    """
    try:
        module = import_module("matplotlib.figure")
    except ImportError as error:
        raise MissingExtra("matplotlib", "plot") from error
    names = [one_line(name, _WIDEST).replace("$", "\\$") for name, _ in chart.points]
    numbers = [number for _, number in chart.points]
    tall = 5.0 if chart.over_time else 1.5 + 0.3 * len(names)
    figure = module.Figure(figsize=(9.0, tall), layout="constrained")
    axes = figure.subplots()
    if chart.over_time:
        axes.plot(range(len(names)), numbers, marker="o")
        every = range(0, len(names), max(len(names) // 8, 1))
        axes.set_xticks(every, [names[place] for place in every])
        axes.set_ylabel(chart.measure)
    else:
        axes.barh([f"{name}{chr(0x200B) * n}" for n, name in enumerate(names)], numbers)
        axes.invert_yaxis()
        axes.set_xlabel(chart.measure)
    try:
        with written_to(Path(target)):
            figure.savefig(target)
    except ValueError as error:  # an ending that is no kind of image
        raise UsageError(f"{one_line(target)}: {one_line(str(error))}") from error
