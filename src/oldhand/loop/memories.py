"""What was learned, for people: look at it, forget it, go back to an earlier day."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from operator import not_

from pydantic import Field
from rapidfuzz import fuzz, process
from sqlglot import exp

from oldhand.errors import DatabaseError, QueryRefused, UsageError
from oldhand.learning.aliases import Aliases, Changed, brought_back
from oldhand.learning.distillation.bookmark import last_night
from oldhand.learning.learner import Learner
from oldhand.learning.lifecycle.quarantine import reason_of
from oldhand.learning.retractions import (
    RETRACTION,
    Noted,
    forgotten_note,
    is_roll_back,
    rolled_back_note,
)
from oldhand.loop.ground import LoopPart
from oldhand.loop.progress import MemoryChange, changes_since
from oldhand.record.base import Record, checked_name
from oldhand.record.effect import EQUAL, Alias
from oldhand.record.feedback import Source
from oldhand.record.filter_condition import compared
from oldhand.record.memory import NIGHT, RECORDS, ExamplePayload, IssuePayload, Memory, MemoryType
from oldhand.record.receipt import Consequences
from oldhand.record.stage import State, state_of
from oldhand.sources.databases import Catalog
from oldhand.store import MemoryVersion, RolledBack

_INSTANT = timedelta(microseconds=1)
_SECONDS = 5.0
_LOOKED_AT = 5_000
"""Values of a column, at most, among which near ones are looked for."""
_NEAR = 60
"""Lowest similarity, of 100, of a value that is offered."""
_OFFERED = 3


class Remembered(Record):
    """A memory with its state and how it fared."""

    memory: Memory
    state: State
    why: str = ""
    """Why it is not in force, where that is known."""
    uses: int
    """Answers that rest on it, or may rest on it."""
    ups: int
    """Trusted people who liked such an answer."""
    downs: int
    """Trusted people who did not."""
    versions: tuple[MemoryVersion, ...]
    """All that it has been, oldest first."""


class Defined(Memory):
    """A word as a person has stated it, with what else is to be known."""

    note: str = Field(default="", exclude_if=not_)
    """What may be wrong with it: no row holds the value today, or the word means something else elsewhere."""
    replaced: tuple[Memory, ...] = Field(default=(), exclude_if=not_)
    """What the word meant before in the same database, and is no longer believed."""


class EditedMemory(Defined):
    """A memory in other words."""

    consequences: Consequences = Field(default=Consequences(), exclude_if=Consequences().__eq__)
    """The earlier questions that are answered otherwise for it."""


@dataclass(frozen=True)
class MemoryCare(LoopPart):
    """Looks after the memories of one clone. Methods block, but for `define`."""

    learner: Learner
    aliases: Aliases
    credit: Callable[[], object]
    """Brings what votes have taught about passages in line, inside `Store.learning`."""

    async def define(self, phrase: str, target: str, rater: str) -> Defined:
        """Note what a phrase means, as the owner or an expert says."""
        memory, replaced, elsewhere = await asyncio.to_thread(self._define, phrase, target, rater)
        missing = await missing_value(self.catalog, memory.word) if memory.word else ""
        note = " ".join(filter(None, (missing, elsewhere)))
        return Defined(**dict(memory), note=note, replaced=replaced)

    def all(
        self,
        kind: MemoryType | None,
        user: str | None,
        text: str | None,
        limit: int | None,
        state: State | None = None,
        skip: int = 0,
    ) -> tuple[Memory, ...]:
        """What was learned, newest first; without episodes and reflections unless `kind` asks for them."""
        kinds = [one for one in MemoryType if one not in RECORDS] if kind is None else [kind]
        # A state follows from the whole memory, and is none of its columns.
        most, first = (limit, skip) if state is None else (None, 0)
        found = self.store.memories(
            self.clone_id, user, text=text, limit=most, types=kinds, without=NIGHT, skip=first
        )
        if state is not None:
            found = [memory for memory in found if state_of(memory) is state][skip:]
        return tuple(found[:limit])

    def changes(self, since: datetime | None = None) -> Iterator[MemoryChange]:
        """What has become of memories since then, else since the last night, the latest change first."""
        since = since or last_night(self.store, self.clone_id) or datetime.fromtimestamp(0, UTC)
        since = since.astimezone(UTC)
        return changes_since(self.store.changed_since(self.clone_id, since), since)

    def one(self, memory_id: str) -> Remembered:
        """One memory with how it fared, by its id or the first characters of it; an erased one by its whole id."""
        versions = self.store.memory_versions(
            self.clone_id, self.store.lessons.full_id(self.clone_id, memory_id)
        )
        memory, gone = versions[-1].memory, versions[-1].forgotten_at
        tally = self.store.outcomes(self.clone_id, [memory.id])[memory.id]
        return Remembered(
            memory=memory,
            state=state_of(memory) if gone is None else State.ERASED,
            why=reason_of(memory)
            if gone is None
            else f"It was erased on {gone:%Y-%m-%d %H:%M} UTC.",
            uses=self.store.lessons.uses(self.clone_id, [memory.id])[memory.id].uses,
            ups=tally.ups,
            downs=tally.downs,
            versions=versions,
        )

    def forget(self, memory_id: str) -> Memory:
        """Forget one memory, with all that was said for it so far."""
        with self.store.learning(self.clone_id):
            memory = self.store.memory(
                self.clone_id, self.store.lessons.full_id(self.clone_id, memory_id)
            )
            self.let_go(memory)
        return memory

    def let_go(self, memory: Memory) -> None:
        """Forget a memory in the way of its kind; to be called inside `Store.learning`."""
        payload = memory.payload
        if RETRACTION in memory.tags:
            self._take_back(memory)
        elif memory.word is not None:
            self._deny(memory.id)
        elif isinstance(payload, ExamplePayload | IssuePayload) and payload.question:
            note = forgotten_note(self._noted(self.clock.now()), memory.id)
            self.store.save_memories(self.clone_id, [note], forgotten=[memory.id])
            self.learner.bring_in_line(payload.question)  # words that were learned from it go too
        else:
            self.store.forget_memory(self.clone_id, memory.id)

    def _take_back(self, note: Memory) -> None:
        """Let a retraction not count any longer; what it took back is there again."""
        again = Changed()
        if is_roll_back(note):
            again = brought_back(self.store.changed_by_roll_back(self.clone_id, note.id))
        self.store.save_memories(self.clone_id, again.saved, forgotten=[note.id, *again.forgotten])
        self.learner.bring_all_in_line()
        self.credit()

    def _noted(self, at: datetime) -> Noted:
        last = self.store.last_feedback_id(self.clone_id)
        return Noted(self.clone_id, self.new_id(), at, last or "")

    def _deny(self, alias_id: str) -> None:
        """Take an alias back; it stays as one that is not believed, so that it is not learned again."""
        owner = self.people.clone().owner
        denied = self.aliases.denied(alias_id, rater=owner, source=Source.OWNER)
        self.store.save_memories(self.clone_id, denied.saved, forgotten=denied.forgotten)

    def _define(
        self, phrase: str, target: str, rater: str
    ) -> tuple[Memory, tuple[Memory, ...], str]:
        """The word, what it does not mean any longer, and a note when it means something else elsewhere."""
        role = self.people.role(checked_name(rater))
        schemas = self.catalog.schemas()
        with self.store.learning(self.clone_id):
            memory = self.aliases.defined(phrase, target, schemas, rater=rater, source=role)
            replaced = self.aliases.replaced(memory, rater=rater, source=role)
            self.store.save_memories(self.clone_id, [memory, *replaced.saved])
            elsewhere = self.aliases.elsewhere(memory)
        meant = " and ".join(alias.target for alias in elsewhere)
        also = (
            f"{elsewhere[0].phrase!r} means {meant}, too: questions may be asked back."
            if meant
            else ""
        )
        return memory, replaced.saved, also

    def roll_back(self, to: datetime | None, before_feedback: str | None) -> RolledBack:
        """Let everything learned be as it was at a moment; what was said since then does not count."""
        if (to is None) == (before_feedback is None):
            raise UsageError("Say where to go back to: a moment, or the id of a feedback.")
        before = None
        if before_feedback is not None:
            said = self.store.feedback(self.clone_id, before_feedback)
            to, before = said.created_at - _INSTANT, said.id
        assert to is not None, "one of the two is given"
        to = to.astimezone(UTC)  # without a time zone, it is the machine's
        with self.store.learning(self.clone_id):
            at = self.clock.now()
            if to > at:
                raise UsageError(f"{to:%Y-%m-%d %H:%M:%S} UTC has not come yet.")
            by = to if before is None else None
            counts = self.store.last_feedback_id(self.clone_id, by=by, before=before)
            note = rolled_back_note(self._noted(at), to, counts or "")
            done = self.store.roll_back(self.clone_id, to, [note])
            learned = self.learner.bring_all_in_line()  # lessons saved after what taught them
            self.credit()
        again = {memory.id for memory in learned.saved}
        return RolledBack(
            tuple(one for one in done.restored if one not in learned.withdrawn),
            tuple(one for one in done.removed if one not in again),
        )


# Whether a value that a word shall mean is in its column.
async def missing_value(catalog: Catalog, alias: Alias) -> str:
    """A warning when no row has the value today; empty when one has, or when the database cannot tell."""
    if alias.column is None or alias.value is None:
        return ""
    column = exp.column(alias.column, quoted=True)
    source = exp.table_(alias.table, db=alias.schema_name, quoted=True)
    rows = exp.select(column).distinct().from_(source)
    same = rows.where(compared(column, alias.operator, alias.values)).limit(1)
    others = rows.where(column.is_(exp.null()).not_()).limit(_LOOKED_AT)
    try:
        database = catalog.open(alias.database)
        found = await database.execute(same.sql(database.dialect), rows=1, seconds=_SECONDS)
        if found.values:
            return ""
        seen = await database.execute(
            others.sql(database.dialect), rows=_LOOKED_AT, seconds=_SECONDS
        )
    except (DatabaseError, QueryRefused):
        return ""
    near = near_values(str(alias.value), [str(value) for (value,) in seen.values])
    hint = f" Near: {', '.join(map(repr, near))}." if near and alias.operator == EQUAL else ""
    meant = alias.target.split(f"{alias.table}.", 1)[1]
    return f"No row of {alias.table} has {meant} today.{hint}"


def near_values(wanted: str, values: list[str]) -> list[str]:
    """The values that are spelt most alike, best first.

    >>> near_values("VIPs", ["vip", "regular", "VIP plus"])
    ['vip', 'VIP plus']
    """
    scored = process.extract(
        wanted,
        values,
        scorer=fuzz.WRatio,
        processor=str.casefold,
        limit=_OFFERED,
        score_cutoff=_NEAR,
    )
    return [value for value, *_ in scored]
