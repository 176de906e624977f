"""Decides between memory and rules: a linear model over named features; its weights lie in `gate.json`."""

from collections.abc import Mapping
from functools import cache

from oldhand.agent.analyst.candidates.ranking import Weights


@cache
def trained() -> Weights:
    """The gate that ships with this version."""
    return Weights.shipped("oldhand.agent.analyst.precedents", "gate.json")


def signals_of(
    features: Mapping[str, float], share: float, margin: float, before: float
) -> dict[str, float]:
    """What the chance of the chosen query is made from.

    Args:
        features: those of the chosen query.
        share: its share of the belief in the pool.
        margin: its share minus that of the second one.
        before: what the rules alone are sure of their first candidate.
    """
    found = {name: features.get(name, 0.0) for name in SIGNALS}
    sure = features.get("rule.first", 0.0)
    return {
        **found,
        "share": share,
        "margin": margin,
        "before": before,
        "before.first": before * sure,
    }


SIGNALS = (
    "rule.first", "rule.absent", "yes", "yes.same", "yes.unlike", "yes.thumb", "yes.contested", "yes.downs", "yes.others",
    "yes.new.word", "yes.new.value", "no", "no.same", "no.unlike",
)  # fmt: skip
"""Features of the chosen query that tell how sure it is."""
