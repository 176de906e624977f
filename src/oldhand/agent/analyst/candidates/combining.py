"""Conditions put together: all of them, one of them, or two queries whose rows meet."""

from collections.abc import Iterator
from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.intersections import both_met
from oldhand.agent.analyst.candidates.sketch import Condition, Sketch


def may_be_distinct(sketch: Sketch) -> bool:
    """True when the rows of a query may be meant once each."""
    plain = all(not term.aggregate for term in sketch.select)
    return plain and not sketch.group and sketch.compound is None


def combinations(asked: Asked, base: Sketch) -> Iterator[tuple[Sketch, str]]:
    """Conditions together, one enough, or two queries whose rows meet."""
    same = _same_column(base.where) if len(base.where) > 1 else None
    if same is not None and (apart := _one_without_the_other(asked, base, same)) is not None:
        yield apart, "combine.intersect"
        return
    equal = same is not None and all(c.operator in ("=", "in") for c in same)
    if not equal:
        yield base, "combine.and"
    if len(base.where) < 2:
        return
    if same is not None:
        rest = tuple(c for c in base.where if c not in same)
        if equal:
            values = tuple(dict.fromkeys(value for c in same for value in c.values))
            both = Condition(same[0].term, "in", values)
            yield replace(base, where=(*rest, both)), "combine.in"
        else:
            yield replace(base, where=same, either=True), "combine.or"
        if len(same) != 2:
            return
        one, two = same
        empty = {one.operator, two.operator} & {"null", "not null"}
        if (
            not empty
            and not base.group
            and base.limit is None
            and not any(t.aggregate for t in base.select)
        ):
            yield both_met(asked, replace(base, where=rest), one, two), "combine.intersect"
    else:
        yield replace(base, either=True), "combine.or"


def _one_without_the_other(
    asked: Asked, base: Sketch, same: tuple[Condition, ...]
) -> Sketch | None:
    """`Took sick leave but no vacation`: some of its rows are the one, none the other; None for anything else."""
    plain = not base.group and base.limit is None and not any(t.aggregate for t in base.select)
    if len(same) != 2 or {c.operator for c in same} != {"=", "!="} or not plain:
        return None
    rest = tuple(c for c in base.where if c not in same)
    made = both_met(asked, replace(base, where=rest), *same)
    return made if made.compound is None else None


def _same_column(where: tuple[Condition, ...]) -> tuple[Condition, ...] | None:
    """The first conditions on one column: all that name its values, else the first two."""
    for number, one in enumerate(where):
        same = [c for c in where[number:] if c.term == one.term and not (c.query or one.query)]
        named = [c for c in same if c.operator in ("=", "in")]
        if len(same) > 1:
            return tuple(named if len(named) > 1 else same[:2])
    return None
