"""Views of the schemas by what the words of a question mean, within the room that a prompt has."""

from collections.abc import Collection, Iterator
from functools import cached_property

from oldhand.agent.analysis.mind import Inquiry
from oldhand.agent.analysis.view import SchemaView
from oldhand.agent.analyst.linking.indexes import ValueSource
from oldhand.agent.viewing.fitting import FittedSchemas, fitted
from oldhand.agent.viewing.relevance import HeldValues, Relevance, relevance
from oldhand.models.disclosure import as_sent, disclosure_of
from oldhand.record.schema import DatabaseSchema, Disclosure
from oldhand.sources.databases.near_values import near_misses


class LinkedViewer:
    """Shows the schemas whole where they fit, else what the question is about."""

    def __init__(self, values: ValueSource, tokens: int) -> None:
        self._values = values
        self._tokens = tokens

    def of(self, inquiry: Inquiry) -> "LinkedViews":
        """The views for one question; reads the values of the databases when they are needed for the first time."""
        return LinkedViews(inquiry, self._values, self._tokens)


class LinkedViews:
    """The views for one question."""

    def __init__(self, inquiry: Inquiry, values: ValueSource, tokens: int) -> None:
        self._inquiry = inquiry
        self._values = values
        self._tokens = tokens

    def view(
        self, databases: Collection[str] = (), wanted: Collection[str] = (), room: int | None = None
    ) -> SchemaView:
        """What to show; see `QuestionViews`."""
        chosen = [s for s in self._inquiry.schemas if not databases or s.name in databases]
        schemas = tuple(map(as_sent, chosen))
        room = self._tokens if room is None else room
        shown = fitted(schemas, None, room) or self._best(schemas, wanted, room)
        values = tuple(self._said(schemas))
        return SchemaView(shown.text, shown.schemas, shown.left_out, values, shown.note)

    def near_misses(self, sql: str, database: str) -> tuple[str, ...]:
        """What the data holds in place of texts of a statement that no row can equal; nothing in the workspace."""
        schema = self._inquiry.schema(database)
        if schema is None:
            return ()
        lookup = self._values.lookup((schema,), self._inquiry.today)
        return near_misses(sql, schema, lookup.values)

    def _best(
        self, schemas: tuple[DatabaseSchema, ...], wanted: Collection[str], room: int
    ) -> FittedSchemas:
        found = self._relevance(wanted) if wanted else self._plain
        shown = fitted(schemas, found, room)
        assert shown is not None, "what the question is about is known"
        return shown

    @cached_property
    def _plain(self) -> Relevance:
        return self._relevance(())

    def _relevance(self, wanted: Collection[str]) -> Relevance:
        lookup = self._values.lookup(self._inquiry.schemas, self._inquiry.today)
        return relevance(self._inquiry, lookup.values, wanted)

    def _said(self, schemas: tuple[DatabaseSchema, ...]) -> Iterator[str]:
        """The values that words of the question match, of the columns whose values models may see."""
        names = {schema.name for schema in schemas}
        for held in self._plain.values:
            if held.place[0] in names and self._may_be_said(held):
                database, _, table = held.place
                prefix = f"{database}." if len(names) > 1 else ""
                values = ", ".join(_quoted(value) for value in held.values)
                yield f"{prefix}{table}.{held.column} holds {values}"

    def _may_be_said(self, held: HeldValues) -> bool:
        database, schema_name, name = held.place
        schema = self._inquiry.schema(database)
        table = schema.table(name, schema_name) if schema else None
        column = table.column(held.column) if table else None
        if schema is None or table is None or column is None:
            return False  # a measure or a condition that people have named
        return disclosure_of(column, table, schema) is Disclosure.SAMPLES


def _quoted(value: str | int | float) -> str:
    """A value as it stands in SQL."""
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)
