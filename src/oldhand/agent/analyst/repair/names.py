"""Repairs names that the database does not know, or knows twice."""

from collections.abc import Iterator

from rapidfuzz.fuzz import ratio
from sqlglot import exp

from oldhand.agent.analyst.repair.trees import FromEntry, home, joins, sources
from oldhand.query.compiling.render import needs_quotes
from oldhand.record.schema import DatabaseSchema, Table
from oldhand.sources.databases.complaints import Complaint

SIMILAR = 0.7
"""From here on a name may be a misspelling of another."""
TELLING = 3
"""So many columns in use tell which table is meant, whatever its name."""

Repair = tuple[exp.Expr, str]
"""A repaired tree, and what was done to it."""


def similarity(one: str, other: str) -> float:
    """How much two names look alike, from 0 to 1; words in one of them that the other lacks count little.

    >>> similarity("nme", "name") > 0.8, similarity("customer_name", "name"), similarity("city", "price") < 0.5
    (True, 0.85, True)
    """
    first, second = one.casefold(), other.casefold()
    words, others = set(first.split("_")), set(second.split("_"))
    if words <= others or others <= words:
        return 1.0 if words == others else 0.85
    return ratio(first.replace("_", ""), second.replace("_", "")) / 100


def unknown_table(tree: exp.Expr, complaint: Complaint, schema: DatabaseSchema) -> Iterator[Repair]:
    """Another table: the one with a similar name that has the columns in use."""
    missing = [
        t for t in tree.find_all(exp.Table) if t.name.casefold() == complaint.name.casefold()
    ]
    lacking = not complaint.hints and schema.table(complaint.name) is not None
    if not missing or lacking:
        return  # a table that the schema has and the database has lost: a similar one holds other rows
    read = ("", missing[0].alias_or_name)
    wanted = {column.name for column in tree.find_all(exp.Column) if column.table in read}

    def covered(table: Table) -> float:
        known = [name for name in wanted if table.column(name) is not None]
        return len(known) / len(wanted) if wanted else 0.5

    def fit(table: Table) -> float:
        hinted = table.name in complaint.hints
        return similarity(complaint.name, table.name) + covered(table) + hinted

    for table in sorted(schema.tables, key=fit, reverse=True)[:2]:
        fits = covered(table) == 1 and len(wanted) >= TELLING
        if similarity(complaint.name, table.name) < SIMILAR and not fits:
            continue
        changed = tree.copy()
        for node in changed.find_all(exp.Table):
            if node.name.casefold() == complaint.name.casefold():
                alias = node.alias_or_name
                node.set("this", _identifier(table.name))
                node.set("db", _identifier(table.schema_name))
                if alias != table.name:
                    node.set("alias", exp.TableAlias(this=_identifier(alias)))
        yield changed, f"There is no table {complaint.name}; {table.name} was asked instead."


def unknown_column(
    tree: exp.Expr, complaint: Complaint, schema: DatabaseSchema
) -> Iterator[Repair]:
    """What an unknown column may be: an alias, a value, or a column that goes by another name or table."""
    nodes = _columns(tree, complaint)
    if not nodes:
        return
    if nodes[0].table and home(nodes[0], schema) is None:
        yield from unknown_source(tree, Complaint(complaint.trouble, nodes[0].table), schema)
        return
    yield from _as_output(tree, complaint)
    yield from _as_text(tree, complaint, schema)
    yield from _elsewhere(tree, complaint, schema)
    yield from _renamed(tree, complaint, schema)
    yield from _joined(tree, complaint, schema)


def _columns(tree: exp.Expr, complaint: Complaint) -> list[exp.Column]:
    """The columns that the complaint is about."""
    return [
        column
        for column in tree.find_all(exp.Column)
        if column.name.casefold() == complaint.name.casefold()
        and (not complaint.source or column.table.casefold() == complaint.source.casefold())
    ]


def _named(tree: exp.Expr, complaint: Complaint, **names: str) -> exp.Expr:
    """A copy of `tree` in which the columns that the complaint is about have another name (`this`) or `table`."""
    made = tree.copy()
    for column in _columns(made, complaint):
        for part, name in names.items():
            column.set(part, _identifier(name))
    return made


def _as_output(tree: exp.Expr, complaint: Complaint) -> Iterator[Repair]:
    """HAVING or WHERE used the alias of an output column."""
    changed = tree.copy()
    for column in _columns(changed, complaint):
        select = column.find_ancestor(exp.Select)
        for output in select.selects if select is not None and not column.table else ():
            if isinstance(output, exp.Alias) and output.alias == column.name:
                column.replace(exp.paren(output.this.copy()))
    if changed != tree:
        yield changed, f"{complaint.name} was written out."


def _as_text(tree: exp.Expr, complaint: Complaint, schema: DatabaseSchema) -> Iterator[Repair]:
    """Double quotes around a value make it a name."""
    named = [column.name for table in schema.tables for column in table.columns]
    if any(similarity(complaint.name, name) > 0.85 for name in named):
        return
    changed = tree.copy()
    for column in _columns(changed, complaint):
        quoted = isinstance(column.this, exp.Identifier) and column.this.args.get("quoted")
        if quoted and not column.table and isinstance(column.parent, exp.Predicate | exp.In):
            column.replace(exp.Literal.string(column.name))
    if changed != tree:
        yield changed, f"{complaint.name} is a value."


def _elsewhere(tree: exp.Expr, complaint: Complaint, schema: DatabaseSchema) -> Iterator[Repair]:
    """Another table of the same SELECT has a column of exactly that name."""
    for alias, table in _tables_around(tree, complaint, schema):
        if alias != complaint.source and table.column(complaint.name) is not None:
            changed = _named(tree, complaint, table=alias)
            yield changed, f"{complaint.name} is a column of {table.name}."


def _renamed(tree: exp.Expr, complaint: Complaint, schema: DatabaseSchema) -> Iterator[Repair]:
    """The column goes by a similar name; what the database suggests comes first."""
    hinted = [name for name in complaint.hints if similarity(name, complaint.name) >= 0.6]
    options = [("", name) for name in hinted]
    for alias, table in _tables_around(tree, complaint, schema):
        own = alias == complaint.source or not complaint.source
        found = [(similarity(c.name, complaint.name), c.name) for c in table.columns]
        best = sorted(
            (f for f in found if f[0] >= SIMILAR and f[1] != complaint.name), reverse=True
        )
        options += [("" if own else alias, name) for _, name in best[:2]]
    for alias, name in dict.fromkeys(options):
        changed = _named(tree, complaint, this=name, **({"table": alias} if alias else {}))
        yield changed, f"There is no column {complaint.name}; {name} was taken instead."


def _joined(tree: exp.Expr, complaint: Complaint, schema: DatabaseSchema) -> Iterator[Repair]:
    """A table that is not asked yet, but is tied to one that is, has the column."""
    names = {table.name for _, table in _tables_around(tree, complaint, schema)}
    for table in schema.tables:
        if table.name in names or table.column(complaint.name) is None:
            continue
        changed = tree.copy()
        select = _columns(changed, complaint)[0].find_ancestor(exp.Select)
        if select is not None and (alias := _join(select, table, schema)):
            changed = _named(changed, complaint, table=alias)
            yield changed, f"{complaint.name} is a column of {table.name}, which was joined."


def unknown_source(
    tree: exp.Expr, complaint: Complaint, schema: DatabaseSchema
) -> Iterator[Repair]:
    """A column names a table that FROM does not: it goes by another alias there, or is missing."""
    name = complaint.name
    changed = tree.copy()
    strays = [
        c for c in changed.find_all(exp.Column) if c.table == name and home(c, schema) is None
    ]
    if not strays:
        return
    select = strays[0].find_ancestor(exp.Select, exp.SetOperation)
    if isinstance(select, exp.SetOperation):
        for column in strays:
            column.set("table", None)
        yield changed, "The order of a set operation names its output columns."
        return
    if isinstance(select, exp.Select) and (alias := _source_meant(select, name, strays, schema)):
        for column in strays:
            column.set("table", _identifier(alias))
        yield changed, f"{name} was taken for {alias}."


def _source_meant(
    select: exp.Select, name: str, strays: list[exp.Column], schema: DatabaseSchema
) -> str:
    """The alias that was meant by `name`; a table that is missing is joined."""
    read = sources(select, schema)
    for source in read:
        same = source.name.casefold() == name.casefold()
        if same or (len(name) > 1 and similarity(source.alias, name) >= SIMILAR):
            return source.alias
    table = schema.table(name)
    if table is not None and (alias := _join(select, table, schema)):
        return alias
    holders = [s.alias for s in read if s.table and all(s.table.column(c.name) for c in strays)]
    return holders[0] if len(holders) == 1 else ""


def ambiguous(tree: exp.Expr, complaint: Complaint, schema: DatabaseSchema) -> Iterator[Repair]:
    """A name that several tables have gets the table of FROM, then each other one."""
    for alias, table in _tables_around(tree, complaint, schema):
        if table.column(complaint.name) is None:
            continue
        changed = tree.copy()
        for column in _columns(changed, complaint):
            if not column.table:
                column.set("table", _identifier(alias))
        yield changed, f"{complaint.name} was taken from {table.name}."


def _tables_around(
    tree: exp.Expr, complaint: Complaint, schema: DatabaseSchema
) -> list[tuple[str, Table]]:
    """The tables of the SELECT that the complaint is about, by alias."""
    nodes = _columns(tree, complaint)
    select = nodes[0].find_ancestor(exp.Select) if nodes else None
    if select is None:
        return []
    return [(s.alias, s.table) for s in sources(select, schema) if s.table is not None]


def _join(select: exp.Select, table: Table, schema: DatabaseSchema) -> str:
    """Join `table` to `select` over a foreign key; its alias there, or nothing when there is no key."""
    for source in sources(select, schema):
        on = _tie(source, table, schema)
        if on is not None:
            node = exp.Table(
                this=_identifier(table.name),
                db=_identifier(table.schema_name),
                catalog=_identifier(schema.name),
            )
            select.set("joins", [*joins(select), exp.Join(this=node, on=on)])
            return table.name
    return ""


def _tie(source: FromEntry, table: Table, schema: DatabaseSchema) -> exp.Expr | None:
    """The condition that ties `table` to a table of FROM, over a foreign key of either."""
    there = source.table
    if there is None:
        return None
    for holder, held, left, right in (
        (there, table, source.alias, table.name),
        (table, there, table.name, source.alias),
    ):
        for key in holder.foreign_keys:
            if key.database == schema.name and key.table == held.name:
                pairs = zip(key.columns, key.target_columns, strict=True)
                return exp.and_(
                    *(exp.EQ(this=_column(a, left), expression=_column(b, right)) for a, b in pairs)
                )
    return None


def _column(name: str, table: str) -> exp.Column:
    return exp.Column(this=_identifier(name), table=_identifier(table))


def _identifier(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=needs_quotes(name))
