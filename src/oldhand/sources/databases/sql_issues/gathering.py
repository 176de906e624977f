"""Walk a query once and gather its scopes."""

from dataclasses import dataclass, field
from typing import cast

from sqlglot import exp

from oldhand.record.schema import DatabaseSchema, Table
from oldhand.sources.databases.sql_issues.habits import Habits
from oldhand.sources.databases.sql_issues.scopes import (
    AggregateCall,
    ColumnUse,
    Output,
    Outputs,
    Scope,
    ScopeSource,
    alias_columns,
    names_of,
    outputs_of,
    renamed,
)

Ctes = dict[str, Outputs]

_CLAUSES = (
    ("expressions", "select"), ("distinct", "select"), ("where", "where"), ("group", "group"), ("having", "having"),
    ("qualify", "qualify"), ("windows", "window"), ("order", "order"), ("limit", "limit"), ("offset", "limit"),
)  # fmt: skip
_SYSTEM = ("pg_", "sqlite_", "duckdb_", "pragma_")
_SYSTEM_SCHEMAS = frozenset({"information_schema", "pg_catalog", "temp", "temporary"})


@dataclass
class Gathered:
    """What a walk over the query found."""

    scopes: list[Scope] = field(default_factory=list)
    unknown_tables: list[exp.Table] = field(default_factory=list)
    outputs: dict[int, Outputs] = field(default_factory=dict)
    """The result's columns of each query in the tree, by the node's id."""
    compounds: list[tuple[exp.SetOperation, list[Scope]]] = field(default_factory=list)
    """Each outermost set operation with the SELECTs that it joins."""


class Gatherer:
    """Reads the scopes of one query; what it found is `found`."""

    def __init__(self, schema: DatabaseSchema, habits: Habits) -> None:
        self.found = Gathered()
        self._habits = habits
        self._schema = schema
        self._tables: dict[str, list[Table]] = {}
        for table in schema.tables:
            self._tables.setdefault(table.name.casefold(), []).append(table)

    def query(self, node: exp.Expr, parent: Scope | None, ctes: Ctes, clause: str = "") -> Outputs:
        """Read a query that stands in a clause of its parent, and return its result's columns."""
        ctes = self._with(node, parent, ctes)
        if isinstance(node, exp.Select):
            outputs = self._select(Scope(node, parent, clause), ctes)
        elif isinstance(node, exp.SetOperation):
            outputs = self._compound(node, parent, ctes, clause)
        elif isinstance(node, exp.Subquery):
            outputs = self.query(node.this, parent, ctes, clause)
        elif isinstance(node, exp.Values) and node.expressions:
            first, width = self._habits.first_value, len(node.expressions[0].expressions)
            names = map(self._habits.value_name.format, range(first, first + width))
            outputs = tuple(Output(name, named=False, node=None) for name in names)
        else:
            outputs = None
        self.found.outputs[id(node)] = outputs
        return outputs

    def _with(self, node: exp.Expr, parent: Scope | None, ctes: Ctes) -> Ctes:
        with_ = node.args.get("with_")
        if not isinstance(with_, exp.With):
            return ctes
        known = dict(ctes)
        if self._habits.forward_ctes:
            known.update({cte.alias.casefold(): None for cte in with_.expressions})
        for cte in with_.expressions:
            name = cte.alias.casefold()
            known[name] = renamed(self._cte(cte, with_, parent, known), cte)
        return known

    def _cte(self, cte: exp.CTE, with_: exp.With, parent: Scope | None, known: Ctes) -> Outputs:
        body = cte.this
        name = cte.alias.casefold()
        may_recurse = with_.recursive or self._habits.forward_ctes
        if may_recurse and isinstance(body, exp.SetOperation) and _reads_from(body, name):
            columns = cte.args["alias"].columns
            anchor = _leftmost(body)
            before = len(self.found.scopes)
            start = self.query(anchor, parent, known)
            del self.found.scopes[before:]
            known = {**known, name: renamed(start, cte) if start or columns else None}
        return self.query(body, parent, known)

    def _compound(
        self, node: exp.SetOperation, parent: Scope | None, ctes: Ctes, clause: str
    ) -> Outputs:
        """Read the SELECTs of a chain of set operations; its left side may be thousands long."""
        parts: list[exp.Expr] = []
        left: exp.Expr = node
        while isinstance(left, exp.SetOperation):
            parts.append(left.expression)
            left = left.this
            ctes = self._with(left, parent, ctes)
        before = len(self.found.scopes)
        outputs = self.query(left, parent, ctes, clause)
        for part in reversed(parts):
            self.query(part, parent, ctes, clause)
        branches = {id(part.unnest()) for part in (left, *parts) if isinstance(part, exp.Query)}
        joined = [scope for scope in self.found.scopes[before:] if id(scope.query) in branches]
        self.found.compounds.append((node, joined))
        by_name = node.args.get("by_name")
        return None if by_name else outputs

    def _select(self, scope: Scope, ctes: Ctes) -> Outputs:
        node = scope.query
        self.found.scopes.append(scope)
        self._read_sources(node, scope, ctes)
        scope.outputs = outputs_of(node, scope, self._habits)
        for key, clause in _CLAUSES:
            for root in _parts(node, key):
                self._read(root, scope, clause, ctes)
        return scope.outputs

    def _read_sources(self, node: exp.Select, scope: Scope, ctes: Ctes) -> None:
        from_ = node.args.get("from_")
        if isinstance(from_, exp.From):
            self._add_source(from_.this, scope, ctes)
        for join in node.args.get("joins", ()):
            self._add_join(join, scope, ctes)
        for lateral in node.args.get("laterals", ()):
            self._add_source(lateral, scope, ctes)

    def _add_join(self, join: exp.Join, scope: Scope, ctes: Ctes) -> None:
        before = len(scope.sources)
        earlier: set[str] = set()
        for source in scope.sources:
            earlier.update(source.columns or ())
        self._add_source(join.this, scope, ctes)
        names = {identifier.name.casefold() for identifier in join.args.get("using") or ()}
        for source in scope.sources[before:]:
            if join.method == "NATURAL":
                names |= earlier & set(source.columns or ())
            source.merged = frozenset(names)
        if isinstance(on := join.args.get("on"), exp.Expr):
            self._read(on, scope, "join", ctes)

    def _add_source(self, node: exp.Expr, scope: Scope, ctes: Ctes) -> None:
        if isinstance(node, exp.Table):
            scope.sources.append(self._table(node, scope, ctes))
        elif isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table | exp.Subquery):
            sources, uses = len(scope.sources), len(scope.uses)
            self._add_source(node.this, scope, ctes)
            if node.alias:  # one name for all that was joined inside, whose names end here
                scope.sources[sources:] = [ScopeSource(node.alias.casefold(), None, node)]
                del scope.uses[uses:]
        elif isinstance(node, exp.Subquery | exp.Lateral) and isinstance(_inner(node), exp.Query):
            sees = isinstance(node, exp.Lateral) or self._habits.from_sees_neighbours
            outputs = renamed(self.query(_inner(node), scope if sees else scope.parent, ctes), node)
            columns = None if node.args.get("pivots") else names_of(outputs)
            scope.sources.append(ScopeSource(node.alias.casefold(), columns, node))
        else:
            for child in node.iter_expressions():
                self._read(child, scope, "join", ctes)
            columns = tuple(c.name.casefold() for c in alias_columns(node)) or None
            if columns is None and isinstance(node, exp.Values):
                columns = names_of(self.query(node, scope, ctes))
            scope.sources.append(ScopeSource(node.alias_or_name.casefold(), columns, node))
        for join in node.args.get("joins") or ():
            self._add_join(join, scope, ctes)

    def _table(self, node: exp.Table, scope: Scope, ctes: Ctes) -> ScopeSource:
        if not isinstance(node.this, exp.Identifier):
            for child in node.iter_expressions():
                self._read(child, scope, "join", ctes)
            columns = tuple(c.name.casefold() for c in alias_columns(node)) or None
            return ScopeSource(node.alias_or_name.casefold(), columns, node)
        name = node.name.casefold()
        alias = node.alias_or_name.casefold()
        if not node.db and name in ctes:
            return ScopeSource(alias, names_of(renamed(ctes[name], node)), node)
        table = self.find_table(node)
        if table is None:
            if not name.startswith(_SYSTEM) and node.db.casefold() not in _SYSTEM_SCHEMAS:
                self.found.unknown_tables.append(node)
            return ScopeSource(alias, None, node)
        columns = tuple(column.name.casefold() for column in table.columns)
        given = tuple(c.name.casefold() for c in alias_columns(node))
        known = given + columns[len(given) :]
        if node.args.get("pivots"):
            return ScopeSource(alias, None, node)
        return ScopeSource(alias, known, node, None if given else table)

    def find_table(self, node: exp.Table) -> Table | None:
        """The table of the schema that `node` means."""
        same_name = self._tables.get(node.name.casefold(), [])
        schema_name = node.db.casefold()
        if not schema_name:
            return same_name[0] if same_name else None
        for table in same_name:
            if table.schema_name.casefold() == schema_name:
                return table
        is_catalog = schema_name == self._schema.name.casefold()
        return same_name[0] if same_name and is_catalog else None

    def _read(self, root: exp.Expr, scope: Scope, clause: str, ctes: Ctes) -> None:
        """Take down the columns and aggregates of one clause; queries inside of it become scopes of their own."""
        sees = len(scope.sources) if clause == "join" and not self._habits.joins_see_later else None
        stack: list[tuple[exp.Expr, exp.Expr | None, exp.Expr | None]] = [(root, None, None)]
        while stack:
            node, aggregate, veil = stack.pop()
            if isinstance(node, exp.Query | exp.Values):
                self.query(node, scope, ctes, clause)
            elif isinstance(node, exp.Column):
                if not isinstance(node.this, exp.Star):
                    alone = clause in {"order", "group"} and _is_term(node, root)
                    scope.uses.append(
                        ColumnUse(node, scope, clause, alone, aggregate or veil, sees)
                    )
            elif isinstance(node, exp.Window):
                scope.windows.append(AggregateCall(node, scope, clause, aggregate))
                children = [c for c in node.iter_expressions() if c is not node.this]
                stack.extend((c, aggregate, veil) for c in [*children, *_over(node.this)])
            elif isinstance(node, _AROUND_AGGREGATES) and is_aggregate(node.this):
                stack.append((node.this, aggregate, veil))
                rest = (c for c in node.iter_expressions() if c is not node.this)
                stack.extend((c, node.this, veil) for c in rest)
            elif not isinstance(node, exp.Lambda | exp.Comprehension):
                if is_aggregate(node):
                    scope.aggregates.append(AggregateCall(node, scope, clause, aggregate))
                    aggregate = node
                elif isinstance(node, exp.Anonymous):
                    scope.veils.append(node)
                    veil = node
                stack.extend((c, aggregate, veil) for c in node.iter_expressions())


_AROUND_AGGREGATES = (exp.Filter, exp.WithinGroup, exp.IgnoreNulls, exp.RespectNulls)


def _parts(node: exp.Expr, key: str) -> list[exp.Expr]:
    """The roots of one clause, which the parser keeps as a list or alone."""
    part: object = node.args.get(key)
    parts = cast("list[object]", part) if isinstance(part, list) else [part]
    return [root for root in parts if isinstance(root, exp.Expr)]


def is_aggregate(node: exp.Expr) -> bool:
    """Whether the function makes one value of many rows; SQLite's `max(a, b)` does not."""
    if isinstance(node, exp.Max | exp.Min):
        return not node.expressions
    return isinstance(node, exp.AggFunc) and not isinstance(node.parent, exp.Window)


def _over(function: exp.Expr) -> list[exp.Expr]:
    """What stands inside of the function before OVER: the function itself is no aggregate of the scope."""
    if isinstance(function, _AROUND_AGGREGATES):
        inner = function.this
        rest = [child for child in function.iter_expressions() if child is not inner]
        return [*inner.iter_expressions(), *rest]
    return list(function.iter_expressions())


def _is_term(column: exp.Column, root: exp.Expr) -> bool:
    holder = column.parent
    return holder is root or (isinstance(holder, exp.Ordered) and holder.parent is root)


def _inner(node: exp.Expr) -> exp.Expr:
    inner = node.this
    is_wrapped = isinstance(node, exp.Lateral) and isinstance(inner, exp.Subquery)
    return inner.this if is_wrapped else inner


def _reads_from(body: exp.Expr, name: str) -> bool:
    return any(table.name.casefold() == name for table in body.find_all(exp.Table))


def _leftmost(node: exp.Expr) -> exp.Expr:
    while isinstance(node, exp.SetOperation):
        node = node.this
    return node
