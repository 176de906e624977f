"""Normal parts with something left blank, so that those which differ in just that are the same."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from oldhand.query import form
from oldhand.query.normal import Key
from oldhand.query.spelling import OF_ONE
from oldhand.query.walk import changed

Blank = Callable[[form.Node], form.Node]

ORDERING = ("<", "<=", ">", ">=")
_NOWHERE = form.ColumnRef(form.Relation("", "", ""), "")
_TIME = re.compile(r"\d{4}(-\d\d){1,2}([ T].*)?|\d{4}-Q\d|\d\d:\d\d.*")
"""How days, months, moments and times of day are written."""


def blanked(key: Key, *blanks: Blank) -> Key:
    """The part with what each of `blanks` takes out of its own parts.

    >>> from oldhand.query.form import ColumnRef, Comparison, Relation
    >>> price = ColumnRef(Relation("shop", "main", "products"), "price")
    >>> one, other = (blanked(Comparison(price, "<", (value,)), values) for value in (10, 20))
    >>> one == other
    True
    """
    if isinstance(key, int | str):
        return key

    def blank(part: form.Node) -> form.Node:
        for one in blanks:
            part = one(part)
        return part

    return changed(key, blank)


def values(part: form.Node) -> form.Node:
    """Without values; whether there was one or several of them makes no difference."""
    match part:
        case form.Comparison() if part.values:
            return replace(part, operator=OF_ONE.get(part.operator, part.operator), right=())
        case form.Value():
            return form.Value(None)
        case _:
            return part


def times(part: form.Node) -> form.Node:
    """Without days and moments, and without the unit in which time is counted."""
    match part:
        case form.Comparison() if is_time(part):
            return replace(part, right=())
        case form.DatePart():
            return replace(part, part="")
        case form.Elapsed():
            return replace(part, unit="", exact=False)
        case _:
            return part


def is_time(comparison: form.Comparison) -> bool:
    """True when something is compared with days or moments, or with parts of dates."""
    timely = isinstance(comparison.left, form.DatePart | form.Elapsed)
    return bool(comparison.values) and (timely or any(map(_is_moment, comparison.values)))


def _is_moment(value: form.Scalar) -> bool:
    return isinstance(value, str) and _TIME.fullmatch(value) is not None


def columns(part: form.Node) -> form.Node:
    """Without the names of columns."""
    return _NOWHERE if isinstance(part, form.ColumnRef) else part


def functions(part: form.Node) -> form.Node:
    """Without the functions of measures, while it stays what they are of."""
    match part:
        case form.Count(of=of) if of is not None:
            return form.Aggregate("", of)
        case form.Aggregate():
            return form.Aggregate("", part.of)
        case form.Proportion():
            return part.of
        case _:
            return part


def operators(part: form.Node) -> form.Node:
    """Without what comparisons compare by."""
    match part:
        case form.Comparison():
            return replace(part, operator="")
        case form.Has():
            return replace(part, none=False)
        case _:
            return part


def signs(part: form.Node) -> form.Node:
    """Without `not`, and without above and below."""
    match part:
        case form.Comparison(operator=operator):
            plain = {"!=": "=", **dict.fromkeys(ORDERING, "<")}.get(operator, operator)
            return replace(part, operator=plain.removeprefix("not "))
        case form.Has():
            return replace(part, none=False)
        case _:
            return part


def directions(part: form.Node) -> form.Node:
    """Without whether it is sorted up or down."""
    return replace(part, descending=False) if isinstance(part, form.Order) else part


def keys(part: form.Node) -> form.Node:
    """Without the columns by which relations are joined."""
    return replace(part, keys=()) if isinstance(part, form.Join) else part


EXCHANGES: Mapping[str, Blank] = {
    "time": times, "value": values, "direction": directions, "operator": operators,
    "measure": functions, "column": columns, "join": keys,
}  # fmt: skip
"""What one part may have in place of what another one has, by what both are the same without."""
