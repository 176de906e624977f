"""Ranks queries by a linear model over named features; the weights lie in `weights.json`.

Training finds them; where it starts, and which weights it keeps, is in `priors.yaml`.
"""

import math
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Self

import yaml
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


class Kept(BaseModel):
    """A weight that is set by hand."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    weight: float
    because: str
    """What speaks for it."""


class Family(BaseModel):
    """Weights of one sort, as training starts with them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    because: str
    """What speaks for their signs and sizes."""
    weights: dict[str, float]


class Priors(BaseModel):
    """What is held about the weights before training."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    keep: dict[str, Kept]
    """Those that training leaves as they are, by feature."""
    start: dict[str, Family]
    """Those that training starts with, by what they are about; all others start at zero."""

    @property
    def kept(self) -> dict[str, float]:
        """The weights that training leaves as they are."""
        return {name: kept.weight for name, kept in self.keep.items()}

    @property
    def weights(self) -> dict[str, float]:
        """All weights before training."""
        started = [family.weights for family in self.start.values()]
        return {name: weight for part in (*started, self.kept) for name, weight in part.items()}


@cache
def priors() -> Priors:
    """The weights before training, each with its reason.

    >>> priors().keep["hierarchy.told"].because
    'Words that tell who stands above whom leave no other reading.'
    >>> priors().weights["hierarchy.told"]
    12.0
    """
    text = files("oldhand.agent.analyst.candidates").joinpath("priors.yaml").read_text("utf-8")
    return Priors.model_validate(yaml.safe_load(text))


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
