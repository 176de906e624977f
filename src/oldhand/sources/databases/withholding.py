"""Which columns of a result hold what models must not see: what a query makes of columns that are kept back."""

from collections.abc import Iterator

from sqlglot import exp

from oldhand.lexicon.privacy import looks_private
from oldhand.models.disclosure import kept_back
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.sql_issues import SqlIssue, StatementReading, read_query

_COUNTED = (exp.Count, exp.Where, exp.Having, exp.Join, exp.Group)
"""What stands inside of these decides which rows there are, and is no part of a value."""
_SYSTEM = ("pg_", "sqlite_", "duckdb_", "information_schema")


def withheld(sql: str, schema: DatabaseSchema, width: int) -> frozenset[int]:
    """The places of the columns of a result whose cells no prompt may show.

    >>> from oldhand.record.schema import Column, Kind, Table
    >>> columns = [Column(name=name, type="TEXT", kind=Kind.TEXT) for name in ("town", "email")]
    >>> people = Table(name="people", schema_name="main", columns=tuple(columns))
    >>> schema = DatabaseSchema(name="shop", dialect="sqlite", tables=(people,))
    >>> [sorted(withheld(f"SELECT {what} FROM people", schema, 2)) for what in ("*", "town, COUNT(email)", "1, lower(email) x")]
    [[1], [], [1]]
    """
    names = _private_names(schema)
    reading = read_query(sql, schema)
    if isinstance(reading, SqlIssue):
        return frozenset(range(width)) if names else frozenset()
    unknown = any(not _is_known(table, reading) for table in reading.all(exp.Table))
    if not names and not unknown:
        return frozenset()
    return _Tracing(reading, names, unknown=unknown).places(width)


def reads_kept_back(sql: str, schema: DatabaseSchema) -> bool:
    """Whether a statement names a column whose values models don't see, or may read one by a star."""
    names = _private_names(schema)
    reading = read_query(sql, schema)
    if isinstance(reading, SqlIssue):
        return bool(names)
    return bool(names) and (
        any(node.name.casefold() in names for node in reading.all(exp.Identifier))
        or any(not isinstance(star.parent, exp.Count) for star in reading.all(exp.Star))
    )


def private_texts(sql: str, schema: DatabaseSchema) -> frozenset[str]:
    """The values that a statement compares columns with whose values models don't see.

    >>> from oldhand.record.schema import Column, Kind, Table
    >>> people = Table(name="people", schema_name="main", columns=(Column(name="email", type="TEXT", kind=Kind.TEXT),))
    >>> schema = DatabaseSchema(name="shop", dialect="sqlite", tables=(people,))
    >>> private_texts("SELECT 1 FROM people WHERE lower(email) LIKE '%ada@%' AND 1 = 2", schema)
    frozenset({'ada@'})
    """
    names = _private_names(schema)
    reading = read_query(sql, schema) if names else None
    if reading is None or isinstance(reading, SqlIssue):
        return frozenset()
    found: set[str] = set()
    for node in reading.all(exp.Predicate, exp.In, exp.Between):
        if any(column.name.casefold() in names for column in node.find_all(exp.Column)):
            found |= {one.name.strip("%_") for one in node.find_all(exp.Literal)}
    return frozenset(found)


def _private_names(schema: DatabaseSchema) -> frozenset[str]:
    """The columns, folded, whose values models don't see."""
    return frozenset(column.name.casefold() for _, _, column in kept_back([schema]))


def _is_known(table: exp.Table, reading: StatementReading) -> bool:
    """Whether a table is one of the schema, or a query with a name."""
    name = table.name.casefold()
    known = {one.name.casefold() for one in reading.schema.tables}
    return name in known or name in {cte.alias.casefold() for cte in reading.all(exp.CTE)}


class _Tracing:
    """Follows names through a query, from the tables to its result; when in doubt, a name is kept back."""

    def __init__(self, reading: StatementReading, names: frozenset[str], *, unknown: bool) -> None:
        self._reading = reading
        self._names = names
        self._unknown = unknown
        self._tainted = set(names) | self._whole_rows()
        while more := self._spread() - self._tainted:
            self._tainted |= more

    def places(self, width: int) -> frozenset[int]:
        """The places in the result."""
        everything = frozenset(range(width))
        if self._unknown and any(map(_is_of_the_system, self._reading.all(exp.Table))):
            return everything
        found: set[int] = set()
        for select in _branches(self._reading.tree):
            outputs = self._reading.gathered.outputs.get(id(select))
            if outputs is None or len(outputs) != width:
                if self._touches(select):
                    return everything
                continue
            found |= {
                place
                for place, output in enumerate(outputs)
                if (
                    self._holds(output.node)
                    if output.node is not None
                    else self._is_tainted(output.name or "")
                )
            }
        return frozenset(found)

    def _spread(self) -> set[str]:
        """Names that queries inside give to what is kept back."""
        found = {
            one.alias.casefold() for one in self._reading.all(exp.Alias) if self._holds(one.this)
        }
        for node in self._reading.all(exp.CTE, exp.Subquery):
            alias = node.args.get("alias")
            columns = alias.columns if isinstance(alias, exp.TableAlias) else []
            if columns and self._touches(node.this):
                found |= {column.name.casefold() for column in columns}
        return found

    def _touches(self, node: exp.Expr) -> bool:
        """Whether anything that a query gives out may be kept back."""
        stars = any(True for _ in node.find_all(exp.Star))
        return stars or any(self._holds(one) for one in node.find_all(exp.Column))

    def _holds(self, node: exp.Expr) -> bool:
        """Whether a value is made of what is kept back; how many there are may be told."""
        return any(self._column_is_tainted(column) for column in _columns(node))

    def _column_is_tainted(self, column: exp.Column) -> bool:
        if isinstance(column.this, exp.Star):
            return True
        declared = self._reading.declared(column)
        if declared is not None and declared.name.casefold() not in self._names:
            return False
        return self._is_tainted(column.name)

    def _is_tainted(self, name: str) -> bool:
        return name.casefold() in self._tainted or (self._unknown and looks_private(name))

    def _whole_rows(self) -> set[str]:
        """What whole rows of the tables go by: `row_to_json(p)` holds all columns of `people AS p`."""
        tables = {
            table.name.casefold()
            for _, table, _ in kept_back([self._reading.schema])
        }  # fmt: skip
        return {
            table.alias_or_name.casefold()
            for table in self._reading.all(exp.Table)
            if table.name.casefold() in tables
        }


def _columns(node: exp.Expr) -> Iterator[exp.Column]:
    """The columns that a value is made of."""
    stack = [node]
    while stack:
        one = stack.pop()
        if isinstance(one, exp.Column):
            yield one
        elif not isinstance(one, _COUNTED):
            stack.extend(one.iter_expressions())


def _branches(tree: exp.Expr) -> Iterator[exp.Expr]:
    """The queries whose rows make the result."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, exp.Subquery):
            stack.append(node.this)
        elif isinstance(node, exp.SetOperation):
            stack += [node.this, node.expression]
        else:
            yield node


def _is_of_the_system(table: exp.Table) -> bool:
    name, schema = table.name.casefold(), table.db.casefold()
    return name.startswith(_SYSTEM) or schema.startswith(_SYSTEM)
