"""Reads what a database says when it rejects a statement.

The texts are those of SQLite, DuckDB, Postgres, MySQL and MariaDB, and of our own check of names; line ends may
have become blanks.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from pydantic import BaseModel

from oldhand.lexicon.entries import shipped


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


class _Patterns(BaseModel):
    """What stands in `complaints.yaml`."""

    databases: tuple[dict[str, str], ...]
    own: tuple[dict[str, str], ...]
    hints: tuple[str, ...]
    typed_functions: str
    types: str

    def troubles(self) -> Iterator[tuple[Trouble, str]]:
        """What each pattern tells of, in the order in which they are tried."""
        for one in (*self.databases, *self.own):
            for name, pattern in one.items():
                yield Trouble[name.upper()], pattern


@cache
def _patterns() -> _Patterns:
    return _Patterns.model_validate(shipped("oldhand.sources.databases", "complaints.yaml"))


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
    for trouble, pattern in _patterns().troubles():
        if found := re.search(pattern, text, re.IGNORECASE):
            groups = found.groupdict()
            typed = (groups.get("typed") or "").lower() in _patterns().typed_functions.split()
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
    return tuple(found.lower() for found in re.findall(_patterns().types, said, re.IGNORECASE))


def _hints(text: str) -> tuple[str, ...]:
    for pattern in _patterns().hints:
        if found := re.search(pattern, text):
            quoted = re.findall(r"[\"`]([^\"`]+)[\"`]", found.group(1))
            names = quoted or found.group(1).split(" or ")
            return tuple(name.strip().rsplit(".", 1)[-1] for name in names)
    return ()
