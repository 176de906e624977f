"""What the pictures of the benchmarks have in common."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_two(file: Path, upper: "Callable[[Axes], None]", lower: "Callable[[Axes], None]") -> None:
    """Draw two parts below each other into a PNG of 1600 by 1400 pixels, readable at half that size."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(8, 7), dpi=200, layout="constrained")
    FigureCanvasAgg(figure)
    parts = figure.subplots(2, 1, height_ratios=(3, 2))
    for axes, draw in zip(parts, (upper, lower), strict=True):
        draw(axes)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", color="#dddddd", linewidth=0.8)
        axes.set_axisbelow(True)
    figure.savefig(file)
