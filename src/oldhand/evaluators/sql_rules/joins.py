"""Rules about joins that lack a condition."""

from collections.abc import Iterator
from itertools import pairwise

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from oldhand.evaluators.sql_rules.derived import query_behind
from oldhand.sources.databases.sql_issues import Severity, SqlIssue, StatementReading
from oldhand.sources.databases.sql_issues.gathering import is_aggregate
from oldhand.sources.databases.sql_issues.reading import position_of
from oldhand.sources.databases.sql_issues.scopes import Scope, ScopeSource

_MAX_DEPTH = 20
"""Queries inside of queries that are looked into."""


def cartesian_join(reading: StatementReading) -> Iterator[SqlIssue]:
    """Tables in one FROM that no condition ties together: every row of one meets every row of the other."""
    for scope in reading.gathered.scopes:
        if len(scope.sources) > 1 and (apart := _apart(reading, scope)):
            first, other = scope.sources[0].label, apart.label
            message = (
                f"Nothing joins {other} to {first}, so every row of one meets every row of the other: "
                "add a condition ON their keys, or write CROSS JOIN if all pairs are meant."
            )
            severity = Severity.ADVICE if _has_condition(scope, apart) else Severity.ERROR
            yield reading.issue("cartesian_join", apart.node, message, severity)


def _apart(reading: StatementReading, scope: Scope) -> ScopeSource | None:
    """The first source that stays apart from the first one; None when all belong together."""
    group = {source.name: place for place, source in enumerate(scope.sources)}
    if len(group) < len(scope.sources):
        return None  # a name twice is another rule's business

    def tie(names: set[str]) -> None:
        places = {group[name] for name in names}
        group.update({name: min(places) for name, place in group.items() if place in places})

    for source in scope.sources:
        if source.merged or _pairs_on_purpose(reading, source):
            tie({source.name, *group})
    for condition in conditions(scope.query):
        names = _mentioned(reading, scope, condition)
        if names is None:
            return None
        if len(names) > 1:
            tie(names)
    return next((source for source in scope.sources if group[source.name]), None)


def _has_condition(scope: Scope, source: ScopeSource) -> bool:
    """Whether somebody tried: an ON that compares a table with itself, or JOIN with WHERE alone. All pairs may be meant then.

    For SQLite the parser adds ON TRUE to every JOIN that has none.
    """
    join = source.node.parent
    on = join.args.get("on") if isinstance(join, exp.Join) else None
    if on is None:
        return False
    return not isinstance(on, exp.Boolean) or scope.query.args.get("where") is not None


def conditions(query: exp.Select) -> Iterator[exp.Expr]:
    """What WHERE and every ON demand, one by one."""
    where = query.args.get("where")
    roots = [where.this] if isinstance(where, exp.Where) else []
    roots += [
        on for join in query.find_all(exp.Join) if isinstance(on := join.args.get("on"), exp.Expr)
    ]
    for root in roots:
        yield from root.flatten() if isinstance(root, exp.And) else (root,)


def _mentioned(reading: StatementReading, scope: Scope, condition: exp.Expr) -> set[str] | None:
    """The sources that a condition speaks of; None when one of its columns may belong to any of them."""
    names: set[str] = set()
    own = {source.name for source in scope.sources}
    for column in condition.find_all(exp.Column):
        found = reading.meaning.get(id(column))
        if found is None or not (found.sources or column.table):
            return None
        names |= {source.name for source in found.sources} & own
    return names


def _pairs_on_purpose(reading: StatementReading, source: ScopeSource) -> bool:
    """Whether all pairs are meant: CROSS JOIN, a function or list of values, or a single row."""
    node = source.node
    if not isinstance(node, exp.Table | exp.Subquery) or not isinstance(
        node.this, exp.Identifier | exp.Query
    ):
        return True
    if _is_cross_join(reading, node) or _is_on_true(reading, node):
        return True
    query = query_behind(node)
    return query is not None and is_single_row(query)


def _is_cross_join(reading: StatementReading, node: exp.Expr) -> bool:
    """Whether CROSS or NATURAL stands before the table; the tree shows a comma like a CROSS JOIN."""
    join, start = node.parent, position_of(node)
    if not isinstance(join, exp.Join) or start is None:
        return False
    before = [token.token_type for token in reading.tokens if token.start < start][-3:]
    return join.method == "NATURAL" or TokenType.CROSS in before


def _is_on_true(reading: StatementReading, node: exp.Expr) -> bool:
    """Whether ON TRUE stands behind the table; for SQLite the parser adds one to every JOIN that has none."""
    on = node.parent.args.get("on") if isinstance(node.parent, exp.Join) else None
    if not isinstance(on, exp.Boolean):
        return False
    kinds = [token.token_type for token in reading.tokens]
    return (TokenType.ON, TokenType.TRUE) in pairwise(kinds)


def is_single_row(query: exp.Expr, depth: int = 0) -> bool:
    """Whether a query surely brings one row at most: by LIMIT, by aggregating all, or because all it reads from does."""
    limit = query.args.get("limit")
    if isinstance(limit, exp.Limit) and limit.expression.name == "1":
        return True
    if isinstance(query, exp.Subquery):
        return is_single_row(query.this, depth)
    if not isinstance(query, exp.Select) or query.args.get("group") or depth > _MAX_DEPTH:
        return False
    items = [item.unalias() for item in query.expressions]
    if items and all(is_aggregate(item) for item in items):
        return True
    from_ = query.args.get("from_")
    holders = filter(None, (from_, *query.args.get("joins", ())))
    behind = [query_behind(holder.this) for holder in holders]
    return all(one is not None and is_single_row(one, depth + 1) for one in behind)
