"""The guard: SQL that is about to run is read first, and only what reads may pass.

It works by allow-list: one statement, whose root is a SELECT, VALUES or a set operation (with or without WITH), built
only of the clauses of a query. Functions that open files, wait, run text or reach out, and tables that hold secrets are
refused by name.

**What runs is `checked_text`: the text that was written, without its comments.** SQL generated anew from the tree would be
what was checked, but not always what was meant: sqlglot writes `CAST(x AS DECIMAL)` for SQLite as `REAL` (2 becomes 2.5),
`CAST(x AS DATE)` as `DATE(x)`, and DuckDB's `char(65, 66)` as `CHR(65)`. So the text runs, and it is read twice: as a tree,
whose every node must be on the list, and as tokens, where no forbidden name may be called and no forbidden word stand,
whatever the tree made of them. Writing that the database could cut into other tokens than we do (nested or
executable comments, NUL, special blanks, escapes in names) is refused (`guard_tokens`). It assumes the default reading of
backslashes: `standard_conforming_strings = on` in Postgres, neither `ANSI_QUOTES` nor `NO_BACKSLASH_ESCAPES` in MySQL.

The guard is one of two locks: the connection itself is read-only too.
"""

import re
from itertools import pairwise

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from oldhand.errors import FunctionRefused, StatementRefused, UnreadableSQL, WriteRefused
from oldhand.sources.databases.guard_names import (
    FILES,
    may_stand_in_from,
    refused_words,
    why_function_is_refused,
    why_table_is_refused,
)
from oldhand.sources.databases.guard_tokens import (
    QUOTED,
    check_writing,
    parsed,
    statement_tokens,
    text_without_comments,
)

_ALLOWED = "Allowed is one SELECT, also with WITH, VALUES, UNION, INTERSECT or EXCEPT."

_STARTS = frozenset({"SELECT", "WITH", "VALUES", "FROM", "TABLE", "("})
_WRITES = frozenset({
    "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "UPSERT", "CREATE", "ALTER", "DROP", "TRUNCATE",
    "RENAME", "GRANT", "REVOKE", "COMMENT", "REFRESH",
})  # fmt: skip
_STATEMENTS = frozenset({
    "PRAGMA", "ATTACH", "DETACH", "COPY", "INSTALL", "LOAD", "SET", "RESET", "CALL", "EXPLAIN", "ANALYZE",
    "VACUUM", "DO", "SHOW", "DESCRIBE", "DESC", "SUMMARIZE", "USE", "BEGIN", "START", "COMMIT", "END",
    "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE", "EXECUTE", "PREPARE", "DEALLOCATE", "DECLARE", "FETCH",
    "CLOSE", "MOVE", "LISTEN", "NOTIFY", "UNLISTEN", "LOCK", "UNLOCK", "CHECKPOINT", "CLUSTER", "DISCARD",
    "SECURITY", "HANDLER", "IMPORT", "EXPORT", "KILL", "FLUSH", "SHUTDOWN", "PURGE", "HELP", "XA", "CACHE",
    "REINDEX", "OPTIMIZE", "REPAIR", "CHECK", "CHANGE", "STOP", "BINLOG", "RESTART", "CLONE", "SIGNAL",
    "RESIGNAL", "GET", "IF", "LOOP", "WHILE", "REPEAT", "RETURN", "UNINSTALL", "FORCE", "PIVOT", "UNPIVOT",
    "UPDATE_EXTENSIONS", "CHECKSUM", "DELIMITER", "SOURCE", "SYSTEM", "EXEC", "DBCC", "BACKUP", "RESTORE", "WAITFOR",
})  # fmt: skip

_LOCKING = frozenset({"UPDATE", "SHARE", "NO", "KEY"})
_CLAUSES: tuple[type[exp.Expr], ...] = (
    exp.Alias, exp.Aliases, exp.AtTimeZone, exp.CharacterSet, exp.ColumnDef, exp.Comprehension, exp.Cube, exp.CTE,
    exp.DataType, exp.DataTypeParam, exp.Distinct, exp.Fetch, exp.Filter, exp.FormatJson, exp.From, exp.FromTimeZone, exp.Group,
    exp.GroupingSets, exp.Having, exp.HavingMax, exp.Heredoc, exp.Identifier, exp.IgnoreNulls, exp.Interval, exp.IntervalOp,
    exp.IntervalSpan, exp.Introducer, exp.JSON, exp.JSONColumnDef, exp.JSONExtractQuote, exp.JSONKeyValue, exp.JSONPath,
    exp.JSONPathPart, exp.JSONSchema, exp.JSONValue, exp.Join, exp.Lambda, exp.Lateral, exp.Limit, exp.LimitOptions,
    exp.National, exp.Offset, exp.OnCondition, exp.Order, exp.Ordered, exp.Partition, exp.Pivot, exp.PivotAlias, exp.PivotAny,
    exp.PositionalColumn, exp.PseudoType, exp.Qualify, exp.Query, exp.RecursiveWithSearch, exp.RespectNulls, exp.Rollup,
    exp.Slice, exp.Star, exp.Table, exp.TableAlias, exp.TableColumn, exp.TableFromRows, exp.TableSample, exp.Tuple, exp.UDTF,
    exp.UnpivotColumns, exp.Values, exp.Var, exp.Variadic, exp.Where, exp.WindowSpec, exp.With, exp.WithFill, exp.WithinGroup,
    exp.XMLNamespace, exp.ColumnConstraint, exp.PathColumnConstraint, exp.IndexTableHint, exp.TimeUnit, exp.ObjectIdentifier,
    exp.ScopeResolution, exp.WithOperator, exp.XMLKeyValueOption,
)  # fmt: skip
"""What a query is made of, besides conditions (`exp.Condition`: operators, literals, columns, functions)."""

_WRITING: tuple[type[exp.Expr], ...] = (
    exp.DDL, exp.Insert, exp.Update, exp.Merge, exp.Delete, exp.Drop, exp.Alter, exp.TruncateTable, exp.Into, exp.Lock, exp.Returning, exp.Grant,
    exp.Revoke, exp.Comment, exp.LoadData,
)  # fmt: skip


def check_sql(sql: str, dialect: str) -> exp.Expr:
    """Read one statement and return its tree; it only reads.

    Args:
        sql: One statement; a closing semicolon and simple comments are fine.
        dialect: `sqlite`, `postgres`, `mysql`, `duckdb`, `tsql`, `snowflake` or `bigquery`.

    Raises:
        UnreadableSQL: it does not parse, or is written in a way that databases read differently.
        MultipleStatements: there is more than one statement.
        WriteRefused: it would change data or structure, or lock rows.
        StatementRefused: it is another kind of statement than a query.
        FunctionRefused: it calls a function, or reads a table or file, that lies outside of the data.

    >>> check_sql("SELECT name FROM shop -- all of them", "sqlite").sql()
    'SELECT name FROM shop /* all of them */'
    >>> check_sql("WITH gone AS (DELETE FROM shop RETURNING *) SELECT * FROM gone", "postgres")
    Traceback (most recent call last):
    ...
    oldhand.errors.WriteRefused: DELETE would change the database. Allowed is one SELECT, also with WITH, VALUES, UNION, INTERSECT or EXCEPT.
    """
    return _checked(sql, dialect)[1]


def checked_text(sql: str, dialect: str) -> str:
    """Check one statement and return the text that may run: as it was written, without comments.

    Raises:
        QueryRefused: as `check_sql`.

    >>> checked_text("SELECT 7 /* seven */ / 2;", "sqlite")
    'SELECT 7 / 2'
    """
    return text_without_comments(sql, _checked(sql, dialect)[0])


def _checked(sql: str, dialect: str) -> tuple[list[Token], exp.Expr]:
    tokens = statement_tokens(sql, dialect)
    _check_first_word(tokens)
    check_writing(sql, tokens, dialect)
    _check_words(tokens, dialect)
    _check_calls(tokens, dialect)
    tree = parsed(sql, tokens, dialect)
    for node in tree.walk():
        _check_node(node, dialect)
    if not isinstance(tree, exp.Query | exp.Values):
        raise StatementRefused(f"{_kind(tree)} may not run. {_ALLOWED}")
    return tokens, tree


def _check_first_word(tokens: list[Token]) -> None:
    """Name the statements that are no queries before the parser sees them."""
    word = tokens[0].text.upper() if tokens[0].token_type is not TokenType.IDENTIFIER else '"'
    if word in _WRITES:
        raise WriteRefused(f"{word} would change the database. {_ALLOWED}")
    if word in _STATEMENTS:
        raise StatementRefused(f"{word} statements may not run. {_ALLOWED}")
    if word not in _STARTS:
        raise UnreadableSQL(
            f"The SQL does not parse: it begins with {tokens[0].text[:40]!r}. {_ALLOWED}"
        )


def _check_words(tokens: list[Token], dialect: str) -> None:
    """INTO and FOR UPDATE can stand where the parser forgets them; as bare words they are nothing else.

    In SQL Server a second statement needs nothing before it: `SELECT 1 SHUTDOWN` is two.
    """
    refused = refused_words(dialect)
    for token, after in pairwise([*tokens, tokens[-1]]):
        word = token.text.upper()
        if word in refused and token.token_type not in QUOTED:
            kind = WriteRefused if word in _WRITES else StatementRefused
            raise kind(
                f"{word} may not stand in a query: it can begin another statement. {_ALLOWED}"
            )
        if after.token_type is TokenType.INTO and token.text.upper() in _WRITES:
            raise WriteRefused(f"{token.text.upper()} would change the database. {_ALLOWED}")
        if token.token_type is TokenType.SESSION_PARAMETER:
            raise FunctionRefused(
                "@@… may not be used: it reads the server's settings. Read the tables themselves."
            )
        if token.token_type is TokenType.INTO:
            raise WriteRefused(
                f"SELECT … INTO would write a table, a variable or a file. {_ALLOWED}"
            )
        if token.token_type is TokenType.FOR and after.text.upper() in _LOCKING:
            raise WriteRefused(f"SELECT … FOR {after.text.upper()} would lock rows. {_ALLOWED}")


def _check_calls(tokens: list[Token], dialect: str) -> None:
    """No forbidden name may stand before a bracket, however it is quoted or qualified."""
    for place, (token, after) in enumerate(pairwise(tokens)):
        if after.token_type is not TokenType.L_PAREN or not token.text:
            continue
        name = token.text.casefold()
        is_qualified = place > 1 and tokens[place - 1].token_type is TokenType.DOT
        whole = f"{tokens[place - 2].text.casefold()}.{name}" if is_qualified else name
        if dialect == "mysql" and not name.isascii():
            raise FunctionRefused(
                f"{token.text}(…) may not be called: MySQL takes accented letters for plain ones."
            )
        if reason := why_function_is_refused(dialect, name) or why_function_is_refused(
            dialect, whole
        ):
            raise FunctionRefused(
                f"{token.text}() may not be called: it {reason}. Read the tables themselves."
            )


def _check_node(node: exp.Expr, dialect: str) -> None:
    if isinstance(node, _WRITING):
        raise WriteRefused(f"{_kind(node)} would change the database. {_ALLOWED}")
    if not isinstance(node, _CLAUSES) and not isinstance(node, exp.Condition):
        raise StatementRefused(f"{_kind(node)} may not be part of a query. {_ALLOWED}")
    if isinstance(node, exp.NextValueFor):
        raise FunctionRefused("NEXT VALUE FOR may not be used: it changes a sequence.")
    if isinstance(node, exp.Parameter) and isinstance(node.this, exp.Parameter):
        raise FunctionRefused(
            "@@… may not be used: it reads the server's settings. Read the tables themselves."
        )
    if isinstance(node, exp.Table):
        _check_table(node, dialect)
    if isinstance(node, exp.TableFromRows):
        _check_table_function(node.this, dialect)


def _check_table(table: exp.Table, dialect: str) -> None:
    if isinstance(table.this, exp.Func):
        _check_table_function(table.this, dialect)
        return
    if isinstance(table.this, exp.Parameter | exp.DynamicIdentifier):
        raise FunctionRefused("A variable may not be read from. Read the tables of the schema.")
    name = ".".join(part.name for part in table.parts).casefold()
    if reason := why_table_is_refused(dialect, name):
        files = "files are read through functions and names like this one"
        what = files if reason == FILES else f"it {reason}"
        raise FunctionRefused(f"{name} may not be read: {what}. Read the tables of the schema.")


def _check_table_function(function: exp.Expr, dialect: str) -> None:
    known = function if isinstance(function, exp.Func) else None
    is_named = known is None or isinstance(known, exp.Anonymous)
    names = [function.name] if known is None or is_named else type(known).sql_names()
    if not any(may_stand_in_from(dialect, name.casefold()) for name in names):
        raise FunctionRefused(f"{names[0]}() may not be read from. Read the tables of the schema.")


def _kind(node: exp.Expr) -> str:
    """The name of a clause as people write it: `TruncateTable` is TRUNCATE TABLE."""
    if isinstance(node, exp.Into):
        return "SELECT … INTO"
    if isinstance(node, exp.Lock):
        return "Locking rows"
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(node).__name__).upper()
