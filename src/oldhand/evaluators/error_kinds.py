"""What kind of error a database's message is, in the words of SQLite, Postgres, MySQL and DuckDB."""

import re
from typing import NamedTuple


class ErrorKind(NamedTuple):
    """A kind of mistake."""

    code: str
    label: str
    """As the type of error in a record."""
    advice: str
    """What to do so that it does not come again."""


UNKNOWN_TABLE = ErrorKind(
    "unknown_table", "Unknown table errors", "look up the tables' names before using one"
)
UNKNOWN_COLUMN = ErrorKind(
    "unknown_column",
    "Unknown column errors",
    "look up the columns of a table before naming them, and qualify them",
)
AMBIGUOUS = ErrorKind(
    "ambiguous_column",
    "Ambiguous column errors",
    "write the table's alias before every column of a join",
)
FUNCTION = ErrorKind(
    "unknown_function",
    "Unknown function errors",
    "use the functions of this database's dialect, with the arguments they take",
)
GROUPING = ErrorKind(
    "grouping",
    "Grouping errors",
    "group by every plain column beside an aggregate, and filter groups in HAVING",
)
SHAPE = ErrorKind(
    "shape",
    "Column count errors",
    "select as many columns in a subquery or set operation as are needed there",
)
TYPES = ErrorKind(
    "type_mismatch",
    "Type mismatch errors",
    "compare values of one type, and cast where they differ",
)
SPATIAL = ErrorKind(
    "crs_mismatch",
    "CRS mismatch errors",
    "bring both sides into one system of coordinates, and measure in metres (geography, or ST_Transform)",
)
SYNTAX = ErrorKind(
    "syntax", "SQL syntax errors", "write one complete SELECT in this database's dialect"
)
REFUSED = ErrorKind(
    "refused",
    "Refused statements",
    "databases can only be read: write one SELECT, without what was refused",
)
TIMEOUT = ErrorKind(
    "timeout", "Query timeouts", "filter early, join on keys, and aggregate before joining"
)
UNREACHABLE = ErrorKind(
    "unreachable",
    "Unreachable databases",
    "the SQL is not at fault: do without this database, or say so",
)
PERMISSION = ErrorKind("permission", "Permission errors", "do without tables that may not be read")
ARITHMETIC = ErrorKind(
    "arithmetic", "Arithmetic errors", "guard divisions with NULLIF and keep numbers in range"
)
CALL = ErrorKind(
    "tool_call", "Tool call errors", "call tools by their names, with the arguments that they take"
)
EMPTY = ErrorKind(
    "empty_result",
    "Empty results",
    "look at the values that a column really holds before filtering on one",
)
NULLS = ErrorKind("comparison_with_null", "Comparisons with NULL", "write IS NULL or IS NOT NULL")
JOINS = ErrorKind("cartesian_join", "Joins without a condition", "join tables ON their keys")
OTHER = ErrorKind(
    "other", "Failed queries", "read the message, and change what it names before trying again"
)

_NAME = r"[\"'`\[]?([\w.$]+)"
_PATTERNS: tuple[tuple[ErrorKind, str], ...] = (
    (TIMEOUT, r"timed? ?out|time limit|statement timeout|maximum execution time|ran longer than|\binterrupted\b"),
    (UNREACHABLE, r"can(?:not|'t) be reached|could not connect|connection (?:refused|reset|to server)|unreachable"),
    (UNREACHABLE, r"unable to open database|server has gone away"),
    (SPATIAL, r"mixed SRID|different SRID|only lon/lat coordinate|transform: couldn't|unknown SRID"),
    (AMBIGUOUS, rf"ambiguous (?:reference to )?column (?:name:? ?)?{_NAME}"),
    (AMBIGUOUS, rf"column (?:reference )?{_NAME}[\"'`]? (?:in .{{0,40}})?is ambiguous"),
    (GROUPING, r"must appear in the GROUP BY|misuse of (?:aliased )?(?:aggregate|window)|not in GROUP BY|only_full_group_by"),
    (GROUPING, r"aggregate functions? (?:are|calls?) (?:not allowed|cannot be nested)|invalid use of group function"),
    (GROUPING, r"HAVING clause on a non-aggregate|cannot contain aggregates?|window functions are not allowed"),
    (FUNCTION, rf"no such function: {_NAME}"),
    (TYPES, r"function (sum|avg|min|max|round|abs|lower|upper|length)\(.{0,200}does not exist"),
    (FUNCTION, rf"(?:function|procedure) (?:with name )?{_NAME}.{{0,200}}does not exist"),
    (FUNCTION, rf"wrong number of arguments to function {_NAME}|incorrect parameter count"),
    (FUNCTION, r"no function matches the given name and argument types ['\"]?(\w+)\("),
    (UNKNOWN_TABLE, rf"no such table: {_NAME}|unknown table {_NAME}|has no table {_NAME}"),
    (UNKNOWN_TABLE, rf"(?:table|relation) (?:with name )?{_NAME}[\"'`]? (?:does not|doesn't) exist"),
    (UNKNOWN_COLUMN, rf"no such column: {_NAME}|unknown column {_NAME}|column named {_NAME}|has no column {_NAME}"),
    (UNKNOWN_COLUMN, rf"column {_NAME}[\"'`]? (?:does not exist|not found)|has a column {_NAME}"),
    (UNKNOWN_COLUMN, rf"missing FROM-clause entry for table {_NAME}|referenced table {_NAME}[\"'`]? not found"),
    (SHAPE, r"same number of (?:result )?columns|different number of columns|should contain 1 column"),
    (SHAPE, r"sub-?(?:select|query) (?:returns|must return|has too many)|more than one row returned by a subquery"),
    (ARITHMETIC, r"division by zero|out of range|overflow"),
    (TYPES, r"operator does not exist|could not convert|conversion error|cannot (?:compare|cast|mix)|invalid input syntax"),
    (TYPES, r"datatype mismatch|types? .{0,60}cannot be matched|no function matches|type mismatch|truncated incorrect"),
    (TYPES, r"incorrect (?:integer|date\w*|decimal|double) value"),
    (PERMISSION, r"permission denied|access denied|not authorized|command denied"),
    (SYNTAX, r"syntax error|does not parse|incomplete input|unrecognized token|error in your SQL syntax|unterminated"),
    (SYNTAX, r"parser error|unexpected token"),
    (REFUSED, r"would change the database|allowed is one SELECT|read-?only|is not allowed|attempt to write|refused"),
    (REFUSED, r"send only the SELECT|one statement at a time|can only be read"),
    (CALL, r"no tool (?:called|named|of that name)|there is no tool|arguments? (?:do not|don't) fit"),
    (CALL, r"unexpected argument|missing argument|validation error"),
)  # fmt: skip
"""The first one that fits counts; a group holds the name that the message is about."""
_COMPILED = tuple((kind, re.compile(text, re.IGNORECASE | re.DOTALL)) for kind, text in _PATTERNS)

_RULES: dict[ErrorKind, str] = {
    UNKNOWN_TABLE: "unknown_table",
    UNKNOWN_COLUMN: "unknown_column column_not_in_table unknown_alias missing_join_column letter_case",
    AMBIGUOUS: "ambiguous_column duplicate_alias",
    FUNCTION: "unknown_function argument_count",
    GROUPING: "aggregate_in_where hidden_aggregate nested_aggregate window_in_where having_without_groups order_by_aggregate_without_groups ungrouped_column aggregate_without_grouping",
    SHAPE: "set_operation_width subquery_width row_width row_as_value cte_width position_out_of_range compound_order",
    TYPES: "compared_kinds pattern_on_number summed_kind arithmetic_on_text set_operation_kinds truth_of_value cross_kind_comparison",
    SPATIAL: "degrees_with_planar_distance metres_against_degrees distance_without_units degrees_as_units mixed_srids geometry_against_geography swapped_coordinates",
    NULLS: "comparison_with_null",
    JOINS: "cartesian_join join_without_condition",
    REFUSED: "not_a_query",
}  # fmt: skip
_KIND_OF_RULE = {code: kind for kind, codes in _RULES.items() for code in codes.split()}


def kind_of_message(message: str) -> tuple[ErrorKind, str]:
    """The kind of a database's or tool's error, and the name that it is about, in lower case; empty when it tells none.

    >>> kind_of_message("no such column: s.nmae")[1]
    'nmae'
    >>> kind_of_message('relation "orders" does not exist')[0].label
    'Unknown table errors'
    >>> kind_of_message("function sum(text) does not exist")[1]  # there is one, for other types
    'sum'
    >>> kind_of_message("Out of luck") == (OTHER, "")
    True
    """
    for kind, pattern in _COMPILED:
        if match := pattern.search(message):
            name = next((text for text in match.groups() if text), "")
            return kind, name.strip(".").rpartition(".")[2].casefold()
    return OTHER, ""


def kind_of_rule(code: str) -> ErrorKind:
    """The kind of what a rule found; everything that is not known by name is about syntax.

    >>> kind_of_rule("mixed_srids").label
    'CRS mismatch errors'
    """
    return _KIND_OF_RULE.get(code, SYNTAX)
