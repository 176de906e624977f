"""The functions that queries of the form may call, by neutral names."""

from collections.abc import Sequence

from sqlglot import exp

NAMES: dict[str, type[exp.Expr]] = {
    "abs": exp.Abs, "coalesce": exp.Coalesce, "length": exp.Length, "lower": exp.Lower,
    "round": exp.Round, "trim": exp.Trim, "upper": exp.Upper,
}  # fmt: skip
"""Functions of sqlglot that mean the same in each dialect."""
_CAST = "cast "


def call(name: str, of: Sequence[exp.Expr]) -> exp.Expr:
    """The call of a function.

    Args:
        name: a name of `NAMES`, or `cast` and a type of sqlglot, such as `cast decimal`.
        of: what it is called with.

    >>> call("round", [exp.column("price"), exp.Literal.number(2)]).sql(), call("cast int", [exp.column("a")]).sql()
    ('ROUND(price, 2)', 'CAST(a AS INT)')
    """
    first, *rest = of
    if name.startswith(_CAST):
        return exp.Cast(this=first, to=exp.DataType.build(name.removeprefix(_CAST)))
    kind = NAMES[name]
    if kind is exp.Coalesce:
        return exp.Coalesce(this=first, expressions=list(rest))
    return (
        exp.Round(this=first, decimals=rest[0]) if rest and kind is exp.Round else kind(this=first)
    )
