"""Trains the weights by which the built-in analyst ranks queries, on Spider's training questions only.

python -m benchmarks.train_ranker --data DIR [--every 2] [--held-out] [--write | --check]

Training needs nothing but Spider and the weights that people set (`priors.yaml`): it starts with those, leaves alone
what they say to keep, and pulls the others towards their start. The candidates of a question are made under the
weights of the round before. Each is run; it is right when its rows are those of the gold query. The weights maximise the share
of the belief that falls on right candidates (softmax over the candidates of a question). A logistic model over the
signals of the query that the analyst would then answer with turns them into a chance to be right. `--held-out` leaves
out a third of the databases and reports on them; `--write` writes `weights.json`; `--check` compares what training
finds with what ships.
"""

import argparse
import json
import random
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TypeVar

import numpy as np

from benchmarks._data import text2sql
from benchmarks._spider_data import Question, SpiderDatabase, load, same_answer
from oldhand.agent.analyst import candidates
from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.ranking import chance, learned, priors, score, shares
from oldhand.agent.analyst.confidence import meaning, signals_of
from oldhand.agent.analyst.linking.question import link
from oldhand.agent.analyst.linking.unknown import unknown_words
from oldhand.agent.analyst.ranked import ranked
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.query.compiling.compile import compile_query

TODAY = date(2024, 6, 1)
KEPT = 60
"""Candidates of a question that are run."""
PULL = 1e-2
"""How strongly a weight is held back to where it started, for each question that speaks of it."""
EPOCHS = 6
RATE = 0.05
ROUNDS = (3, 1)
"""For each round: one in so many of the questions. Which candidates are made depends on the weights, so that the last
round learns from those that the weights of the round before make."""

CALIBRATED = ("ahead", "counts", "covered", "preferred", "score", "shown", "tables", "unused")
"""The signals that say how likely an answer is right."""
OF_PROPOSALS = {"broken": -1.331, "unknown": 0.3487, "unknown_asked": -0.562}
"""Signals that no answer has, with what they mean for a proposal, as an earlier training over all questions found."""
NEWTON = 40

Features = Mapping[str, float]
T = TypeVar("T")


@dataclass(frozen=True)
class Example:
    """One question: the features of its candidates, and which of them are right."""

    database: str
    features: tuple[Features, ...]
    right: tuple[bool, ...]
    meanings: tuple[int, ...]
    """Equal numbers for candidates that differ only in the order of columns and in repeated rows."""


@dataclass(frozen=True)
class Answered:
    """What is known about the query that one question would be answered with, and whether it is right."""

    database: str
    signals: Features
    right: bool


def is_held_out(database: str) -> bool:
    """A third of the databases, chosen by their names alone."""
    return zlib.crc32(database.encode()) % 3 == 0


def example(
    question: Question, text: str, database: SpiderDatabase, weights: Features
) -> Example | None:
    """Make and run the candidates of one question; None when the gold query does not run."""
    expected = database.rows(question.gold)
    if expected is None:
        return None
    found = ranked(_asked(text, database), weights)
    seen: dict[str, bool] = {}
    right: list[bool] = []
    for item in found[:KEPT]:
        sql = compile_query(item.query, (), "sqlite")
        if sql not in seen:
            seen[sql] = same_answer(question.gold, expected, database.rows(sql))
        right.append(seen[sql])
    numbers: dict[object, int] = {}
    meanings = [numbers.setdefault(meaning(item.query), len(numbers)) for item in found[:KEPT]]
    features = tuple(item.features for item in found[:KEPT])
    return Example(question.database, features, tuple(right), tuple(meanings))


def answered(
    question: Question, text: str, database: SpiderDatabase, weights: Features
) -> Answered | None:
    """What one question would be answered with; None when there is nothing, or the gold query does not run."""
    expected = database.rows(question.gold)
    asked = _asked(text, database)
    found = ranked(asked, weights)
    if expected is None or not found:
        return None
    unknown = unknown_words(asked.links, asked.vocabulary, found[0].used)
    signals = signals_of(asked, found, unknown).named()
    rows = database.rows(compile_query(found[0].query, (), "sqlite"))
    return Answered(question.database, signals, same_answer(question.gold, expected, rows))


def _asked(text: str, database: SpiderDatabase) -> Asked:
    words = vocabulary((database.schema,))
    return Asked(link(text, words, database.values, TODAY), words)


def each(
    make: Callable[[Question, str, SpiderDatabase, Features], T | None],
    folder: Path,
    every: int,
    weights: Features,
    synonyms: int = 3,
) -> Iterator[T]:
    """What `make` makes of every n-th question in its own wording, and of one in so many of those in the synonym wording too."""
    questions, databases = load(folder)
    for number, question in enumerate(questions[::every]):
        wordings = [question.text]
        if number % synonyms == 0 and question.synonyms not in ("", question.text):
            wordings.append(question.synonyms)
        for text in wordings:
            made = make(question, text, databases[question.database], weights)
            if made is not None:
                yield made


def trained(
    make: Callable[[int, Features], Iterable[Example]], *, held_out: bool = False
) -> tuple[dict[str, float], list[Example]]:
    """The weights that training finds, and the examples of the last round.

    Args:
        make: makes examples of one in so many questions, under the weights that it is given.
        held_out: whether a third of the databases is kept out of training; their examples are given all the same.
    """
    weights = priors().weights
    made: list[Example] = []
    for fewer in ROUNDS:
        made = list(make(fewer, weights))
        weights = train(e for e in made if not (held_out and is_held_out(e.database)))
    return weights, made


def train(chosen: Iterable[Example]) -> dict[str, float]:
    """Weights that put the belief on right candidates: the mean of the later epochs of Adagrad.

    The same examples always give the same weights.
    """
    kept, start = priors().kept, priors().weights
    weights: dict[str, float] = defaultdict(float, start)
    mean: dict[str, float] = defaultdict(float)
    squares: dict[str, float] = defaultdict(lambda: 1e-3)
    usable = [e for e in chosen if any(e.right) and not all(e.right)]
    order = random.Random(0)
    for epoch in range(EPOCHS):
        order.shuffle(usable)
        for item in usable:
            for name, gain in _slopes(item, weights).items():
                if name in kept:
                    continue
                slope = gain + PULL * (weights[name] - start.get(name, 0.0))
                squares[name] += slope * slope
                weights[name] -= RATE * slope / squares[name] ** 0.5
        if epoch >= EPOCHS // 2:
            for name, value in weights.items():
                mean[name] += value / (EPOCHS - EPOCHS // 2)
    return {name: round(value, 4) for name, value in (start | mean | kept).items()}


def _slopes(item: Example, weights: Features) -> dict[str, float]:
    beliefs = shares(score(features, weights) for features in item.features)
    on_right = sum(b for b, right in zip(beliefs, item.right, strict=True) if right) or 1e-12
    slopes: dict[str, float] = defaultdict(float)
    for features, belief, right in zip(item.features, beliefs, item.right, strict=True):
        pull = belief - (belief / on_right if right else 0.0)
        if abs(pull) > 1e-6:
            for name, amount in features.items():
                slopes[name] += pull * amount
    return slopes


def reliability(chosen: Iterable[Answered], model: Features) -> Iterator[str]:
    """For each tenth of confidence: questions, mean confidence, share that is right."""
    rows = [(chance(one.signals, model), one.right) for one in chosen]
    for tenth in range(10):
        part = [(said, right) for said, right in rows if tenth <= 10 * said < tenth + 1]
        if part:
            said = sum(said for said, _ in part) / len(part)
            right = sum(right for _, right in part) / len(part)
            yield f"{tenth / 10:.1f}-{tenth / 10 + 0.1:.1f} {len(part):5d} {said:.2f} {right:.2f}"


def calibrate(chosen: Iterable[Answered]) -> dict[str, float]:
    """A logistic model over the signals of the queries that are answered with (Newton's method).

    A proposal is no answer: what breaks a constraint, or leaves out a word that nobody knows, says nothing of these.
    """
    rows = [one for one in chosen if not (one.signals["broken"] or one.signals["unknown"])]
    signals = np.array([[1.0, *(one.signals[name] for name in CALIBRATED)] for one in rows])
    right = np.array([one.right for one in rows], dtype=float)
    ridge, found = np.diag([0.0, *[1.0] * len(CALIBRATED)]), np.zeros(1 + len(CALIBRATED))
    for _ in range(NEWTON):
        sure = 1 / (1 + np.exp(-signals @ found))
        slope = signals.T @ (sure - right) + ridge @ found
        curvature = (signals.T * (sure * (1 - sure))) @ signals + ridge
        found -= np.linalg.solve(curvature, slope)
    model = dict(zip(("bias", *CALIBRATED), found.tolist(), strict=True))
    return {name: round(value, 4) for name, value in (model | OF_PROPOSALS).items()}


def accuracy(chosen: list[Example], weights: Features) -> float:
    """Share of the questions whose best candidate is right."""
    return sum(_first_is_right(item, weights) for item in chosen) / max(len(chosen), 1)


def _first_is_right(item: Example, weights: Features) -> bool:
    scores = [score(features, weights) for features in item.features]
    return bool(scores) and item.right[scores.index(max(scores))]


def main() -> None:
    """Train, report, and write the weights when asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--every", type=int, default=2)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    folder = text2sql(arguments.data, "spider_train")
    if folder is None:
        parser.error(f"there is no spider_train in {arguments.data}")

    def make(fewer: int, weights: Features) -> Iterator[Example]:
        return each(example, folder, arguments.every * fewer, weights)

    weights, made = trained(make, held_out=arguments.held_out)
    training = [e for e in made if not (arguments.held_out and is_held_out(e.database))]
    testing = [e for e in made if is_held_out(e.database)]
    for name, part in (("trained on", training), ("other databases", testing)):
        ceiling = sum(any(e.right) for e in part) / max(len(part), 1)
        before, after = accuracy(part, priors().weights), accuracy(part, weights)
        print(f"{name}: {len(part)} questions, {before:.3f} -> {after:.3f}, at best {ceiling:.3f}")
    answers = list(each(answered, folder, 1, weights, synonyms=1))
    model = calibrate(a for a in answers if not (arguments.held_out and is_held_out(a.database)))
    print("confidence, questions, mean confidence, right (other databases):")
    print("\n".join(reliability((a for a in answers if is_held_out(a.database)), model)))
    if arguments.check:
        shipped = learned()
        print("\n".join(apart(weights, shipped.weights)))
        print("\n".join(apart(model, shipped.calibration)))
    if arguments.write:
        write(weights, model, len(training), arguments.held_out)


def apart(found: Features, shipped: Features) -> Iterator[str]:
    """How far the numbers that ship are from those that training finds, the farthest first.

    >>> list(apart({"covered": 1.0, "join.deed": 1.7}, {"covered": 1.5, "join.deed": 1.7}))
    ['1 of 2 numbers are those that ship', 'covered: 1.0, ships as 1.5']
    """
    names = sorted(found.keys() | shipped.keys())
    by = {name: abs(found.get(name, 0.0) - shipped.get(name, 0.0)) for name in names}
    other = sorted((name for name in names if by[name] > 1e-9), key=lambda name: -by[name])
    yield f"{len(names) - len(other)} of {len(names)} numbers are those that ship"
    for name in other[:20]:
        yield f"{name}: {found.get(name, 0.0)}, ships as {shipped.get(name, 0.0)}"


def write(weights: Features, model: Features, count: int, held_out: bool) -> None:
    """Write the weights where the analyst reads them."""
    part = "two thirds of the databases" if held_out else "all databases"
    note = (
        f"Written by benchmarks/train_ranker.py from {count} questions over {part} of Spider's training part and from "
        f"priors.yaml: {len(priors().keep)} weights kept, the others started there; softmax over the candidates of a "
        f"question, {len(ROUNDS)} rounds of {EPOCHS} epochs of Adagrad, rate {RATE}, pull {PULL}. The calibration is a logistic model over the "
        "signals of the queries that all questions, in both wordings, would be answered with, where all words are known and no constraint is broken."
    )
    path = Path(candidates.__file__).with_name("weights.json")
    content = {
        "note": note,
        "weights": dict(sorted(weights.items())),
        "calibration": dict(sorted(model.items())),
    }
    path.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
