"""All rules, and the one function that applies them."""

from collections.abc import Callable, Iterable, Iterator

from sqlglot import exp

from oldhand.errors import QueryRefused
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.guard_tokens import parsed, statement_tokens
from oldhand.sources.databases.sql_issues import (
    calls,
    foreign,
    grouping,
    kinds,
    names,
    shapes,
    wording,
)
from oldhand.sources.databases.sql_issues.habits import HABITS
from oldhand.sources.databases.sql_issues.reading import Severity, SqlIssue, StatementReading

Rule = Callable[[StatementReading], Iterator[SqlIssue]]

RULES: tuple[Rule, ...] = (
    names.unknown_table, names.unknown_alias, names.column_not_in_table, names.unknown_column,
    names.ambiguous_column, names.duplicate_alias, names.letter_case, names.missing_join_column,
    grouping.aggregate_in_where, grouping.hidden_aggregate, grouping.nested_aggregate,
    grouping.window_in_where, grouping.having_without_groups,
    grouping.order_by_aggregate_without_groups, grouping.ungrouped_column,
    shapes.set_operation_width, shapes.order_before_set_operation, shapes.subquery_width,
    shapes.row_width, shapes.cte_width, shapes.position_out_of_range, shapes.compound_order,
    shapes.distinct_order, shapes.star_without_tables, shapes.incomplete_clause,
    shapes.column_in_limit,
    calls.unknown_function, calls.argument_count,
    foreign.foreign_construct, foreign.join_without_condition,
    wording.foreign_spelling, wording.using_without_brackets, wording.bracketed_set_operation,
    wording.clause_order, wording.trailing_comma,
    foreign.reserved_name,
    kinds.compared_kinds, kinds.misused_kind, kinds.set_operation_kinds, kinds.truth_of_number,
)  # fmt: skip
"""Every rule looks at one reading and yields what it finds."""


def find_issues(
    sql: str, schema: DatabaseSchema, *, others: tuple[DatabaseSchema, ...] = ()
) -> tuple[SqlIssue, ...]:
    """What can be seen to be wrong with a query without running it.

    Returns:
        The issues, each once, in the order of the text; empty when none was found.

    >>> from oldhand.record.schema import Column, Kind, Table
    >>> city = Column(name="city", type="TEXT", kind=Kind.TEXT)
    >>> shop = Table(name="shop", schema_name="main", columns=(city,))
    >>> schema = DatabaseSchema(name="shops", dialect="sqlite", tables=(shop,))
    >>> [issue.message for issue in find_issues("SELECT town FROM shop WHERE citi = 'Wien'", schema)]
    ['No table in FROM has a column town. They have city.', 'No table in FROM has a column citi. Did you mean city?']
    """
    reading = read_query(sql, schema, others=others)
    return (reading,) if isinstance(reading, SqlIssue) else issues_in(reading)


def find_errors(sql: str, schema: DatabaseSchema) -> tuple[str, ...]:
    """Why the database would reject a query, in words; empty when nothing speaks against it. Advice is left out.

    >>> find_errors("DELETE FROM shop", DatabaseSchema(name="shops", dialect="sqlite", tables=()))
    ('This is not a query: write one SELECT.',)
    """
    found = find_issues(sql, schema)
    return tuple(issue.message for issue in found if issue.severity is Severity.ERROR)


def read_query(
    sql: str, schema: DatabaseSchema, *, others: tuple[DatabaseSchema, ...] = ()
) -> StatementReading | SqlIssue:
    """The query as the rules look at it, or why it can't be read as one."""
    try:
        tokens = statement_tokens(sql, schema.dialect)
        tree = parsed(sql, tokens, schema.dialect)
    except QueryRefused as refusal:
        return SqlIssue(code="does_not_parse", message=str(refusal), fragment=sql.strip()[:200])
    if not isinstance(tree, exp.Query | exp.Values):
        message = "This is not a query: write one SELECT."
        return SqlIssue(code="not_a_query", message=message, fragment=sql.strip()[:200])
    return StatementReading(sql, tokens, tree, schema, others)


def issues_in(reading: StatementReading, rules: Iterable[Rule] = RULES) -> tuple[SqlIssue, ...]:
    """What the rules find in a query, each issue once, in the order of the text; nothing in dialects without rules."""
    if reading.dialect not in HABITS:
        return ()
    try:
        found = [issue for rule in rules for issue in rule(reading)]
    except RecursionError:
        return ()  # too deep to be read, which is no fault by itself
    unique = {(issue.code, issue.position, issue.fragment): issue for issue in found}
    return tuple(sorted(unique.values(), key=_place))


def _place(issue: SqlIssue) -> int:
    return 0 if issue.position is None else issue.position
