"""One correction at a time over a generated company: opposites never get the stored answer, and what was right stays right."""

from dataclasses import replace

import pytest
from benchmarks._harm import companies
from benchmarks._harm.cases import Kind
from benchmarks._harm.trial import Seen, tried
from benchmarks._harm.turning import opposites

ASKED = (Kind.SAME, Kind.VALUE, Kind.LIGHT, Kind.OPPOSITE, Kind.UNRELATED)


@pytest.fixture(scope="module")
def seen(tmp_path_factory) -> list[Seen]:
    cases = companies.cases(tmp_path_factory.mktemp("harm"), companies.KEPT[:1])
    few = (replace(case, probes=tuple(p for p in case.probes if p.kind in ASKED)) for case in cases)
    return list(tried(few))


def of(kind: Kind, seen: list[Seen]) -> list[Seen]:
    return [one for one in seen if one.probe.kind is kind]


def test_no_opposite_is_served_with_the_stored_answer(seen):
    asked = of(Kind.OPPOSITE, seen)
    assert len(asked) >= 35
    assert [one.probe.text for one in asked if one.served] == []


def test_what_was_right_stays_right(seen):
    assert [one.probe.text for one in seen if one.before.right and not one.after.right] == []


@pytest.mark.parametrize(
    ("kind", "least"), [(Kind.SAME, 1.0), (Kind.VALUE, 0.9), (Kind.LIGHT, 0.85)]
)
def test_paraphrases_are_right(seen, kind, least):
    asked = of(kind, seen)
    assert sum(one.after.right for one in asked) / len(asked) >= least


def test_a_question_is_turned_round_in_each_place_where_it_can_be():
    turned = opposites("Which singers from Rome have more than 3 songs?")
    assert "Which singers from Rome have less than 3 songs?" in turned
    assert "Which singers outside Rome have more than 3 songs?" in turned
    assert opposites("What are the names of singers?") == ()
