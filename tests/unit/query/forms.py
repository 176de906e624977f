"""Queries of these tests, written as SQL over tables that hold whatever columns it reads."""

from collections import defaultdict

from sqlglot import exp, parse_one

from oldhand.query.form import Query
from oldhand.query.lifting import lift_tree
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table


def schema_of(sql: str) -> DatabaseSchema:
    """The tables of a statement with the columns that it reads; those named `<table>_id` refer to the other table."""
    tree = parse_one(sql)
    tables = {table.alias: table for table in tree.find_all(exp.Table) if table.catalog}
    read: dict[str, set[str]] = defaultdict(lambda: {"id"})
    for column in tree.find_all(exp.Column):
        if column.table in tables:
            read[tables[column.table].name].add(column.name)
    names = {table.name for table in tables.values()}
    return DatabaseSchema(
        name="shop",
        dialect="sqlite",
        tables=tuple(
            Table(
                name=name,
                schema_name="main",
                columns=tuple(_column(one) for one in sorted(read[name])),
                foreign_keys=tuple(
                    _key(one, f"{one.removesuffix('_id')}s", read)
                    for one in sorted(read[name])
                    if f"{one.removesuffix('_id')}s" in names - {name} and one.endswith("_id")
                ),
            )
            for name in sorted(names)
        ),
    )


def form_of(sql: str) -> tuple[Query, DatabaseSchema]:
    """The query of a statement without a dialect, and the schema that it reads."""
    schema = schema_of(sql)
    tree = parse_one(sql)
    assert isinstance(tree, exp.Query)
    query = lift_tree(tree, (schema,))
    assert query is not None, sql
    return query, schema


def _column(name: str) -> Column:
    kind = Kind.DATE if name.endswith("_on") else Kind.TEXT
    return Column(name=name, type="", kind=kind, primary_key=name == "id")


def _key(column: str, table: str, read: dict[str, set[str]]) -> ForeignKey:
    target = column if column in read[table] else "id"
    return ForeignKey(columns=(column,), database="shop", schema_name="main", table=table, target_columns=(target,))  # fmt: skip
