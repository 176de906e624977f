"""The files of a home in which it stands what is known of each database."""

from pathlib import Path

from oldhand.errors import SchemaError
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.files import Stamp, stamp_of, write_atomically
from oldhand.sources.databases.profile.files import save_profiles, with_profiles
from oldhand.sources.databases.schema_file import load_schema
from oldhand.sources.databases.schema_merge import keep_written, loses_words
from oldhand.sources.databases.schema_text import save_schema
from oldhand.sources.databases.semantics_file import load_semantics


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
