"""Rules about what only other databases understand."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from oldhand.sources.databases.sql_issues.reading import SqlIssue, StatementReading, position_of

_ALL = "sqlite postgres mysql duckdb"


@dataclass(frozen=True)
class Foreign:
    """A construct and the dialects that reject it."""

    kinds: tuple[type[exp.Expr], ...]
    rejected_by: str
    message: str
    meant: Callable[[exp.Expr], object] = bool
    """Which of these nodes; all by default."""
    code: str = "foreign_construct"


FOREIGN: tuple[Foreign, ...] = (
    Foreign((exp.ILike,), "sqlite mysql", "ILIKE is not known here: LIKE already ignores letter case."),
    Foreign((exp.Qualify,), "sqlite postgres mysql", "QUALIFY is not known here: filter a subquery in FROM."),
    Foreign((exp.Lateral,), "sqlite", "LATERAL is not known here: use a subquery in SELECT, or a join."),
    Foreign((exp.Extract,), "sqlite", "EXTRACT is not known here: use strftime('%Y', x)."),
    Foreign((exp.Interval,), "sqlite", "INTERVAL is not known here: use date(x, '+1 day')."),
    Foreign((exp.Rollup, exp.Cube, exp.GroupingSets), "sqlite", "Grouping sets are not known here: unite several SELECTs."),
    Foreign((exp.Cube, exp.GroupingSets), "mysql", "CUBE and GROUPING SETS are not known here: unite several SELECTs."),
    Foreign((exp.Fetch,), "sqlite", "FETCH FIRST is not known here: use LIMIT."),
    Foreign((exp.Array,), "sqlite mysql", "Arrays are not known here: use JSON.", lambda array: not isinstance(array.parent, exp.Func)),
    Foreign((exp.SimilarTo,), "sqlite mysql", "SIMILAR TO is not known here: use LIKE."),
    Foreign((exp.RegexpLike,), "sqlite", "Regular expressions are not known here: use LIKE or GLOB."),
    Foreign((exp.TableSample,), "sqlite mysql", "TABLESAMPLE is not known here: use ORDER BY a random number and LIMIT."),
    Foreign((exp.AtTimeZone,), "sqlite mysql", "AT TIME ZONE is not known here."),
    Foreign((exp.WithinGroup,), "sqlite mysql", "WITHIN GROUP is not known here: order the rows in a subquery."),
    Foreign((exp.Filter,), "mysql", "FILTER is not known here: aggregate CASE WHEN … THEN … END."),
    Foreign((exp.Intersect,), "sqlite", "INTERSECT ALL is not known here: leave out ALL.", lambda node: node.args.get("distinct") is False),
    Foreign((exp.Except,), "sqlite", "EXCEPT ALL is not known here: leave out ALL.", lambda node: node.args.get("distinct") is False),
    Foreign((exp.Join,), "mysql", "FULL JOIN is not known here: unite a LEFT and a RIGHT JOIN.", lambda join: join.text("side") == "FULL"),
    Foreign(
        (exp.Distinct,), "sqlite mysql",
        "DISTINCT ON is not known here: number the rows with ROW_NUMBER() in a subquery and keep the first.",
        lambda distinct: distinct.args.get("on"),
    ),
    Foreign(
        (exp.Join,), _ALL, "NATURAL JOIN takes no ON or USING: leave out NATURAL.",
        lambda join: join.text("method") == "NATURAL" and (join.args.get("on") or join.args.get("using")), "natural_join_condition",
    ),
    Foreign(
        (exp.Join,), _ALL, "OUTER JOIN needs a side: write LEFT JOIN or FULL JOIN.",
        lambda join: join.text("kind") == "OUTER" and not join.text("side") and not join.text("method"), "natural_join_condition",
    ),
    Foreign(
        (exp.Subquery,), "mysql", "A subquery in FROM needs an alias: write (SELECT …) AS t.",
        lambda query: _is_in_from(query) and not query.alias and isinstance(query.this, exp.Select | exp.SetOperation),
        "derived_table_alias",
    ),
    Foreign(
        (exp.Tuple,), "sqlite mysql", "Columns in SELECT are listed without brackets.",
        lambda row: isinstance(row.parent, exp.Select) and row.arg_key == "expressions" and len(row.expressions) > 1,
        "row_as_value",
    ),
)  # fmt: skip


def foreign_construct(reading: StatementReading) -> Iterator[SqlIssue]:
    """A clause or operator of another database."""
    for foreign in FOREIGN:
        if reading.dialect in foreign.rejected_by.split():
            for node in filter(foreign.meant, reading.all(*foreign.kinds)):
                yield reading.issue(foreign.code, node, foreign.message)


def _is_in_from(query: exp.Expr) -> bool:
    return isinstance(query.parent, exp.From | exp.Join)


def join_without_condition(reading: StatementReading) -> Iterator[SqlIssue]:
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


_RESERVED = frozenset({
    "order", "group", "table", "select", "from", "where", "having", "limit", "index", "to", "and", "or", "not", "in",
    "as", "on", "join", "union", "create", "drop", "delete", "insert", "update", "default", "check", "references",
    "primary", "foreign", "unique", "using", "when", "then", "else", "between", "distinct", "exists", "null", "set",
})  # fmt: skip


def reserved_name(reading: StatementReading) -> Iterator[SqlIssue]:
    """A word of the language as a name; Postgres and DuckDB take it after AS."""
    quote = {"sqlite": '"', "mysql": "`"}.get(reading.dialect)
    if quote is None:
        return
    for node in reading.all(exp.Identifier):
        if node.name.lower() in _RESERVED and not node.args.get("quoted"):
            message = f"{node.name} is a word of SQL: write {quote}{node.name}{quote}, or choose another name."
            yield reading.issue("reserved_name", node, message)


def _is_written_as_join(reading: StatementReading, node: exp.Join) -> bool:
    """Whether the word JOIN stands before the table, and not a comma, which makes a join too."""
    start = position_of(node.this)
    before = [token for token in reading.tokens if start is not None and token.start < start]
    while before and before[-1].token_type is TokenType.L_PAREN:
        before.pop()
    return bool(before) and before[-1].token_type is TokenType.JOIN
