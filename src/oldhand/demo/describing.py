"""What the company's people know about their tables: descriptions, and keys that lead into other databases."""

from collections.abc import Mapping
from importlib.resources import files

import yaml
from pydantic import BaseModel, ConfigDict, Field

from oldhand.record.schema import DatabaseSchema, ForeignKey, Table


class _Described(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    description: str


class DescribedTable(_Described):
    """What is known of one table."""

    columns: Mapping[str, str] = Field(default_factory=dict[str, str])
    foreign_keys: Mapping[str, str] = Field(default_factory=dict[str, str])
    """Column to `database.schema.table.column`."""


class DescribedDatabase(_Described):
    """What is known of one database."""

    tables: Mapping[str, DescribedTable]


def descriptions() -> dict[str, DescribedDatabase]:
    """What is known of each database, by name."""
    text = files("oldhand.demo").joinpath("descriptions.yaml").read_text("utf-8")
    return {name: DescribedDatabase.model_validate(it) for name, it in yaml.safe_load(text).items()}


def describe(schema: DatabaseSchema, known: DescribedDatabase) -> DatabaseSchema:
    """The schema as it was found, with what is known of it."""
    tables = tuple(_describe_table(table, known.tables[table.name]) for table in schema.tables)
    return schema.model_copy(update={"description": known.description, "tables": tables})


def _describe_table(table: Table, known: DescribedTable) -> Table:
    columns = tuple(
        column.model_copy(update={"description": known.columns.get(column.name, "")})
        for column in table.columns
    )
    keys = tuple(_key(column, target) for column, target in known.foreign_keys.items())
    return table.model_copy(
        update={
            "description": known.description,
            "columns": columns,
            "foreign_keys": tuple(dict.fromkeys((*table.foreign_keys, *keys))),
        }
    )


def _key(column: str, target: str) -> ForeignKey:
    database, schema_name, table, target_column = target.split(".")
    return ForeignKey(
        columns=(column,),
        database=database,
        schema_name=schema_name,
        table=table,
        target_columns=(target_column,),
    )
