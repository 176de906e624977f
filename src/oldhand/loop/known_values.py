"""Whether a value that a word shall mean is in its column."""

from rapidfuzz import fuzz, process
from sqlglot import exp

from oldhand.errors import DatabaseError, QueryRefused
from oldhand.record.effect import EQUAL, Alias
from oldhand.sources.databases import Catalog

_SECONDS = 5.0
_LOOKED_AT = 5_000
"""Values of a column, at most, among which near ones are looked for."""
_NEAR = 60
"""Lowest similarity, of 100, of a value that is offered."""
_OFFERED = 3


async def missing_value(catalog: Catalog, alias: Alias) -> str:
    """A warning when no row has the value today; empty when one has, or when the database cannot tell."""
    if alias.column is None or alias.value is None:
        return ""
    column = exp.column(alias.column, quoted=True)
    source = exp.table_(alias.table, db=alias.schema_name, quoted=True)
    rows = exp.select(column).distinct().from_(source)
    same = rows.where(_condition(column, alias)).limit(1)
    others = rows.where(column.is_(exp.null()).not_()).limit(_LOOKED_AT)
    try:
        database = catalog.open(alias.database)
        found = await database.execute(same.sql(database.dialect), rows=1, seconds=_SECONDS)
        if found.values:
            return ""
        seen = await database.execute(
            others.sql(database.dialect), rows=_LOOKED_AT, seconds=_SECONDS
        )
    except (DatabaseError, QueryRefused):
        return ""
    near = near_values(str(alias.value), [str(value) for (value,) in seen.values])
    hint = f" Near: {', '.join(map(repr, near))}." if near and alias.operator == EQUAL else ""
    meant = alias.target.split(f"{alias.table}.", 1)[1]
    return f"No row of {alias.table} has {meant} today.{hint}"


_COMPARISONS = {"=": exp.EQ, ">": exp.GT, ">=": exp.GTE, "<": exp.LT, "<=": exp.LTE}


def _condition(column: exp.Column, alias: Alias) -> exp.Expr:
    values = [exp.convert(value) for value in alias.values]
    if alias.operator == "between":
        return exp.Between(this=column.copy(), low=values[0], high=values[1])
    return _COMPARISONS[alias.operator](this=column.copy(), expression=values[0])


def near_values(wanted: str, values: list[str]) -> list[str]:
    """The values that are spelt most alike, best first.

    >>> near_values("VIPs", ["vip", "regular", "VIP plus"])
    ['vip', 'VIP plus']
    """
    scored = process.extract(
        wanted,
        values,
        scorer=fuzz.WRatio,
        processor=str.casefold,
        limit=_OFFERED,
        score_cutoff=_NEAR,
    )
    return [value for value, *_ in scored]
