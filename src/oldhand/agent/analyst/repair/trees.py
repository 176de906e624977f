"""Which table a column of a query belongs to, and which tables and databases a query reads."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import MappingSchema, exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify_columns import qualify_columns

from oldhand.lexicon.wording import human, plural, singular
from oldhand.record.schema import Column, DatabaseSchema, Table


@dataclass(frozen=True)
class Source:
    """One entry of a SELECT's FROM: a table, or a derived table when `table` is None."""

    alias: str
    node: exp.Expr
    table: exp.Table | None

    @property
    def database(self) -> str:
        """The database it lies in; empty for derived tables and for rows of earlier steps."""
        return "" if self.table is None else self.table.catalog


def real_tables(tree: exp.Expr) -> Iterator[exp.Table]:
    """The tables under `tree` that lie in a database."""
    return (table for table in tree.find_all(exp.Table) if table.catalog)


def databases_of(tree: exp.Expr) -> tuple[str, ...]:
    """Names of the databases that `tree` reads, in the order of their first table.

    >>> from sqlglot import parse_one
    >>> databases_of(parse_one("SELECT 1 FROM shop.main.a AS a JOIN crm.public.b AS b ON a.x = b.x"))
    ('shop', 'crm')
    """
    return tuple(dict.fromkeys(table.catalog for table in real_tables(tree)))


def sources(select: exp.Select) -> tuple[Source, ...]:
    """What `select` reads from, in order."""
    nodes: list[exp.Expr] = []
    if isinstance(start := select.args.get("from_"), exp.From):
        nodes.append(start.this)
    nodes += [join.this for join in joins(select)]
    return tuple(
        Source(node.alias_or_name, node, node if isinstance(node, exp.Table) else None)
        for node in nodes
    )


def joins(select: exp.Select) -> list[exp.Join]:
    """The joins of `select`, in order."""
    return [join for join in select.args.get("joins") or () if isinstance(join, exp.Join)]


def conjuncts(clause: exp.Expr) -> list[exp.Expr]:
    """The conditions that all must hold for `clause` to hold.

    >>> from sqlglot import parse_one
    >>> [part.sql() for part in conjuncts(parse_one("a = 1 AND (b = 2 AND c = 3) AND (d = 4 OR e = 5)"))]
    ['a = 1', 'b = 2', 'c = 3', '(d = 4 OR e = 5)']
    """
    inner = clause.unnest()
    if not isinstance(inner, exp.And):
        return [clause]
    return [*conjuncts(inner.this), *conjuncts(inner.expression)]


def all_of(parts: Iterable[exp.Expr]) -> exp.Expr | None:
    """The conjunction of `parts`, or None when there are none."""
    copies = [copy for part in parts for copy in conjuncts(part.copy())]
    return exp.and_(*copies, copy=False) if copies else None


def home(column: exp.Column) -> exp.Select | None:
    """The SELECT whose FROM holds the table that `column` names, seen from inside out."""
    node: exp.Expr | None = column.parent
    while node is not None:
        if isinstance(node, exp.Select) and any(s.alias == column.table for s in sources(node)):
            return node
        node = node.parent
    return None


def is_within(node: exp.Expr, ancestor: exp.Expr) -> bool:
    """True when `node` is `ancestor` or lies under it."""
    current: exp.Expr | None = node
    while current is not None:
        if current is ancestor:
            return True
        current = current.parent
    return False


def described(table: exp.Table, schemas: Sequence[DatabaseSchema]) -> Table | None:
    """What the schemas say about `table`."""
    for schema in schemas:
        if schema.name == table.catalog:
            return schema.table(table.name, table.db or None) or schema.table(table.name)
    return None


def column_of(column: exp.Column, schemas: Sequence[DatabaseSchema]) -> Column | None:
    """What the schemas say about `column`; None for columns of derived tables and for unclear ones."""
    select = home(column) if column.table else column.find_ancestor(exp.Select)
    if select is None:
        return None
    found = [
        known
        for source in sources(select)
        if column.table in ("", source.alias) and source.table is not None
        if (table := described(source.table, schemas)) is not None
        and (known := table.column(column.name)) is not None
    ]
    return found[0] if len(found) == 1 else None


def subject(select: exp.Select, question: str) -> Source | None:
    """The table that is spoken of: the one whose columns are shown, else the first that the question names."""
    tables = [source for source in sources(select) if source.table is not None]
    shown = [c.table for output in select.selects for c in output.find_all(exp.Column)]
    for source in tables:
        if shown and source.alias == shown[0]:
            return source
    words = question.lower()

    def place(source: Source) -> int:
        name = human(source.table.name) if source.table is not None else ""
        found = [at for form in (plural(name), singular(name)) if (at := words.find(form)) >= 0]
        return min(found, default=len(words))

    return min(tables, key=place, default=None)


def qualified(query: exp.Expr, schemas: Sequence[DatabaseSchema]) -> exp.Expr:
    """A copy of `query` in which each column names its table; stars and USING are written out.

    Where the query and the schemas don't fit, it is left as it is.
    """
    tree = query.copy()
    for table in real_tables(tree):
        if not table.alias:
            table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name)))
    known = MappingSchema(normalize=False)
    for node in real_tables(tree):
        table = described(node, schemas)
        if table is not None:
            path = exp.table_(table.name, db=table.schema_name, catalog=node.catalog)
            known.add_table(path, {column.name: "unknown" for column in table.columns})
    before = tree.copy()
    try:
        qualify_columns(tree, known, expand_alias_refs=False, allow_partial_qualification=True)
    except SqlglotError:
        return before
    for select in tree.find_all(exp.Select):
        _without_given_names(select)
    return tree


def _without_given_names(select: exp.Select) -> None:
    """Take away the aliases that qualifying gave to outputs, also where the query sorts by them."""
    given = {o.alias: o.this for o in select.expressions if _is_given(o)}
    select.set("expressions", [o.this if _is_given(o) else o for o in select.expressions])
    clauses = (select.args.get("order"), select.args.get("having"))
    for column in [c for clause in clauses if clause for c in clause.find_all(exp.Column)]:
        if not column.table and column.name in given:
            column.replace(given[column.name].copy())


def _is_given(output: exp.Expr) -> bool:
    if not isinstance(output, exp.Alias):
        return False
    made = output.alias.startswith("_col_") or isinstance(output.this, exp.Literal)
    return made or output.alias == output.this.name
