"""The functions that queries of the form may call, by neutral names."""

from collections.abc import Sequence

from sqlglot import exp

NAMES: dict[str, type[exp.Expr]] = {
    "abs": exp.Abs, "ceil": exp.Ceil, "coalesce": exp.Coalesce, "date": exp.Date, "exp": exp.Exp,
    "floor": exp.Floor, "length": exp.Length, "lower": exp.Lower, "nullif": exp.Nullif,
    "power": exp.Pow, "round": exp.Round, "sign": exp.Sign, "sqrt": exp.Sqrt,
    "substring": exp.Substring, "today": exp.CurrentDate, "trim": exp.Trim, "upper": exp.Upper,
}  # fmt: skip
"""Functions of sqlglot that mean the same in each dialect."""
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "coalesce": ("this", "expressions"), "nullif": ("this", "expression"),
    "power": ("this", "expression"), "round": ("this", "decimals"),
    "substring": ("this", "start", "length"), "today": (),
}  # fmt: skip
"""What sqlglot calls the arguments of those that take more than one, or none; `expressions` are all that are left."""
NUMBER = "number"
"""The number that a text holds, with its decimal mark and the signs around it unless it converts as it stands."""
ANY = "any"
"""One of the elements of an array."""
NUMBER_IN_TEXT = "NUMBER_IN_TEXT"
"""The same in a tree, until the dialect is known."""
DATE = "date in text"
"""The date that a text holds, with the form in which it is written."""
DATE_IN_TEXT = "DATE_IN_TEXT"
"""The same in a tree, until the dialect is known."""
_LATER = {NUMBER: NUMBER_IN_TEXT, DATE: DATE_IN_TEXT}
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
    if name.startswith(_CAST):
        return exp.Cast(this=of[0], to=exp.DataType.build(name.removeprefix(_CAST)))
    if name.startswith(_TRY_CAST):
        kind = exp.DataType.build(name.removeprefix(_TRY_CAST))
        return exp.TryCast(this=of[0], to=kind, safe=True)
    if name == ANY:
        return exp.Any(this=exp.Paren(this=of[0]))
    if name in _LATER:
        return exp.Anonymous(this=_LATER[name], expressions=list(of))
    given: dict[str, exp.Expr | list[exp.Expr]] = {}
    for place, argument in enumerate(ARGUMENTS.get(name, ("this",))):
        if argument == "expressions":
            given[argument] = list(of[place:])
        elif place < len(of):
            given[argument] = of[place]
    return NAMES[name](**given)
