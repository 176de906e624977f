"""The files of a home in which it stands what is known of each database."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from oldhand.errors import SchemaError
from oldhand.record.schema import Column, ColumnProfile, DatabaseSchema, ForeignKey, Table
from oldhand.settings.strict_yaml import read_document
from oldhand.sources.databases.files import Stamp, stamp_of, write_atomically
from oldhand.sources.databases.kinds import kind_of
from oldhand.sources.databases.profile.holding import as_held
from oldhand.sources.databases.schema_file import dangling, load_schema
from oldhand.sources.databases.schema_text import InlineMap, dump, save_schema
from oldhand.sources.databases.semantics_file import load_semantics

_HEADER = """\
# What the values of this database look like. Oldhand writes this file anew whenever it introspects the database
# (`oldhand schema introspect NAME`): what should stay belongs into the schema file.
"""
_Profiles = dict[str, dict[str, ColumnProfile]]
_PROFILES = TypeAdapter(_Profiles)


class Knowledge:
    """Schema, profile and rules of each database, read again when their files change."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, tuple[tuple[Stamp, Stamp | None], DatabaseSchema]] = {}
        self._ruled: dict[str, tuple[Stamp, DatabaseSchema, DatabaseSchema]] = {}
        """For each database the stamp of its rules, its schema without them, and with them."""

    def schema_path(self, name: str) -> Path:
        """Where the schema file of a database lies."""
        return self._folder / "data_schemas" / f"{name}.yaml"

    def semantics_path(self, name: str) -> Path:
        """Where the rules of a database lie, if it has any."""
        return self._folder / "semantics" / f"{name}.yaml"

    def profile_path(self, name: str) -> Path:
        """Where it lies what the values of a database look like."""
        return self._folder / "profiles" / f"{name}.yaml"

    def load(self, name: str) -> DatabaseSchema | None:
        """The schema of a database with its profile; None when there is no file.

        Raises:
            SchemaError: a file does not hold.
        """
        path, profile = self.schema_path(name), self.profile_path(name)
        if not path.is_file():
            return None
        stamp = (stamp_of(path), stamp_of(profile) if profile.is_file() else None)
        known = self._known.get(name)
        if known is None or known[0] != stamp:
            schema = with_profiles(load_schema(path), profile)
            if schema.name != name:
                raise SchemaError(f"{path} describes {schema.name!r}, not {name!r}.")
            known = self._known[name] = (stamp, schema)
        return known[1]

    def with_semantics(self, schema: DatabaseSchema) -> DatabaseSchema:
        """A schema with the rules that people have stated; the same object while neither changes.

        Raises:
            SchemaError: the file does not hold.
        """
        path = self.semantics_path(schema.name)
        if not path.is_file():
            return schema
        stamp = stamp_of(path)
        known = self._ruled.get(schema.name)
        if known is None or known[0] != stamp or known[1] is not schema:
            found = load_semantics(path, schema)
            known = (stamp, schema, schema.model_copy(update={"semantics": found}))
            self._ruled[schema.name] = known
        return known[2]

    def save_merged(self, found: DatabaseSchema) -> DatabaseSchema:
        """Write what was introspected, with what people wrote into the older file.

        Raises:
            SchemaError: the older file does not hold.
            StoreError: the files cannot be written.
        """
        path = self.schema_path(found.name)
        if path.is_file():
            written = load_schema(path)
            merged = keep_written(found, written)
            if loses_words(merged, written):
                write_atomically(path.with_suffix(".yaml.old"), path.read_text("utf-8"))
            found = merged
        save_profiles(found, self.profile_path(found.name))
        save_schema(found, path)
        return found


# A schema introspected anew, with what people wrote into the old one.
def keep_written(found: DatabaseSchema, written: DatabaseSchema) -> DatabaseSchema:
    """Join what is in the database with what a person knows of it.

    Types, keys, samples and row counts are those found. Descriptions of the file win over comments in the database;
    kinds that the file sets are kept while the type is the same; references that the file adds are kept while both of
    their ends are there, as is the primary key of a view. What models may learn is what the file says.
    """
    tables = tuple(_table(table, _counterpart(table, written), found) for table in found.tables)
    description = written.description or found.description
    return found.model_copy(
        update={"description": description, "to_models": written.to_models, "tables": tables}
    )


def loses_words(merged: DatabaseSchema, written: DatabaseSchema) -> bool:
    """Whether a description of the old file has no place in the new one, as its table or column is gone."""
    return not set(_descriptions(written)) <= {"", *_descriptions(merged)}


def _descriptions(schema: DatabaseSchema) -> Iterator[str]:
    for table in schema.tables:
        yield table.description
        yield from (column.description for column in table.columns)


def _counterpart(table: Table, written: DatabaseSchema) -> Table | None:
    exact = written.table(table.name, table.schema_name)
    return exact or written.table(table.name)  # it moved to another schema or kind of database


def _table(found: Table, written: Table | None, schema: DatabaseSchema) -> Table:
    if written is None:
        return found
    columns = tuple(
        _column(column, written.column(column.name), schema.dialect) for column in found.columns
    )
    stated = bool(written.primary_key) and not written.key_evidence
    declared = bool(found.primary_key) and not found.key_evidence
    key = written.primary_key if stated and not declared else found.primary_key
    evidence = None if stated and not declared else found.key_evidence
    return found.model_copy(
        update={
            "description": written.description or found.description,
            "columns": tuple(
                column.model_copy(update={"primary_key": column.name in key}) for column in columns
            ),
            "foreign_keys": _foreign_keys(found, written, schema),
            "rejected_keys": written.rejected_keys,
            "to_models": written.to_models,
            "key_evidence": evidence,
        }
    )


def _column(found: Column, written: Column | None, dialect: str) -> Column:
    if written is None:
        return found
    chosen = written.kind is not kind_of(written.type, dialect) and written.type == found.type
    return found.model_copy(
        update={
            "description": written.description or found.description,
            "kind": written.kind if chosen else found.kind,
            "to_models": written.to_models,
        }
    )


def _foreign_keys(found: Table, written: Table, schema: DatabaseSchema) -> tuple[ForeignKey, ...]:
    """Keys that are declared, then those that people wrote or confirmed, then those that are inferred now."""
    kept = [
        key
        for key in written.foreign_keys
        if not key.is_unconfirmed
        and dangling(key, found, schema if key.database == schema.name else None) is None
    ]
    declared = [key for key in found.foreign_keys if key.evidence is None]
    known = {key.ends: key for key in (*kept, *declared)}
    said = {key.columns for key in known.values()}
    rejected = {key.ends for key in written.rejected_keys}
    inferred = [
        key
        for key in found.foreign_keys
        if key.evidence is not None and key.columns not in said and key.ends not in rejected
    ]
    return (*known.values(), *inferred)


# Profiles as YAML beside the schema file: readable, written anew whenever the database is introspected.
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
