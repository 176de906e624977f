"""Rules about what joins do: rows that an outer join adds, and keys that do not belong together."""

from collections.abc import Iterator

from sqlglot import exp

from oldhand.evaluators.sql_rules.joins import conditions
from oldhand.sources.databases.sql_issues import SqlIssue, StatementReading
from oldhand.sources.databases.sql_issues.kinds import COMPARISONS
from oldhand.sources.databases.sql_issues.scopes import Scope, ScopeSource

_STRICT = (*COMPARISONS, exp.Between, exp.In, exp.Like, exp.ILike)
"""Conditions that are not true for NULL."""
_MAY_CATCH_NULL = (exp.Coalesce, exp.Case, exp.If, exp.Is, exp.Query, exp.Anonymous, exp.Or)


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
