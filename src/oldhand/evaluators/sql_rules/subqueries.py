"""Rules about subqueries: how many rows they bring, and what they know of the query around them."""

from collections.abc import Iterator

from sqlglot import exp

from oldhand.evaluators.sql_rules.joins import conditions, is_single_row
from oldhand.sources.databases.sql_issues import Severity, SqlIssue, StatementReading
from oldhand.sources.databases.sql_issues.kinds import COMPARISONS
from oldhand.sources.databases.sql_issues.naming import NameMeaning
from oldhand.sources.databases.sql_issues.scopes import Scope

_ONE_VALUE = (*COMPARISONS, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Alias, exp.Select)


def several_rows(reading: StatementReading) -> Iterator[SqlIssue]:
    """A subquery that stands for one value and may bring several."""
    for node in reading.all(exp.Subquery):
        query = node.this
        if not isinstance(node.parent, _ONE_VALUE) or node.arg_key in {"from_", "joins", "with_"}:
            continue
        scope = _scope(reading, query)
        if (
            scope is not None
            and scope.sources
            and not is_single_row(query)
            and _is_wide(reading, scope)
        ):
            message = (
                "This subquery stands for one value and brings one for every row that it reads: compare with IN, aggregate, "
                "or add ORDER BY … LIMIT 1."
            )
            yield reading.issue("several_rows", node, message)


def _scope(reading: StatementReading, query: exp.Expr) -> Scope | None:
    return next((scope for scope in reading.gathered.scopes if scope.query is query), None)


def _is_wide(reading: StatementReading, scope: Scope) -> bool:
    """Whether nothing holds the rows to one: no comparison by = but by a key that many rows share."""
    tables = [
        s
        for s in scope.sources
        if isinstance(s.node, exp.Table) and isinstance(s.node.this, exp.Identifier)
    ]
    if not tables or any(s.table and s.table.row_count == 1 for s in tables):
        return False
    equal = [c for c in conditions(scope.query) if isinstance(c, exp.EQ | exp.Is)]
    return all(_is_shared(reading, scope, c) for c in equal) and not scope.query.find(exp.Or)


def _is_shared(reading: StatementReading, scope: Scope, condition: exp.Expr) -> bool:
    """Whether it compares a foreign key of the subquery's table with a column of the query around it."""
    found = [reading.meaning.get(id(side)) for side in (condition.this, condition.expression)]
    known = [one for one in found if one and one.meaning is NameMeaning.COLUMN]
    own = [one for one in known if one.scope is scope and one.column]
    keys = {
        column for one in own if (t := one.sources[0].table) for key in t.foreign_keys for column in key.columns[:1]
    }  # fmt: skip
    is_key = any(
        one.column.name in keys and not (one.column.unique or one.column.primary_key)
        for one in own
        if one.column
    )
    return len(known) == 2 and len(own) == 1 and is_key


def column_of_outer_query(reading: StatementReading) -> Iterator[SqlIssue]:
    """`x IN (SELECT x FROM t)` where t has no x: the name means the column outside, and every row fits."""
    for node in reading.all(exp.In):
        scope = _scope(reading, _inner(node))
        items = scope.query.expressions if scope else []
        for item in items if len(items) == 1 else ():
            found = reading.meaning.get(id(item))
            is_outside = (
                found is not None
                and found.meaning is NameMeaning.COLUMN
                and found.scope is not scope
            )
            if is_outside and scope is not None and scope.sources:
                message = f"{item.name} is no column of {scope.sources[0].label}, so that the query around it is meant and every row fits: name a column of {scope.sources[0].label}."
                yield reading.issue("column_of_outer_query", item, message)


def _inner(node: exp.Expr) -> exp.Expr:
    query = node.args.get("query") or node.this
    return query.this if isinstance(query, exp.Subquery) else query


def exists_for_all(reading: StatementReading) -> Iterator[SqlIssue]:
    """EXISTS with a subquery that says nothing about the row at hand: true for all of them, or for none."""
    for node in reading.all(exp.Exists):
        scope = _scope(reading, _inner(node))
        if scope is None or scope.parent is None or not scope.parent.sources or not scope.sources:
            continue
        within = [one for one in reading.gathered.scopes if scope in one.outward()]
        found = [reading.meaning[id(use.column)] for one in within for use in one.uses]
        is_apart = all(one.meaning is NameMeaning.COLUMN and one.scope in within for one in found)
        if is_apart and scope.clause in {"where", "having"}:
            message = "This EXISTS is true for all rows or for none: compare a column of its table with one of the query around it."
            yield reading.issue("exists_for_all", node, message)


def nulls_in_list(reading: StatementReading) -> Iterator[SqlIssue]:
    """NOT IN finds nothing once its subquery brings a NULL; the head of a tree has no parent."""
    for node in reading.all(exp.In):
        scope = _scope(reading, _inner(node)) if isinstance(node.parent, exp.Not) else None
        items = scope.query.expressions if scope else []
        found = reading.meaning.get(id(items[0])) if len(items) == 1 else None
        if scope is None or found is None or found.column is None or found.scope is not scope:
            continue
        column, table = found.column, found.sources[0].table
        asked = {name.name for c in conditions(scope.query) for name in c.find_all(exp.Column)}
        if not column.nullable or column.primary_key or table is None or column.name in asked:
            continue
        asker = reading.meaning.get(id(node.this))
        outside = asker.sources[0].table if asker and asker.sources else None
        is_tree = outside is table and any(
            key.columns == (column.name,) and key.table == table.name for key in table.foreign_keys
        )
        if is_tree or reading.dialect != "sqlite":
            message = f"NOT IN finds no row once {column.name} is NULL in one: add WHERE {column.name} IS NOT NULL, or write NOT EXISTS."
            severity = Severity.ERROR if is_tree else Severity.ADVICE
            yield reading.issue("nulls_in_list", node, message, severity)
