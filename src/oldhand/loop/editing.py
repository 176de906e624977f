"""Putting what was learned into other words: what each kind of memory is written as, and what becomes of it.

What follows from the log of what people said is edited by saying something new; all else becomes a new version. Either way the version
before stays in the history of the memory.
"""

import asyncio
import re
from dataclasses import dataclass

from oldhand.errors import UnclearRule, UsageError
from oldhand.learning.corrections import sql_of
from oldhand.learning.notes import Learned
from oldhand.learning.targets import target_of
from oldhand.loop.critique import FeedbackIntake
from oldhand.loop.memories import EditedMemory, MemoryCare
from oldhand.loop.reviewing import Reviewing
from oldhand.loop.stating import HomeRules
from oldhand.loop.undoing import Undoing
from oldhand.record.effect import DefaultFilter, Effect, TimeColumn, ValueMapping
from oldhand.record.feedback import TRUSTED, Said
from oldhand.record.join_path import JoinPath, key_pair
from oldhand.record.memory import ExamplePayload, Memory
from oldhand.record.schema import DATES, DatabaseSchema
from oldhand.record.semantics import RowFilter

_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_BY_COLUMNS = "Say by which columns they are joined, such as: {}"


@dataclass(frozen=True)
class MemoryEditing:
    """Edits the memories of one clone."""

    memories: MemoryCare
    reviewing: Reviewing
    critique: FeedbackIntake
    rules: HomeRules

    def undo(self, memory_id: str, by: str) -> Memory:
        """As `Undoing.undo`; blocks."""
        store, memories = self.memories.store, self.memories
        return Undoing(store, memories, self.reviewing, self.say_again).undo(memory_id, by)

    async def edit(self, memory_id: str, text: str, by: str) -> EditedMemory:
        """Put a memory into other words: they are those of whoever does so, and in force at once.

        Raises:
            UnknownMemory: there is none.
            UsageError: the person has no say, or it can't say that.
            OldhandError: a rule, a word or SQL is not understood.
        """
        if self.memories.people.role(by) not in TRUSTED:
            raise UsageError(f"Only the owner or an expert edits; {by} is neither.")
        store, clone_id = self.memories.store, self.memories.clone_id
        memory = await asyncio.to_thread(store.memory, clone_id, memory_id)
        if isinstance(memory.payload, ExamplePayload):
            return await asyncio.to_thread(self.say_again, memory, text, by)
        if memory.word is not None:
            after = await self.memories.define(memory.word.phrase, text, by)
        else:
            after = await asyncio.to_thread(self._put, memory, text, by)
        foresee = self.critique.foreseeing.done
        told = await asyncio.to_thread(foresee, Learned(saved=(after,)), "")
        return EditedMemory(**dict(after), consequences=told)

    def say_again(self, pair: Memory, text: str, by: str) -> EditedMemory:
        """Correct the answer that a pair rests on, so that the pair says something else; blocks."""
        payload, behind = pair.payload, pair.provenance.episode_ids
        if not isinstance(payload, ExamplePayload) or not behind or payload.chunks:
            raise UsageError(
                f"{pair.id} rests on no answer that could be corrected: ask {getattr(payload, 'question', '')!r} and correct that."
            )
        written = sql_of(text)
        inside = payload.database is not None and written is not None and written[0] is None
        named = f"{payload.database}: {text}" if inside else text
        said = Said(by, correction=named)
        planned = self.critique.preview_now(behind[-1], said)
        if pair.id not in {one.id for one in planned.learned}:
            raise UsageError(
                f"Nothing was changed. {planned.note}"
                if planned.note
                else f"{pair.id} says so already."
            )
        receipt = self.critique.give_now(behind[-1], said)
        after = self.memories.store.memory(self.memories.clone_id, pair.id)
        return EditedMemory(**dict(after), note=receipt.note, consequences=receipt.consequences)

    def _put(self, memory: Memory, text: str, by: str) -> Memory:
        effect = None if memory.effect is None else self._effect(memory.effect, text)
        return self.reviewing.edit(memory.id, text if effect is None else effect.says, by, effect)

    def _effect(self, before: Effect, text: str) -> Effect:
        """What a rule that changes queries is to do."""
        match before:
            case DefaultFilter():
                read = self.rules.read(text, [before.database])
                if isinstance(read.rule, RowFilter) and not read.rule.when:
                    return read.rule.effect(read.database)
                raise UnclearRule(
                    f"This rule is about rows that count, and {text!r} is not: such as {before.says!r}. "
                    "Other rules are stated by `oldhand rule add`."
                )
            case ValueMapping():
                schemas = self.memories.catalog.schemas([before.database])
                told = target_of(
                    before.spoken, text.removeprefix(f"'{before.spoken}' means "), schemas
                )
                if told.column is None or told.value is None or told.operator != "=":
                    raise UnclearRule(f"Say which value it means: {before.alias.target}")
                return before.model_copy(
                    update={"table": told.table, "column": told.column, "value": told.value}
                )
            case JoinPath():
                schema = self.memories.catalog.schema(before.database)
                return _joined(before, text.rpartition(" on ")[2], schema)
            case TimeColumn():
                named = text.rpartition(" of ")[2].strip(" .")
                table = self.memories.catalog.schema(before.database).table(before.table)
                column = None if table is None else table.column(named)
                if column is None or column.kind not in DATES:
                    raise UnclearRule(f"Say which date it is, such as: {before.says}")
                return before.model_copy(update={"column": column.name})
            case _:
                raise UsageError("What tools are not used for can't be edited: retire it.")


def _joined(before: JoinPath, text: str, schema: DatabaseSchema) -> JoinPath:
    """The same tables joined by other columns.

    Raises:
        UnclearRule: the text is no such comparison, or names what is not there.
    """
    try:
        on = [key_pair(one) for one in _AND.split(text.replace('"', ""))]
        path = JoinPath.model_validate({**dict(before), "on": on})
    except ValueError as error:
        raise UnclearRule(_BY_COLUMNS.format(before.says)) from error
    if not all(
        (known := schema.table(table)) is not None and known.column(column) is not None
        for pair in on
        for table, column in pair.ends
    ):
        raise UnclearRule(_BY_COLUMNS.format(before.says))
    return path
