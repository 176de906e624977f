"""Where people live is a condition, and no column to group by, though their table has a street."""

import pytest

from oldhand.agent.analyst.understanding import understand
from oldhand.query.compiling.compile import spelled
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
from oldhand.sources.databases.values import ValueIndex


@pytest.mark.parametrize("street", ["street", "address"])
def test_how_many_live_somewhere_is_one_number(street: str) -> None:
    columns = (
        Column(name="id", type="INT", kind=Kind.INTEGER, primary_key=True),
        *(Column(name=name, type="TEXT", kind=Kind.TEXT) for name in (street, "state")),
    )
    owners = Table(name="owners", schema_name="main", columns=columns)
    kennel = DatabaseSchema(name="kennel", dialect="sqlite", tables=(owners,))
    values = ValueIndex.in_memory("kennel", [("main", "owners", "state", ["Virginia", "Ohio"])])
    found = understand("How many owners live in Virginia?", (kennel,), values)
    assert spelled(found.candidates[0].query) == (
        "SELECT COUNT(*) FROM kennel.main.owners AS t1 WHERE t1.state = 'Virginia'"
    )
