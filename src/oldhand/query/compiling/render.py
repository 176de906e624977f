"""Turns a candidate's neutral query into the SQL of one database.

A candidate names its tables `database.schema.table` and uses sqlglot's neutral functions. sqlglot writes
most of them right in every dialect; `rewritten` rewrites the others first.
"""

import re
from collections.abc import Callable

from sqlglot import exp

from oldhand.lexicon.entries import words
from oldhand.query.compiling.conversion import date_in_text, number_in_text
from oldhand.query.compiling.functions import DATE_IN_TEXT, NUMBER_IN_TEXT
from oldhand.query.compiling.medians import WITHOUT_MEDIAN, with_middle_rows
from oldhand.query.compiling.nodes import call, extract, part_taken, unit_of
from oldhand.query.compiling.warehouses import WAREHOUSES
from oldhand.record.schema import DatabaseSchema

_PLAIN_NAME = re.compile(r"[a-z_][a-z0-9_]*")
_STRFTIME = {
    "YEAR": "%Y", "MONTH": "%m", "DAY": "%d", "HOUR": "%H", "MINUTE": "%M", "SECOND": "%S",
    "WEEK": "%W", "DOY": "%j", "DOW": "%w",
}  # fmt: skip
_UNITS = {"WEEK": ("DAY", 7), "QUARTER": ("MONTH", 3), "YEAR": ("MONTH", 12)}
"""Units that SQLite lacks, or that end in months, by those that it has."""
_TRUNCATED = {
    "YEAR": "%Y-01-01", "MONTH": "%Y-%m-01", "DAY": "%Y-%m-%d", "HOUR": "%Y-%m-%d %H:00:00",
}  # fmt: skip


def default_schema(schema: DatabaseSchema) -> str:
    """The part of a database that needs no name in its SQL.

    In MySQL it is the database's own name, elsewhere `main` or `public`.
    """
    if schema.dialect in WAREHOUSES:
        return ""  # what a name without a schema means there, each login decides
    if schema.dialect == "mysql":
        return schema.tables[0].schema_name if schema.tables else ""
    return "public" if schema.dialect == "postgres" else "main"


def render(query: exp.Expr, dialect: str, home: str = "") -> str:
    """The SQL of `query` in `dialect`, pretty-printed.

    Args:
        query: a neutral query; it is not changed.
        dialect: as sqlglot calls it.
        home: the schema whose name is left out; `main` and `public` are too, but in a warehouse.

    >>> from sqlglot import parse_one
    >>> query = parse_one("SELECT YEAR(o.placed) AS y, COUNT(*) FROM shop.main.orders AS o GROUP BY 1")
    >>> print(render(query, "sqlite"))
    SELECT
      CAST(STRFTIME('%Y', o.placed) AS INTEGER) AS y,
      COUNT(*)
    FROM orders AS o
    GROUP BY
      1
    """
    tree = query.copy()
    for table in tree.find_all(exp.Table):
        table.set("catalog", None)
        if table.db in {home, ""} or (dialect not in WAREHOUSES and table.db in {"main", "public"}):
            table.set("db", None)
    tree = rewritten(tree.transform(_safe_division), dialect)
    for name in tree.find_all(exp.Identifier):
        name.set("quoted", needs_quotes(name.name))
    return tree.sql(dialect=dialect, pretty=True)


def needs_quotes(name: str) -> bool:
    """True when some database would misread `name` without quotes.

    >>> [needs_quotes(name) for name in ("city", "order", "Name", "unit price")]
    [False, True, True, True]
    """
    return not _PLAIN_NAME.fullmatch(name) or name in words("sql.reserved")


def _safe_division(node: exp.Expr) -> exp.Expr:
    """Dividing by nothing gives NULL in every dialect; left alone it fails, or is infinite."""
    if isinstance(node, exp.Div | exp.Mod | exp.IntDiv):
        by = node.expression
        if not isinstance(by.unnest(), exp.Literal | exp.Nullif):
            node.set("expression", exp.Nullif(this=by.copy(), expression=exp.Literal.number(0)))
    return node


# Each dialect has its rewrite of one node; `rewritten` applies it to a whole tree.
def rewritten(tree: exp.Expr, dialect: str) -> exp.Expr:
    """`tree` with the functions that `dialect` doesn't know replaced by what it does; changed in place."""
    for found in list(tree.find_all(exp.Anonymous)):
        if found.name == NUMBER_IN_TEXT:
            text, *written = found.expressions
            mark, around = (part.name for part in written) if written else ("", "")
            found.replace(number_in_text(text, dialect, (mark, around) if written else None))
        elif found.name == DATE_IN_TEXT:
            text, pattern = found.expressions
            found.replace(date_in_text(text, pattern.name, dialect))
    if dialect in WITHOUT_MEDIAN and tree.find(exp.Median):
        tree = with_middle_rows(tree)
    rewrite = _REWRITES[dialect]
    for node in reversed(list(tree.walk())):  # the inner ones first
        changed = rewrite(node)
        if changed is not node and node is tree:
            tree = changed
        elif changed is not node:
            node.replace(changed)
    return tree


def _strftime(pattern: str, moment: exp.Expr) -> exp.Expr:
    return call("STRFTIME", exp.Literal.string(pattern), moment)


def _extracted(node: exp.Expr) -> exp.Expr:
    found = part_taken(node)
    return node if found is None else extract(*found)


def _sqlite(node: exp.Expr) -> exp.Expr:
    if (found := part_taken(node)) is not None:
        return _sqlite_part(*found) or node
    if isinstance(node, exp.DateTrunc | exp.TimestampTrunc):
        pattern = _TRUNCATED.get(unit_of(node))
        return _strftime(pattern, node.this.copy()) if pattern else node
    if isinstance(node, exp.DateAdd | exp.DateSub):
        return _sqlite_shift(
            node.this, node.expression, unit_of(node), isinstance(node, exp.DateSub)
        )
    if isinstance(node, exp.Add | exp.Sub) and isinstance(node.expression, exp.Interval):
        by = node.expression
        return _sqlite_shift(node.this, by.this, unit_of(by), isinstance(node, exp.Sub))
    if isinstance(node, exp.Stddev | exp.StddevSamp | exp.Variance):
        return _sqlite_spread(node.this, root=not isinstance(node, exp.Variance))
    return _sqlite_between(node) if isinstance(node, exp.DateDiff) else node


def _sqlite_between(node: exp.DateDiff) -> exp.Expr:
    """Seconds are counted whole: days with parts, as they come from JULIANDAY, are rounded down to one too few."""
    if unit_of(node) != "SECOND":
        return node
    return _strftime("%s", node.this.copy()) - _strftime("%s", node.expression.copy())


def _sqlite_part(unit: str, moment: exp.Expr) -> exp.Expr | None:
    if unit == "QUARTER":
        month = exp.cast(_strftime("%m", moment), "int")
        return exp.cast(exp.Div(this=exp.paren(month + 2), expression=exp.Literal.number(3)), "int")
    if unit == "ISODOW":
        day = exp.cast(_strftime("%w", moment), "int")
        return exp.paren(exp.Mod(this=exp.paren(day + 6), expression=exp.Literal.number(7)) + 1)
    pattern = _STRFTIME.get(unit)
    return exp.cast(_strftime(pattern, moment), "int") if pattern else None


def _sqlite_shift(moment: exp.Expr, by: exp.Expr, unit: str, back: bool) -> exp.Expr:
    """SQLite moves a date by a text such as '-30 days'.

    It counts a day that a month lacks into the next month; the end of the month is taken instead, as elsewhere.
    """
    unit, times = _UNITS.get(unit, (unit, 1))
    if not isinstance(by, exp.Literal) or not by.name.lstrip("-").isdigit():
        return call("DATE", moment.copy(), _moved_by(by, unit, back))
    amount = int(by.name) * times * (-1 if back else 1)
    if unit in {"HOUR", "MINUTE", "SECOND"}:
        return call("DATETIME", moment.copy(), _text(f"{amount:+} {unit}s"))
    moved = call("DATE", moment.copy(), _text(f"{amount:+} {unit}s"))
    if unit != "MONTH":
        return moved
    steps = (_text("start of month"), _text(f"{amount + 1:+} months"), _text("-1 day"))
    return call("MIN", moved, call("DATE", moment.copy(), *steps))


def _moved_by(by: exp.Expr, unit: str, back: bool) -> exp.Expr:
    amount = exp.DPipe(this=_text("-" if back else "+"), expression=exp.paren(by.copy()))
    return exp.DPipe(this=amount, expression=_text(f" {unit}s"))


def _text(value: str) -> exp.Expr:
    return exp.Literal.string(value.lower())


def _sqlite_spread(value: exp.Expr, *, root: bool) -> exp.Expr:
    """The sample's variance out of sums; SQLite has no function for it."""
    count = exp.Count(this=value.copy())
    squares = exp.Sum(this=exp.Mul(this=value.copy(), expression=value.copy()))
    total = exp.Sum(this=value.copy())
    squared = exp.Mul(this=total, expression=total.copy())
    above = squares - exp.Div(this=squared, expression=count.copy())
    below = exp.Nullif(this=count - 1, expression=exp.Literal.number(0))
    variance = exp.Div(this=exp.paren(above), expression=below)
    return call("SQRT", variance) if root else variance


def _postgres(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Round) and node.args.get("decimals") is not None:
        if not node.this.is_type("decimal"):  # ROUND(double precision, n) does not exist
            node.set("this", exp.cast(node.this.copy(), "decimal"))
        return node
    return _extracted(node)


def _mysql(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.DateDiff) and unit_of(node) == "SECOND":
        ends = {"this": node.this.copy(), "expression": node.expression.copy()}
        return exp.TimestampDiff(**ends, unit=exp.var("SECOND"))
    found = part_taken(node)
    if found is None:
        return node
    unit, moment = found
    if unit == "ISODOW":
        return exp.paren(call("WEEKDAY", moment) + 1)
    if unit == "DOW":
        return exp.paren(call("DAYOFWEEK", moment) - 1)
    if unit == "DOY":
        return call("DAYOFYEAR", moment)
    return extract(unit, moment)


_REWRITES: dict[str, Callable[[exp.Expr], exp.Expr]] = {
    "sqlite": _sqlite, "postgres": _postgres, "mysql": _mysql, "duckdb": _extracted, **WAREHOUSES,
}  # fmt: skip
