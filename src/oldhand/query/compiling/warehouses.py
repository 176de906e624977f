"""What SQL Server, Snowflake and BigQuery call the functions that sqlglot leaves as they are."""

from collections.abc import Callable, Mapping

from sqlglot import exp

from oldhand.query.compiling.nodes import call, extract, part_taken, unit_of

_TSQL_PARTS = {"DOY": "DAYOFYEAR"}
_TSQL_STYLES = {"%d.%m.%Y": 104, "%d/%m/%Y": 103, "%m/%d/%Y": 101, "%Y/%m/%d": 111, "%Y%m%d": 112}
"""How CONVERT calls the ways of writing dates."""
_BIGQUERY_PARTS = {"DOY": "DAYOFYEAR", "WEEK": "ISOWEEK"}


def _tsql(node: exp.Expr) -> exp.Expr:
    if (found := part_taken(node)) is not None:
        return _tsql_part(*found)
    if isinstance(node, exp.Select | exp.SetOperation):
        return _with_order(node)
    if isinstance(node, exp.Add | exp.Sub) and isinstance(node.expression, exp.Interval):
        by = node.expression
        return _tsql_shift(node.this, by.this, unit_of(by), isinstance(node, exp.Sub))
    if isinstance(node, exp.DateAdd | exp.DateSub):
        return _tsql_shift(node.this, node.expression, unit_of(node), isinstance(node, exp.DateSub))
    return _tsql_function(node)


def _tsql_function(node: exp.Expr) -> exp.Expr:
    match node:
        case exp.ILike():
            return exp.Like(
                this=exp.Lower(this=node.this), expression=exp.Lower(this=node.expression)
            )
        case exp.CurrentDate():
            return exp.cast(call("GETDATE"), "date")
        case exp.Date() | exp.TsOrDsToDate():
            return exp.cast(node.this, "date")
        case exp.Avg() if not node.this.is_type("double"):  # the average of integers is cut
            return exp.Avg(this=_of_each(node.this, lambda one: exp.cast(one, "double")))
        case exp.Variance():
            return call("VAR", node.this)
        case exp.Round() if node.args.get("decimals") is None:
            return call("ROUND", node.this, exp.Literal.number(0))
        case exp.DateDiff() if unit_of(node) == "SECOND":
            return call("DATEDIFF_BIG", exp.var("SECOND"), node.expression, node.this)
        case exp.StrToDate():
            style = _TSQL_STYLES.get(node.text("format"), 120)
            return call("TRY_CONVERT", exp.var("DATE"), node.this, exp.Literal.number(style))
        case exp.Literal() if node.is_string and not node.name.isascii():
            return exp.National(this=node.name)  # other text goes through a code page
        case _:
            return node


def _of_each(node: exp.Expr, change: Callable[[exp.Expr], exp.Expr]) -> exp.Expr:
    if isinstance(node, exp.Distinct):
        return exp.Distinct(expressions=[change(one) for one in node.expressions])
    return change(node)


def _tsql_part(unit: str, moment: exp.Expr) -> exp.Expr:
    if unit in {"DOW", "ISODOW"}:  # DATEPART counts from a day that each session may choose
        first = "19000101" if unit == "ISODOW" else "18991231"
        since = call("DATEDIFF", exp.var("DAY"), exp.Literal.string(first), moment)
        day = exp.Mod(this=since, expression=exp.Literal.number(7))
        return exp.paren(day + 1) if unit == "ISODOW" else exp.paren(day)
    return call("DATEPART", exp.var(_TSQL_PARTS.get(unit, unit)), moment)


def _tsql_shift(moment: exp.Expr, by: exp.Expr, unit: str, back: bool) -> exp.Expr:
    amount = exp.cast(by.copy(), "int") if not _is_whole(by) else exp.Literal.number(by.name)
    return call("DATEADD", exp.var(unit), exp.Neg(this=amount) if back else amount, moment.copy())


def _is_whole(by: exp.Expr) -> bool:
    return isinstance(by, exp.Literal) and by.name.isdigit()


def _with_order(node: exp.Select | exp.SetOperation) -> exp.Expr:
    """OFFSET needs an order there."""
    if node.args.get("offset") and not node.args.get("order"):
        nothing = exp.paren(exp.select(exp.null()))
        node.set("order", exp.Order(expressions=[exp.Ordered(this=nothing, nulls_first=True)]))
    return node


def _snowflake(node: exp.Expr) -> exp.Expr:
    if (found := part_taken(node)) is not None:
        unit, moment = found
        if unit in {"DOW", "ISODOW"}:  # DAYOFWEEK follows WEEK_START
            day = call("DAYOFWEEKISO", moment)
            return day if unit == "ISODOW" else exp.paren(exp.Mod(this=day, expression=exp.Literal.number(7)))  # fmt: skip
        return extract(unit, moment)
    if isinstance(node, exp.StrToDate):
        pattern = node.text("format").replace("%d", "DD").replace("%m", "MM").replace("%Y", "YYYY")
        return call("TRY_TO_DATE", node.this, exp.Literal.string(pattern))
    return node


def _bigquery(node: exp.Expr) -> exp.Expr:
    if (found := part_taken(node)) is not None:
        unit, moment = found
        if unit in {"DOW", "ISODOW"}:
            shift = 5 if unit == "ISODOW" else 6
            day = extract("DAYOFWEEK", moment) + shift
            day = call("MOD", day, exp.Literal.number(7))
            return exp.paren(day + 1) if unit == "ISODOW" else day
        return extract(_BIGQUERY_PARTS.get(unit, unit), moment)
    match node:
        case exp.DateDiff():
            unit = unit_of(node)
            kind = "timestamptz" if unit == "SECOND" else "date"
            ends = [exp.cast(one, kind) for one in (node.this, node.expression)]
            name = "TIMESTAMP_DIFF" if unit == "SECOND" else "DATE_DIFF"
            return call(name, *ends, exp.var(unit))
        case exp.TimeToStr():
            moment = exp.cast(node.this, "timestamptz")
            return call("FORMAT_TIMESTAMP", exp.Literal.string(node.text("format")), moment)
        case exp.StrToDate():
            return call("SAFE.PARSE_DATE", exp.Literal.string(node.text("format")), node.this)
        case exp.Mod():  # % is not known
            return call("MOD", node.this.unnest(), node.expression.unnest())
        case _:
            return node


WAREHOUSES: Mapping[str, Callable[[exp.Expr], exp.Expr]] = {
    "tsql": _tsql, "snowflake": _snowflake, "bigquery": _bigquery,
}  # fmt: skip
"""The rewrite of one node, by dialect."""
