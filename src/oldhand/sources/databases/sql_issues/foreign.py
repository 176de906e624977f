"""Rules about what only other databases understand."""

from collections.abc import Iterator
from typing import NamedTuple

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from oldhand.sources.databases.sql_issues.issue import SqlIssue, position_of
from oldhand.sources.databases.sql_issues.reading import Reading


class Foreign(NamedTuple):
    """A construct and the dialects that reject it."""

    kinds: tuple[type[exp.Expr], ...]
    rejected_by: str
    message: str


FOREIGN: tuple[Foreign, ...] = (
    Foreign((exp.ILike,), "sqlite mysql", "ILIKE is not known here: LIKE already ignores letter case."),
    Foreign((exp.Qualify,), "sqlite postgres mysql", "QUALIFY is not known here: filter a subquery in FROM."),
    Foreign((exp.Lateral,), "sqlite", "LATERAL is not known here: use a subquery in SELECT, or a join."),
    Foreign((exp.Extract,), "sqlite", "EXTRACT is not known here: use strftime('%Y', x)."),
    Foreign((exp.Interval,), "sqlite", "INTERVAL is not known here: use date(x, '+1 day')."),
    Foreign((exp.Rollup, exp.Cube, exp.GroupingSets), "sqlite", "Grouping sets are not known here: unite several SELECTs."),
    Foreign((exp.Cube, exp.GroupingSets), "mysql", "CUBE and GROUPING SETS are not known here: unite several SELECTs."),
    Foreign((exp.Fetch,), "sqlite", "FETCH FIRST is not known here: use LIMIT."),
    Foreign((exp.Array,), "sqlite mysql", "Arrays are not known here: use JSON."),
    Foreign((exp.SimilarTo,), "sqlite mysql", "SIMILAR TO is not known here: use LIKE."),
    Foreign((exp.RegexpLike,), "sqlite", "Regular expressions are not known here: use LIKE or GLOB."),
    Foreign((exp.TableSample,), "sqlite mysql", "TABLESAMPLE is not known here: use ORDER BY a random number and LIMIT."),
    Foreign((exp.AtTimeZone,), "sqlite mysql", "AT TIME ZONE is not known here."),
    Foreign((exp.WithinGroup,), "sqlite mysql", "WITHIN GROUP is not known here: order the rows in a subquery."),
    Foreign((exp.Filter,), "mysql", "FILTER is not known here: aggregate CASE WHEN … THEN … END."),
)  # fmt: skip


def foreign_construct(reading: Reading) -> Iterator[SqlIssue]:
    """A clause or operator of another database."""
    for foreign in FOREIGN:
        if reading.dialect in foreign.rejected_by.split():
            for node in reading.all(*foreign.kinds):
                if not isinstance(node, exp.Array) or not isinstance(node.parent, exp.Func):
                    yield reading.issue("foreign_construct", node, foreign.message)


def foreign_set_operation(reading: Reading) -> Iterator[SqlIssue]:
    """SQLite knows ALL after UNION only."""
    if reading.dialect == "sqlite":
        for node in reading.all(exp.Intersect, exp.Except):
            if node.args.get("distinct") is False:
                message = f"{type(node).__name__.upper()} ALL is not known here: leave out ALL."
                yield reading.issue("foreign_construct", node, message)


def foreign_join(reading: Reading) -> Iterator[SqlIssue]:
    """MySQL has no FULL JOIN."""
    if reading.dialect == "mysql":
        for node in reading.all(exp.Join):
            if node.side == "FULL":
                message = "FULL JOIN is not known here: unite a LEFT and a RIGHT JOIN."
                yield reading.issue("foreign_construct", node, message)


def join_without_condition(reading: Reading) -> Iterator[SqlIssue]:
    """A JOIN without ON; SQLite and, for plain joins, MySQL let it pass."""
    if reading.dialect == "sqlite":
        return
    for node in reading.all(exp.Join):
        has_condition = node.args.get("on") or node.args.get("using") or node.method
        if has_condition or node.kind in _NO_CONDITION:
            continue
        if node.side or (reading.dialect != "mysql" and _is_written_as_join(reading, node)):
            message = "JOIN needs a condition here: add ON …, or write CROSS JOIN."
            yield reading.issue("join_without_condition", node, message)


_NO_CONDITION = frozenset({"CROSS", "SEMI", "ANTI", "STRAIGHT"})


def foreign_distinct_on(reading: Reading) -> Iterator[SqlIssue]:
    """DISTINCT ON is known to Postgres and DuckDB."""
    if reading.dialect in {"sqlite", "mysql"}:
        for node in reading.all(exp.Distinct):
            if node.args.get("on"):
                message = "DISTINCT ON is not known here: number the rows with ROW_NUMBER() in a subquery and keep the first."
                yield reading.issue("foreign_construct", node, message)


_RESERVED = frozenset({
    "order", "group", "table", "select", "from", "where", "having", "limit", "index", "to", "and", "or", "not", "in",
    "as", "on", "join", "union", "create", "drop", "delete", "insert", "update", "default", "check", "references",
    "primary", "foreign", "unique", "using", "when", "then", "else", "between", "distinct", "exists", "null", "set",
})  # fmt: skip


def reserved_name(reading: Reading) -> Iterator[SqlIssue]:
    """A word of the language as a name; Postgres and DuckDB take it after AS."""
    quote = {"sqlite": '"', "mysql": "`"}.get(reading.dialect)
    if quote is None:
        return
    for node in reading.all(exp.Identifier):
        if node.name.lower() in _RESERVED and not node.args.get("quoted"):
            message = f"{node.name} is a word of SQL: write {quote}{node.name}{quote}, or choose another name."
            yield reading.issue("reserved_name", node, message)


def natural_join_condition(reading: Reading) -> Iterator[SqlIssue]:
    """NATURAL JOIN has its condition already."""
    for node in reading.all(exp.Join):
        if node.method == "NATURAL" and (node.args.get("on") or node.args.get("using")):
            message = "NATURAL JOIN takes no ON or USING: leave out NATURAL."
            yield reading.issue("natural_join_condition", node, message)
        elif node.kind == "OUTER" and not node.side and not node.method:
            message = "OUTER JOIN needs a side: write LEFT JOIN or FULL JOIN."
            yield reading.issue("natural_join_condition", node, message)


def derived_table_alias(reading: Reading) -> Iterator[SqlIssue]:
    """In MySQL, every subquery in FROM has a name."""
    if reading.dialect == "mysql":
        for node in reading.all(exp.Subquery):
            in_from = isinstance(node.parent, exp.From | exp.Join) and not node.alias
            if in_from and isinstance(node.this, exp.Select | exp.SetOperation):
                message = "A subquery in FROM needs an alias: write (SELECT …) AS t."
                yield reading.issue("derived_table_alias", node, message)


def _is_written_as_join(reading: Reading, node: exp.Join) -> bool:
    """Whether the word JOIN stands before the table, and not a comma, which makes a join too."""
    start = position_of(node.this)
    before = [token for token in reading.tokens if start is not None and token.start < start]
    while before and before[-1].token_type is TokenType.L_PAREN:
        before.pop()
    return bool(before) and before[-1].token_type is TokenType.JOIN
