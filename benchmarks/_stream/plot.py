"""The picture: how often answers are right along the stream, and what wrong thumbs do."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks._plot import draw_two
from benchmarks._stream.comparing import Compared
from benchmarks._stream.conditions import (
    FAILURES,
    FLIPS,
    OFF,
    OURS,
    PLACEBO,
    ROLL_BACK,
    Arm,
    Condition,
    Form,
    Manner,
)
from benchmarks._stream.tables import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WINDOW = 0.25
"""Share of the stream that one point of a curve is the mean of: a quarter, the last of which is the last point's."""
POINTS = 61
STYLES: dict[Arm, tuple[str, str]] = {
    OURS: ("#0072B2", "-"),
    ROLL_BACK: ("#56B4E9", "--"),
    OFF: ("#333333", "-"),
    FAILURES: ("#CC79A7", ":"),
    PLACEBO: ("#D55E00", "-."),
}
"""Colours that colour-blind people can tell apart (Okabe and Ito 2008), and dashes for those who see none."""
GAP = 0.05
"""Least distance between two labels, as a share of the height."""


def draw(results: Results, file: Path) -> None:
    """Draw both parts."""
    draw_two(
        file, partial(_along_the_stream, results=results), partial(_wrong_thumbs, results=results)
    )


def _along_the_stream(axes: "Axes", results: Results) -> None:
    ends: dict[Arm, float] = {}
    at = [100 * _middle(step) for step in range(POINTS)]
    for arm, (colour, dashes) in STYLES.items():
        compared = results.of(Condition(arm))
        curves = [_curve(compared, order, results.length) for order in results.orders]
        columns = list(zip(*curves, strict=True))
        middle = [sum(column) / len(column) for column in columns]
        low, high = [min(column) for column in columns], [max(column) for column in columns]
        axes.fill_between(at, low, high, color=colour, alpha=0.13, linewidth=0)
        axes.plot(at, middle, color=colour, linestyle=dashes, linewidth=2)
        ends[arm] = middle[-1]
    bottom, top = axes.get_ylim()
    for arm, height in _spread(ends, GAP * (top - bottom)).items():
        axes.text(at[-1] + 1, height, arm.name, color=STYLES[arm][0], va="center")
    axes.set_xlim(at[0], at[-1])
    axes.set_title(
        "Right answers, gold feedback on every question (mean and range of the orders)", loc="left"
    )
    axes.set_xlabel(
        "place in the stream, % of all questions; each point is the mean of a quarter around it"
    )
    axes.set_ylabel("right, %")


def _middle(step: int) -> float:
    """Where in the stream a point stands: its window lies within the stream."""
    return WINDOW / 2 + (1 - WINDOW) * step / (POINTS - 1)


def _curve(compared: Compared, order: int, length: int) -> list[float]:
    """The share of right answers around each point, in percent."""
    marks = [(m.turn.position / length, m.right) for m in compared.marks if m.turn.order == order]
    near = [[r for at, r in marks if abs(at - _middle(s)) <= WINDOW / 2] for s in range(POINTS)]
    return [100 * sum(rights) / max(len(rights), 1) for rights in near]


def _spread(heights: Mapping[Arm, float], gap: float) -> dict[Arm, float]:
    """Heights for labels, from the lowest up, so that none touches the one below."""
    placed: dict[Arm, float] = {}
    lowest = -inf
    for arm in sorted(heights, key=lambda one: heights[one]):
        placed[arm] = lowest = max(heights[arm], lowest + gap)
    return placed


def _wrong_thumbs(axes: "Axes", results: Results) -> None:
    gains = [results.of(Condition(OURS, Manner(Form.THUMB, flipped=f))).gain() for f in FLIPS]
    at: Sequence[float] = [100 * share for share in FLIPS]
    means = [100 * gain.mean for gain in gains]
    reach = [[100 * (g.mean - g.low) for g in gains], [100 * (g.high - g.mean) for g in gains]]
    axes.axhline(0, color="#444444", linewidth=1)
    axes.errorbar(at, means, yerr=reach, fmt="o-", color=STYLES[OURS][0], linewidth=2, capsize=5)
    axes.set_title("What thumbs bring when some of them are wrong (95 % intervals)", loc="left")
    axes.set_xlabel("thumbs that say the opposite of what is so, %")
    axes.set_ylabel("gain over loop off, points")
    axes.set_xticks(at)
