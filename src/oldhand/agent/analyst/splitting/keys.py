"""Keys of different databases that mean the same but are written differently.

A customer may be the number 7 in one database and the text '7' in another, `AB12` here and `ab12` there.
Before rows meet in the workspace, such sides of a comparison are brought to one form.
"""

from collections.abc import Iterable, Mapping

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import home, sources
from oldhand.record.base import Cell
from oldhand.record.schema import DATES, NUMBERS, Column, Kind

_KEY = "DECIMAL(38, 6)"
"""Exact for keys of up to 32 digits, which a floating-point number is not."""

_DATING = (exp.TimeToStr, exp.Extract, exp.Year, exp.Quarter, exp.Month, exp.DateTrunc, exp.DayOfWeekIso)  # fmt: skip
Known = Mapping[str, Mapping[str, Column]]
"""What is known of the columns of each step's table, by table and column name."""


def agree_on_keys(tree: exp.Expr, known: Known) -> exp.Expr:
    """Bring both sides of each comparison between steps to one form; changes `tree` and returns it."""
    for node in list(tree.find_all(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)):
        _agree(node.this, node.expression, known)
    for node in list(tree.find_all(exp.In)):
        inner = node.args.get("query")
        query = inner.unnest() if isinstance(inner, exp.Subquery) else inner
        if isinstance(query, exp.Query):
            outputs = query.selects
            if len(outputs) == 1:
                _agree(node.this, outputs[0].unalias(), known)
    for node in list(tree.find_all(*_DATING)):
        moment = node.expression if isinstance(node, exp.Extract) else node.this
        column = _column(moment, known)
        if column is not None and column.kind in {*DATES, Kind.TEXT}:
            _bring(moment, "TIMESTAMP")  # SQLite's dates are texts
    return tree


def _agree(left: exp.Expr, right: exp.Expr, known: Known) -> None:
    one, other = _column(left, known), _column(right, known)
    if one is None or other is None:
        return
    _bring(left, form(one, other))
    _bring(right, form(other, one))


def _column(node: exp.Expr, known: Known) -> Column | None:
    """What is known of `node` when it is a plain column of a step."""
    if not isinstance(node, exp.Column) or (select := home(node)) is None:
        return None
    for source in sources(select):
        if source.alias == node.table and source.table is not None:
            return known.get(source.table.name, {}).get(node.name)
    return None


def form(column: Column, other: Column) -> str | None:
    """The form that `column` must take to be compared with `other`; None when it may stay as it is.

    Returns a type to cast to, or `LOWER`.
    """
    kinds = {column.kind, other.kind}
    if column.kind is Kind.TEXT and other.kind in NUMBERS:
        return _KEY
    if column.kind is Kind.TEXT and other.kind in DATES:
        return other.kind.value
    if column.kind in DATES and other.kind is Kind.TEXT:
        return column.kind.value  # SQLite's dates are texts themselves
    if column.kind is Kind.BOOLEAN and other.kind in NUMBERS:
        return "INT"
    if kinds == {Kind.TEXT} and _letter_case(column.samples) != _letter_case(other.samples):
        return "LOWER"
    return None


def _letter_case(samples: Iterable[Cell]) -> str:
    """`upper`, `lower`, or nothing when the samples don't tell."""
    words = [cell for cell in samples if isinstance(cell, str) and cell.lower() != cell.upper()]
    if words and all(word.isupper() for word in words):
        return "upper"
    return "lower" if words and all(word.islower() for word in words) else ""


def _bring(node: exp.Expr, wanted: str | None) -> None:
    if wanted is None:
        return
    inner = node.copy()
    if wanted == "LOWER":
        node.replace(exp.Lower(this=exp.Trim(this=inner)))
        return
    node.replace(exp.TryCast(this=inner, to=exp.DataType.build(wanted), safe=True))
