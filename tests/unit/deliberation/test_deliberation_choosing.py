"""Which candidate is chosen, and with what confidence."""

import pytest

from oldhand.agent.deliberation.candidates import (
    ResultShape,
    RowsCandidate,
    StatementShape,
    grouped,
    only_in,
)
from oldhand.agent.deliberation.choosing import choose
from oldhand.record.base import Row


def said(
    voice: str, *rows: Row, sure: float | None = None, sql: str = "", absent: bool = False
) -> RowsCandidate:
    shape = StatementShape.of(sql, "sqlite") if sql else StatementShape()
    return RowsCandidate(voice, rows, ResultShape.of(rows), shape, sure=sure, absent=absent)


def test_rows_are_equal_in_any_order_of_rows_and_columns() -> None:
    groups = grouped([said("a", ("Ann", 1), ("Bo", 2)), said("b", (2.0, "Bo"), (1, "Ann"))])
    assert [[one.voice for one in group.members] for group in groups] == [["a", "b"]]


def test_most_voices_win_whatever_the_analyst_says() -> None:
    several = [said(voice, (3,)) for voice in ("a", "b", "c")]
    chosen = choose([*several, said("analyst", (4,), sure=0.6)])
    assert chosen.answer.voice == "a"
    assert chosen.shares == tuple(sorted(chosen.shares, reverse=True))
    assert sum(chosen.shares) == pytest.approx(1)


def test_who_agrees_with_the_analyst_is_trusted_more_than_who_is_alone_or_contradicted() -> None:
    model = said("a", (3,))
    agreed = choose([model, said("analyst", (3,), sure=0.9)]).confidence
    alone = choose([model]).confidence
    contradicted = choose([model, said("analyst", (4,), sure=0.9)]).confidence
    assert agreed >= 0.9 > alone > contradicted


def test_of_two_the_one_wins_that_looks_for_nothing_that_is_not_there() -> None:
    assert choose([said("a", (0,), absent=True), said("b", (7,))]).answer.voice == "b"


def test_the_member_that_sorts_speaks_when_most_of_its_group_do() -> None:
    group = [
        said("a", (1,), (2,), sql="SELECT n FROM t"),
        said("b", (1,), (2,), sql="SELECT n FROM t ORDER BY n"),
    ]
    assert choose(group).answer.voice == "b"


def test_rows_that_repeat_are_told_apart() -> None:
    assert only_in([(1,), (1,)], [(1,)]) == (1,)
    assert only_in([("Ann", 1)], [(1, "Ann")]) is None
