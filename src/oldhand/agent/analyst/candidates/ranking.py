"""Ranks queries by a linear model over named features; the weights lie in `weights.json`."""

import math
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Self

from pydantic import BaseModel, ConfigDict


class Weights(BaseModel):
    """What training found."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    note: str
    """How the numbers came about."""
    weights: dict[str, float]
    """For each feature what one unit of it adds to a query's score."""
    calibration: dict[str, float]
    """A logistic model that turns what is known about the best query into its chance to be right."""

    @classmethod
    def shipped(cls, package: str, file: str) -> Self:
        """Those in a file of a package."""
        return cls.model_validate_json(files(package).joinpath(file).read_bytes())


@cache
def learned() -> Weights:
    """The weights that ship with this version."""
    return Weights.shipped("oldhand.agent.analyst.candidates", "weights.json")


def score(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The sum of the features times their weights.

    >>> score({"covered": 0.5, "unused.number": 2}, {"covered": 4, "unused.number": -1})
    0.0
    """
    return sum(amount * weights.get(name, 0.0) for name, amount in features.items())


def shares(scores: Iterable[float]) -> list[float]:
    """Scores as shares that add up to one (softmax).

    >>> [round(share, 2) for share in shares([1.0, 1.0])]
    [0.5, 0.5]
    """
    listed = list(scores)
    top = max(listed, default=0.0)
    raised = [math.exp(value - top) for value in listed]
    total = sum(raised)
    return [value / total for value in raised]


def chance(signals: Mapping[str, float], model: Mapping[str, float]) -> float:
    """The calibrated chance, 0..1: a logistic model over `signals`.

    >>> chance({"share": 1.0}, {"bias": -1.0, "share": 1.0})
    0.5
    """
    total = model.get("bias", 0.0) + score(signals, model)
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))
