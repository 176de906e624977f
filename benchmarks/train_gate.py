"""Trains the gate that decides between memory and rules, on streams over Spider's training questions only.

python -m benchmarks.train_gate --data DIR [--every 3] [--held-out] [--write]

The questions of a database are asked in a random order; what is said to each answer is remembered and recalled for
the next ones. Some streams get the right SQL to every question, some to a few, some only thumbs of which a part is
flipped, so that the gate learns when not to trust. A query of the pool is right when its rows are those of the gold
query. The weights maximise the share of the belief that falls on right queries (softmax over the pool of a question);
a logistic model over signals of the chosen query then turns them into a chance to be right. `--held-out` leaves out
a third of the databases and reports on them.
"""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from benchmarks._data import text2sql
from benchmarks._gate_streams import MANNERS, Asked, asked
from benchmarks._spider_data import Question, SpiderDatabase, load
from benchmarks.train_ranker import is_held_out
from oldhand.agent.analyst import precedents
from oldhand.agent.analyst.candidates.ranking import Weights, chance, score, shares
from oldhand.agent.analyst.precedents.gate import signals_of, trained

TODAY = date(2024, 6, 1)
EPOCHS = 25
RATE = 0.1
PULL = 1e-3
"""How strongly weights are pulled towards zero, for each question."""

UNSEEN = 4.0
"""How much a question counts whose SQL was not asked for before, against 1: memory must not spoil what is new."""
BY_HAND = {"rule.slot_unmet": -2.0, "rule.unknown": -1.0}
"""Weights set by hand and kept: accuracy counts answers that would be refused for a word that nobody knows, or for a value that is left out."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Model:
    """Weights by name."""

    weights: dict[str, float]

    def best(self, one: Asked) -> int:
        """The place of the query that is chosen."""
        scores = [score(features, self.weights) for features in one.features]
        return scores.index(max(scores))

    def is_right(self, one: Asked) -> bool:
        """Whether the chosen query is right."""
        return bool(one.features) and one.right[self.best(one)]


def collect(data: Path, every: int) -> Iterator[Asked]:
    """All streams over every n-th database."""
    questions, databases = load(data)
    for name in sorted(databases)[::every]:
        own = [question for question in questions if question.database == name]
        yield from streams(own, databases[name])


def streams(questions: Sequence[Question], database: SpiderDatabase) -> Iterator[Asked]:
    """The questions of one database in each manner of feedback."""
    for manner in MANNERS:
        order = Random(f"{database.name}/{manner.name}")
        mixed = order.sample(list(questions), len(questions))
        yield from asked(mixed, database, manner, order, TODAY)


def train(examples: Iterable[Asked]) -> Model:
    """Weights that put the belief on right queries: the mean of the later epochs of Adagrad."""
    usable = [one for one in examples if any(one.right) and not all(one.right)]
    names = sorted({name for one in usable for features in one.features for name in features})
    places = {name: place for place, name in enumerate(names)}
    made = [(_matrix(one, places), np.array(one.right), _weight(one)) for one in usable]
    weights = np.array([BY_HAND.get(name, 0.0) for name in names])
    learned = np.array([name not in BY_HAND for name in names], float)
    mean, squares = np.zeros(len(names)), np.full(len(names), 1e-3)
    order = Random(0)
    for epoch in range(EPOCHS):
        order.shuffle(made)
        for matrix, right, weight in made:
            slope = learned * (weight * _slope(matrix, right, weights) + PULL * weights)
            squares += slope * slope
            weights -= RATE * slope / np.sqrt(squares)
        if epoch >= EPOCHS // 2:
            mean += weights / (EPOCHS - EPOCHS // 2)
    return Model({name: round(float(mean[places[name]]), 4) for name in names})


def _weight(one: Asked) -> float:
    return 1.0 if one.seen else UNSEEN


def _matrix(one: Asked, places: dict[str, int]) -> Floats:
    matrix = np.zeros((len(one.features), len(places)))
    for row, features in enumerate(one.features):
        for name, amount in features.items():
            matrix[row, places[name]] = amount
    return matrix


def _slope(matrix: Floats, right: NDArray[np.bool_], weights: Floats) -> Floats:
    scores = matrix @ weights
    beliefs = np.exp(scores - scores.max())
    beliefs /= beliefs.sum()
    on_right = beliefs[right].sum() + 1e-12
    return (beliefs - np.where(right, beliefs / on_right, 0.0)) @ matrix


def signals(one: Asked, model: Model) -> dict[str, float]:
    """What is known about the chosen query."""
    scores = [score(features, model.weights) for features in one.features]
    beliefs = shares(scores)
    best = scores.index(max(scores))
    others = sorted((b for place, b in enumerate(beliefs) if place != best), reverse=True)
    margin = beliefs[best] - (others[0] if others else 0.0)
    return signals_of(one.features[best], beliefs[best], margin, one.confidence)


def calibrate(examples: Sequence[Asked], model: Model) -> dict[str, float]:
    """A logistic model over the signals of the chosen queries, by gradient descent with a pull towards zero."""
    known = [one for one in examples if one.features]
    rows = [{**signals(one, model), "bias": 1.0} for one in known]
    names = sorted({name for row in rows for name in row})
    matrix = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    right = np.array([model.is_right(one) for one in known], float)
    weights = np.zeros(len(names))
    for _ in range(3000):
        sure = 1.0 / (1.0 + np.exp(-matrix @ weights))
        weights -= 0.5 * ((sure - right) @ matrix / len(right) + 1e-4 * weights)
    return {name: round(float(value), 4) for name, value in zip(names, weights, strict=True)}


def report(examples: Sequence[Asked], model: Model) -> None:
    """Accuracy without and with memory, for each manner of feedback."""
    print(
        "| feedback | questions | rules | with memory | seen SQL | unseen SQL | last quarter | at best |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for manner in MANNERS:
        part = [one for one in examples if one.manner == manner.name]
        if not part:
            continue
        cells = [
            _share(part, lambda one: bool(one.right) and one.right[0]),
            _share(part, model.is_right),
            _pair([one for one in part if one.seen], model),
            _pair([one for one in part if not one.seen], model),
            _pair([one for one in part if one.position >= 0.75], model),
            _share(part, lambda one: any(one.right)),
        ]
        print(f"| {manner.name} | {len(part)} | {' | '.join(cells)} |")


def _pair(part: Sequence[Asked], model: Model) -> str:
    before = _share(part, lambda one: bool(one.right) and one.right[0])
    return f"{before} → {_share(part, model.is_right)}"


def _share(part: Sequence[Asked], right: Callable[[Asked], bool]) -> str:
    return f"{100 * sum(map(right, part)) / max(len(part), 1):.1f}"


def reliability(examples: Sequence[Asked], model: Model, calibration: dict[str, float]) -> None:
    """How often what is said to be so sure is right."""
    print("\n| confidence | questions | mean confidence | right |\n|---|---|---|---|")
    known = [one for one in examples if one.features]
    sure = [(chance(signals(one, model), calibration), model.is_right(one)) for one in known]
    for low in range(0, 100, 10):
        part = [(c, right) for c, right in sure if low <= 100 * c < low + 10]
        if part:
            mean = 100 * sum(c for c, _ in part) / len(part)
            share = 100 * sum(right for _, right in part) / len(part)
            print(f"| {low}-{low + 10} % | {len(part)} | {mean:.0f} % | {share:.0f} % |")


def write(model: Model, calibration: dict[str, float], count: int) -> None:
    """Write the gate where the analyst reads it."""
    note = (
        f"Trained by benchmarks/train_gate.py on {count} questions of streams over Spider's training part, with the right "
        f"SQL to all or some answers and with thumbs of which up to 30 % are flipped: softmax over the pool of a question, "
        f"{EPOCHS} epochs of Adagrad, rate {RATE}, pull {PULL}; new SQL counts {UNSEEN} times. "
        f"Set by hand and kept: {', '.join(BY_HAND)}. The calibration is a logistic model over the signals of "
        "the chosen queries of the same questions."
    )
    gate = Weights(note=note, weights=model.weights, calibration=calibration)
    path = Path(precedents.__file__).with_name("gate.json")
    path.write_text(json.dumps(gate.model_dump(), indent=1, sort_keys=True) + "\n", "utf-8")
    print(f"wrote {path}")


def main() -> None:
    """Train, report, and write the gate when asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--every", type=int, default=3)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    folder = text2sql(arguments.data, "spider_train")
    if folder is None:
        parser.error(f"there is no spider_train in {arguments.data}")
    made = list(collect(folder, arguments.every))
    training = [one for one in made if not (arguments.held_out and is_held_out(one.database))]
    model = train(training)
    calibration = calibrate(training, model)
    testing = [one for one in made if is_held_out(one.database)] if arguments.held_out else made
    print(f"The gate that ships, on {len(testing)} questions:\n")
    report(testing, Model(trained().weights))
    print("\nThe gate trained now, on the same questions:\n")
    report(testing, model)
    reliability(testing, model, calibration)
    if arguments.write:
        write(model, calibration, len(training))


if __name__ == "__main__":
    main()
