"""Rules about joins that lack a condition."""

from collections.abc import Iterator
from itertools import pairwise

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from oldhand.evaluators.sql_rules.derived import query_behind
from oldhand.sources.databases.sql_issues import Severity, SqlIssue, StatementReading
from oldhand.sources.databases.sql_issues.gathering import is_aggregate
from oldhand.sources.databases.sql_issues.kinds import COMPARISONS
from oldhand.sources.databases.sql_issues.reading import position_of
from oldhand.sources.databases.sql_issues.scopes import Scope, ScopeSource

_MAX_DEPTH = 20
"""Queries inside of queries that are looked into."""
_STRICT = (*COMPARISONS, exp.Between, exp.In, exp.Like, exp.ILike)
"""Conditions that are not true for NULL."""
_MAY_CATCH_NULL = (exp.Coalesce, exp.Case, exp.If, exp.Is, exp.Query, exp.Anonymous, exp.Or)


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


# Rules about what joins do: rows that an outer join adds, and keys that do not belong together.
def turned_outer_join(reading: StatementReading) -> Iterator[SqlIssue]:
    """A condition on the side that an outer join may leave empty takes away the rows that the join has added."""
    for scope in reading.gathered.scopes:
        empty: set[str] = set()
        seen: set[str] = set()
        roots: list[tuple[exp.Expr, set[str]]] = []
        for source in scope.sources:
            join = source.node.parent
            side = join.side if isinstance(join, exp.Join) else ""
            if not side and isinstance(join, exp.Join) and join.args.get("on"):
                roots.append((join.args["on"], set(empty)))
            empty |= seen if side in {"RIGHT", "FULL"} else set[str]()
            empty |= {source.name} if side in {"LEFT", "FULL"} else set[str]()
            seen.add(source.name)
        if where := scope.query.args.get("where"):
            roots.append((where.this, empty))
        for root, names in roots:
            for condition in _parts(root):
                if source := _dropped(reading, scope, condition, names):
                    message = f"The outer join keeps rows without {source.label}, and this condition drops them again: put it into ON, or write JOIN."
                    yield reading.issue("turned_outer_join", condition, message)


def _dropped(
    reading: StatementReading, scope: Scope, condition: exp.Expr, empty: set[str]
) -> ScopeSource | None:
    """The source without which the condition is not true, if it is one of those that may be empty."""
    for column in condition.find_all(exp.Column) if isinstance(condition, _STRICT) else ():
        source = _source(reading, scope, column)
        inside = column.find_ancestor(*_MAY_CATCH_NULL)
        is_caught = inside is not None and inside is not scope.query
        if source is not None and source.name in empty and not is_caught:
            return source
    return None


def _parts(root: exp.Expr) -> Iterator[exp.Expr]:
    """What holds together, without the brackets and NOTs around it."""
    for part in root.flatten() if isinstance(root, exp.And) else (root,):
        if isinstance(part, exp.Paren | exp.Not):
            yield from _parts(part.this)
        else:
            yield part


def _source(reading: StatementReading, scope: Scope, column: exp.Expr) -> ScopeSource | None:
    found = reading.meaning.get(id(column))
    sources = found.sources if found and found.scope in (None, scope) else ()
    return sources[0] if len(sources) == 1 else None


def counted_without_match(reading: StatementReading) -> Iterator[SqlIssue]:
    """COUNT(*) over an outer join counts 1 where there is nothing."""
    for scope in reading.gathered.scopes:
        group, where = scope.query.args.get("group"), scope.query.args.get("where")
        joins = [(source, source.node.parent) for source in scope.sources]
        optional = [s for s, join in joins if isinstance(join, exp.Join) and join.side == "LEFT"]
        columns = [c for part in (group, where) if part for c in part.find_all(exp.Column)]
        others = [_source(reading, scope, column) for column in columns]
        if not group or len(optional) != 1 or {id(None), id(optional[0])} & set(map(id, others)):
            continue
        for call in scope.aggregates:
            if isinstance(call.node, exp.Count) and isinstance(call.node.this, exp.Star):
                label = optional[0].label
                message = f"COUNT(*) counts 1 for a row without {label}, because of the outer join: count a column of {label}."
                yield reading.issue("counted_without_match", call.node, message)


def key_against_key(reading: StatementReading) -> Iterator[SqlIssue]:
    """Two tables joined by their own numbers, where one of them has a column for the key of the other."""
    for scope in reading.gathered.scopes:
        for condition in conditions(scope.query):
            sides = (condition.this, condition.expression) if isinstance(condition, exp.EQ) else ()
            found = [
                (s, one.table) for s in sides if (one := _source(reading, scope, s)) and one.table
            ]
            if len(found) < 2 or any(table.primary_key != (s.name,) for s, table in found):
                continue
            (one, first), (other, second) = found
            keys = [k for k in first.foreign_keys if k.table == second.name]
            keys += [k for k in second.foreign_keys if k.table == first.name]
            if (
                first is not second
                and keys
                and all(k.columns[0] not in {one.name, other.name} for k in keys)
            ):
                message = f"This compares the numbers of two different things: join on {keys[0].columns[0]}."
                yield reading.issue("key_against_key", condition, message)
