"""One thing that is wrong with a query."""

from enum import StrEnum

from sqlglot import exp

from oldhand.record.base import Record


class Severity(StrEnum):
    """What follows from an issue."""

    ERROR = "error"
    """The database would reject the query."""
    ADVICE = "advice"
    """The query runs, but probably does not do what was meant; it never makes a query invalid."""


class SqlIssue(Record):
    """Something wrong with a query, and what to do about it."""

    code: str
    """The rule that found it: `unknown_column`, `aggregate_in_where`, …"""
    message: str
    severity: Severity = Severity.ERROR
    fragment: str = ""
    """The piece of SQL that it is about."""
    about: str = ""
    """What it is about when the fragment says more than that, such as the function without its arguments."""
    position: int | None = None
    """Where the fragment begins in the text, in characters from 0; None when that is not known."""


def position_of(node: exp.Expr) -> int | None:
    """Where `node` begins in the text, as far as the parser kept it.

    >>> from sqlglot import parse_one
    >>> position_of(parse_one("SELECT a FROM shop").find(exp.Table))
    14
    """
    for part in node.walk():
        start = part.meta.get("start")
        if isinstance(start, int):
            return start
    return None
