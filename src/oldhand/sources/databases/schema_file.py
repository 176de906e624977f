"""Schema files: one YAML file per database, read with names for whatever is wrong and the line where it stands."""

from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from oldhand.errors import DanglingForeignKey, DuplicateTable, SchemaError, UnknownType
from oldhand.record.base import Cell, SafeName
from oldhand.record.schema import (
    Column,
    DatabaseSchema,
    Disclosure,
    ForeignKey,
    KeyEvidence,
    Kind,
    Table,
)
from oldhand.settings.strict_yaml import Place, YamlDocument, guess, read_document
from oldhand.sources.databases.guard_names import NAMES
from oldhand.sources.databases.kinds import is_known_type, kind_of, nearest_type

_SCHEMAS = {
    "sqlite": "main",
    "duckdb": "main",
    "postgres": "public",
    "tsql": "dbo",
    "snowflake": "PUBLIC",
}
"""The schema of a table that names none; in MySQL it is the database's own name."""


def _empty_if_null(value: object) -> object:
    return "" if value is None else value


Text: TypeAlias = Annotated[str, BeforeValidator(_empty_if_null)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)


class _Target(_Entry):
    database: str | None = None
    schema_name: str | None = Field(default=None, alias="schema")
    table: str
    columns: tuple[str, ...] = Field(min_length=1)


class _Key(_Entry):
    columns: tuple[str, ...] = Field(min_length=1)
    references: str | _Target
    inferred: KeyEvidence | None = None


class _Column(_Entry):
    name: str = Field(min_length=1)
    type: Text = ""
    kind: Kind | None = None
    nullable: bool = True
    primary_key: bool = False
    unique: bool = False
    description: Text = ""
    references: str | _Target | None = None
    inferred: KeyEvidence | None = None
    samples: tuple[Cell, ...] = ()
    to_models: Disclosure | None = None


class _Table(_Entry):
    name: str = Field(min_length=1)
    schema_name: str | None = Field(default=None, alias="schema")
    description: Text = ""
    row_count: int | None = Field(default=None, ge=0)
    columns: tuple[_Column, ...] = Field(min_length=1)
    foreign_keys: tuple[_Key, ...] = ()
    rejected_keys: tuple[_Key, ...] = ()
    inferred_key: KeyEvidence | None = None
    to_models: Disclosure | None = None


class _File(_Entry):
    database: SafeName
    dialect: str
    description: Text = ""
    to_models: Disclosure | None = None
    tables: tuple[_Table, ...]


def load_schema(path: Path) -> DatabaseSchema:
    """Read a schema file.

    Keys into other databases are taken as they stand: the catalog, which knows the others, checks them.

    Raises:
        UnknownType: a column's type is not known and no `kind` is given.
        DuplicateTable: a table is described twice.
        DanglingForeignKey: a key leads to a table or column of this database that is not described.
        SchemaError: it is not YAML, has an unknown or missing key, or a value of the wrong kind.
    """
    document = read_document(path)
    return _Builder(document.filled(_File), document).schema()


class _Builder:
    """Turns the file's entries into the noun, and says where they do not hold."""

    def __init__(self, file: _File, document: YamlDocument) -> None:
        self._file = file
        self._document = document
        self._default_schema = _SCHEMAS.get(file.dialect, file.database)

    def schema(self) -> DatabaseSchema:
        if self._file.dialect not in NAMES:
            known = ", ".join(sorted(NAMES))
            raise self._error(SchemaError, ("dialect",), f"the dialect must be one of {known}")
        self._check_names()
        schema = DatabaseSchema(
            name=self._file.database,
            dialect=self._file.dialect,
            description=self._file.description,
            to_models=self._file.to_models,
            tables=tuple(self._table(i, table) for i, table in enumerate(self._file.tables)),
        )
        self._check_keys(schema)
        return schema

    def _check_names(self) -> None:
        tables: set[tuple[str, str]] = set()
        for i, table in enumerate(self._file.tables):
            name = ((table.schema_name or self._default_schema).casefold(), table.name.casefold())
            if name in tables:
                problem = f"table {table.name} is described twice"
                raise self._error(DuplicateTable, ("tables", i, "name"), problem)
            tables.add(name)
            columns: set[str] = set()
            for j, column in enumerate(table.columns):
                if column.name.casefold() in columns:
                    problem = f"column {table.name}.{column.name} is described twice"
                    raise self._error(SchemaError, ("tables", i, "columns", j, "name"), problem)
                columns.add(column.name.casefold())

    def _table(self, i: int, table: _Table) -> Table:
        schema_name = table.schema_name or self._default_schema
        keys: list[ForeignKey] = []
        for j, column in enumerate(table.columns):
            if (target := column.references) is not None:
                place = ("tables", i, "columns", j, "references")
                key = _Key(columns=(column.name,), references=target, inferred=column.inferred)
                keys.append(self._key(place, key, schema_name))
        for j, key in enumerate(table.foreign_keys):
            place = ("tables", i, "foreign_keys", j)
            keys.append(self._key(place, key, schema_name))
        return Table(
            name=table.name,
            schema_name=schema_name,
            description=table.description,
            columns=tuple(self._column(i, j, column) for j, column in enumerate(table.columns)),
            foreign_keys=tuple(dict.fromkeys(keys)),
            row_count=table.row_count,
            key_evidence=table.inferred_key,
            to_models=table.to_models,
            rejected_keys=tuple(
                self._key(("tables", i, "rejected_keys", j), key, schema_name)
                for j, key in enumerate(table.rejected_keys)
            ),
        )

    def _column(self, i: int, j: int, column: _Column) -> Column:
        dialect = self._file.dialect
        if column.kind is None and not is_known_type(column.type, dialect):
            near = nearest_type(column.type)
            guess = f"did you mean {near}? Otherwise" if near else "correct it, or"
            raise self._error(
                UnknownType,
                ("tables", i, "columns", j, "type"),
                f"the type {column.type!r} of {column.name} is not known; {guess} say what it holds by `kind:`",
            )
        key = [other.name for other in self._file.tables[i].columns if other.primary_key]
        return Column(
            name=column.name,
            type=column.type,
            kind=column.kind or kind_of(column.type, dialect),
            nullable=column.nullable,
            primary_key=column.primary_key,
            unique=column.unique or key == [column.name],
            description=column.description,
            samples=column.samples,
            to_models=column.to_models,
        )

    def _key(self, place: Place, key: _Key, schema_name: str) -> ForeignKey:
        columns, target = key.columns, key.references
        if isinstance(target, str):
            target = self._short(place, target)
        if len(target.columns) != len(columns):
            problem = f"{len(columns)} columns cannot refer to {len(target.columns)}"
            raise self._error(SchemaError, place, problem)
        own = target.database in (None, self._file.database)
        if not own and target.schema_name is None:
            problem = f"name the schema of {target.table} in {target.database} too"
            raise self._error(SchemaError, place, problem)
        return ForeignKey(
            columns=columns,
            database=target.database or self._file.database,
            schema_name=target.schema_name or schema_name,
            table=target.table,
            target_columns=target.columns,
            evidence=key.inferred,
        )

    def _short(self, place: Place, text: str) -> _Target:
        parts = text.split(".")
        if not 2 <= len(parts) <= 4 or not all(parts):
            problem = f"{text!r} should read database.schema.table.column"
            raise self._error(SchemaError, place, problem)
        *outer, table, column = parts
        database, schema = [None] * (2 - len(outer)) + outer
        return _Target(database=database, schema=schema, table=table, columns=(column,))

    def _check_keys(self, schema: DatabaseSchema) -> None:
        for i, table in enumerate(schema.tables):
            for key in table.foreign_keys:
                problem = dangling(key, table, schema if key.database == schema.name else None)
                if problem:
                    raise self._error(DanglingForeignKey, self._place_of(i, key), problem)

    def _place_of(self, i: int, key: ForeignKey) -> Place:
        entry = self._file.tables[i]
        for j, column in enumerate(entry.columns):
            if (column.name,) == key.columns and column.references is not None:
                return ("tables", i, "columns", j, "references")
        return ("tables", i, "foreign_keys")

    def _error(self, kind: type[SchemaError], place: Place, problem: str) -> SchemaError:
        return kind(f"{self._document.where(place)}: {problem}.")


def dangling(key: ForeignKey, table: Table, target: DatabaseSchema | None) -> str | None:
    """What is wrong with a key; None when it holds.

    Args:
        key: A key of `table`.
        table: The table that has it.
        target: The database it leads into; None leaves that side unchecked.
    """
    where = f"the foreign key {table.name}.{'+'.join(key.columns)}"
    for name in key.columns:
        if table.column(name) is None:
            return f"{where}: {table.name} has no column {name}"
    if target is None:
        return None
    there = target.table(key.table, key.schema_name)
    if there is None:
        names = [known.name for known in target.tables if known.schema_name == key.schema_name]
        return f"{where} leads to {key.database}.{key.schema_name}.{key.table}, which is not described{guess(key.table, names)}"
    for name in key.target_columns:
        if there.column(name) is None:
            names = [column.name for column in there.columns]
            return (
                f"{where} leads to {there.name}.{name}, which is not described{guess(name, names)}"
            )
    return None
