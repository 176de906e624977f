"""Words that stand for rows: conditions that have a name, as nouns."""

import pytest

from oldhand.agent.analyst import understand
from oldhand.agent.analyst.candidates.choices import ChoiceDraft
from oldhand.agent.analyst.ranked import Ranked, together
from oldhand.query.compiling.compile import spelled
from oldhand.query.form import ColumnRef, Query, Relation, Rows
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
from oldhand.record.semantics import NamedCondition, Semantics
from oldhand.sources.databases.values import ValueIndex

DOGS = Relation("kennel", "main", "dogs")


def kennel(condition: str) -> DatabaseSchema:
    columns = (
        Column(name="id", type="INT", kind=Kind.INTEGER, primary_key=True),
        Column(name="name", type="TEXT", kind=Kind.TEXT),
        Column(name="weight", type="REAL", kind=Kind.NUMBER),
    )
    heavy = NamedCondition(name="whopper", table="dogs", condition=condition)
    dogs = Table(name="dogs", schema_name="main", columns=columns)
    return DatabaseSchema(name="kennel", dialect="sqlite", tables=(dogs,), semantics=Semantics(conditions=(heavy,)))  # fmt: skip


@pytest.mark.parametrize(
    "question", ["How many whoppers are there?", "List the names of the whoppers"]
)
def test_a_noun_stands_for_the_rows_of_its_condition(question: str) -> None:
    found = understand(question, (kennel("weight > 40"),), ValueIndex.in_memory("kennel", []))
    assert "WHERE t1.weight > 40" in spelled(found.candidates[0].query)


def test_a_condition_on_a_column_that_is_gone_means_nothing() -> None:
    found = understand(
        "How many whoppers are there?", (kennel("collar = 0"),), ValueIndex.in_memory("kennel", [])
    )
    assert not any("collar" in spelled(one.query) for one in found.candidates)


def ranked(name: str, score: float) -> Ranked:
    return Ranked(Query(Rows((DOGS,)), (ColumnRef(DOGS, name),)), {}, score, ChoiceDraft())


def test_the_first_of_two_ways_stays_first_though_the_other_has_it_too() -> None:
    one = [ranked("name", 5.0), ranked("id", 1.0)]
    other = [ranked("weight", 4.0), ranked("name", 3.0), ranked("id", 2.0)]
    assert [it.score for it in together(one, other)] == [5.0, 4.0, 2.0]
