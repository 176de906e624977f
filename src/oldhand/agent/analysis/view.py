"""What a language model is shown of the databases for one question: the port, and the view of everything."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Protocol

from oldhand.agent.analysis.mind import Inquiry
from oldhand.models.disclosure import as_sent
from oldhand.models.schema_text import schema_text
from oldhand.record.schema import DatabaseSchema


@dataclass(frozen=True)
class SchemaView:
    """The part of the schemas that one prompt shows."""

    text: str
    """The schemas as they stand in the prompt."""
    schemas: tuple[DatabaseSchema, ...]
    """What the text shows of them."""
    left_out: frozenset[str] = field(default_factory=frozenset[str])
    """Names, folded, of tables and columns that models may see and this view doesn't show."""
    values: tuple[str, ...] = ()
    """What the words of the question match in the data, a line for each column."""
    note: str = ""
    """What is left out, for who reads the answer; empty where nothing is."""


class QuestionViews(Protocol):
    """The views for one question."""

    def view(
        self, databases: Collection[str] = (), wanted: Collection[str] = (), room: int | None = None
    ) -> SchemaView:
        """What to show.

        Args:
            databases: those that matter; all when none is named.
            wanted: tables and columns that must be in it, by any part of their names.
            room: tokens that it may take; as many as usual when None.

        Raises:
            ViewTooSmall: there is not even room for one table.
        """
        ...

    def near_misses(self, sql: str, database: str) -> tuple[str, ...]:
        """What the data holds in place of texts of a statement that no row can equal; blocks."""
        ...


class Viewer(Protocol):
    """Whoever decides what a model gets to see."""

    def of(self, inquiry: Inquiry) -> QuestionViews:
        """The views for one question; may take long the first time."""
        ...


class WholeSchemas:
    """Shows everything that models may see, however long it is."""

    def of(self, inquiry: Inquiry) -> QuestionViews:
        """The views for one question."""
        return _Whole(inquiry)


@dataclass(frozen=True)
class _Whole:
    inquiry: Inquiry

    def view(
        self,
        databases: Collection[str] = (),
        wanted: Collection[str] = (),  # noqa: ARG002
        room: int | None = None,  # noqa: ARG002
    ) -> SchemaView:
        chosen = [s for s in self.inquiry.schemas if not databases or s.name in databases]
        schemas = tuple(map(as_sent, chosen))
        return SchemaView(schema_text(schemas), schemas)

    def near_misses(self, sql: str, database: str) -> tuple[str, ...]:  # noqa: ARG002
        return ()
