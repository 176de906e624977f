"""Ordinary forms of questions over schemas of all kinds: none is answered wrongly as sure, and most are answered rightly."""

from collections import Counter

from tests.unit.analyst.kinds.forms import Formed, formed
from tests.unit.analyst.worlds import World, are_right

from oldhand.agent.analyst.deciding import DecisionKind
from oldhand.query.form import Query

_EVERY = 13
"""One in so many is asked, which no count of forms divides."""
_SURE = 0.6
_RIGHT = 0.9
"""The share of questions that are answered rightly."""


def _outcome(world: World, formed: Formed) -> str:
    reading = world.read(formed.q)
    if reading.decision.kind is not DecisionKind.ANSWER:
        return reading.decision.kind.value
    (query, *_) = reading.queries
    expected = world.rows(formed.sql)
    if (
        isinstance(query, Query)
        and expected
        and are_right(expected, world.rows(query), ordered=False)
    ):
        return "right"
    return "wrong" if reading.confidence >= _SURE else "wrong, unsure"


def test_ordinary_forms_are_answered_rightly_or_not_as_sure(worlds):
    asked = list(formed())[::_EVERY]
    outcomes = {one: _outcome(worlds[one.world], one) for one in asked}
    counts = Counter(outcomes.values())
    assert len(asked) > 100
    assert not [one for one, outcome in outcomes.items() if outcome == "wrong"]
    assert counts["right"] >= _RIGHT * len(asked), counts
