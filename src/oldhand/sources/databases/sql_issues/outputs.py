"""The columns of a query's result, and of what stands in FROM."""

from sqlglot import exp

from oldhand.sources.databases.sql_issues.habits import Habits
from oldhand.sources.databases.sql_issues.scopes import Output, Outputs, Scope


def alias_columns(node: exp.Expr) -> list[exp.Expr]:
    """The names in `AS t(a, b)`."""
    alias = node.args.get("alias")
    columns = list(alias.columns) if isinstance(alias, exp.TableAlias) else []
    if isinstance(place := node.args.get("offset"), exp.Identifier):  # WITH ORDINALITY
        columns.append(place)
    return columns


def renamed(outputs: Outputs, node: exp.Expr) -> Outputs:
    """The columns under the names that `AS t(a, b)` gives them."""
    columns = alias_columns(node)
    if not columns:
        return outputs
    given = tuple(Output(column.name.casefold(), named=True, node=None) for column in columns)
    return given + (outputs or ())[len(given) :]


def names_of(outputs: Outputs) -> tuple[str, ...] | None:
    """The columns' names; empty for one that the database makes up."""
    return None if outputs is None else tuple(output.name or "" for output in outputs)


_CALLED: dict[type[exp.Expr], str] = {
    exp.Count: "count",
    exp.Sum: "sum",
    exp.Avg: "avg",
    exp.Max: "max",
    exp.Min: "min",
}


def _made_up_name(item: exp.Expr, habits: Habits) -> str | None:
    """What the database calls an output column without a name, if that is plain."""
    if habits.calls_name_outputs:
        return "?column?" if isinstance(item, exp.Binary) else _CALLED.get(type(item))
    return None


def outputs_of(node: exp.Select, scope: Scope, habits: Habits) -> Outputs:
    """The columns of a SELECT's result, stars expanded as far as the sources are known."""
    found: list[Output] = []
    for item in node.expressions:
        if isinstance(item, exp.Alias):
            found.append(Output(item.alias.casefold(), named=True, node=item.this))
        elif isinstance(item, exp.Column) and not isinstance(item.this, exp.Star):
            found.append(Output(item.name.casefold(), named=False, node=item))
        elif isinstance(item, exp.Star | exp.Column):
            if (expanded := _expanded(item, scope)) is None:
                return None
            found += expanded
        elif isinstance(item, exp.Columns | exp.Unnest | exp.Explode | exp.Aliases) or _is_row(
            item
        ):
            return None
        else:
            found.append(Output(_made_up_name(item, habits), named=False, node=item))
    return tuple(found)


def _is_row(item: exp.Expr) -> bool:
    """Whether it stands for all fields of a record: `(f(x)).*`."""
    return isinstance(item, exp.Dot) and isinstance(item.expression, exp.Star)


def _expanded(star: exp.Expr, scope: Scope) -> list[Output] | None:
    asterisk = star.this if isinstance(star, exp.Column) else star
    if any(asterisk.args.get(key) for key in ("except_", "replace", "rename")):
        return None
    qualifier = star.table.casefold() if isinstance(star, exp.Column) else ""
    found: list[Output] = []
    for source in scope.sources:
        if qualifier and source.name != qualifier:
            continue
        if source.columns is None:
            return None
        merged = frozenset[str]() if qualifier else source.merged
        found += [Output(c, named=False, node=None) for c in source.columns if c not in merged]
    return found
