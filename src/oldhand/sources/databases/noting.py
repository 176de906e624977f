"""What people write into a schema: descriptions, which keys hold, and what language models may learn."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping

from oldhand.errors import UnknownTarget
from oldhand.record.schema import DatabaseSchema, Disclosure, ForeignKey
from oldhand.sources.databases.keys.confirming import (
    with_all_confirmed,
    with_key_confirmed,
    without_key,
)


class NotedSchemas(ABC):
    """Schemas with what people write into them."""

    @abstractmethod
    def schema(self, name: str) -> DatabaseSchema:
        """What is known of one database."""

    @abstractmethod
    def change_schema(
        self, name: str, change: Callable[[DatabaseSchema], DatabaseSchema]
    ) -> DatabaseSchema:
        """Change what is known of a database, as it stands now."""

    def confirm_keys(self, name: str) -> None:
        """Confirm all inferred keys of one database."""
        self.change_schema(name, with_all_confirmed)

    def confirm_key(self, name: str, table: str, column: str) -> DatabaseSchema:
        """Say that a column refers to what it is taken to refer to.

        Raises:
            SchemaError: the table has no inferred key of that column.
        """
        return self.change_schema(name, lambda now: with_key_confirmed(now, table, column))

    def reject_key(self, name: str, table: str, column: str) -> ForeignKey:
        """Say that a column refers to nothing: the key that it is taken for is never inferred again.

        Raises:
            SchemaError: the table has no inferred key of that column.
        """
        _, key = without_key(self.schema(name), table, column)
        self.change_schema(name, lambda now: without_key(now, table, column)[0])
        return key

    def describe(
        self, name: str, description: str = "", *, table: str = "", column: str = ""
    ) -> DatabaseSchema:
        """Say what is in a database, or in one of its tables or columns.

        Args:
            name: of the database.
            description: in words; empty takes back what was said.
            table: the name of a table.
            column: and of a column of it.

        Raises:
            UnknownTarget: there is no such table or column.
        """
        said = {"description": description.strip()}
        return self.change_schema(name, lambda now: with_noted(now, said, table, column))

    def disclose(
        self, name: str, to_models: Disclosure | None = None, *, table: str = "", column: str = ""
    ) -> DatabaseSchema:
        """Say what language models may learn of a database, or of one of its tables or columns.

        Args:
            name: of the database.
            to_models: `samples`, `names` or `nothing`; None takes back what was said, so that what holds for the whole holds.
            table: the name of a table.
            column: and of a column of it.

        Raises:
            UnknownTarget: there is no such table or column.
        """
        said = {"to_models": to_models}
        return self.change_schema(name, lambda now: with_noted(now, said, table, column))


def with_noted(
    schema: DatabaseSchema, noted: Mapping[str, str | Disclosure | None], table: str, column: str
) -> DatabaseSchema:
    """The schema with fields of its own, of a table, or of a column of it changed; names as `Table.column` takes them.

    Raises:
        UnknownTarget: there is no such table or column.
    """
    if not table:
        return schema.model_copy(update=noted)
    found = schema.table(table)
    if found is None:
        raise UnknownTarget(f"{schema.name} has no table {table!r}.")
    changed = found.model_copy(update=noted)
    if column:
        of = found.column(column)
        if of is None:
            raise UnknownTarget(f"{schema.name}.{found.name} has no column {column!r}.")
        noted_column = of.model_copy(update=noted)
        columns = tuple(noted_column if one is of else one for one in found.columns)
        changed = found.model_copy(update={"columns": columns})
    tables = tuple(changed if one is found else one for one in schema.tables)
    return schema.model_copy(update={"tables": tables})
