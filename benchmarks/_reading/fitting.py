"""How sure the built-in reader is: weights of what speaks for an answer, by logistic regression."""

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from zlib import crc32

import numpy as np

from benchmarks._reading.judging import Judged

PARTS = 5
_ROUNDS = 40
_RIDGE = 1.0


def fitted(sets: Mapping[str, Sequence[Judged]], weighs: Mapping[str, float]) -> dict[str, float]:
    """The weights that fit some sets of questions best; each set counts as much as is told, however large it is."""
    named = [(name, one) for name, held in sets.items() if name in weighs for one in held]
    told = [(name, one) for name, one in named if one.signs]
    names = list(told[0][1].signs)
    signs = np.array([[one.signs[name] for name in names] for _, one in told])
    right = np.array([float(one.right) for _, one in told])
    count = np.array([weighs[name] * 1_000 / len(sets[name]) for name, _ in told])
    found, ridge = np.zeros(len(names)), np.eye(len(names)) * _RIDGE
    for _ in range(_ROUNDS):
        sure = 1 / (1 + np.exp(-signs @ found))
        bend = signs.T @ ((count * sure * (1 - sure))[:, None] * signs) + ridge
        found += np.linalg.solve(bend, signs.T @ (count * (right - sure)) - ridge @ found)
    return {name: round(float(weight), 2) for name, weight in zip(names, found, strict=True)}


def cross_validated(
    sets: Mapping[str, Sequence[Judged]], weighs: Mapping[str, float]
) -> dict[str, list[Judged]]:
    """All questions, each as sure as weights are that were fitted without it."""
    judged: dict[str, list[Judged]] = {name: [] for name in sets}
    for part in range(PARTS):
        others = {name: [one for one in held if _part(one) != part] for name, held in sets.items()}
        weights = fitted(others, weighs)
        for name, held in sets.items():
            judged[name] += [one.by(weights) for one in held if _part(one) == part]
    return judged


def _part(one: Judged) -> int:
    """The same question is in the same part, whatever it is asked of."""
    return crc32(one.question.encode()) % PARTS


def write(weights: Mapping[str, float]) -> None:
    """Put weights where the reader looks for them."""
    path = Path(str(files("oldhand.agent.reading"))) / "weights.json"
    path.write_text(json.dumps(weights) + "\n", "utf-8")
