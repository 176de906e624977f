"""Of two keys that lead to one table, what was learned of the one is not used for the other."""

import pytest

from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table
from oldhand.sources.databases.values import ValueIndex

from .conftest import Shop


def _column(name: str, kind: Kind) -> Column:
    return Column(name=name, type=kind.value, kind=kind, primary_key=name == "id", nullable=False)


def _key(column: str) -> ForeignKey:
    return ForeignKey(
        columns=(column,),
        database="line",
        schema_name="main",
        table="towns",
        target_columns=("id",),
    )


LINE = Shop(
    (
        DatabaseSchema(
            name="line",
            dialect="sqlite",
            tables=(
                Table(
                    name="towns",
                    schema_name="main",
                    columns=(_column("id", Kind.INTEGER), _column("name", Kind.TEXT)),
                ),
                Table(
                    name="crossings",
                    schema_name="main",
                    columns=(
                        _column("id", Kind.INTEGER),
                        _column("origin_id", Kind.INTEGER),
                        _column("target_id", Kind.INTEGER),
                    ),
                    foreign_keys=(_key("origin_id"), _key("target_id")),
                ),
            ),
        ),
    ),
    ValueIndex.in_memory("line", [("main", "towns", "name", ["Kiel", "Oslo", "Bergen"])]),
)
ARRIVING = "SELECT COUNT(*) FROM crossings AS c JOIN towns AS t ON t.id = c.target_id WHERE t.name = 'Kiel'"


def _pair(confirm):
    return confirm("How many crossings arrive at Kiel?", ARRIVING, database="line")


@pytest.mark.parametrize(
    "other",
    [
        "How many crossings depart from Kiel?",
        "How many crossings leave Kiel?",
        "How many crossings set off from Oslo?",
        "How many crossings begin at Bergen?",
    ],
)
def test_a_pair_of_one_key_is_not_used_for_the_other(confirm, other):
    pair = _pair(confirm)
    assert pair.id not in LINE.read(other, pair).lessons
    assert "target_id" not in LINE.sql(other, pair)


@pytest.mark.parametrize(
    "same", ["How many crossings arrive at Oslo?", "How many crossings arrive in Bergen?"]
)
def test_it_is_used_where_the_same_is_said_of_another_town(confirm, same):
    assert "target_id" in LINE.sql(same, _pair(confirm))
