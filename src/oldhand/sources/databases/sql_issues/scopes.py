"""The nouns of a query under reading: scopes, the sources they read from, and what stands in their clauses."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from oldhand.record.schema import Column, Table
from oldhand.sources.databases.sql_issues.habits import Habits


@dataclass
class ScopeSource:
    """One table, subquery, CTE or function that a scope reads from."""

    name: str
    """How its columns are addressed: the alias, else the table's name; in lower case."""
    columns: tuple[str, ...] | None
    """Its columns in lower case; None when they are not known."""
    node: exp.Expr
    table: Table | None = None
    """The table as the schema has it; None for everything else."""
    merged: frozenset[str] = frozenset()
    """Columns that USING or NATURAL made one with those of a source before it."""

    @property
    def label(self) -> str:
        """Its name as it was written."""
        return self.node.alias_or_name

    def may_have(self, column: str, habits: Habits) -> bool:
        """Whether it may have such a column without our knowing: hidden, or under a name that the database made up."""
        if self.columns is None:
            return True
        return "" in self.columns and (habits.calls_name_outputs or not column.isidentifier())

    def has(self, column: str) -> bool:
        """Whether it surely has a column of that name (in lower case)."""
        return self.columns is not None and column in self.columns

    def declared(self, column: str) -> Column | None:
        """The column as the schema has it, or None."""
        return self.table.column(column) if self.table else None


@dataclass(frozen=True)
class Output:
    """One column of a query's result."""

    name: str | None
    """In lower case; None when the database makes one up."""
    named: bool
    """True when the query gave the name by AS."""
    node: exp.Expr | None
    """The expression behind it; None when it comes out of a star."""


Outputs = tuple[Output, ...] | None
"""The columns of a result; None when a star hides how many there are."""


@dataclass
class ColumnUse:
    """A column name where it is used."""

    column: exp.Column
    scope: "Scope"
    clause: str
    """`select`, `where`, `group`, `having`, `order`, `join`, `qualify`, `window` or `limit`."""
    alone: bool
    """True when the name is all of a term of ORDER BY or GROUP BY."""
    aggregate: exp.Expr | None
    """The aggregate of the same scope that it stands in, or a function that may be one."""
    sees: int | None = None
    """In ON, how many sources were joined before; None when all of the scope are seen."""

    @property
    def visible(self) -> "list[ScopeSource]":
        """The sources of its own scope that it can mean."""
        return self.scope.sources[: self.sees]

    @property
    def name(self) -> str:
        """The column's name in lower case."""
        return self.column.name.casefold()

    @property
    def qualifier(self) -> str:
        """The table's name or alias before it, in lower case; empty when there is none."""
        return self.column.table.casefold()


@dataclass(frozen=True)
class AggregateCall:
    """An aggregate or a window function where it is used."""

    node: exp.Expr
    scope: "Scope"
    clause: str
    inside: exp.Expr | None
    """The aggregate of the same scope that it stands in."""


@dataclass
class Scope:
    """One SELECT with what it reads from; names that it does not know are looked for in its parent."""

    query: exp.Select
    parent: "Scope | None"
    clause: str = ""
    """The clause of the parent in which it stands; empty in FROM, in a CTE, and for the whole query."""
    sources: list[ScopeSource] = field(default_factory=list)
    uses: list[ColumnUse] = field(default_factory=list)
    aggregates: list[AggregateCall] = field(default_factory=list)
    windows: list[AggregateCall] = field(default_factory=list)
    veils: list[exp.Expr] = field(default_factory=list)
    """Calls of functions that are not known, and may be aggregates."""
    outputs: Outputs = ()

    def outward(self) -> Iterator["Scope"]:
        """This scope and those around it, innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def output(self, name: str, *, named: bool = False) -> Output | None:
        """The output column of that name (in lower case); with `named`, only one that got it by AS."""
        found = (one for one in self.outputs or () if one.name == name)
        return next((one for one in found if one.named or not named), None)


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


_CALLED = (exp.Count, exp.Sum, exp.Avg, exp.Max, exp.Min)


def _made_up_name(item: exp.Expr, habits: Habits) -> str | None:
    """What the database calls an output column without a name, if that is plain."""
    if habits.calls_name_outputs:
        call = item.key if type(item) in _CALLED else None
        return "?column?" if isinstance(item, exp.Binary) else call
    return None


_MANY = (exp.Columns, exp.Unnest, exp.Explode, exp.Aliases)
"""What stands for several columns."""


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
        elif isinstance(item, _MANY) or _is_row(item):
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
