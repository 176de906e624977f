"""What the analyst writes is read back as the query that it thought in, in each dialect."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import yaml
from tests.unit.analyst.worlds import World

from oldhand.agent.analyst.understanding import Candidate
from oldhand.query.compiling.compile import compile_query
from oldhand.query.compiling.tree import to_tree
from oldhand.query.form import ColumnRef, Count, Node, Query
from oldhand.query.known import known_column
from oldhand.query.lifting import lift, lift_tree
from oldhand.query.normal import same
from oldhand.query.opaque import Opaque
from oldhand.query.walk import changed
from oldhand.record.schema import DatabaseSchema

DIALECTS = ("sqlite", "postgres", "mysql", "duckdb")
_PROBES = Path(__file__).parent / "probes" / "company.yaml"
_MOST = 40


def _questions() -> list[str]:
    return [case["ask"] for case in yaml.safe_load(_PROBES.read_text("utf-8"))][:_MOST]


def _candidates(world: World) -> Iterator[Candidate]:
    for question in _questions():
        yield from world.understand(question).candidates[:5]


def _counting_rows(query: Query, schemas: Sequence[DatabaseSchema]) -> Query:
    """The query as it is read back: values that are never missing are as many as the rows."""

    def counted(part: Node) -> Node:
        of = part.of if isinstance(part, Count) and not part.distinct else None
        known = known_column(of, schemas) if isinstance(of, ColumnRef) else None
        return Count() if known is not None and not known.nullable else part

    return changed(query, counted)


def test_neutral_trees_are_read_back(company: World) -> None:
    found = 0
    for candidate in _candidates(company):
        assert isinstance(candidate.query, Query)
        schemas, tree = company.schemas, to_tree(candidate.query)
        back = lift_tree(tree, schemas)
        assert back is not None, tree.sql()
        assert same(back, _counting_rows(candidate.query, schemas))
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
        assert same(back, _counting_rows(candidate.query, (schema,))), sql
        found += 1
    assert found > _MOST
