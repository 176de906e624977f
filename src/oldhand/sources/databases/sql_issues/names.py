"""Rules about names: tables, columns and aliases that are not there, or are there twice."""

from collections.abc import Iterable, Iterator

from rapidfuzz import fuzz, process, utils
from sqlglot import exp

from oldhand.record.schema import DatabaseSchema, Table
from oldhand.sources.databases.sql_issues.naming import NameMeaning
from oldhand.sources.databases.sql_issues.reading import SqlIssue, StatementReading
from oldhand.sources.databases.sql_issues.scopes import ColumnUse, ScopeSource


def nearest(name: str, choices: Iterable[str], limit: int = 3) -> list[str]:
    """The most similar names, best first; names that are not similar at all are left out.

    >>> nearest("costumer_name", ["customer_name", "customer_id", "city"])
    ['customer_name']
    """
    found = process.extract(
        name, list(dict.fromkeys(choices)), scorer=fuzz.ratio, processor=utils.default_process,
        limit=limit, score_cutoff=60,
    )  # fmt: skip
    return [choice for choice, _, _ in found]


def unknown_table(reading: StatementReading) -> Iterator[SqlIssue]:
    """A table that the schema does not have."""
    for node in reading.gathered.unknown_tables:
        name = ".".join(part.name for part in node.parts)
        tables = [table.name for table in reading.schema.tables]
        advice = _did_you_mean(nearest(node.name, tables)) or f" It has {_listed(tables)}."
        elsewhere = [other.name for other in reading.others if other.table(node.name)]
        if elsewhere:
            advice = f" It lies in the database {elsewhere[0]}, which this query cannot reach."
        message = f"The database {reading.schema.name} has no table {name}.{advice}"
        yield reading.issue("unknown_table", node, message)


def unknown_column(reading: StatementReading) -> Iterator[SqlIssue]:
    """A column that none of the tables in FROM has."""
    for use, found in reading.meanings:
        if found.meaning is NameMeaning.UNKNOWN:
            yield reading.issue("unknown_column", use.column, _unknown_column(reading, use))


def column_not_in_table(reading: StatementReading) -> Iterator[SqlIssue]:
    """A column that the table or alias before the dot does not have."""
    for use, found in reading.meanings:
        if found.meaning is NameMeaning.NOT_IN_SOURCE:
            source = found.sources[0]
            name, known = use.column.name, _shown(source)
            advice = _where_it_is(reading.schema, use, source)
            advice = advice or _did_you_mean(nearest(name, known)) or f" It has {_listed(known)}."
            message = f"{_described(source)} has no column {name}.{advice}"
            yield reading.issue("column_not_in_table", use.column, message)


def unknown_alias(reading: StatementReading) -> Iterator[SqlIssue]:
    """A name before a dot that is neither a table in FROM nor an alias."""
    for use, found in reading.meanings:
        if found.meaning is NameMeaning.NO_SUCH_SOURCE:
            yield reading.issue("unknown_alias", use.column, _no_such_source(reading, use))
    for scope in reading.gathered.scopes:
        for item in scope.query.expressions:
            if isinstance(item, exp.Column) and isinstance(item.this, exp.Star):
                known = {source.name: source.label for source in scope.sources}
                if item.table and item.table.casefold() not in known:
                    labels = _listed(known.values())
                    message = f"{item.table}.* stands for nothing: FROM has {labels}."
                    yield reading.issue("unknown_alias", item, message)


def ambiguous_column(reading: StatementReading) -> Iterator[SqlIssue]:
    """A column that more than one table in FROM has."""
    for use, found in reading.meanings:
        if found.meaning is NameMeaning.AMBIGUOUS:
            name = use.column.name
            forms = [f"{source.label}.{name}" for source in found.sources if source.name]
            several = f"Write {' or '.join(dict.fromkeys(forms))}."
            advice = several if len(set(forms)) > 1 else "Give each table an alias of its own."
            message = f"{name} is in more than one table of FROM. {advice}"
            yield reading.issue("ambiguous_column", use.column, message)


def duplicate_alias(reading: StatementReading) -> Iterator[SqlIssue]:
    """Two tables in FROM under one name; SQLite and DuckDB mind only when it is used."""
    if reading.dialect not in {"postgres", "mysql"}:
        return
    for scope in reading.gathered.scopes:
        seen: set[str] = set()
        for source in scope.sources:
            if source.name and source.name in seen:
                message = f"{source.label} names two tables in FROM. Give each an alias of its own."
                yield reading.issue("duplicate_alias", source.node, message)
            seen.add(source.name)


def letter_case(reading: StatementReading) -> Iterator[SqlIssue]:
    """A name that Postgres folds to lower case, though it was declared with capitals."""
    if not reading.habits.keeps_letter_case:
        return
    for use, found in reading.meanings:
        if found.meaning is NameMeaning.COLUMN and found.column:
            yield from _letter_case(reading, use.column.this, found.column.name)
    for scope in reading.gathered.scopes:
        for source in scope.sources:
            if source.table and isinstance(source.node, exp.Table):
                yield from _letter_case(reading, source.node.this, source.table.name)


def missing_join_column(reading: StatementReading) -> Iterator[SqlIssue]:
    """USING names a column that only one side has."""
    for scope in reading.gathered.scopes:
        earlier: list[ScopeSource] = []
        for source in scope.sources:
            join = source.node.parent
            if isinstance(join, exp.Join):
                for identifier in join.args.get("using") or ():
                    sides = (earlier, [source])
                    if any(_surely_without(side, identifier.name.casefold()) for side in sides):
                        message = f"USING ({identifier.name}) needs a column of that name on both sides. Join with ON instead."
                        yield reading.issue("missing_join_column", identifier, message)
            earlier.append(source)


def _surely_without(sources: list[ScopeSource], name: str) -> bool:
    return all(source.columns is not None and name not in source.columns for source in sources)


def _letter_case(
    reading: StatementReading, identifier: exp.Expr, declared: str
) -> Iterator[SqlIssue]:
    quoted = bool(identifier.args.get("quoted"))
    meant = identifier.name if quoted else identifier.name.lower()
    if meant != declared:
        message = f'Postgres reads {meant} here; the name is declared as "{declared}". Write "{declared}" in double quotes.'
        yield reading.issue("letter_case", identifier, message)


def _unknown_column(reading: StatementReading, use: ColumnUse) -> str:
    name = use.column.name
    sources = [source for scope in use.scope.outward() for source in scope.sources]
    if any(source.has(use.name) for source in sources):
        return f"{name} belongs to a table that cannot be seen in this {use.clause.upper()}."
    if not sources:
        return f"There is no column {name}: the query has no FROM. Add the table, or quote a text as '{name}'."
    message = f"No table in FROM has a column {name}."
    if output := use.scope.output(name.casefold(), named=True):
        return f"{message} It is an output column, which cannot be used in {use.clause.upper()}: repeat the expression {_short(reading, output.node)}."
    if elsewhere := _tables_with(reading.schema, name):
        return f"{message} {_found_in(elsewhere)}"
    choices = [column for source in sources for column in _shown(source)]
    return f"{message}{_did_you_mean(nearest(name, choices)) or f' They have {_listed(choices)}.'}"


def _no_such_source(reading: StatementReading, use: ColumnUse) -> str:
    qualifier = use.column.table
    known = [source for scope in use.scope.outward() for source in scope.sources]
    written = f"{qualifier}.{use.column.name}"
    message = f"{qualifier} in {written} is neither a table in FROM nor an alias."
    for source in known:
        if source.table and source.table.name.casefold() == use.qualifier:
            return f"{message} The table has the alias {source.label} here: write {source.label}.{use.column.name}."
    if use.sees is not None and any(s.name == use.qualifier for s in use.scope.sources[use.sees :]):
        return f"{message} It is joined further on: join it before it is used in ON."
    if _is_inside(reading, use.qualifier):
        return f"{message} It belongs to another part of the query, which cannot be seen from here."
    if reading.schema.table(qualifier):
        return f"{message} Join the table {qualifier}, or take the column from {_listed([s.label for s in known])}."
    near = nearest(qualifier, [source.label for source in known if source.name])
    return f"{message}{_did_you_mean(near) or f' FROM has {_listed([s.label for s in known])}.'}"


def _is_inside(reading: StatementReading, name: str) -> bool:
    return any(source.name == name for scope in reading.gathered.scopes for source in scope.sources)


def _where_it_is(schema: DatabaseSchema, use: ColumnUse, wrong: ScopeSource) -> str:
    for scope in use.scope.outward():
        for source in scope.sources:
            if source is not wrong and source.has(use.name) and source.name:
                return f" {_described(source)} has it: write {source.label}.{use.column.name}."
    if not nearest(use.column.name, _shown(wrong), limit=1):
        tables = _tables_with(schema, use.column.name)
        return f" {_found_in(tables)}" if tables else ""
    return ""


def _tables_with(schema: DatabaseSchema, column: str) -> list[str]:
    return [table.name for table in schema.tables if table.column(column)]


def _found_in(tables: list[str]) -> str:
    which = f"{tables[0]} has it: join that table." if len(tables) == 1 else ""
    return which or f"{_listed(tables)} have it: join one of them."


def _described(source: ScopeSource) -> str:
    if source.table is None:
        return source.label or "The subquery"
    table: Table = source.table
    return table.name if source.name == table.name.casefold() else f"{source.label} ({table.name})"


def _shown(source: ScopeSource) -> list[str]:
    if source.table:
        return [column.name for column in source.table.columns]
    return [column for column in source.columns or () if column]


def _listed(names: Iterable[str], limit: int = 12) -> str:
    """The names with commas; a long list is cut."""
    known = list(dict.fromkeys(name for name in names if name))
    more = f" and {len(known) - limit} more" if len(known) > limit else ""
    return ", ".join(known[:limit]) + more if known else "nothing"


def _did_you_mean(names: list[str]) -> str:
    return f" Did you mean {' or '.join(names)}?" if names else ""


def _short(reading: StatementReading, node: exp.Expr | None) -> str:
    return reading.written(node)[:60] if node else ""
