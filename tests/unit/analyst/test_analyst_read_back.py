"""What the analyst writes is read back as the query that it thought in, in each dialect."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from tests.unit.analyst.worlds import World

from oldhand.agent.analyst.understanding import Candidate
from oldhand.query.compiling.compile import compile_query
from oldhand.query.compiling.tree import to_tree
from oldhand.query.form import Query
from oldhand.query.lifting import lift, lift_tree
from oldhand.query.normal import same
from oldhand.query.opaque import Opaque

DIALECTS = ("sqlite", "postgres", "mysql", "duckdb")
_PROBES = Path(__file__).parent / "probes" / "company.yaml"
_MOST = 40


def _questions() -> list[str]:
    return [case["ask"] for case in yaml.safe_load(_PROBES.read_text("utf-8"))][:_MOST]


def _candidates(world: World) -> Iterator[Candidate]:
    for question in _questions():
        yield from world.understand(question).candidates[:5]


def test_neutral_trees_are_read_back(company: World) -> None:
    found = 0
    for candidate in _candidates(company):
        assert isinstance(candidate.query, Query)
        schemas, tree = company.schemas, to_tree(candidate.query)
        back = lift_tree(tree, schemas)
        assert back is not None, tree.sql()
        assert same(back, candidate.query)
        found += 1
    assert found > _MOST


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_each_dialect_writes_is_read_back(company: World, dialect: str) -> None:
    found = 0
    for candidate in _candidates(company):
        if len(candidate.databases) != 1:
            continue
        (known,) = [s for s in company.schemas if s.name == candidate.databases[0]]
        schema = known.model_copy(update={"dialect": dialect})
        assert isinstance(candidate.query, Query)
        sql = compile_query(candidate.query, (schema,), dialect)
        back = lift(sql, schema)
        assert not isinstance(back, Opaque), (back.why, sql)
        assert same(back, candidate.query), sql
        found += 1
    assert found > _MOST
