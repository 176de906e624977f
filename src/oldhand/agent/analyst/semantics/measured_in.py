"""Amounts in the unit that a question asks for: the average length of tracks in minutes, where a column holds milliseconds."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from oldhand.query.converting import convert
from oldhand.query.form import Query
from oldhand.query.units import Unit, units
from oldhand.record.schema import DatabaseSchema

_IN_UNIT = re.compile(
    r"\s*\b(?:(?:measured|expressed|given|counted)\s+)?in\s+([A-Za-z]+)\b(?![/\d])", re.IGNORECASE
)


class AskedUnit(NamedTuple):
    """A question that says in which unit it wants an amount."""

    rest: str
    """The question without these words."""
    unit: Unit


def asked_units(question: str) -> Iterator[AskedUnit]:
    """Each place where a question may name the unit of its answer.

    >>> [(one.rest, one.unit.word) for one in asked_units("average length in minutes per genre")]
    [('average length per genre', 'minutes')]
    """
    for found in _IN_UNIT.finditer(question):
        unit = units().get(found[1].lower())
        if unit is not None and unit.kind != "money":  # what a dollar is in euros changes each day
            yield AskedUnit(question[: found.start()] + question[found.end() :], unit)


def in_unit(query: Query, unit: Unit, schemas: Sequence[DatabaseSchema]) -> Query | None:
    """The query with the amounts that it shows in another unit; a ranking shows what it ranks by. None where it has no such amount."""
    selected = [convert(one, unit, schemas) for one in query.select]
    sorted_by = [convert(one.by, unit, schemas) for one in query.order]
    shown = tuple(new or old for new, old in zip(selected, query.select, strict=True))
    order = query.order
    if query.limit is not None:
        order = tuple(replace(one, by=new or one.by) for new, one in zip(sorted_by, order, strict=True))  # fmt: skip
    added = tuple(one.by for one in order if one.by in sorted_by and one.by not in shown)
    return replace(query, select=(*shown, *added), order=order) if added or any(selected) else None
