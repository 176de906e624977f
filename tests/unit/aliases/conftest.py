"""A shop whose tables are not called what its people call them."""

from dataclasses import dataclass

import pytest

from oldhand.agent.analyst import Understanding, understand
from oldhand.agent.analyst.aliases.gate import alias_helps
from oldhand.agent.analyst.aliases.proposing import proposed_aliases
from oldhand.query.compiling.compile import spelled
from oldhand.record.effect import Alias
from oldhand.record.evidence import Pair
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table
from oldhand.sources.databases.values import ValueIndex


def column(name: str, kind: Kind = Kind.TEXT, *, key: bool = False) -> Column:
    return Column(name=name, type=kind.name, kind=kind, primary_key=key)


def table(name: str, *columns: Column, refers: tuple[str, ...] = ()) -> Table:
    keys = tuple(
        ForeignKey(
            columns=(f"{other}_id",), database="shop", schema_name="main", table=other, target_columns=("id",)
        )
        for other in refers
    )  # fmt: skip
    id_column = column("id", Kind.INTEGER, key=True)
    links = tuple(column(f"{other}_id", Kind.INTEGER) for other in refers)
    return Table(
        name=name, schema_name="main", columns=(id_column, *links, *columns), foreign_keys=keys
    )


SHOP = DatabaseSchema(
    name="shop",
    dialect="sqlite",
    tables=(
        table("patron", column("name"), column("city"), column("tier"), column("ltv", Kind.NUMBER)),
        table("deal", column("status"), column("grand_total", Kind.NUMBER), refers=("patron",)),
        table("gizmo", column("name"), column("colour"), column("price", Kind.NUMBER)),
    ),
)
VALUES = [
    ("main", "patron", "name", ["Ada", "Bob"]),
    ("main", "patron", "city", ["Berlin", "Rome"]),
    ("main", "patron", "tier", ["A1", "B2"]),
    ("main", "deal", "status", ["open", "closed"]),
    ("main", "gizmo", "colour", ["red", "blue"]),
]


@dataclass(frozen=True)
class Shop:
    """The shop, and what can be asked of its aliases."""

    values: ValueIndex

    def understand(self, question: str, *aliases: Alias) -> Understanding:
        return understand(question, (SHOP,), self.values, aliases=aliases)

    def sql(self, question: str, *aliases: Alias) -> str:
        candidates = self.understand(question, *aliases).candidates
        return spelled(candidates[0].query) if candidates else ""

    def proposed(self, question: str, sql: str) -> list[tuple[str, str]]:
        found = proposed_aliases(question, sql, (SHOP,), self.values, database="shop")
        return [(alias.phrase, alias.target) for alias in found]

    def helps(self, alias: Alias, *pairs: tuple[str, str]) -> bool:
        known = [Pair(question=q, sql=s, database="shop") for q, s in pairs]
        return alias_helps(alias, known, (SHOP,), self.values)


@pytest.fixture(scope="module")
def shop() -> Shop:
    return Shop(ValueIndex.in_memory("shop", VALUES))
