"""Phrases that somebody put in quotes, of which no note keeps anything."""

import pytest

from oldhand.evaluators.strangers import written_in
from oldhand.record.step import Action, Step


@pytest.mark.parametrize(
    ("sql", "phrases"),
    [
        ("SELECT 1 WHERE a = 'x' AND b = 'drop all'", {"drop all"}),
        ("SELECT a FROM t WHERE a IN ('x', 'y')", set()),
        ('SELECT COUNT(*) AS "select from group by"', {"select from group by"}),
        ("SELECT '" + "x " * 40_000, set()),
    ],
)
def test_what_several_words_in_quotes_say_is_found_pair_by_pair(sql, phrases):
    step = Step(number=1, actions=(Action(id="1", tool="execute_sql", arguments={"sql": sql}),))
    assert {one for one in written_in(step) if " " in one} == phrases
