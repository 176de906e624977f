"""Keeps out of prompts what models must not see: cells, and whatever repeats them."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from oldhand.agent.analysis.mind import EarlierTurn, Failure, Inquiry
from oldhand.lexicon.privacy import without_addresses
from oldhand.models.disclosure import hidden_names, kept_back
from oldhand.models.quoting import KEPT_BACK, without_quoted_cells
from oldhand.query.describing.nouns import event_name
from oldhand.record.effect import DefaultFilter
from oldhand.record.memory import ExamplePayload, IssuePayload, Memory
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.withholding import private_texts, reads_kept_back

_GONE = "…"
_TOLD = ("hints", "history", "error_message", "last_attempt", "understood")
"""The values of prompts that may repeat what stood in cells."""


@dataclass(frozen=True)
class Discretion:
    """What must stay out of the prompts about one question."""

    inquiry: Inquiry

    @cached_property
    def _active(self) -> bool:
        return any(True for _ in kept_back(self.inquiry.schemas))

    @cached_property
    def _names(self) -> re.Pattern[str] | None:
        return _any_of(hidden_names(self.inquiry.schemas))

    @cached_property
    def _texts(self) -> re.Pattern[str] | None:
        """What earlier statements compare private columns with."""
        found: set[str] = set()
        for sql, database in _statements(self.inquiry):
            for schema in self._schemas(database):
                found |= private_texts(sql, schema)
        return _any_of(found)

    def of(self, values: Mapping[str, str]) -> Mapping[str, str]:
        """What fills a prompt, without what must stay out of it; the question itself goes as it was asked."""
        if not self._active:
            return values
        return {
            name: text if name == "question" else self._cleaned(text, told=name in _TOLD)
            for name, text in values.items()
        }

    def failure(self, failure: Failure, database: str) -> Failure:
        """A failure without the cells that a database quotes when it can't read them."""
        last = failure.last_attempt
        if last is not None:
            last = last.model_copy(update={"error": self._error(last.error, last.sql, database)})
        told = failure.error
        error = told if failure.by_rule else self._error(told, failure.sql, database)
        return failure.model_copy(update={"error": error, "last_attempt": last})

    def _error(self, error: str, sql: str, database: str) -> str:
        private = any(reads_kept_back(sql, schema) for schema in self._schemas(database))
        return without_quoted_cells(error, sql) if private else error

    def _cleaned(self, text: str, *, told: bool) -> str:
        patterns = (self._names, self._texts) if told else (self._names,)
        for pattern in filter(None, patterns):
            text = pattern.sub(_GONE, text)
        return without_addresses(text, _GONE) if told else text

    def _schemas(self, database: str | None) -> Sequence[DatabaseSchema]:
        own = self.inquiry.schema(database) if database else None
        return self.inquiry.schemas if own is None else (own,)


def _any_of(texts: Collection[str]) -> re.Pattern[str] | None:
    """Finds any of some texts as whole words; None where there are none."""
    longest = sorted((text for text in texts if len(text) > 1), key=len, reverse=True)
    words = "|".join(map(re.escape, longest))
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) if words else None


def discreet(turn: EarlierTurn, schemas: Sequence[DatabaseSchema]) -> EarlierTurn:
    """An earlier turn without its answer, where that was made of rows that models must not see, and without readings by such a column."""
    if any(step.withheld for step in turn.steps):
        return turn.model_copy(update={"text": KEPT_BACK, "options": ()})
    names = {event_name(column.name) for _, _, column in kept_back(schemas)} if turn.options else ()
    private = _any_of(names)
    if private is None:
        return turn
    options = tuple(KEPT_BACK if private.search(one) else one for one in turn.options)
    return turn.model_copy(update={"options": options})


def _statements(inquiry: Inquiry) -> Iterator[tuple[str, str | None]]:
    """What earlier turns and lessons say in SQL, each with its database."""
    for turn in inquiry.history:
        yield from ((step.sql, step.database) for step in turn.steps)
    for lesson in inquiry.lessons:
        yield from _statements_of(lesson.memory)


def _statements_of(memory: Memory) -> Iterator[tuple[str, str | None]]:
    match memory.payload:
        case ExamplePayload() as example:
            yield from example.statements
        case IssuePayload(sql_query=str(sql), database=database):
            yield sql, database
        case _:
            pass
    effect = memory.effect
    if isinstance(effect, DefaultFilter):
        sql = f"SELECT 1 FROM {effect.table} WHERE {effect.condition}"  # noqa: S608  # it is read, never run
        yield sql, effect.database
