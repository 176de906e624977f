"""When two queries are taken for the same one."""

import pytest
from sqlglot import exp, parse_one

from oldhand.agent.analyst.precedents.parts import likeness, meaning, parts_of


def _query(sql: str) -> exp.Query:
    tree = parse_one(sql)
    assert isinstance(tree, exp.Query)
    return tree


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT a.x FROM d.s.t AS a", "SELECT b.x FROM d.s.t AS b"),
        (
            "SELECT a.x FROM d.s.t AS a JOIN d.s.u AS b ON a.id = b.t_id",
            "SELECT q.x FROM d.s.t AS q JOIN d.s.u AS p ON p.t_id = q.id",
        ),
        (
            "SELECT a.x FROM d.s.t AS a WHERE a.x = 1 OR a.x = 2",
            "SELECT a.x FROM d.s.t AS a WHERE a.x IN (2, 1)",
        ),
        (
            "SELECT a.x FROM d.s.t AS a INTERSECT SELECT b.y FROM d.s.u AS b",
            "SELECT b.y FROM d.s.u AS b INTERSECT SELECT a.x FROM d.s.t AS a",
        ),
        (
            "SELECT a.n FROM d.s.t AS a JOIN d.s.u AS b ON a.id = b.t_id GROUP BY b.t_id",
            "SELECT a.n FROM d.s.t AS a JOIN d.s.u AS b ON a.id = b.t_id GROUP BY a.id, a.n",
        ),
    ],
)
def test_the_same_query_written_otherwise_means_the_same(one, other):
    assert set(parts_of(_query(one))) == set(parts_of(_query(other)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT a.x, a.y FROM d.s.t AS a", "SELECT a.y, a.x FROM d.s.t AS a"),
        ("SELECT a.x FROM d.s.t AS a", "SELECT DISTINCT a.x FROM d.s.t AS a"),
        ("SELECT a.x FROM d.s.t AS a ORDER BY a.y", "SELECT a.x FROM d.s.t AS a ORDER BY a.y DESC"),
        ("SELECT a.x FROM d.s.t AS a LIMIT 1", "SELECT a.x FROM d.s.t AS a LIMIT 2"),
        ("SELECT a.x FROM d.s.t AS a WHERE a.x = 1", "SELECT a.x FROM d.s.t AS a WHERE a.x = 2"),
        ("SELECT a.x FROM d.s.t AS a WHERE a.x > 1", "SELECT a.x FROM d.s.t AS a WHERE a.x >= 1"),
        ("SELECT a.x FROM d.s.t AS a", "SELECT a.x FROM e.s.t AS a"),
        (
            "SELECT a.x FROM d.s.t AS a EXCEPT SELECT b.y FROM d.s.u AS b",
            "SELECT b.y FROM d.s.u AS b EXCEPT SELECT a.x FROM d.s.t AS a",
        ),
        (
            "SELECT a.x FROM d.s.t AS a WHERE a.y > (SELECT AVG(b.y) FROM d.s.t AS b)",
            "SELECT a.x FROM d.s.t AS a WHERE a.y > (SELECT MAX(b.y) FROM d.s.t AS b)",
        ),
    ],
)
def test_queries_that_return_something_else_do_not_mean_the_same(one, other):
    assert meaning(_query(one)) != meaning(_query(other))


def test_likeness_is_one_for_the_same_and_less_for_others():
    one = parts_of(_query("SELECT a.x FROM d.s.t AS a WHERE a.y = 1"))
    other = parts_of(_query("SELECT a.x FROM d.s.t AS a WHERE a.y = 2"))
    far = parts_of(_query("SELECT COUNT(*) FROM d.s.u AS a"))
    assert likeness(one, one) == 1.0
    assert 1.0 > likeness(one, other) > likeness(one, far)
