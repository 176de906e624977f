"""Effects as reflection and people propose them, checked against the schemas before anything rests on them."""

from collections.abc import Iterable, Sequence

from pydantic import ValidationError

from oldhand.errors import InvalidEffect, UnknownTarget
from oldhand.learning.targets import spelt
from oldhand.record.effect import DefaultFilter, JoinPath, KeyPair, ToolBan, ValueMapping
from oldhand.record.filter_condition import columns_of, read_filter
from oldhand.record.schema import Column, DatabaseSchema, Table


def default_filter(
    database: str,
    table: str,
    condition: str,
    schemas: Sequence[DatabaseSchema],
    *,
    schema_name: str | None = None,
) -> DefaultFilter:
    """A rule about which rows of a table count.

    Args:
        database: its name.
        table: its name, letter case aside.
        condition: what the rows meet that count, such as `status <> 'cancelled'`.
        schemas: the databases that there are.
        schema_name: the schema that holds the table, where several have one of that name.

    Raises:
        InvalidEffect: the condition is more than comparisons of columns with literals.
        UnknownTarget: the database, the table or a column does not exist.

    >>> from oldhand.record.schema import Kind
    >>> columns = (Column(name="id", type="INT", kind=Kind.INTEGER), Column(name="status", type="TEXT", kind=Kind.TEXT))
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite",
    ...                       tables=(Table(name="orders", schema_name="main", columns=columns),))
    >>> default_filter("shop", "orders", "status != 'cancelled'", (shop,)).says
    "Leave out orders with status = 'cancelled'"
    """
    found = _table(database, table, schemas, schema_name)
    try:
        tree = read_filter(condition)
    except ValueError as error:
        raise InvalidEffect(str(error)) from error
    for name in columns_of(tree):
        _ = _column(database, found, name)
    return DefaultFilter(
        database=database,
        schema_name=found.schema_name if schema_name else None,
        table=found.name,
        condition=condition,
    )


def join_path(
    database: str,
    tables: Sequence[str],
    on: Iterable[tuple[str, str, str, str]],
    schemas: Sequence[DatabaseSchema],
) -> JoinPath:
    """A rule about how tables are joined.

    Args:
        database: its name.
        tables: in the order in which they are joined.
        on: table, column, other table, other column of each pair that is equal.
        schemas: the databases that there are.

    Raises:
        InvalidEffect: the pairs do not join all of the tables, or others.
        UnknownTarget: the database, a table or a column does not exist.
    """
    found = {name.casefold(): _table(database, name, schemas) for name in tables}
    pairs: list[KeyPair] = []
    for table, column, other, its_column in on:
        one, two = (_table(database, name, schemas) for name in (table, other))
        pairs.append(
            KeyPair(
                table=one.name,
                column=_column(database, one, column).name,
                other_table=two.name,
                other_column=_column(database, two, its_column).name,
            )
        )
    names = tuple(found[name.casefold()].name for name in tables)
    try:
        return JoinPath(database=database, tables=names, on=tuple(pairs))
    except ValidationError as error:
        raise InvalidEffect(_said(error)) from error


def value_mapping(
    place: tuple[str, str, str],
    spoken: str,
    value: str | float,
    schemas: Sequence[DatabaseSchema],
) -> ValueMapping:
    """A rule about what people call a value.

    Args:
        place: database, table and column.
        spoken: what people say.
        value: what the column holds.
        schemas: the databases that there are.

    Raises:
        InvalidAlias: what people say can't be a word for something.
        UnknownTarget: the database, the table or the column does not exist.
    """
    database, table, column = place
    found = _table(database, table, schemas)
    name = _column(database, found, column).name
    said = spelt(spoken)
    return ValueMapping(database=database, table=found.name, column=name, spoken=said, value=value)


def tool_ban(tool: str) -> ToolBan:
    """A rule that a tool is not offered where the lesson applies.

    Raises:
        InvalidEffect: the name can't be one of a tool.
    """
    try:
        return ToolBan(tool=tool.strip())
    except ValueError as error:
        raise InvalidEffect(f"{tool!r} can't be the name of a tool.") from error


def _table(
    database: str, name: str, schemas: Sequence[DatabaseSchema], schema_name: str | None = None
) -> Table:
    schema = next((one for one in schemas if one.name == database), None)
    table = None if schema is None else schema.table(name, schema_name)
    if table is None:
        known = () if schema is None else tuple(one.name for one in schema.tables)
        raise UnknownTarget(f"There is no table {name!r} in {database!r}.", near=known[:8])
    return table


def _column(database: str, table: Table, name: str) -> Column:
    column = table.column(name)
    if column is None:
        known = tuple(one.name for one in table.columns)
        raise UnknownTarget(
            f"There is no column {name!r} in {database}.{table.name}.", near=known[:8]
        )
    return column


def _said(error: ValidationError) -> str:
    """The reason without what pydantic puts around it."""
    return f"A join path can't be so: {error.errors()[0]['msg'].removeprefix('Value error, ')}."
