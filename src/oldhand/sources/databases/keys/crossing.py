"""References between databases."""

from collections.abc import Callable, Container
from pathlib import Path

from oldhand.errors import DanglingForeignKey, SchemaError
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.keys.confirming import without_keys_into
from oldhand.sources.databases.schema_file import dangling, load_schema
from oldhand.sources.databases.schema_text import save_schema


def check_crossing_keys(
    schema: DatabaseSchema, path: Path, names: Container[str], load: Callable[[str], DatabaseSchema]
) -> None:
    """Raise unless each key into another database leads to a column that is there.

    Raises:
        DanglingForeignKey: one leads nowhere.
    """
    for table in schema.tables:
        for key in table.foreign_keys:
            if key.database == schema.name:
                continue
            if key.database not in names:
                raise DanglingForeignKey(
                    f"{path}: the foreign key {table.name}.{'+'.join(key.columns)} leads to the database "
                    f"{key.database}, which is not registered."
                )
            problem = dangling(key, table, load(key.database))
            if problem:
                raise DanglingForeignKey(f"{path}: {problem}.")


def drop_keys_into(name: str, path: Path) -> None:
    """Take the references into a database out of the schema file of another one."""
    try:
        schema = load_schema(path) if path.is_file() else None
    except SchemaError:
        return  # it says so itself when it is read
    if schema is not None and (left := without_keys_into(schema, name)) != schema:
        save_schema(left, path)
