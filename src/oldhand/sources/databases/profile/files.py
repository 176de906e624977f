"""Profiles as YAML beside the schema file: readable, written anew whenever the database is introspected."""

from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from oldhand.errors import SchemaError
from oldhand.record.profile import ColumnProfile
from oldhand.record.schema import DatabaseSchema, Table
from oldhand.settings.strict_yaml import read_document
from oldhand.sources.databases.files import write_atomically
from oldhand.sources.databases.profile.holding import as_held
from oldhand.sources.databases.schema_text import InlineMap, dump

_HEADER = """\
# What the values of this database look like. Oldhand writes this file anew whenever it introspects the database
# (`oldhand schema introspect NAME`): what should stay belongs into the schema file.
"""
_Profiles = dict[str, dict[str, ColumnProfile]]
_PROFILES = TypeAdapter(_Profiles)


def save_profiles(schema: DatabaseSchema, path: Path) -> None:
    """Write the profiles of a schema's columns in one go.

    Raises:
        StoreFull: there is no room left.
        StoreError: the file cannot be written.
    """
    written = {
        _name(table): {
            column.name: InlineMap(column.profile.model_dump(mode="json", exclude_defaults=True))
            for column in table.columns
            if column.profile is not None
        }
        for table in schema.tables
    }
    write_atomically(path, _HEADER + "\n" + "\n".join(dump({n: t}) for n, t in written.items()))


def with_profiles(schema: DatabaseSchema, path: Path) -> DatabaseSchema:
    """The schema with the profiles of its columns, as far as the file knows them.

    Raises:
        SchemaError: the file does not hold.
    """
    if not path.is_file():
        return schema
    try:
        found = _PROFILES.validate_python(read_document(path).value or {})
    except ValidationError as error:
        raise SchemaError(
            f"{path} does not hold; delete it, and introspect {schema.name} anew."
        ) from error
    tables = tuple(_profiled(table, found.get(_name(table), {})) for table in schema.tables)
    return schema.model_copy(update={"tables": tables})


def _profiled(table: Table, found: dict[str, ColumnProfile]) -> Table:
    columns = tuple(
        as_held(column.model_copy(update={"profile": found.get(column.name)}))
        for column in table.columns
    )
    return table.model_copy(update={"columns": columns})


def _name(table: Table) -> str:
    return f"{table.schema_name}.{table.name}"
