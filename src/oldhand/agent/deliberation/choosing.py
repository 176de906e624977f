"""Which of several candidates is the answer, and how likely it is right.

A choice is made by agreement, never by what a language model says of itself. Product and benchmark
(`python -m benchmarks choosing_sql`) use the same code; the weights lie in `weights.json`.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from oldhand.agent.analyst.candidates.ranking import Weights, chance, score, shares
from oldhand.agent.deliberation.candidates import Group, RowsCandidate, grouped

Features = dict[str, float]


@dataclass(frozen=True)
class Chosen:
    """The groups, the likeliest first."""

    groups: tuple[Group, ...]
    shares: tuple[float, ...]
    """How much speaks for each of them; together 1."""
    confidence: float
    """The calibrated chance that the first one is right."""

    @property
    def answer(self) -> RowsCandidate:
        """The candidate that answers."""
        return self.groups[0].spokesman


@cache
def learned() -> Weights:
    """The weights that ship with this version."""
    return Weights.shipped("oldhand.agent.deliberation", "weights.json")


def choose(candidates: Sequence[RowsCandidate], weights: Weights | None = None) -> Chosen:
    """Choose among candidates, of which there is at least one.

    >>> from oldhand.agent.deliberation.candidates import ResultShape
    >>> three, four = [(3,)], [(4,)]
    >>> several = [
    ...     RowsCandidate("stages", three, ResultShape.of(three)),
    ...     RowsCandidate("direct", four, ResultShape.of(four)),
    ...     RowsCandidate("analyst", three, ResultShape.of(three), sure=0.9),
    ... ]
    >>> chosen = choose(several)
    >>> chosen.answer.voice, len(chosen.groups)
    ('stages', 2)
    """
    known = weights or learned()
    groups = grouped(candidates)
    found = [features(group, candidates) for group in groups]
    parts = shares(score(one, known.weights) for one in found)
    order = sorted(range(len(groups)), key=lambda place: -parts[place])
    believed = tuple(parts[place] for place in order)
    signals = signals_of(found[order[0]], believed)
    return Chosen(
        tuple(groups[place] for place in order), believed, chance(signals, known.calibration)
    )


def features(group: Group, candidates: Sequence[RowsCandidate]) -> Features:
    """What speaks for a group and against it."""
    models = [one for one in candidates if one.sure is None]
    own = [one for one in group.members if one.sure is None]
    analyst = next((one for one in candidates if one.sure is not None), None)
    agreeing = next((one for one in group.members if one.sure is not None), None)
    said = group.spokesman
    result, tables = group.result, said.statement.tables
    return {
        "share": len(own) / max(len(models), 1),
        "strength": sum(map(_strength, own)),
        "analyst_agrees": (agreeing.sure or 0.0) if agreeing else 0.0,
        "analyst_differs": (analyst.sure or 0.0) if analyst and not agreeing else 0.0,
        "analyst_alone": float(not own),
        "empty": float(result.empty or result.nulls),
        "zero": float(result.zero),
        "absent_text": sum(one.absent for one in group.members) / len(group.members),
        "columns_shared": _shared(models, lambda one: one.result.width == result.width),
        "columns": result.width / 4,
        "tables_shared": _shared(models, lambda one: one.statement.tables == tables),
        "analyst_tables": float(bool(analyst) and analyst.statement.tables == tables),
        "distinct": float(said.statement.distinct),
        "repeated": float(result.repeated),
    }


def signals_of(best: Mapping[str, float], believed: Sequence[float]) -> Features:
    """What the confidence is worked out from: the features of the chosen group, and its lead."""
    names = ("share", "strength", "analyst_agrees", "analyst_differs", "analyst_alone", "empty")
    kept = {name: best[name] for name in (*names, "zero", "absent_text", "columns")}
    second = believed[1] if len(believed) > 1 else 0.0
    lead = {"believed": believed[0], "margin": believed[0] - second}
    return {**kept, **lead, "agreed": best["share"] * best["analyst_agrees"]}


def _strength(one: RowsCandidate) -> float:
    """How much a voice counts, by how often it is right: the logarithm of its odds."""
    kept = min(max(one.rightness, 0.05), 0.95)
    return math.log(kept / (1 - kept))


def _shared(models: Sequence[RowsCandidate], like: Callable[[RowsCandidate], bool]) -> float:
    return sum(map(like, models)) / max(len(models), 1)
