"""A saved question asked again: on the rows of today, as it was read when it was saved."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from oldhand.agent.analysis import Inquiry, analyse
from oldhand.errors import DatabaseError, OldhandError, UnknownDatabase, UnknownMemory, UsageError
from oldhand.learning.confirmation import memory_id, solution_of
from oldhand.lexicon.wording import counted, listed, value_text
from oldhand.loop.ground import LoopPart
from oldhand.loop.rehearsing import Rehearsal
from oldhand.loop.saved.kept import KeptMind, confirmed_reading, kept_reading
from oldhand.record.answer import Answer, Outcome
from oldhand.record.base import Cell, Row
from oldhand.record.charting import is_numeric
from oldhand.record.episode import Episode, Message
from oldhand.record.file_names import without_folders
from oldhand.record.memory import ExamplePayload
from oldhand.record.phrases import question_key
from oldhand.record.progress import Progress
from oldhand.record.row_digest import comparable
from oldhand.record.saved import KeptReading, SavedAnswer, SavedQuestion, time_zone
from oldhand.settings import Settings
from oldhand.sources.databases.drift import DriftKind

_GONE = frozenset({DriftKind.TABLE_MISSING, DriftKind.COLUMN_MISSING})
_ANEW = "Ask the question anew, and save that answer in place of this one (`oldhand saved add NAME --replace`)."
_NO_LONGER = (
    "The databases no longer fit this question: {} {} gone. Read the schema anew (`oldhand schema introspect {}`). "
    + _ANEW
)
_NO_ANSWER = "Only a question with an answer can be saved, and this one has none: {}"
_NOTHING_ASKED = (
    "Neither databases nor documents were asked for this answer: there is nothing to ask again."
)
NAMED = 3
"""Rows and numbers that are named; of others it is said how many there are."""


@dataclass(frozen=True)
class SavedAsking(LoopPart):
    """Asks the saved questions of one clone."""

    settings: Settings
    rehearsal: Callable[[], Rehearsal]
    """Answers from documents, without a trace."""

    def reading_of(self, episode: Episode) -> KeptReading:
        """What a question is read as from now on: as it was answered, or as people have put it right since. Blocks.

        Raises:
            UsageError: there is no answer that could be kept.
        """
        answer = episode.answer.agreed
        if answer.outcome is not Outcome.ANSWERED:
            raise UsageError(_NO_ANSWER.format(answer.text))
        reading = kept_reading(answer, episode.created_at.date())
        if not (reading.databases or answer.citations):
            raise UsageError(_NOTHING_ASKED)
        return self._confirmed(answer, episode.created_at) or reading

    async def first(self, saved: SavedQuestion) -> SavedAnswer:
        """The answer that a question is saved with, which shows that it can be asked again.

        Raises:
            UsageError: it can't.
        """
        found = await self.ask(saved)
        if found.outcome is not Outcome.ANSWERED:
            raise UsageError(found.text)
        return found

    def _confirmed(self, answer: Answer, at: datetime) -> KeptReading | None:
        """The reading that people have put in place of an answer's since; None where nobody has."""
        solved = solution_of(answer)
        if solved is None or not solved.databases:
            return None
        key = question_key(solved.question)
        example = memory_id("example", self.clone_id, key, *solved.databases)
        try:
            memory = self.store.memory(self.clone_id, example)
        except UnknownMemory:
            return None
        known, said = memory.payload, memory.created_at
        if not isinstance(known, ExamplePayload) or known.sql in {None, solved.sql} or said < at:
            return None  # what was confirmed before was known to the answer
        return confirmed_reading(known, solved, said.date())

    async def ask(self, saved: SavedQuestion) -> SavedAnswer:
        """What it is answered today, and what of that is otherwise; where it fails, why, and what to do."""
        found = await self._tried(saved)
        if found.outcome is not Outcome.ANSWERED:
            return found
        look, good = self.store.saved.answers, Outcome.ANSWERED
        before = await asyncio.to_thread(look, self.clone_id, saved.id, 1, good)
        change = change_between(before[0], found) if before else ""
        return found.model_copy(update={"change": change})

    async def _tried(self, saved: SavedQuestion) -> SavedAnswer:
        began = self.clock.monotonic()
        try:
            found = await self._asked(saved)
        except OldhandError as error:
            found = self._failed(await asyncio.to_thread(self._why, saved, error))
        return found.model_copy(update={"seconds": self.clock.monotonic() - began})

    async def _asked(self, saved: SavedQuestion) -> SavedAnswer:
        if not saved.reading.databases:
            said = (Message(role="user", content=saved.question),)
            told = await self.rehearsal().answer(said, user=saved.user_id)
            found = self._answer(told.outcome, told.text)
            return found.model_copy(
                update={"columns": told.columns, "rows": told.rows, "truncated": told.truncated}
            )
        schemas = await asyncio.to_thread(self.catalog.schemas, saved.reading.databases)
        analysis = await analyse(
            Inquiry(saved.question, schemas, self._today(saved)),
            mind=KeptMind(saved.reading),
            sources=self.catalog,
            observe=_unseen,
            settings=self.settings,
            clock=self.clock,
        )
        if analysis.outcome is not Outcome.ANSWERED:
            text = await asyncio.to_thread(self._no_longer, saved, f"{analysis.text} {_ANEW}")
            return self._failed(text)
        columns, rows = analysis.columns, analysis.rows
        found = self._answer(Outcome.ANSWERED, analysis.text, notes=analysis.notes)
        held = {"columns": columns, "rows": rows, "truncated": analysis.truncated}
        return found.model_copy(update=held)

    def _today(self, saved: SavedQuestion) -> date:
        """The day where its schedule is, in which a morning there may be an evening of UTC."""
        zone = saved.schedule.zone if saved.schedule else "UTC"
        return self.clock.now().astimezone(time_zone(zone)).date()

    def _why(self, saved: SavedQuestion, error: OldhandError) -> str:
        if isinstance(error, UnknownDatabase):
            return f"{error} {_ANEW}"
        return (
            self._no_longer(saved, str(error)) if isinstance(error, DatabaseError) else str(error)
        )

    def _no_longer(self, saved: SavedQuestion, error: str) -> str:
        """What is gone from the databases of a question that fails; the failure as it stands where nothing is."""
        gone: list[str] = []
        kept = saved.reading
        sql = " ".join((kept.query or "", *(one.sql for one in kept.steps))).casefold()
        for name in kept.databases:
            try:
                found = self.catalog.check(name)
            except OldhandError:
                continue  # it can't be looked up now
            gone += (
                f"{name}.{one.table}{f'.{one.column}' if one.column else ''}"
                for one in found
                if one.change in _GONE and (one.column or one.table).casefold() in sql
            )
        if not gone:
            return error
        return _NO_LONGER.format(
            listed(gone), "are" if len(gone) > 1 else "is", gone[0].partition(".")[0]
        )

    def _answer(self, outcome: Outcome, text: str, notes: tuple[str, ...] = ()) -> SavedAnswer:
        answered = outcome is Outcome.ANSWERED
        kind = Outcome.ANSWERED if answered else Outcome.FAILED
        told = text if answered else without_folders(text)
        return SavedAnswer(at=self.clock.now(), outcome=kind, text=told, notes=notes)

    def _failed(self, text: str) -> SavedAnswer:
        return self._answer(Outcome.FAILED, text)


def _unseen(_: Progress, /) -> None:
    """Nobody watches."""


def change_between(before: SavedAnswer, after: SavedAnswer) -> str:
    """What is otherwise; empty when nothing is.

    >>> from datetime import UTC, datetime
    >>> from oldhand.record.answer import Outcome
    >>> kept = SavedAnswer(at=datetime(2026, 1, 1, tzinfo=UTC), outcome=Outcome.ANSWERED, text="", columns=("total",), rows=((1200,),))
    >>> change_between(kept, kept.model_copy(update={"rows": ((1340,),)}))
    'total 1,200 → 1,340 (+11.7 %)'
    >>> cities = kept.model_copy(update={"columns": ("city", "orders"), "rows": (("Rome", 3), ("Oslo", 2))})
    >>> change_between(cities, cities.model_copy(update={"rows": (("Rome", 5), ("Bonn", 1), ("Ulm", 1))}))
    '+2 rows (Bonn, Ulm), -1 row (Oslo), Rome: orders 3 → 5 (+66.7 %)'
    """
    if before.columns != after.columns:
        return f"other columns: {listed(after.columns) or 'none'}"
    if not after.columns:
        return "another answer" if before.text != after.text else ""
    if len(before.rows) == len(after.rows) == 1:
        return ", ".join(_cells(before.columns, before.rows[0], after.rows[0]))
    old, new = _by_label(before, after), _by_label(after, before)
    if old is None or new is None:
        return _as_wholes(before.rows, after.rows)
    came, went = ([one for one in a if one not in b] for a, b in ((new, old), (old, new)))
    parts = [*_rows("+", came), *_rows("-", went)]
    changed = [
        f"{_shown(label)}: {', '.join(cells)}"
        for label, row in new.items()
        if label in old and (cells := [*_cells(after.columns, old[label], row)])
    ]
    parts += changed[:NAMED]
    if len(changed) > NAMED:
        parts.append(f"{len(changed) - NAMED:,} more rows changed")
    if not parts and [*old] != [*new]:
        parts.append("the same rows in another order")
    return ", ".join(parts)


def _by_label(answer: SavedAnswer, other: SavedAnswer) -> dict[Row, Row] | None:
    """Rows by what tells them apart: all that is no number in both answers; None where that does not."""
    both = (*answer.rows, *other.rows)
    labels = [n for n in range(len(answer.columns)) if not is_numeric([row[n] for row in both])]
    found = {tuple(row[n] for n in labels): row for row in answer.rows}
    return found if labels and len(found) == len(answer.rows) else None


def _as_wholes(before: Sequence[Row], after: Sequence[Row]) -> str:
    """How many rows came and went, where none can be followed."""
    old, new = (Counter(tuple(map(comparable, row)) for row in rows) for rows in (before, after))
    came, went = (new - old).total(), (old - new).total()
    signs = (("+", came), ("-", went))
    return ", ".join(f"{sign}{counted(number, 'row')}" for sign, number in signs if number)


def _rows(sign: str, labels: Sequence[Row]) -> Iterator[str]:
    if labels:
        more = ", …" if len(labels) > NAMED else ""
        names = ", ".join(map(_shown, labels[:NAMED]))
        yield f"{sign}{counted(len(labels), 'row')} ({names}{more})"


def _cells(columns: Sequence[str], before: Row, after: Row) -> Iterator[str]:
    for name, old, new in zip(columns, before, after, strict=True):
        if comparable(old) != comparable(new):
            yield f"{name} {value_text(old, name)} → {value_text(new, name)}{_percent(old, new)}"


def _percent(old: Cell, new: Cell) -> str:
    if not (is_numeric([old]) and is_numeric([new])) or not old:
        return ""
    return f" ({(float(new or 0) - float(old)) / abs(float(old)):+,.1%})".replace("%", " %")


def _shown(label: Row) -> str:
    return " / ".join(value_text(cell) for cell in label)
