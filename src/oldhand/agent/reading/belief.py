"""How likely it is that sentences of a passage answer a question; the weights are fitted by `benchmarks/reading.py`."""

import json
import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from oldhand.agent.reading.extracting import MOST, Extract

ANSWER_FROM = 0.6
"""Belief from which sentences are an answer; below, it is said that no passage answers."""


def signs_of(extract: Extract) -> dict[str, float]:
    """What a belief is made from, each from -1 to 1."""
    return {
        "one": 1.0,
        "coverage": extract.coverage,
        "given": max(extract.gives, 0.0),
        "not_given": max(-extract.gives, 0.0),
        "lead": extract.lead,
        "ahead": extract.coverage * extract.ahead,
        "first": float(extract.is_first),
        "sentences": (len(extract.sentences) - extract.told) / MOST,
        "short": 1 / extract.asked,
    }


def belief(extract: Extract | None) -> float:
    """The chance that an extract answers its question, 0 to 1."""
    if extract is None:
        return 0.0
    weights = _weights()
    told = sum(weights.get(name, 0.0) * sign for name, sign in signs_of(extract).items())
    return 1 / (1 + math.exp(-told))


@cache
def _weights() -> Mapping[str, float]:
    text = files("oldhand.agent.reading").joinpath("weights.json").read_text("utf-8")
    return {str(name): float(weight) for name, weight in json.loads(text).items()}
