"""Amounts that are those of some rows alone: `turnover is the amount of invoices that are not written off`."""

from collections.abc import Iterator
from dataclasses import dataclass

from oldhand.agent.analyst.stating.formulas import WrittenFormula, written
from oldhand.agent.analyst.stating.named import tables_meant
from oldhand.agent.analyst.stating.things import Things, things_meant
from oldhand.errors import UnclearRule
from oldhand.lexicon.entries import words
from oldhand.record.schema import NUMBERS, DatabaseSchema
from oldhand.record.semantics import RowFilter
from oldhand.sources.databases.values import Values

_TABLE = 3
"""Words of the name of a table at most."""


@dataclass(frozen=True, slots=True)
class PartialAmount:
    """An amount, and the rows that it is one of."""

    amount: WrittenFormula
    rows: Things

    def beside(self, name: str) -> RowFilter:
        """The rule by which its rows alone count where the amount is asked for by its name."""
        return RowFilter(table=self.rows.table, condition=self.rows.condition, when=name)


def amount_of_some(
    said: str, schemas: tuple[DatabaseSchema, ...], values: Values
) -> PartialAmount | None:
    """The amount of some rows that words mean; None where they mean no such thing.

    Args:
        said: such as `the amount of paid invoices`, or `the sum of the price of texts without a discount`.
        schemas: the databases that they may speak of.
        values: what these hold.
    """
    for amount, rows in _parted(said, schemas):
        try:
            made = written(amount, schemas, values)
        except UnclearRule:
            continue
        if made is None or made.compares or not _is_amount(made):
            continue
        things = things_meant(rows, schemas, values, ((made.database, made.table),), only=True)
        if things is not None and things.table == made.table.name and _is_own(things):
            return PartialAmount(made, things)
    return None


def _parted(said: str, schemas: tuple[DatabaseSchema, ...]) -> Iterator[tuple[str, str]]:
    """What an amount may be called, up to the table behind its last `of`, and which rows of that table are told."""
    told = said.strip(" .!;").split()
    ofs = [place for place, word in enumerate(told) if word.lower() == "of"]
    for of in reversed(ofs):
        for start in range(of + 1, len(told)):
            sizes = range(min(_TABLE, len(told) - start), 0, -1)
            named = (start + size for size in sizes if tables_meant(" ".join(told[start : start + size]), schemas))  # fmt: skip
            end = next(named, 0)
            own = [one for one in told[of + 1 : start] if one.lower() not in words("rules.articles")]  # fmt: skip
            if end and (own or end < len(told)):
                rows = [*own, *told[start:]]
                yield " ".join([*told[: of + 1], *told[start:end]]), " ".join(rows)
                break


def _is_amount(made: WrittenFormula) -> bool:
    """Whether it is computed, or a column of numbers."""
    column = made.table.column(made.column) if made.column is not None else None
    return made.column is None or (column is not None and column.kind in NUMBERS)


def _is_own(things: Things) -> bool:
    """Whether rows are told by what their own columns hold, as those that a rule lets count have to be."""
    try:
        RowFilter(table=things.table, condition=things.condition)
    except ValueError:
        return False
    return True
