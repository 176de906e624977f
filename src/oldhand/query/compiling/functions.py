"""The functions that queries of the form may call, by neutral names."""

from collections.abc import Sequence

from sqlglot import exp

NAMES: dict[str, type[exp.Expr]] = {
    "abs": exp.Abs, "coalesce": exp.Coalesce, "length": exp.Length, "lower": exp.Lower,
    "round": exp.Round, "trim": exp.Trim, "upper": exp.Upper,
}  # fmt: skip
"""Functions of sqlglot that mean the same in each dialect."""
NUMBER = "number"
"""The number that a text holds, with its decimal mark and the signs around it unless it converts as it stands."""
NUMBER_IN_TEXT = "NUMBER_IN_TEXT"
"""The same in a tree, until the dialect is known."""
_CAST, _TRY_CAST = "cast ", "try cast "


def call(name: str, of: Sequence[exp.Expr]) -> exp.Expr:
    """The call of a function.

    Args:
        name: a name of `NAMES`, `number`, or `cast` and a type of sqlglot, such as `cast decimal`; `try cast` gives
            nothing for what does not convert.
        of: what it is called with.

    >>> call("round", [exp.column("price"), exp.Literal.number(2)]).sql(), call("cast int", [exp.column("a")]).sql()
    ('ROUND(price, 2)', 'CAST(a AS INT)')
    """
    first, *rest = of
    if name.startswith(_CAST):
        return exp.Cast(this=first, to=exp.DataType.build(name.removeprefix(_CAST)))
    if name.startswith(_TRY_CAST):
        kind = exp.DataType.build(name.removeprefix(_TRY_CAST))
        return exp.TryCast(this=first, to=kind, safe=True)
    if name == NUMBER:
        return exp.Anonymous(this=NUMBER_IN_TEXT, expressions=list(of))
    kind = NAMES[name]
    if kind is exp.Coalesce:
        return exp.Coalesce(this=first, expressions=list(rest))
    return (
        exp.Round(this=first, decimals=rest[0]) if rest and kind is exp.Round else kind(this=first)
    )
