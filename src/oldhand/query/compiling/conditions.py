"""Conditions and quotients, once their sides are written."""

from collections.abc import Mapping, Sequence

from sqlglot import exp

from oldhand.lexicon.wording import plain_number
from oldhand.query.form import Scalar

COMPARISONS: Mapping[str, type[exp.Binary]] = {
    "=": exp.EQ, "!=": exp.NEQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE,
}  # fmt: skip
"""How each operator is written."""
WHOLE = 100.0
"""What shares are counted in: percent."""


def both(one: exp.Expr, two: exp.Expr) -> exp.Expr:
    """That two conditions hold."""
    return exp.And(this=one, expression=two)


def with_values(left: exp.Expr, operator: str, values: Sequence[exp.Expr]) -> exp.Expr:
    """A comparison with values by an operator of the form."""
    plain = operator.removeprefix("not ")
    if plain == "null":
        made: exp.Expr = exp.Is(this=left, expression=exp.Null())
    elif plain == "like":
        made = exp.Like(this=left, expression=values[0])
    elif plain == "in":
        made = exp.In(this=left, expressions=list(values)) if values else exp.false()
    elif plain == "between":
        made = exp.Between(this=left, low=values[0], high=values[1])
    elif plain == "within":
        made = both(
            exp.GTE(this=left, expression=values[0]), exp.LT(this=left.copy(), expression=values[1])
        )
        made = exp.Paren(this=made) if operator.startswith("not ") else made
    elif isinstance(left, exp.Any):
        made = exp.EQ(this=values[0], expression=left)  # it stands on the right only
    else:
        made = COMPARISONS[plain](this=left, expression=values[0])
    return exp.Not(this=made) if operator.startswith("not ") else made


def literal(value: Scalar | None) -> exp.Expr:
    """A value as it stands in a query."""
    return exp.convert(plain_number(value) if isinstance(value, float) else value)


def percent(part: exp.Expr, whole: exp.Expr) -> exp.Expr:
    """A part of a whole, in percent."""
    return divided(exp.Mul(this=exp.Literal.number(WHOLE), expression=part), whole)


def divided(part: exp.Expr, whole: exp.Expr) -> exp.Expr:
    """A quotient of numbers with their fractions; nothing where it would be of nothing."""
    none = exp.Nullif(this=whole, expression=exp.Literal.number(0))
    return exp.Div(this=part, expression=none, typed=False, safe=False)
