"""The picture: right answers over time for each arm, and the power of the test."""

from functools import partial
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

from benchmarks._evidence.measured import Measured
from benchmarks._evidence.single import EFFECTS, HARMFUL, NOISES
from benchmarks._evidence.world import DRAWS, EPISODES, OURS
from benchmarks._plot import draw_two

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STYLES = {
    OURS: ("#0072B2", "-"),
    DRAWS: ("#56B4E9", "--"),
    "only what helps (truth known)": ("#009E73", ":"),
    "confidence only": ("#CC79A7", "-."),
    "keep all": ("#D55E00", "--"),
    "keep none": ("#333333", "-"),
}
"""Colours that colour-blind people can tell apart (Okabe and Ito 2008), and dashes for those who see none."""
SHADES = ("#000000", "#0072B2", "#56B4E9", "#E69F00")


def draw(measured: Measured, file: Path) -> None:
    """Draw both parts."""
    draw_two(file, partial(_over_time, measured=measured), partial(_power, measured=measured))


def _over_time(axes: "Axes", measured: Measured) -> None:
    without = [one.along for one in measured.worlds["keep none", HARMFUL.noise]]
    for arm, (colour, dashes) in STYLES.items():
        lived = [one.along for one in measured.worlds[arm, HARMFUL.noise]]
        pairs = zip(lived, without, strict=True)
        curves = [[own - none for own, none in zip(*pair, strict=True)] for pair in pairs]
        points = list(zip(*curves, strict=True))
        at = [EPISODES * (number + 0.5) / len(points) for number in range(len(points))]
        low, high = [100 * min(point) for point in points], [100 * max(point) for point in points]
        axes.fill_between(at, low, high, color=colour, alpha=0.12, linewidth=0)
        middle = [100 * mean(point) for point in points]
        axes.plot(at, middle, color=colour, linestyle=dashes, linewidth=2, label=arm)
    axes.set_title(
        "Gain over no lessons at all, 20 % wrong votes (mean and range of the seeds)", loc="left"
    )
    axes.set_xlabel("episodes")
    axes.set_ylabel("gain in right answers, points")
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))


def _power(axes: "Axes", measured: Measured) -> None:
    at = [100 * effect for effect in EFFECTS]
    for noise, colour in zip(NOISES, SHADES, strict=True):
        found = [measured.power[effect, noise].retired for effect in EFFECTS]
        means = [100 * one.mean for one in found]
        reach = [[100 * (o.mean - o.low) for o in found], [100 * (o.high - o.mean) for o in found]]
        axes.errorbar(
            at,
            means,
            yerr=reach,
            fmt="o-",
            color=colour,
            capsize=4,
            label=f"{100 * noise:.0f} % wrong votes",
        )
    axes.axhline(80, color="#999999", linewidth=1)
    axes.set_title("Harmful lessons retired within 1,000 showings (95 % intervals)", loc="left")
    axes.set_xlabel("true effect on right answers, points")
    axes.set_ylabel("retired, %")
    axes.set_xticks(at)
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
