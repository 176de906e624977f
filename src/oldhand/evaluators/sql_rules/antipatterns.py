"""Slips that a single expression shows; one line of a table for each."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from zoneinfo import available_timezones

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.tokenizer_core import TokenType

from oldhand.evaluators.sql_rules.spatial.coordinates import number_of
from oldhand.sources.databases.sql_issues import Severity, SqlIssue, StatementReading
from oldhand.sources.databases.sql_issues.gathering import is_aggregate
from oldhand.sources.databases.sql_issues.kinds import COMPARISONS, NUMBER, compared

_EVERYWHERE = "sqlite postgres mysql duckdb"
_STRICT_CASE = "sqlite postgres duckdb"
_LIKES = (exp.Like, exp.ILike)
_COMPARED = (*COMPARISONS, exp.In, exp.Between)
_EQUAL = (exp.EQ, exp.NEQ, exp.In)
_TEXTS = (exp.Upper, exp.Lower, exp.Substring, exp.Trim, exp.Concat, exp.DPipe, exp.TimeToStr, exp.Left, exp.Right, exp.Replace)  # fmt: skip
_RANKS = (exp.RowNumber, exp.Rank, exp.DenseRank, exp.Lag, exp.Lead, exp.Ntile, exp.FirstValue, exp.LastValue)  # fmt: skip
_TIMELY = re.compile(r"(^|_)(date|at|on|time|day|birthday|timestamp)$|date$", re.IGNORECASE)
_TRUNCATION = (exp.TimestampTrunc, exp.DateTrunc)


@dataclass(frozen=True)
class Antipattern:
    """Nodes of these kinds of which the test is true."""

    code: str
    kinds: tuple[type[exp.Expr], ...]
    is_wrong: Callable[[StatementReading, exp.Expr], object]
    message: str
    dialects: str = _EVERYWHERE
    severity: Severity = Severity.ERROR


def antipattern(reading: StatementReading) -> Iterator[SqlIssue]:
    """Whatever the table at the end lists."""
    for one in ANTIPATTERNS:
        if reading.dialect in one.dialects:
            for node in reading.all(*one.kinds):
                if one.is_wrong(reading, node):
                    message = one.message.format(node=reading.written(node)[:60])
                    yield reading.issue(one.code, node, message, one.severity)
    for token in reading.tokens:
        if token.token_type is TokenType.NUMBER and re.fullmatch(r"0\d+", token.text):
            message = (
                f"{token.text} is a number and loses its zero: write it as text, '{token.text}'."
            )
            yield reading.at("zero_before_number", token, message)


def _text(node: exp.Expr | None) -> str | None:
    """A text that is written out."""
    return node.name if isinstance(node, exp.Literal) and node.is_string else None


def _pairs(node: exp.Expr) -> list[tuple[exp.Expr, str]]:
    """What is compared with texts, and the texts."""
    sides = [(node.this, node.expression)] if isinstance(node, _LIKES) else compared(node)
    plain = [(one, b.this if isinstance(b, exp.Cast | exp.Date) else b) for one, b in sides]
    return [(one, text) for one, other in plain if (text := _text(other)) is not None]


def _text_is(
    pattern: str, of: Callable[[exp.Expr], object] = lambda _: True
) -> Callable[[StatementReading, exp.Expr], bool]:
    """A test: something that `of` accepts is compared with a text in which the pattern is found."""
    found = re.compile(pattern)
    return lambda _, node: any(found.search(text) and of(one) for one, text in _pairs(node))


def _is_a(*kinds: type[exp.Expr]) -> Callable[[exp.Expr], bool]:
    return lambda node: isinstance(node, kinds)


def _formats(node: exp.Expr) -> bool:
    return isinstance(node, exp.TimeToStr) and node.text("format") in {"%m", "%d", "%H"}


def _truncates(unit: str) -> Callable[[exp.Expr], bool]:
    return lambda node: isinstance(node, _TRUNCATION) and node.text("unit").upper() == unit


def _is_quoted_text(reading: StatementReading, node: exp.Expr) -> bool:
    """`city = "Berlin"`: a name in double quotes where the other side is a column without any."""
    sides = [(node.this, node.expression)] if isinstance(node, _LIKES) else compared(node)
    for one, other in sides:
        if not isinstance(other, exp.Column) or other.table or not other.this.args.get("quoted"):
            continue
        name, found = other.name, reading.meaning.get(id(other))
        is_known = found is not None and found.sources
        is_elsewhere = sum(column.name == name for column in reading.all(exp.Column)) > 1
        needs_quotes = (
            re.fullmatch(r"\w*[a-z0-9_][A-Z]\w*|[A-Z]+", name) or name.upper() in _reserved()
        )
        beside_quotes = isinstance(one, exp.Column) and one.this.args.get("quoted")
        if not (is_known or is_elsewhere or needs_quotes or beside_quotes):
            return True
    return False


@cache
def _reserved() -> frozenset[str]:
    known = Dialect.get_or_raise("postgres").tokenizer_class.KEYWORDS
    return frozenset({*known, "USER", "PRIMARY", "CHECK", "BOTH", "DO", "TO"})


def _is_text_against_number(_: StatementReading, node: exp.Expr) -> bool:
    def is_text(one: exp.Expr) -> bool:
        is_cast = isinstance(one, exp.Cast) and one.to.is_type(*exp.DataType.TEXT_TYPES)
        return isinstance(one, _TEXTS) or is_cast

    return any(is_text(one) and number_of(other) is not None for one, other in compared(node))


def _adds_text(_: StatementReading, node: exp.Expr) -> bool:
    texts = [_text(side) for side in (node.this, node.expression)]
    return any(text is not None and not any(map(str.isdigit, text)) for text in texts)


def _is_bare_condition(_: StatementReading, node: exp.Expr) -> bool:
    """A text or number alone where a condition is meant: `city = 'a' OR 'b'`."""
    sides = node.unnest_operands() if isinstance(node, exp.Connector) else [node.this]
    return any(isinstance(side, exp.Literal) and side.name not in {"0", "1"} for side in sides)


def _is_unquoted_date(reading: StatementReading, node: exp.Expr) -> bool:
    sides = (node.this, node.expression, *map(node.args.get, ("low", "high")))
    shape = re.compile(r"(19|20)\d\d - [01]?\d - [0-3]?\d")
    return any(isinstance(s, exp.Sub) and shape.fullmatch(reading.written(s)) for s in sides)


def _has_impossible_date(_: StatementReading, node: exp.Expr) -> bool:
    for _one, text in _pairs(node):
        match = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)(?:[ T].*)?", text)
        try:
            if match:
                date(*map(int, match.groups()))
        except ValueError:
            return True
    return False


def _is_unknown_zone(_: StatementReading, node: exp.Expr) -> bool:
    zones = [_text(node.args.get(key)) for key in ("zone", "source_tz", "target_tz")]
    names = {zone.casefold() for zone in zones if zone and "/" in zone}
    return bool(names) and not names <= set(map(str.casefold, available_timezones()))


def _is_constant_order(reading: StatementReading, node: exp.Expr) -> bool:
    """A text in ORDER BY or GROUP BY, unless it is the name of a result's column in SQLite or DuckDB."""
    terms = [term.this if isinstance(term, exp.Ordered) else term for term in node.expressions]
    outputs = {item.alias for item in node.parent.expressions} if node.parent else set[str]()
    named = outputs if reading.dialect in {"sqlite", "duckdb"} else set[str]()
    is_inside = isinstance(node.parent, exp.AggFunc | exp.Window)
    return not is_inside and any(
        (text := _text(t)) is not None and text not in named for t in terms
    )


def _is_distinct_total(_: StatementReading, node: exp.Expr) -> bool:
    is_alone = len(node.expressions) == 1 and isinstance(node.expressions[0].unalias(), exp.Count)
    return is_alone and bool(node.args.get("distinct")) and not node.args.get("group")


def _is_always_there(_: StatementReading, node: exp.Expr) -> bool:
    query = node.this
    if not isinstance(query, exp.Select) or any(map(query.args.get, ("group", "having", "limit"))):
        return False
    return any(is_aggregate(item.unalias()) for item in query.expressions)


def _counts_everything(_: StatementReading, node: exp.Expr) -> bool:
    """COUNT of a condition, or of a CASE that never is NULL, counts all rows."""
    inner = node.this
    ends = [*_results(inner), inner.args.get("default")] if isinstance(inner, exp.Case) else []
    is_full = bool(ends) and all(isinstance(one, exp.Literal) for one in ends)
    return is_full or isinstance(inner, COMPARISONS)


def _results(case: exp.Case) -> list[exp.Expr | None]:
    return [branch.args.get("true") for branch in case.args["ifs"]]


def _sums_keys(reading: StatementReading, node: exp.Expr) -> bool:
    declared = reading.declared(node.this)
    is_named_so = isinstance(node.this, exp.Column) and node.this.name.casefold() == "id"
    return declared.primary_key if declared else is_named_so


def _is_nullable(reading: StatementReading, node: exp.Expr) -> bool:
    column = reading.declared(node.this)
    return column is not None and column.nullable and not column.primary_key


def _is_share(_: StatementReading, node: exp.Expr) -> bool:
    """A count of some by a count of all, or a small number by a greater one: the whole part is 0."""
    one, other = (_selected(side.unnest()) for side in (node.this, node.expression))
    if isinstance(one, exp.Literal) and isinstance(other, exp.Literal):
        return one.is_int and other.is_int and 0 < int(one.name) < int(other.name)
    case = one.this if isinstance(one, exp.Sum) else None
    results = _results(case) if isinstance(case, exp.Case) else []
    is_sum = bool(results) and all(isinstance(r, exp.Literal) and r.name in "01" for r in results)
    is_all = isinstance(other, exp.Count) and isinstance(other.this, exp.Star)
    return is_all and (is_sum or isinstance(one, exp.Count))


def _selected(node: exp.Expr) -> exp.Expr:
    """What a subquery selects, when that is one value."""
    items = node.this.expressions if isinstance(node.this, exp.Select) else []
    return items[0].unalias() if len(items) == 1 else node


def _is_limited(_: StatementReading, node: exp.Expr) -> bool:
    query = node.args.get("query")
    inner = query.this if isinstance(query, exp.Subquery) else query
    return isinstance(inner, exp.Select) and inner.args.get("limit") is not None


def _has_null(*parts: str) -> Callable[[StatementReading, exp.Expr], bool]:
    return lambda _, node: any(_is_null(node.args.get(part)) for part in parts)


def _is_null(node: exp.Expr | None) -> bool:
    while isinstance(node, exp.Cast | exp.Paren):
        node = node.this
    return isinstance(node, exp.Null)


def _is_backward_frame(_: StatementReading, node: exp.Expr) -> bool:
    end, sides = node.text("end"), (node.text("start_side"), node.text("end_side"))
    starts_late = node.text("start") == "CURRENT ROW" or sides[0] == "FOLLOWING"
    return sides[1] == "PRECEDING" and (starts_late or end == "UNBOUNDED")


ANTIPATTERNS: tuple[Antipattern, ...] = (
    Antipattern("text_in_double_quotes", (*_COMPARED, *_LIKES), _is_quoted_text, "Double quotes are for names here: write the text in single quotes, as in 'active'.", "postgres duckdb"),
    Antipattern("text_against_number", _COMPARED, _is_text_against_number, "{node} compares a text with a number: write the number as text, or cast the text.", "sqlite postgres"),
    Antipattern("text_added", (exp.Add,), _adds_text, "+ adds numbers: join texts with || or CONCAT."),
    Antipattern("cast_of_words", (exp.Cast,), lambda _, node: isinstance(node, exp.Cast) and node.to.is_type(*exp.DataType.NUMERIC_TYPES) and not NUMBER.fullmatch(_text(node.this) or "0"), "{node}: this text is no number."),
    Antipattern("value_as_condition", (exp.Connector, exp.Where, exp.Having), _is_bare_condition, "A value stands where a condition is needed: repeat the comparison, x = 'a' OR x = 'b', or write x IN ('a', 'b')."),
    Antipattern("chained_comparison", COMPARISONS, lambda _, node: isinstance(node.this, COMPARISONS) and not isinstance(node.expression, exp.Boolean), "{node} compares the outcome of a comparison: write a < x AND x < b."),
    Antipattern("compared_constants", COMPARISONS, lambda _, node: (one := _text(node.this)) is not None and _text(node.expression) not in {None, one}, "{node} compares two texts, and no column: leave out the quotes of the name."),
    Antipattern("short_date_part", _COMPARED, _text_is(r"^\d$", _formats), "strftime gives two digits: write '03' and not '3'.", "sqlite"),
    Antipattern("unquoted_date", _COMPARED, _is_unquoted_date, "A date without quotes is a subtraction: write it in single quotes."),
    Antipattern("impossible_date", _COMPARED, _has_impossible_date, "{node}: there is no such day.", "postgres mysql duckdb"),
    Antipattern("impossible_date", _COMPARED, _has_impossible_date, "{node}: there is no such day; the text is compared as it is.", "sqlite", Severity.ADVICE),
    Antipattern("foreign_date", _COMPARED, _text_is(r"^\d{1,2}[./-]\d{1,2}[./-]\d{4}$", lambda one: _TIMELY.search(one.name)), "{node}: write dates as '2024-12-31'."),
    Antipattern("time_against_date", _EQUAL, _text_is(r"^\d{4}-\d\d-\d\d[ T](?!00:00:00$)\d\d:", _is_a(exp.Date, exp.TsOrDsToDate)), "{node}: a date has no time of day, so they are never equal: compare with the date alone."),
    Antipattern("off_truncation", _EQUAL, _text_is(r"^\d{4}-\d\d-(?!01)", _truncates("MONTH")), "{node}: a truncated date is a first day, so they are never equal."),
    Antipattern("off_truncation", _EQUAL, _text_is(r"^\d{4}-(?!01-01)", _truncates("YEAR")), "{node}: a truncated date is a first day, so they are never equal."),
    Antipattern("unknown_time_zone", (exp.AtTimeZone, exp.ConvertTimezone), _is_unknown_zone, "{node}: there is no such time zone; names are like Europe/Berlin."),
    Antipattern("ordered_by_constant", (exp.Order, exp.Group), _is_constant_order, "A text in quotes is the same for all rows: name the column without quotes."),
    Antipattern("empty_limit", (exp.Limit,), lambda _, node: number_of(node.expression) == 0, "LIMIT 0 brings no rows."),
    Antipattern("negative_limit", (exp.Limit, exp.Offset), lambda _, node: (number_of(node.expression) or 0) < 0, "A limit is not negative: sort the other way with DESC.", "postgres mysql duckdb"),
    Antipattern("limit_in_list", (exp.In,), _is_limited, "LIMIT is not allowed in the subquery of IN: join the subquery instead.", "mysql"),
    Antipattern("like_without_wildcard", _LIKES, _text_is(r"^[^%_\\*]*$"), "{node} has no % or _, so it finds equal texts only: write '%text%', or =.", severity=Severity.ADVICE),
    Antipattern("star_in_like", _LIKES, _text_is(r"^\*[^%]*$|^[^%]*\*$"), "* is no wildcard in LIKE: write %."),
    Antipattern("wildcard_in_comparison", _EQUAL, _text_is(r"^%.*\D|[^\W\d]%$"), "{node}: % is a wildcard in LIKE only: write LIKE."),
    Antipattern("other_letter_case", _EQUAL, _text_is("[A-Z]", _is_a(exp.Lower)), "{node}: the two sides never have the same letter case.", _STRICT_CASE),
    Antipattern("other_letter_case", _EQUAL, _text_is("[a-z]", _is_a(exp.Upper)), "{node}: the two sides never have the same letter case.", _STRICT_CASE),
    Antipattern("other_letter_case", (exp.Like,), _text_is("[A-Z]", _is_a(exp.Lower)), "{node}: the two sides never have the same letter case.", "postgres duckdb"),
    Antipattern("other_letter_case", (exp.Like,), _text_is("[a-z]", _is_a(exp.Upper)), "{node}: the two sides never have the same letter case.", "postgres duckdb"),
    Antipattern("unordered_rank", (exp.Window,), lambda _, node: isinstance(node.this, _RANKS) and not node.args.get("order") and not node.args.get("alias"), "{node} depends on an order that nothing says: add ORDER BY inside of OVER."),
    Antipattern("last_of_frame", (exp.Window,), lambda _, node: isinstance(node.this, exp.LastValue) and node.args.get("order") and not node.args.get("spec"), "LAST_VALUE ends at the row at hand: add ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING, or use FIRST_VALUE with DESC."),
    Antipattern("distinct_window", (exp.Window,), lambda _, node: isinstance(node.this, exp.AggFunc) and isinstance(node.this.this, exp.Distinct), "DISTINCT is not allowed in a window function: count in a subquery.", "sqlite postgres mysql"),
    Antipattern("backward_frame", (exp.WindowSpec,), _is_backward_frame, "The frame ends before it begins: write BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW."),
    Antipattern("distinct_total", (exp.Select,), _is_distinct_total, "DISTINCT before COUNT changes nothing, for there is one row: write COUNT(DISTINCT …)."),
    Antipattern("always_exists", (exp.Exists,), _is_always_there, "EXISTS over an aggregate is always true, for it always has a row: select a plain value, or compare the count."),
    Antipattern("counts_everything", (exp.Count,), _counts_everything, "{node} counts every row, for 0 and FALSE are no NULL: write SUM(CASE WHEN … THEN 1 ELSE 0 END), or leave out ELSE."),
    Antipattern("counted_nullable", (exp.Count,), _is_nullable, "{node} leaves out rows without a value: write COUNT(*) for all rows.", severity=Severity.ADVICE),
    Antipattern("count_of_null", (exp.Count,), _has_null("this"), "COUNT(NULL) is always 0: write COUNT(*)."),
    Antipattern("computed_with_null", (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.DPipe), _has_null("this", "expression"), "{node} is always NULL."),
    Antipattern("comparison_with_null", (exp.NEQ,), _has_null("this", "expression"), "A comparison with NULL is never true: write IS NOT NULL."),
    Antipattern("comparison_with_null", (exp.EQ, exp.GT, exp.GTE, exp.LT, exp.LTE, *_LIKES), _has_null("this", "expression"), "A comparison with NULL is never true: write IS NULL."),
    Antipattern("comparison_with_null", (exp.Between,), _has_null("low", "high"), "BETWEEN with NULL is never true."),
    Antipattern("comparison_with_null", (exp.In,), lambda _, node: any(map(_is_null, node.expressions)), "IN never finds the NULL of its list, and NOT IN finds nothing for it: take NULL out, and add IS NULL or IS NOT NULL."),
    Antipattern("comparison_with_null", (exp.Case,), lambda _, node: node.this is not None and any(_is_null(branch.this) for branch in node.args["ifs"]), "CASE x WHEN NULL is never true: write CASE WHEN x IS NULL."),
    Antipattern("nullif_null", (exp.Nullif,), _has_null("expression"), "NULLIF(x, NULL) is x."),
    Antipattern("summed_key", (exp.Sum, exp.Avg), _sums_keys, "{node}: keys are no amounts: count them instead."),
    Antipattern("share_cut_off", (exp.Div,), _is_share, "{node} is the division of integers, which gives 0 for every share: multiply one side by 1.0.", "sqlite postgres"),
)  # fmt: skip
