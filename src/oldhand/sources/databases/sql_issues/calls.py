"""Rules about functions: that the database has them, and takes as many arguments."""

import sqlite3
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from sqlglot.tokenizer_core import Token, TokenType

from oldhand.sources.databases.sql_issues.issue import SqlIssue
from oldhand.sources.databases.sql_issues.names import nearest
from oldhand.sources.databases.sql_issues.reading import Reading

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

ELSEWHERE: dict[str, dict[str, str]] = {
    "sqlite": {
        "concat": "join texts with ||", "concat_ws": "join texts with ||", "year": "use strftime('%Y', x)",
        "month": "use strftime('%m', x)", "day": "use strftime('%d', x)", "hour": "use strftime('%H', x)",
        "dayofweek": "use strftime('%w', x)", "quarter": "compute it from strftime('%m', x)",
        "datediff": "use julianday(a) - julianday(b)", "date_diff": "use julianday(a) - julianday(b)",
        "timestampdiff": "use julianday(a) - julianday(b)", "age": "use julianday(a) - julianday(b)",
        "date_format": "use strftime(format, x)", "to_char": "use strftime(format, x) or printf(format, x)",
        "date_trunc": "use strftime('%Y-%m-01', x)", "date_part": "use strftime(format, x)",
        "date_add": "use date(x, '+1 day')", "date_sub": "use date(x, '-1 day')", "dateadd": "use date(x, '+1 day')",
        "now": "use datetime('now')", "getdate": "use datetime('now')", "curdate": "use date('now')",
        "current_timestamp": "write it without brackets", "to_date": "use date(x)", "str_to_date": "use date(x)",
        "from_unixtime": "use datetime(x, 'unixepoch')", "unix_timestamp": "use strftime('%s', x)",
        "string_agg": "use group_concat(x, ', ')", "array_agg": "use json_group_array(x)", "listagg": "use group_concat",
        "if": "use iif(condition, a, b) or CASE", "nvl": "use ifnull(a, b)", "isnull": "use ifnull(a, b)",
        "left": "use substr(x, 1, n)", "right": "use substr(x, -n)", "len": "use length(x)",
        "char_length": "use length(x)", "locate": "use instr(text, part)", "position": "use instr(text, part)",
        "strpos": "use instr(text, part)", "charindex": "use instr(text, part)", "greatest": "use max(a, b)",
        "least": "use min(a, b)", "rand": "use random()", "stddev": "compute it from avg(x * x) and avg(x)",
        "variance": "compute it as avg(x * x) - avg(x) * avg(x)", "median": "order the rows and take the middle one",
        "lpad": "use printf('%05d', x)", "split_part": "use substr and instr", "rollup": "unite several SELECTs",
        "regexp_replace": "use replace", "regexp_like": "use LIKE or GLOB", "ucase": "use upper", "lcase": "use lower",
    },
    "postgres": {
        "ifnull": "use coalesce(a, b)", "nvl": "use coalesce(a, b)", "isnull": "use coalesce(a, b)",
        "iif": "use CASE WHEN … THEN … END", "if": "use CASE WHEN … THEN … END",
        "group_concat": "use string_agg(x::text, ', ')", "listagg": "use string_agg(x::text, ', ')",
        "year": "use extract(year FROM x)", "month": "use extract(month FROM x)", "day": "use extract(day FROM x)",
        "hour": "use extract(hour FROM x)", "quarter": "use extract(quarter FROM x)", "week": "use extract(week FROM x)",
        "dayofweek": "use extract(dow FROM x)", "datediff": "subtract: a::date - b::date",
        "date_diff": "subtract: a::date - b::date", "timestampdiff": "use extract(epoch FROM a - b)",
        "date_format": "use to_char(x, 'YYYY-MM')", "strftime": "use to_char(x, 'YYYY-MM')",
        "julianday": "subtract dates: a::date - b::date", "curdate": "use current_date", "getdate": "use now()",
        "sysdate": "use now()", "datetime": "use x::timestamp", "dateadd": "use x + interval '1 day'",
        "date_sub": "use x - interval '1 day'", "str_to_date": "use to_date(x, format)",
        "unix_timestamp": "use extract(epoch FROM x)", "from_unixtime": "use to_timestamp(x)",
        "last_day": "use date_trunc('month', x) + interval '1 month - 1 day'", "instr": "use strpos(text, part)",
        "locate": "use strpos(text, part)", "charindex": "use strpos(text, part)", "len": "use length(x)",
        "ucase": "use upper", "lcase": "use lower", "rand": "use random()", "total": "use sum",
        "printf": "use format or to_char", "substring_index": "use split_part(x, part, n)",
        "find_in_set": "use = ANY (string_to_array(x, ','))", "json_extract": "use x -> 'key' or x ->> 'key'",
        "median": "use percentile_cont(0.5) WITHIN GROUP (ORDER BY x)", "truncate": "use trunc(x, n)",
        "regexp_extract": "use substring(x FROM pattern)", "strptime": "use to_date or to_timestamp",
    },
    "mysql": {
        "string_agg": "use GROUP_CONCAT(x SEPARATOR ', ')", "array_agg": "use JSON_ARRAYAGG(x)",
        "listagg": "use GROUP_CONCAT(x SEPARATOR ', ')", "date_trunc": "use DATE_FORMAT(x, '%Y-%m-01')",
        "date_part": "use EXTRACT(YEAR FROM x)", "strftime": "use DATE_FORMAT(x, format)",
        "julianday": "use DATEDIFF(a, b)", "date_diff": "use DATEDIFF(a, b)", "age": "use TIMESTAMPDIFF(YEAR, a, b)",
        "strpos": "use LOCATE(part, text)", "charindex": "use LOCATE(part, text)",
        "split_part": "use SUBSTRING_INDEX(x, part, n)", "iif": "use IF(condition, a, b)", "total": "use SUM",
        "random": "use RAND()", "len": "use CHAR_LENGTH(x)", "getdate": "use NOW()", "dateadd": "use DATE_ADD",
        "generate_series": "use WITH RECURSIVE", "to_date": "use STR_TO_DATE(x, format)",
        "to_timestamp": "use FROM_UNIXTIME(x)", "printf": "use FORMAT or CONCAT", "json_each": "use JSON_TABLE",
        "regexp_matches": "use REGEXP_LIKE(x, pattern)", "datetime": "use CAST(x AS DATETIME)", "initcap": "use UPPER",
        "percentile_cont": "number the rows with ROW_NUMBER()", "group_array": "use JSON_ARRAYAGG(x)",
    },
    "duckdb": {
        "date_format": "use strftime(x, '%Y-%m')", "to_char": "use strftime(x, '%Y-%m')",
        "str_to_date": "use strptime(x, format)", "to_date": "use strptime(x, format)::DATE",
        "curdate": "use current_date", "getdate": "use now()", "julianday": "use date_diff('day', a, b)",
        "iif": "use CASE WHEN … THEN … END", "isnull": "use coalesce(a, b)", "find_in_set": "use list_position",
        "substring_index": "use split_part(x, part, n)", "timestampdiff": "use date_diff(part, a, b)",
        "unix_timestamp": "use epoch(x)", "from_unixtime": "use to_timestamp(x)", "locate": "use strpos(text, part)",
        "charindex": "use strpos(text, part)", "total": "use sum", "rand": "use random()", "dateadd": "use x + INTERVAL",
        "char_length": "use length(x)", "datetime": "use x::TIMESTAMP",
    },
}  # fmt: skip
"""Functions that other databases have, and what does the same here."""


class Call(NamedTuple):
    """A name before a bracket, as written."""

    token: Token
    name: str
    """In lower case."""
    arguments: int
    """How many there are; `*` counts as none."""
    distinct: bool
    star: bool


def unknown_function(reading: Reading) -> Iterator[SqlIssue]:
    """A function that the database does not have; for SQLite the running library is asked."""
    advice = ELSEWHERE[reading.dialect]
    known = sqlite_functions() if reading.dialect == "sqlite" else {}
    for call in calls(reading):
        if call.name in known:
            continue
        if call.name in advice:
            message = f"{_database(reading)} has no function {call.name}: {advice[call.name]}."
            yield reading.at("unknown_function", call.token, message)
        elif known and not call.name.startswith(("json", "pragma_", "st_", "fts")):
            near = nearest(call.name, known)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            yield reading.at(
                "unknown_function", call.token, f"SQLite has no function {call.name}.{hint}"
            )


def argument_count(reading: Reading) -> Iterator[SqlIssue]:
    """A function that takes another number of arguments; checked for SQLite and for common aggregates."""
    is_sqlite = reading.dialect == "sqlite"
    known = sqlite_functions() if is_sqlite else _ARGUMENTS[reading.dialect]
    one_distinct = _SQLITE_AGGREGATES if is_sqlite else frozenset({"count"})
    for call in calls(reading):
        counts = known.get(call.name)
        if counts and -1 not in counts and call.arguments not in counts:
            takes = " or ".join(str(count) for count in sorted(counts))
            message = f"{call.name} takes {takes} arguments, not {call.arguments}."
            yield reading.at("argument_count", call.token, message)
        elif (
            call.name == "count"
            and not call.arguments
            and not call.star
            and reading.dialect in {"postgres", "mysql"}
        ):
            yield reading.at(
                "argument_count", call.token, "count takes a column or a star: write count(*)."
            )
        elif (
            call.distinct
            and call.arguments > 1
            and call.name in one_distinct
            and reading.dialect != "mysql"
        ):
            message = f"{call.name}(DISTINCT …) takes one column here: count rows of SELECT DISTINCT in a subquery."
            yield reading.at("argument_count", call.token, message)


_SQLITE_AGGREGATES = frozenset({"count", "sum", "avg", "total", "group_concat"})
_ONE = frozenset({1})
_BASIC: dict[str, frozenset[int]] = dict.fromkeys(["sum", "avg", "upper", "lower", "abs"], _ONE)
_ARGUMENTS: dict[str, dict[str, frozenset[int]]] = {
    "postgres": {**_BASIC, "max": _ONE, "min": _ONE},
    "mysql": {**_BASIC, "max": _ONE, "min": _ONE},
    "duckdb": _BASIC,
}


@lru_cache(maxsize=1)
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


def calls(reading: Reading) -> Iterator[Call]:
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
        if [t.token_type for t in tokens[end + 1 : end + 2]] == [TokenType.ALIAS] and _opens_cte(
            tokens, end
        ):
            continue
        first = tokens[index + 2].token_type if index + 2 < len(tokens) else None
        yield Call(token, name, arguments, first is TokenType.DISTINCT, first is TokenType.STAR)


_NEVER_NAMES = frozenset({TokenType.STRING, TokenType.NUMBER, TokenType.R_PAREN, TokenType.COMMA})
_AFTER_THESE_A_NAME = frozenset({
    TokenType.ALIAS, TokenType.DCOLON, TokenType.R_PAREN, TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING,
    TokenType.WITH, TokenType.RECURSIVE,
})  # fmt: skip
"""After these stands an alias, a type or a CTE's name."""


def _opens_cte(tokens: list[Token], end: int) -> bool:
    following = [token.token_type for token in tokens[end + 2 : end + 4]]
    return TokenType.L_PAREN in following


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


def _database(reading: Reading) -> str:
    names = {"sqlite": "SQLite", "postgres": "Postgres", "mysql": "MySQL", "duckdb": "DuckDB"}
    return names[reading.dialect]
