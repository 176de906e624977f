"""Text that holds numbers or dates, made into numbers and dates in each dialect."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import cast

from sqlglot import exp

from oldhand.query import form
from oldhand.query.compiling.functions import DATE
from oldhand.query.known import profile_of
from oldhand.query.opaque import Opaque
from oldhand.query.walk import changed, walk
from oldhand.record.base import Cell
from oldhand.record.schema import DatabaseSchema

_NUMBER = "-?[0-9]+([.][0-9]+)?"
_TRYING = frozenset({"duckdb", "tsql", "snowflake", "bigquery"})
"""Dialects that give nothing for what does not convert, if they are asked to."""
_WITHOUT_PATTERNS = frozenset({"sqlite", "tsql"})
_GAPS = frozenset({" ", "'", "\u00a0", "\u202f"})
"""What parts thousands, beside commas and points."""
_PLAIN_NUMBER = re.compile(r"\s*-?\d+(\.\d+)?\s*")
_DECIMAL_COMMA = re.compile(r"\d,\d{1,2}\s*\D*$")
_DECIMAL_POINT = re.compile(r"\d\.\d{1,2}\s*\D*$")
_DATE_FORMS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(\d{1,2})\.(\d{1,2})\.\d{4}"), "%d.%m.%Y"),
    (re.compile(r"\d{4}/\d{1,2}/\d{1,2}"), "%Y/%m/%d"),
    (re.compile(r"\d{8}"), "%Y%m%d"),
)
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/\d{4}")
_ISO = re.compile(r"\d{4}-\d\d(-\d\d)?([T ].*)?")
_LENGTHS: Mapping[str, int] = {"Y": 4, "m": 2, "d": 2}


def is_number(cell: Cell) -> bool:
    """True for a number, and for text that is one but for currency signs and separators.

    >>> [is_number(cell) for cell in (7, "7.50", "$1,200.00", "1.200,50 €", "n/a", "A7")]
    [True, True, True, True, False, False]
    """
    if isinstance(cell, str):
        return re.fullmatch(r"[^\w\d]*(EUR|USD|GBP|CHF)?\s*-?\d[\d.,\s']*\W*(EUR|USD|GBP|CHF)?\W*", cell) is not None  # fmt: skip
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def needs_cleaning(samples: Sequence[Cell]) -> bool:
    """True when some sample is text that does not convert as it stands."""
    return any(isinstance(cell, str) and not _PLAIN_NUMBER.fullmatch(cell) for cell in samples)


def how_written(samples: Sequence[Cell]) -> tuple[str, str]:
    """How text writes numbers: its decimal mark, and what stands between and around the digits.

    >>> how_written(("$1,200.50", "$7")), how_written(("1.200,50 €",))
    (('.', '$'), (',', ' €'))
    """
    texts = [cell for cell in samples if isinstance(cell, str)]
    comma = any(_DECIMAL_COMMA.search(t) for t in texts)
    mark = "," if comma and not any(_DECIMAL_POINT.search(t) for t in texts) else "."
    used = {c for t in texts for c in t if not c.isalnum() and c not in ".,-+"}
    return mark, "".join([*sorted(used & _GAPS), *sorted(used - _GAPS)])


def number_in_text(value: exp.Expr, dialect: str, written: tuple[str, str] | None) -> exp.Expr:
    """The number that a text holds."""
    if written is not None:
        value = _digits(value, dialect, *written)
    if dialect in _TRYING:
        return exp.TryCast(this=value, to=exp.DataType.build("double"), safe=True)
    wanted = {"postgres": "decimal", "mysql": "decimal(30, 6)"}.get(dialect, "double")
    return exp.cast(value, wanted)


def _digits(value: exp.Expr, dialect: str, mark: str, around: str) -> exp.Expr:
    """The first number in `value`, with a decimal point and no thousands separators."""
    if mark == ",":
        value = _replaced(_replaced(value, ".", ""), ",", ".")
    else:
        value = _replaced(value, ",", "")
    for sign in around:
        if sign in _GAPS or dialect in _WITHOUT_PATTERNS:
            value = _replaced(value, sign, "")
    pattern = exp.Literal.string(_NUMBER)
    if dialect == "postgres":
        return exp.Substring(this=value, start=exp.Literal.string("-?[0-9]+(?:[.][0-9]+)?"))
    if dialect == "bigquery":
        pattern = exp.Literal.string("-?[0-9]+(?:[.][0-9]+)?")
    if dialect in {"duckdb", "bigquery"}:
        return exp.Anonymous(this="REGEXP_EXTRACT", expressions=[value, pattern])
    if dialect in {"mysql", "snowflake"}:
        value = exp.Anonymous(this="REGEXP_SUBSTR", expressions=[value, pattern])
    else:
        value = exp.Trim(this=value)
    return exp.Nullif(this=value, expression=exp.Literal.string(""))


def _replaced(value: exp.Expr, old: str, new: str) -> exp.Expr:
    arguments = [value, exp.Literal.string(old), exp.Literal.string(new)]
    return exp.Anonymous(this="REPLACE", expressions=arguments)


def as_date(node: exp.Expr, dialect: str, samples: Sequence[Cell]) -> exp.Expr:
    """`node`, which is text, as a date, or as a point in time when the samples hold times."""
    texts = [cell for cell in samples if isinstance(cell, str)]
    form = date_form(texts)
    if form is None:
        timed = any(re.search(r"\d{2}:\d{2}", text) for text in texts)
        kind = exp.DataType.build("timestamp" if timed else "date")
        if dialect in _TRYING:
            return exp.TryCast(this=node.copy(), to=kind, safe=True)
        return exp.cast(node.copy(), kind)
    return parsed_date(node, dialect, form)


def parsed_date(node: exp.Expr, dialect: str, form: str) -> exp.Expr:
    """`node`, which is text, as a date that is written in this form."""
    if dialect == "duckdb":
        arguments = [node.copy(), exp.Literal.string(form)]
        return exp.cast(exp.Anonymous(this="TRY_STRPTIME", expressions=arguments), "date")
    return exp.StrToDate(this=node.copy(), format=exp.Literal.string(form))


def date_form(texts: Sequence[str]) -> str | None:
    """How dates are written in `texts`; None for ISO dates and for what is not known.

    >>> date_form(["31.12.2024"]), date_form(["01/31/2024"]), date_form(["31/01/2024"]), date_form(["2024-01-31"])
    ('%d.%m.%Y', '%m/%d/%Y', '%d/%m/%Y', None)
    """
    slashed = [found for text in texts if (found := _SLASHED.match(text))]
    if slashed:
        day_first = any(int(found.group(1)) > 12 for found in slashed)
        return "%d/%m/%Y" if day_first else "%m/%d/%Y"
    for pattern, written in _DATE_FORMS:
        if texts and all(pattern.fullmatch(text) for text in texts):
            return written
    return None


def iso_date(text: str) -> str | None:
    """A date in another form as ISO writes it; None when it is none, or ISO already.

    >>> iso_date("31.12.2024"), iso_date("01/31/2024"), iso_date("2024-01-31")
    ('2024-12-31', '2024-01-31', None)
    """
    form = date_form([text])
    if form is None or form == "%Y%m%d":
        return None
    try:
        return datetime.strptime(text, form).date().isoformat()  # noqa: DTZ007 - a day, not a moment
    except ValueError:
        return None


# Makes dates of text that writes them in another form than ISO's, where they are compared, sorted or taken apart.
def with_dates(query: form.Query, schema: DatabaseSchema) -> form.Query:
    """A query with dates made of text, as the profile says that it is written."""
    written = any(c.profile and c.profile.form for t in schema.tables for c in t.columns)
    return changed(query, lambda node: _converted(node, schema)) if written else query


def makes_dates(query: form.Query | Opaque) -> bool:
    """Whether `with_dates` has changed it: what it wrote is not read back from SQL."""
    parts = walk(query, inner=True) if isinstance(query, form.Query) else ()
    return any(isinstance(one, form.Function) and one.name == DATE for one in parts)


def date_in_text(text: exp.Expr, pattern: str, dialect: str) -> exp.Expr:
    """The date that a text holds; SQLite gets ISO's text of it.

    >>> date_in_text(exp.column("born"), "%d/%m/%Y", "sqlite").sql("sqlite")
    "SUBSTRING(born, 7, 4) || '-' || SUBSTRING(born, 4, 2) || '-' || SUBSTRING(born, 1, 2)"
    """
    if dialect != "sqlite":
        return parsed_date(text, dialect, pattern)
    starts: dict[str, int] = {}
    place = 1
    for part in re.findall(r"%[Ymd]|.", pattern):
        starts[part[1:]] = place
        place += _LENGTHS.get(part[1:], 1)
    year, month, day = (
        exp.Substring(
            this=text.copy(),
            start=exp.Literal.number(starts[part]),
            length=exp.Literal.number(_LENGTHS[part]),
        )
        for part in ("Y", "m", "d")
    )
    dash = exp.Literal.string("-")
    joined: exp.Expr = year
    for piece in (dash, month, dash.copy(), day):
        joined = exp.DPipe(this=joined, expression=piece, safe=True)
    return joined


def _converted(node: form.Node, schema: DatabaseSchema) -> form.Node:
    match node:
        case form.Comparison(left=form.ColumnRef() as left) if _about_days(node):
            return replace(node, left=_date(left, schema))
        case form.DatePart(of=form.ColumnRef() as of):
            return replace(node, of=_date(of, schema))
        case form.Order(by=form.ColumnRef() as by):
            return replace(node, by=_date(by, schema))
        case form.Aggregate(function="min" | "max", of=form.ColumnRef() as of):
            return replace(node, of=_date(of, schema))
        case form.Elapsed(since=since, until=until):
            last = None if until is None else _date(until, schema)
            return replace(node, since=_date(since, schema), until=last)
        case _:
            return node


def _about_days(node: form.Comparison) -> bool:
    """Whether it compares with days as ISO writes them, and not with texts as they stand in the column."""
    values = node.values
    return bool(values) and all(isinstance(one, str) and _ISO.fullmatch(one) for one in values)


def _date(column: form.ColumnRef, schema: DatabaseSchema) -> form.ColumnRef:
    profile = profile_of(column, (schema,))
    if profile is None or profile.holds != "date":
        return column
    made = form.Function(DATE, (column, form.Value(profile.form)))
    return cast("form.ColumnRef", made)  # wherever a column may stand here, a function may
