"""`by` after a sum or an average groups by the thing that is named, though no column is called so."""

import pytest

from oldhand.agent.analyst.understanding import understand
from oldhand.query.compiling.compile import spelled
from oldhand.query.form import Query
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table
from oldhand.sources.databases.values import ValueIndex


def column(name: str, kind: Kind = Kind.TEXT, *, key: bool = False) -> Column:
    return Column(name=name, type=kind.value.upper(), kind=kind, primary_key=key)


CLINIC = DatabaseSchema(
    name="clinic",
    dialect="sqlite",
    tables=(
        Table(
            name="doctors",
            schema_name="main",
            columns=(column("id", Kind.INTEGER, key=True), column("name"), column("speciality")),
        ),
        Table(
            name="visits",
            schema_name="main",
            columns=(
                column("id", Kind.INTEGER, key=True),
                column("doctor_id", Kind.INTEGER),
                column("fee", Kind.NUMBER),
                column("state"),
            ),
            foreign_keys=(
                ForeignKey(
                    columns=("doctor_id",),
                    database="clinic",
                    schema_name="main",
                    table="doctors",
                    target_columns=("id",),
                ),
            ),
        ),
    ),
)


@pytest.mark.parametrize(
    ("question", "group"),
    [
        ("total fee by doctor", "name"),
        ("average fee by doctor", "name"),
        ("total fee by speciality", "speciality"),
        ("sum of fees by state", "state"),
        ("number of visits by doctor", "name"),
    ],
)
def test_by_names_a_group(question: str, group: str) -> None:
    values = ValueIndex.in_memory("clinic", [("main", "visits", "state", ["held", "missed"])])
    best = understand(question, (CLINIC,), values).candidates[0].query
    assert isinstance(best, Query)
    assert best.group, spelled(best)
    assert f".{group}" in spelled(best)
