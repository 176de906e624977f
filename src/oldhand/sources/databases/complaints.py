"""Reads what a database says when it rejects a statement.

The texts are those of SQLite, DuckDB, Postgres, MySQL and MariaDB, and of our own check of names; line ends may
have become blanks.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class Trouble(StrEnum):
    """What a database complains about."""

    UNKNOWN_TABLE = "unknown table"
    UNKNOWN_SOURCE = "unknown source"
    """A column's qualifier is not in FROM."""
    UNKNOWN_COLUMN = "unknown column"
    AMBIGUOUS = "ambiguous column"
    UNKNOWN_FUNCTION = "unknown function"
    TYPES = "types that do not fit"
    CONVERSION = "a value that does not convert"
    NOT_GROUPED = "column neither grouped nor aggregated"
    AGGREGATE_IN_WHERE = "aggregate in WHERE"
    NESTED_AGGREGATE = "aggregate of an aggregate"
    DISTINCT_ORDER = "ordered by what DISTINCT drops"
    DIVISION_BY_ZERO = "division by zero"
    MANY_ROWS = "subquery with several rows"
    LIMIT_IN_SUBQUERY = "LIMIT in a subquery"
    TIMED_OUT = "timed out"
    SYNTAX = "syntax"
    OTHER = "other"


@dataclass(frozen=True)
class Complaint:
    """One error, read."""

    trouble: Trouble
    name: str = ""
    """The table, column or function it is about, without quotes."""
    source: str = ""
    """The qualifier of an unknown column."""
    hints: tuple[str, ...] = ()
    """Names that the database itself suggests, best first, without qualifiers."""
    types: tuple[str, ...] = ()
    """The types that do not fit, in the database's words and lower case."""


_T = Trouble
_PATTERNS: tuple[tuple[Trouble, str], ...] = (
    (_T.AGGREGATE_IN_WHERE, r"misuse of aggregate: |cannot contain aggregates|aggregate functions are not allowed in (WHERE|JOIN)"),
    (_T.NESTED_AGGREGATE, r"misuse of aggregate function|aggregate function calls cannot be nested"),
    (_T.AGGREGATE_IN_WHERE, r"Invalid use of group function"),
    (_T.NOT_GROUPED, r"must appear in the GROUP BY clause|isn't in GROUP BY|Mixing of GROUP columns|not in GROUP BY clause|In aggregated query without GROUP BY"),
    (_T.DISTINCT_ORDER, r"for SELECT DISTINCT, ORDER BY expressions|incompatible with DISTINCT"),
    (_T.DIVISION_BY_ZERO, r"division by (zero|0)"),
    (_T.MANY_ROWS, r"more than (one|1) row"),
    (_T.LIMIT_IN_SUBQUERY, r"'LIMIT & IN/ALL/ANY/SOME subquery'"),
    (_T.TIMED_OUT, r"stopped after [\d.]+ seconds|statement timeout|execution was interrupted|maximum statement execution time exceeded"),
    (_T.UNKNOWN_SOURCE, r"missing FROM-clause entry for table \"(?P<name>[^\"]+)\""),
    (_T.UNKNOWN_SOURCE, r"invalid reference to FROM-clause entry for table \"(?P<name>[^\"]+)\""),
    (_T.UNKNOWN_SOURCE, r"Referenced table \"(?P<name>[^\"]+)\" not found"),
    (_T.UNKNOWN_SOURCE, r"Table '(?P<name>[^']+)' from one of the SELECTs cannot be used"),
    (_T.UNKNOWN_TABLE, r"no such table: (?P<name>.+)"),
    (_T.UNKNOWN_TABLE, r"Table with name \"?(?P<name>[^\"!]+?)\"? does not exist"),
    (_T.UNKNOWN_TABLE, r"relation \"(?P<name>[^\"]+)\" does not exist"),
    (_T.UNKNOWN_TABLE, r"Table '(?P<name>[^']+)' doesn't exist"),
    (_T.AMBIGUOUS, r"ambiguous column name: (?P<name>.+)"),
    (_T.AMBIGUOUS, r"Ambiguous reference to column name \"(?P<name>[^\"]+)\""),
    (_T.AMBIGUOUS, r"column reference \"(?P<name>[^\"]+)\" is ambiguous"),
    (_T.AMBIGUOUS, r"Column '(?P<name>[^']+)' in .* is ambiguous"),
    (_T.UNKNOWN_COLUMN, r"no such column: (?P<name>.+)"),
    (_T.UNKNOWN_COLUMN, r"Table \"(?P<source>[^\"]+)\" does not have a column named \"(?P<name>[^\"]+)\""),
    (_T.UNKNOWN_COLUMN, r"Referenced column \"(?P<name>[^\"]+)\" (was )?not found"),
    (_T.UNKNOWN_COLUMN, r"column \"(?P<name>[^\"]+)\" does not exist"),
    (_T.UNKNOWN_COLUMN, r"column (?P<name>[^\s\"]+) does not exist"),
    (_T.UNKNOWN_COLUMN, r"Unknown column '(?P<name>[^']+)'"),
    (_T.CONVERSION, r"invalid input syntax for type |Could not convert string|invalid (date|timestamp) field format|date/time field value out of range|Unimplemented type for cast"),
    (_T.TYPES, r"operator does not exist: "),
    (_T.TYPES, r"No function matches the given name and argument types "),
    (_T.TYPES, r"Cannot (compare|mix) values of type|types .* cannot be matched|Cannot deduce|an explicit cast is required|COALESCE types|CASE types"),
    (_T.SYNTAX, r"syntax error|error in your SQL syntax|incomplete input"),
    (_T.UNKNOWN_FUNCTION, r"no such function: (?P<name>\w+)"),
    (_T.UNKNOWN_FUNCTION, r"(Scalar|Aggregate|Table|Macro)? ?Function with name \"?(?P<name>\w+)\"? (does not exist|is not in the catalog)"),
    (_T.UNKNOWN_FUNCTION, r"FUNCTION (\w+\.)?(?P<name>\w+) does not exist"),
    (_T.UNKNOWN_FUNCTION, r"function (pg_catalog\.)?\"?(?P<typed>\w+)\"?\(.*?\) does not exist"),
)  # fmt: skip
_OWN_PATTERNS: tuple[tuple[Trouble, str], ...] = (
    (_T.UNKNOWN_TABLE, r"The database \S+ has no table (?P<name>[^.]+)\."),
    (_T.UNKNOWN_SOURCE, r"(?P<name>\S+) in \S+ is neither a table in FROM nor an alias"),
    (_T.UNKNOWN_COLUMN, r"(?P<source>\S+)( \([^)]*\))? has no column (?P<name>[^.]+)\."),
    (_T.UNKNOWN_COLUMN, r"(No table in FROM has a column|There is no column) (?P<name>[^.:]+)[.:]"),
    (_T.AMBIGUOUS, r"(?P<name>\S+) is in more than one table of FROM"),
    (_T.AGGREGATE_IN_WHERE, r"cannot stand in .*(filter groups in HAVING|use HAVING)"),
    (_T.NESTED_AGGREGATE, r"cannot stand inside of|is an aggregate already"),
    (_T.NOT_GROUPED, r"has many values in each group|not in GROUP BY: name|needs groups: add GROUP BY"),
    (_T.UNKNOWN_FUNCTION, r"has no function (?P<name>\w+)"),
    (_T.TYPES, r", no (text|number|condition): |cast it before computing|compare it with (a number|a date|TRUE)|write the value as text"),
    (_T.CONVERSION, r"' is not a (number|date)"),
)  # fmt: skip
"""What our own check of names and types says before a statement runs."""
_HINTS = (
    r"Candidate (?:bindings|tables)\s*:\s*:?\s*((?:\"[^\"]+\",?\s*)+)",
    r"Did you mean (\"[^\"]+\")",
    r"Perhaps you meant to reference the (?:column|table)s? (\"[^\"]+\"(?: or the column \"[^\"]+\")?)",
    r"Did you mean ([^?\"`]+)\?",
    r"[Dd]id you mean ((?:`[^`]+`(?:, | or )?)+)",
)  # fmt: skip
_TYPED_FUNCTIONS = frozenset(
    {"avg", "sum", "min", "max", "round", "abs", "stddev", "variance", "greatest", "least"}
    | {"coalesce", "extract", "date_part", "date_trunc", "to_char"}
    | {"upper", "lower", "length", "substring", "trim", "btrim", "replace", "position"}
)
"""Functions that every Postgres has: when it says that one does not exist, its arguments are wrong."""
_TYPE = (
    r"\b(character varying|varchar|text|character|bigint|smallint|integer|integer_literal|int\d*|numeric|decimal"
    r"|double precision|double|real|float|date|timestamp|boolean|string_literal|unknown)\b"
)


def read_complaint(error: str) -> Complaint:
    r"""What the database complains about in `error`.

    >>> read_complaint('column c.nme does not exist Perhaps you meant to reference the column "c.name".')
    Complaint(trouble=<Trouble.UNKNOWN_COLUMN: 'unknown column'>, name='nme', source='c', hints=('name',), types=())
    >>> read_complaint("function avg(character varying) does not exist").trouble.value
    'types that do not fit'
    >>> read_complaint("(1054, \"Unknown column 'c.nme' in 'SELECT'\")").name
    'nme'
    """
    text = " ".join(error.split())
    for trouble, pattern in (*_PATTERNS, *_OWN_PATTERNS):
        if found := re.search(pattern, text, re.IGNORECASE):
            groups = found.groupdict()
            typed = (groups.get("typed") or "").lower() in _TYPED_FUNCTIONS
            actual = Trouble.TYPES if typed else trouble
            types = _types(text[found.start() :]) if actual is Trouble.TYPES else ()
            name, source = _names(actual, groups)
            return Complaint(actual, name, source, _hints(text), types)
    return Complaint(Trouble.OTHER)


def _names(trouble: Trouble, groups: dict[str, str | None]) -> tuple[str, str]:
    """What it is about, and its qualifier."""
    name = (groups.get("name") or groups.get("typed") or "").strip().strip("\"'`")
    source = groups.get("source") or ""
    if trouble in {Trouble.UNKNOWN_COLUMN, Trouble.AMBIGUOUS} and "." in name:
        source, name = name.rsplit(".", 1)
        source = source.rsplit(".", 1)[-1]
    elif trouble is Trouble.UNKNOWN_TABLE:
        name = name.rsplit(".", 1)[-1]
    return name, source


def _types(text: str) -> tuple[str, ...]:
    """The types named before the database shows the statement, or what else it could do."""
    said = re.split(r" LINE \d|HINT:|Candidate functions| No operator ", text)[0]
    return tuple(found.lower() for found in re.findall(_TYPE, said, re.IGNORECASE))


def _hints(text: str) -> tuple[str, ...]:
    for pattern in _HINTS:
        if found := re.search(pattern, text):
            quoted = re.findall(r"[\"`]([^\"`]+)[\"`]", found.group(1))
            names = quoted or found.group(1).split(" or ")
            return tuple(name.strip().rsplit(".", 1)[-1] for name in names)
    return ()
