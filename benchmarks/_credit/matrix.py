"""All that is simulated, in pieces that are kept, so that a run goes on where another was broken off."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from benchmarks._credit.collections import NAMES, Collection, read
from benchmarks._credit.simulating import Outcome, Stream, run
from oldhand.learning.credit import events, evidence, kernel, lexical, scores
from oldhand.learning.credit.events import CreditRule, NoRule
from oldhand.learning.credit.kernel import KernelRule
from oldhand.learning.credit.scores import IntentScores, NearestVotes, PassageScores
from oldhand.settings.documents import KernelSettings, ScoreSettings

RULES: Mapping[str, Callable[[], CreditRule]] = {
    "none": NoRule,
    "ema": lambda: PassageScores(ScoreSettings()),
    "intents": lambda: IntentScores(ScoreSettings()),
    "nearest": lambda: NearestVotes(ScoreSettings()),
    "kernel": lambda: KernelRule(KernelSettings()),
}
STREAMS: Mapping[str, Stream] = {
    "2,500 votes, 10 % noise": Stream(),
    "cosine alone": Stream(hybrid=False),
    "no noise": Stream(noise=0.0),
    "20 % noise": Stream(noise=0.2),
    "cited": Stream(cites=True),
    "50 votes": Stream(signals=50),
    "200 votes": Stream(signals=200),
    "500 votes": Stream(signals=500),
    "1,000 votes": Stream(signals=1_000),
    "500 votes, 10 % rated": Stream(signals=500, rated=0.1),
    "100 answers late": Stream(late=100),
    "a tenth revised": Stream(signals=1_000, revised=0.1),
}
"""The first is the usual one; the others differ in what they are called after."""
_ALL_RULES = ("2,500 votes, 10 % noise", "cosine alone", "no noise", "20 % noise", "cited")
_SOURCES = (events, evidence, kernel, lexical, scores)
Cell = tuple[str, str, str, int]
"""Stream, rule, collection, order."""


@dataclass
class Matrix:
    """What came of each cell, by the name of each number."""

    file: Path
    found: dict[Cell, Mapping[str, float]] = field(default_factory=dict)

    def read(self) -> None:
        """Take up what was kept by the same code."""
        for line in self.file.read_text("utf-8").splitlines() if self.file.exists() else ():
            one = json.loads(line)
            if one["code"] == code():
                self.found[tuple(one["cell"])] = one["numbers"]

    def add(self, cell: Cell, numbers: Mapping[str, float]) -> None:
        """Keep one."""
        self.found[cell] = numbers
        with self.file.open("a", encoding="utf-8") as kept:
            kept.write(json.dumps({"code": code(), "cell": cell, "numbers": numbers}) + "\n")

    def values(self, stream: str, rule: str, number: str, name: str = "") -> Sequence[float]:
        """A number, for each order: that of a collection, or the mean of all."""
        names = (name,) if name else NAMES
        orders = sorted({cell[3] for cell in self.found if cell[:2] == (stream, rule)})
        cells = [[self.found.get((stream, rule, one, order)) for one in names] for order in orders]
        whole = [[one[number] for one in row if one] for row in cells if all(row)]
        return [sum(row) / len(row) for row in whole]


def cells(orders: Sequence[int], *, quick: bool) -> Iterator[Cell]:
    """All that is to be done, order by order, so that what is there first says most."""
    for order in orders:
        for stream in list(STREAMS)[:1] if quick else STREAMS:
            for rule in RULES if stream in _ALL_RULES else ("none", "kernel"):
                yield from ((stream, rule, name, order) for name in NAMES)


def work(matrix: Matrix, data: Path, todo: Sequence[Cell]) -> bool:
    """Do what is not there yet; False without the model."""
    collections: dict[str, Collection] = {}
    for cell in todo:
        stream, rule, name, order = cell
        if cell in matrix.found:
            continue
        if name not in collections:
            found = read(data / "ir", name)
            if found is None:
                return False
            collections[name] = found
        matrix.add(cell, numbers(run(collections[name], RULES[rule], STREAMS[stream], order)))
    return True


def numbers(outcome: Outcome) -> Mapping[str, float]:
    """What is kept of a stream."""
    found = {"learning": outcome.learning}
    for part in ("held_out", "repeated", "again", "paraphrased", "popular", "rare"):
        for name, value in zip(("ndcg", "mrr", "s5"), getattr(outcome, part).means, strict=True):
            found[f"{part}.{name}"] = value
    return found


def code() -> str:
    """Another one when what is measured, or how, has changed."""
    here = sorted(Path(__file__).parent.glob("*.py"))
    files = [*here, *(Path(one.__file__ or "") for one in _SOURCES)]
    skipped = {"page.py", "matrix.py"}
    texts = (one.read_bytes() for one in files if one.name not in skipped)
    return sha256(b"".join(texts)).hexdigest()[:12]
