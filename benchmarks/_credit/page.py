"""What the simulated votes came to, as a page with its picture."""

from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean, stdev
from typing import TYPE_CHECKING

from benchmarks._credit.collections import NAMES
from benchmarks._credit.matrix import RULES, STREAMS, Matrix
from benchmarks._plot import draw_two

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STUDENT = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78}
"""By the number of orders, for 95 %."""
_USUAL, _COSINE = next(iter(STREAMS)), "cosine alone"
_HEAD = (
    "| stream | rule | nobody rated: nDCG, change, S@5 | repeated: nDCG / MRR / S@5, change of S@5 | paraphrased: nDCG / MRR / S@5 |"
    " as often as asked, popular, rare: S@5 | while learning: S@5 |\n|---|---|---|---|---|---|---|"
)
_STUDY = {
    "cosine alone none": ".489 / .680 | .513 / .553 / .713 | .480 / .539 / .679 | .706",
    "cosine alone ema": ".455 / .645 | .493 / .525 / .719 | .459 / .498 / .681 | .724",
    "cosine alone intents": ".456 / .650 | .495 / .526 / .728 | .456 / .499 / .666 | .732",
    "cosine alone nearest": ".484 / .676 | .522 / .568 / .772 | .484 / .545 / .698 | .758",
    "cosine alone kernel": ".492 / .686 | .548 / .592 / .820 | .489 / .546 / .714 | .808",
    f"{_USUAL} none": ".542 / .745 | .562 / .611 / .766 | .518 / .569 / .724 | .766",
    f"{_USUAL} ema": ".522 / .728 | .554 / .600 / .776 | .513 / .564 / .733 | .785",
    f"{_USUAL} kernel": ".543 / .745 | .593 / .645 / .858 | .528 / .580 / .757 | .855",
    "cited kernel": ".545 / .751 | .639 / .746 / .858 | .548 / .627 / .766 | .850",
}
"""What an earlier study of eight collections has found, by stream and rule."""


def rows(matrix: Matrix) -> Iterator[str]:
    """The table of all streams and rules."""
    yield _HEAD
    for stream in STREAMS:
        for rule in RULES:
            if matrix.values(stream, rule, "learning"):
                yield _row(matrix, stream, rule)


def _row(matrix: Matrix, stream: str, rule: str) -> str:
    def cell(number: str) -> str:
        return _middle(matrix, stream, rule, number)

    def three(part: str) -> str:
        return " / ".join(cell(f"{part}.{name}") for name in ("ndcg", "mrr", "s5"))

    parts = (
        stream,
        rule,
        f"{cell('held_out.ndcg')}, {change(matrix, stream, rule)}, {cell('held_out.s5')}",
        f"{three('repeated')}, {change(matrix, stream, rule, number='repeated.s5')}",
        three("paraphrased"),
        ", ".join(cell(f"{part}.s5") for part in ("again", "popular", "rare")),
        cell("learning"),
    )
    return f"| {' | '.join(parts)} |"


def change(
    matrix: Matrix, stream: str, rule: str, name: str = "", number: str = "held_out.ndcg"
) -> str:
    """What a rule changes against none, order by order; else for questions that nobody rated."""
    if rule == "none":
        return "0"
    both = (matrix.values(stream, one, number, name) for one in (rule, "none"))
    return with_interval([one - other for one, other in zip(*both, strict=False)], signed=True)


def _middle(matrix: Matrix, stream: str, rule: str, number: str) -> str:
    found = matrix.values(stream, rule, number)
    return f"{mean(found):.3f}"[1:] if found else "-"


def with_interval(values: "list[float] | tuple[float, ...]", *, signed: bool = False) -> str:
    """The mean over the orders, with 95 % by Student's t.

    >>> with_interval([0.5, 0.52, 0.51]), with_interval([0.5])
    ('.510 ± .025', '.500')
    """
    if not values:
        return "-"
    middle, half = mean(values), 0.0
    if len(values) in _STUDENT:
        half = _STUDENT[len(values)] * stdev(values) / len(values) ** 0.5
    said = f"{middle:+.3f}" if signed else f"{middle:.3f}"
    return (said + (f" ± {half:.3f}" if half else "")).replace("0.", ".")


def by_collection(matrix: Matrix) -> Iterator[str]:
    """What each rule changes on each collection."""
    yield "| rule | " + " | ".join(f"{one}: nobody rated, repeated S@5" for one in NAMES) + " |"
    yield "|---|" + "---|" * len(NAMES)
    for rule in RULES:
        found = []
        for name in NAMES:
            repeated = with_interval(matrix.values(_USUAL, rule, "repeated.s5", name))
            found.append(f"{change(matrix, _USUAL, rule, name)}, {repeated}")
        yield f"| {rule} | {' | '.join(found)} |"


def beside_the_study(matrix: Matrix) -> Iterator[str]:
    """Our numbers below those of the study."""
    yield "| search, rule | | nobody rated: nDCG / S@5 | repeated: nDCG / MRR / S@5 | paraphrased: nDCG / MRR / S@5 | while learning |"
    yield "|---|---|---|---|---|---|"
    for key, found in _STUDY.items():
        stream, _, rule = key.rpartition(" ")
        title = f"{'hybrid' if stream == _USUAL else stream}, {rule}"
        ours = _plain(matrix, stream, rule)
        yield f"| {title} | study | {found} |"
        yield f"| | here | {ours} |"


def _plain(matrix: Matrix, stream: str, rule: str) -> str:
    def said(*names: str) -> str:
        return " / ".join(_middle(matrix, stream, rule, one) for one in names)

    def three(part: str) -> str:
        return said(*(f"{part}.{name}" for name in ("ndcg", "mrr", "s5")))

    return " | ".join((
        said("held_out.ndcg", "held_out.s5"),
        three("repeated"),
        three("paraphrased"),
        said("learning"),
    ))  # fmt: skip


def draw(matrix: Matrix, file: Path) -> None:
    """How much comes of how many votes, and what it costs questions that nobody rated."""
    draw_two(file, _growing(matrix), _harming(matrix))


def _growing(matrix: Matrix) -> "Callable[[Axes], None]":
    streams = {STREAMS[one].signals: one for one in (_USUAL, *STREAMS) if one.endswith("votes") or one == _USUAL}  # fmt: skip

    def on(axes: "Axes") -> None:
        for part, color in (("repeated", "#1f6f8b"), ("paraphrased", "#c8553d")):
            for rule, style in (("kernel", "-o"), ("none", "--")):
                there = [
                    (votes, mean(found))
                    for votes, one in sorted(streams.items())
                    if (found := matrix.values(one, rule, f"{part}.s5"))
                ]
                if there:
                    axes.plot(*zip(*there, strict=True), style, color=color, label=f"{part}, {rule}")  # fmt: skip
        axes.set_xscale("log")
        axes.set_xticks(sorted(streams), [f"{one:,}" for one in sorted(streams)])
        axes.minorticks_off()
        axes.set_xlabel("votes")
        axes.set_ylabel("success@5")
        axes.legend(frameon=False)

    return on


def _harming(matrix: Matrix) -> "Callable[[Axes], None]":
    def on(axes: "Axes") -> None:
        for at, rule in enumerate(one for one in RULES if one != "none"):
            for step, stream in enumerate((_USUAL, _COSINE)):
                both = (matrix.values(stream, one, "held_out.ndcg") for one in (rule, "none"))
                lost = [one - other for one, other in zip(*both, strict=False)]
                if lost:
                    label = ("hybrid", "cosine")[step] if at == 0 else None
                    axes.bar(at + 0.38 * step, mean(lost), 0.36, color=("#1f6f8b", "#9bbfcc")[step], label=label)  # fmt: skip
        names = [one for one in RULES if one != "none"]
        axes.set_xticks([at + 0.19 for at in range(len(names))], names)
        axes.axhline(0, color="black", linewidth=0.8)
        axes.set_ylabel("nDCG@10 of questions\nnobody rated, against none")
        axes.legend(frameon=False)

    return on
