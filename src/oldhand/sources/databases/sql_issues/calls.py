"""Rules about functions: that the database has them, and takes as many arguments."""

import json
import sqlite3
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from sqlglot.tokenizer_core import Token, TokenType

from oldhand.sources.databases.sql_issues.names import nearest
from oldhand.sources.databases.sql_issues.reading import SqlIssue, StatementReading

_NO_CALLS = frozenset({
    "in", "values", "as", "over", "filter", "using", "exists", "and", "or", "not", "on", "where", "select", "from",
    "by", "having", "when", "then", "else", "case", "union", "all", "any", "some", "distinct", "between", "like", "glob",
    "is", "intersect", "except", "limit", "offset", "join", "cast", "group", "partition", "recursive", "materialized",
    "interval", "lateral", "array", "row", "sets", "within", "match", "regexp", "ilike", "escape", "collate", "end",
    "inner", "left join", "cross", "only", "returning", "with", "window", "qualify", "try_cast", "rlike", "similar",
    "to", "rollup", "cube", "grouping", "extract", "convert", "columns", "exclude", "replace into", "raise", "order by",
    "group by", "partition by", "grouping sets", "is not", "not in",
})  # fmt: skip
"""Words before a bracket that call nothing."""


@cache
def elsewhere() -> dict[str, dict[str, str]]:
    """Functions that other databases have, and what does the same in each dialect."""
    found = files("oldhand.sources.databases.sql_issues").joinpath("functions.json")
    return json.loads(found.read_bytes())


_DATABASES = {"sqlite": "SQLite", "postgres": "Postgres", "mysql": "MySQL", "duckdb": "DuckDB"}


class Call(NamedTuple):
    """A name before a bracket, as written."""

    token: Token
    name: str
    """In lower case."""
    arguments: int
    """How many there are; `*` counts as none."""
    distinct: bool
    star: bool


def unknown_function(reading: StatementReading) -> Iterator[SqlIssue]:
    """A function that the database does not have; for SQLite the running library is asked."""
    advice = elsewhere()[reading.dialect]
    known = sqlite_functions() if reading.dialect == "sqlite" else {}
    for call in calls(reading):
        if call.name in known:
            continue
        if call.name in advice:
            database = _DATABASES[reading.dialect]
            message = f"{database} has no function {call.name}: {advice[call.name]}."
            yield reading.at("unknown_function", call.token, message)
        elif known and not call.name.startswith(("json", "pragma_", "st_", "fts")):
            near = nearest(call.name, known)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            message = f"SQLite has no function {call.name}.{hint}"
            yield reading.at("unknown_function", call.token, message)


def argument_count(reading: StatementReading) -> Iterator[SqlIssue]:
    """A function that takes another number of arguments; checked for SQLite and for common aggregates."""
    is_sqlite = reading.dialect == "sqlite"
    known = sqlite_functions() if is_sqlite else _ARGUMENTS[reading.dialect]
    one_distinct = _SQLITE_AGGREGATES if is_sqlite else frozenset({"count"})
    for call in calls(reading):
        counts = known.get(call.name)
        is_empty = call.name == "count" and not call.arguments and not call.star
        message = ""
        if counts and -1 not in counts and call.arguments not in counts:
            takes = " or ".join(str(count) for count in sorted(counts))
            message = f"{call.name} takes {takes} arguments, not {call.arguments}."
        elif is_empty and reading.dialect in {"postgres", "mysql"}:
            message = "count takes a column or a star: write count(*)."
        elif call.distinct and call.arguments > 1 and call.name in one_distinct:
            message = f"{call.name}(DISTINCT …) takes one column here: count rows of SELECT DISTINCT in a subquery."
            message = "" if reading.dialect == "mysql" else message
        if message:
            yield reading.at("argument_count", call.token, message)


_SQLITE_AGGREGATES = frozenset({"count", "sum", "avg", "total", "group_concat"})
_ONE = frozenset({1})
_BASIC: dict[str, frozenset[int]] = dict.fromkeys(["sum", "avg", "upper", "lower", "abs"], _ONE)
_ARGUMENTS: dict[str, dict[str, frozenset[int]]] = {
    "postgres": {**_BASIC, "max": _ONE, "min": _ONE},
    "mysql": {**_BASIC, "max": _ONE, "min": _ONE},
    "duckdb": _BASIC,
}


@cache
def sqlite_functions() -> dict[str, frozenset[int]]:
    """The functions of the SQLite library in use, with the numbers of arguments they take (-1 is any)."""
    connection = sqlite3.connect(":memory:")
    try:
        rows = connection.execute("SELECT DISTINCT name, narg FROM pragma_function_list").fetchall()
    except sqlite3.OperationalError:  # a library built without introspection
        rows = []
    finally:
        connection.close()
    found: dict[str, set[int]] = {}
    for name, count in rows:
        found.setdefault(str(name).lower(), set()).add(int(count))
    return {name: frozenset(counts) for name, counts in found.items()}


def calls(reading: StatementReading) -> Iterator[Call]:
    """Every call of a function, as it stands in the text."""
    tokens = reading.tokens
    for index in range(len(tokens) - 1):
        token, after = tokens[index], tokens[index + 1]
        if after.token_type is not TokenType.L_PAREN or token.token_type in _NEVER_NAMES:
            continue
        name = token.text.lower()
        if name in _NO_CALLS or not (name[:1].isalpha() or name[:1] == "_"):
            continue
        if index and tokens[index - 1].token_type in _AFTER_THESE_A_NAME:
            continue
        end, arguments = _arguments(tokens, index + 1)
        following = [token.token_type for token in tokens[end + 1 : end + 4]]
        if following[:1] == [TokenType.ALIAS] and TokenType.L_PAREN in following[1:]:
            continue  # the name of a CTE
        first = tokens[index + 2].token_type if index + 2 < len(tokens) else None
        yield Call(token, name, arguments, first is TokenType.DISTINCT, first is TokenType.STAR)


_NEVER_NAMES = frozenset({TokenType.STRING, TokenType.NUMBER, TokenType.R_PAREN, TokenType.COMMA})
_AFTER_THESE_A_NAME = frozenset({
    TokenType.ALIAS, TokenType.DCOLON, TokenType.R_PAREN, TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING,
    TokenType.WITH, TokenType.RECURSIVE,
})  # fmt: skip
"""After these stands an alias, a type or a CTE's name."""


def _arguments(tokens: list[Token], opening: int) -> tuple[int, int]:
    """Where the bracket closes, and how many arguments it holds."""
    depth, commas, end = 0, 0, len(tokens) - 1
    for index in range(opening, len(tokens)):
        kind = tokens[index].token_type
        if kind in {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE}:
            depth += 1
        elif kind in {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE}:
            depth -= 1
            if depth == 0:
                end = index
                break
        elif kind is TokenType.COMMA and depth == 1:
            commas += 1
    first = tokens[opening + 1].token_type
    none = end == opening + 1 or (end == opening + 2 and first is TokenType.STAR)
    return end, 0 if none else commas + 1
