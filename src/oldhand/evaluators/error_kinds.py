"""What kind of mistake an error is, whether a database, a tool or one of our rules told of it."""

import re
from typing import NamedTuple

from oldhand.sources.databases.complaints import Trouble, read_complaint


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

_OF_TROUBLE: dict[Trouble, ErrorKind] = {
    Trouble.UNKNOWN_TABLE: UNKNOWN_TABLE,
    Trouble.UNKNOWN_SOURCE: UNKNOWN_COLUMN,
    Trouble.UNKNOWN_COLUMN: UNKNOWN_COLUMN,
    Trouble.AMBIGUOUS: AMBIGUOUS,
    Trouble.UNKNOWN_FUNCTION: FUNCTION,
    Trouble.TYPES: TYPES,
    Trouble.CONVERSION: TYPES,
    Trouble.NOT_GROUPED: GROUPING,
    Trouble.AGGREGATE_IN_WHERE: GROUPING,
    Trouble.NESTED_AGGREGATE: GROUPING,
    Trouble.DISTINCT_ORDER: GROUPING,
    Trouble.DIVISION_BY_ZERO: ARITHMETIC,
    Trouble.MANY_ROWS: SHAPE,
    Trouble.LIMIT_IN_SUBQUERY: SYNTAX,
    Trouble.TIMED_OUT: TIMEOUT,
    Trouble.SYNTAX: SYNTAX,
}
_PATTERNS: tuple[tuple[ErrorKind, str], ...] = (
    (TIMEOUT, r"timed? ?out|time limit|maximum execution time|ran longer than|\binterrupted\b"),
    (UNREACHABLE, r"can(?:not|'t) be reached|could not connect|connection (?:refused|reset|to server)|unreachable"),
    (UNREACHABLE, r"unable to open database|server has gone away"),
    (SPATIAL, r"mixed SRID|different SRID|only lon/lat coordinate|transform: couldn't|unknown SRID"),
    (GROUPING, r"misuse of (?:aliased )?(?:aggregate|window)|only_full_group_by|window functions are not allowed"),
    (GROUPING, r"HAVING clause on a non-aggregate|aggregate functions are not allowed|cannot contain window"),
    (UNKNOWN_TABLE, r"(?:unknown|has no) table [\"'`]?(\w+)"),
    (UNKNOWN_COLUMN, r"(?:unknown|has no) column [\"'`]?(\w+)|column [\"'`]?(\w+)[\"'`]? not found"),
    (FUNCTION, r"wrong number of arguments to function (\w+)|incorrect parameter count|procedure (\w+).{0,200}does not exist"),
    (SHAPE, r"same number of (?:result )?columns|different number of columns|should contain 1 column"),
    (SHAPE, r"sub-?(?:select|query) (?:returns|must return|has too many)"),
    (ARITHMETIC, r"out of range|overflow"),
    (TYPES, r"could not convert|conversion error|cannot (?:compare|cast|mix)|datatype mismatch|type mismatch"),
    (TYPES, r"truncated incorrect|incorrect (?:integer|date\w*|decimal|double) value"),
    (PERMISSION, r"permission denied|access denied|not authorized|command denied"),
    (SYNTAX, r"does not parse|unrecognized token|unterminated|parser error|unexpected token"),
    (REFUSED, r"would change the database|allowed is one SELECT|read-?only|is not allowed|attempt to write|refused"),
    (REFUSED, r"send only the SELECT|one statement at a time|can only be read"),
    (CALL, r"no tool (?:called|named|of that name)|there is no tool|arguments? (?:do not|don't) fit"),
    (CALL, r"unexpected argument|missing argument|validation error"),
)  # fmt: skip
"""What is read here only; the first one that fits counts, and a group holds the name that it is about."""
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
    for line in message.splitlines():
        complaint = read_complaint(line)
        if complaint.trouble is not Trouble.OTHER:
            return _OF_TROUBLE[complaint.trouble], complaint.name.casefold()
    for kind, pattern in _COMPILED:
        if match := pattern.search(message):
            return kind, next((text for text in match.groups() if text), "").casefold()
    return OTHER, ""


def kind_of_rule(code: str) -> ErrorKind:
    """The kind of what a rule found; everything that is not known by name is about syntax.

    >>> kind_of_rule("mixed_srids").label
    'CRS mismatch errors'
    """
    return _KIND_OF_RULE.get(code, SYNTAX)
