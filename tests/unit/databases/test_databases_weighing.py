"""Results whose cells are enormous end in an error, not in a machine without memory."""

import pytest

from oldhand.errors import QueryFailed
from oldhand.record.clone import DatabaseEntry
from oldhand.sources.databases.opening import open_database
from oldhand.sources.databases.workspace import Workspace
from oldhand.sources.workers.reading import MAX_MEGABYTES, fetch_weighed


class Result:
    """A result of so many rows; counts those that were fetched."""

    def __init__(self, rows, cell="x"):
        self._left = rows
        self._cell = cell
        self.fetched = 0

    def __call__(self, size):
        size = min(size, self._left)
        self._left -= size
        self.fetched += size
        return [(self._cell, self.fetched)] * size


@pytest.mark.parametrize("there", [0, 1, 15, 16, 17, 144, 5_000, 10_000])
@pytest.mark.parametrize("wanted", [1, 16, 17, 1_001, 9_000])
def test_as_many_rows_as_wanted_and_no_more(there, wanted):
    result = Result(there)
    assert len(fetch_weighed(result, wanted)) == result.fetched == min(there, wanted)


@pytest.mark.parametrize("cell", ["x" * 4_000_000, b"x" * 4_000_000])
def test_heavy_rows_are_refused_long_before_all_are_fetched(cell):
    result = Result(100_000, cell)
    with pytest.raises(QueryFailed, match=f"more than {MAX_MEGABYTES} MB"):
        fetch_weighed(result, 100_000)
    assert result.fetched < 200


def test_duckdb_says_so_too_when_times_have_a_zone():
    heavy = "SELECT timestamptz '2024-01-31 10:00:00+00', repeat('x', 1000000) FROM range(1000)"
    with Workspace() as workspace:
        with pytest.raises(QueryFailed, match=f"more than {MAX_MEGABYTES} MB|more memory"):
            workspace.fetch(heavy, rows=1_000, seconds=60)
        assert workspace.fetch("SELECT 1", rows=1, seconds=60).rows == ((1,),)


def test_a_query_that_needs_more_memory_is_told_what_to_do():
    with Workspace() as workspace:
        with pytest.raises(QueryFailed, match="collect fewer rows"):
            workspace.fetch(
                "SELECT list(repeat('x', 100000) || i) FROM range(100000) r(i)", rows=1, seconds=60
            )
        assert workspace.fetch("SELECT 1", rows=1, seconds=60).rows == ((1,),)


def test_a_database_says_so_and_goes_on(tmp_path):
    (tmp_path / "shop.db").touch()
    heavy = (
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1000) "
        "SELECT zeroblob(12000000) FROM n"
    )
    with open_database(DatabaseEntry(name="shop", url=f"sqlite:///{tmp_path}/shop.db")) as shop:
        with pytest.raises(QueryFailed, match="MB"):
            shop.fetch(heavy, rows=1_000, seconds=30)
        assert shop.fetch("SELECT 1", rows=1, seconds=60).rows == ((1,),)
