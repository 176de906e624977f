"""Parts of dates, units and calls in a tree: what the rewrites of all dialects look at and make."""

from sqlglot import exp

_PARTS: dict[type[exp.Expr], str] = {
    exp.Year: "YEAR", exp.Month: "MONTH", exp.Day: "DAY", exp.DayOfMonth: "DAY",
    exp.Quarter: "QUARTER", exp.Hour: "HOUR", exp.Minute: "MINUTE", exp.Second: "SECOND",
    exp.Week: "WEEK", exp.WeekOfYear: "WEEK", exp.DayOfYear: "DOY", exp.DayOfWeek: "DOW",
    exp.DayOfWeekIso: "ISODOW",
}  # fmt: skip
"""Parts of a date; `DOW` counts from Sunday = 0, `ISODOW` from Monday = 1."""


def part_taken(node: exp.Expr) -> tuple[str, exp.Expr] | None:
    """Which part of which moment `node` takes, such as `("YEAR", o.placed)`, or None."""
    if isinstance(node, exp.Extract):
        return node.name.upper(), node.expression.copy()
    unit = _PARTS.get(type(node))
    if unit is None:
        return None
    moment: exp.Expr = node.this
    if isinstance(moment, exp.TsOrDsToDate | exp.TsOrDsToTimestamp):
        moment = moment.this
    return unit, moment.copy()


def call(name: str, *arguments: exp.Expr) -> exp.Expr:
    """The call of a function by the name that one dialect gives it."""
    return exp.Anonymous(this=name, expressions=list(arguments))


def extract(unit: str, moment: exp.Expr) -> exp.Expr:
    """EXTRACT of a part of a moment."""
    return exp.Extract(this=exp.var(unit), expression=moment)


def unit_of(node: exp.Expr) -> str:
    """The unit that dates are moved or measured by; days when none is named."""
    unit = node.args.get("unit")
    return unit.name.upper().rstrip("S") if isinstance(unit, exp.Expr) else "DAY"
