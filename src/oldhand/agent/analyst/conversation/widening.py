"""Rows that count as well: `and also Oslo`."""

from collections.abc import Sequence
from dataclasses import replace

from oldhand.agent.analyst.conversation.conditions import conditions_said
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.query.form import AllOf, AnyOf, Comparison, Predicate, Query, Scalar
from oldhand.query.known import kind_of
from oldhand.query.negating import negated
from oldhand.query.walk import columns
from oldhand.record.schema import Kind

_EQUAL, _UNEQUAL = ("=", "in"), ("!=", "not in")


def also_those(scene: Scene, rest: str) -> Query | None:
    """The rows before and those that `rest` names; None when it names none, or such that were there anyway."""
    found = conditions_said(scene, rest)
    made = widened(scene, found) if found else scene.query
    return made if made != scene.query else None


def widened(scene: Scene, found: tuple[Predicate, ...]) -> Query:
    """The query with rows that meet some conditions as well as those that were there."""
    condition = found[0] if len(found) == 1 else AllOf(found)
    kept: list[Predicate] = []
    for one in scene.query.where:
        shares = set(columns(one)) & set(columns(condition))
        wider = _either(one, condition, scene) if shares else one
        if wider is not None:
            kept.append(wider)
    return replace(scene.query, where=tuple(kept))


def _either(before: Predicate, condition: Predicate, scene: Scene) -> Predicate | None:
    """What holds where one of two conditions does; None where that is always."""
    if negated(before) == condition or negated(condition) == before:
        return None
    if not (isinstance(before, Comparison) and isinstance(condition, Comparison)):
        return AnyOf((before, condition))
    alike = before.left == condition.left and before.values and condition.operator in _EQUAL
    if alike and before.operator in _UNEQUAL:
        return with_values(before, [one for one in before.values if one not in condition.values])
    if alike and before.operator in _EQUAL:
        both = [*before.values, *condition.values]
        return None if _is_truth(before, scene) else with_values(before, both)
    return AnyOf((before, condition))


def with_values(before: Comparison, values: Sequence[Scalar]) -> Comparison | None:
    """The same comparison with other values; None where there are none."""
    left = tuple(dict.fromkeys(values))
    if not left:
        return None
    several, single = ("in", "=") if before.operator in _EQUAL else ("not in", "!=")
    return replace(before, operator=several if len(left) > 1 else single, right=left)


def _is_truth(one: Comparison, scene: Scene) -> bool:
    """Whether a column holds nothing but yes and no, so that both are all rows."""
    found = columns(one)
    return len(found) == 1 and kind_of(found[0], scene.schemas) is Kind.BOOLEAN
