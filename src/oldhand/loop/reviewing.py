"""Lessons that wait for somebody to look at them, and what people decide."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from oldhand.errors import UsageError
from oldhand.learning.distillation.conflicts import at_birth, contradicts, settled
from oldhand.learning.distillation.lessons import in_words
from oldhand.learning.hygiene import Flawed, Hygiene
from oldhand.learning.lifecycle.quarantine import (
    approved,
    by_hand,
    reason_of,
    restored,
    retired,
)
from oldhand.learning.lifecycle.upkeep import Upkeep
from oldhand.loop.ground import LoopPart
from oldhand.record.base import Record
from oldhand.record.effect import Effect
from oldhand.record.feedback import TRUSTED, Source
from oldhand.record.memory import NOTES, Memory, MemoryType
from oldhand.record.stage import LESSONS, State, is_shown, is_unread, state_of

_REVIEWED = (*LESSONS, MemoryType.ISSUE, MemoryType.PROMPT)
_MOST = 3
"""Answers of which it is told who asked and what was said of them."""


class Heard(Record):
    """Who said something that a lesson rests on, when, and of which question."""

    by: str
    source: Source
    at: datetime
    question: str
    said: str = ""
    """What they said of the answer; empty when they asked the question."""


class Waiting(Record):
    """A lesson that nobody sees until somebody with a say has looked at it."""

    memory: Memory
    why: str
    heard: tuple[Heard, ...] = ()
    """Whose words it rests on; empty when that is not in this store."""
    file: str | None = None
    """Where it was imported from."""


@dataclass(frozen=True)
class Reviewing(LoopPart):
    """Retires lessons of one clone, and lets them be shown. Methods block.

    Each raises `UnknownMemory` where there is no such lesson, and `UsageError` where the person may not, or nothing would change.
    """

    hygiene: Hygiene
    upkeep: Upkeep
    faults: Callable[[Memory], list[str]]
    """What speaks against showing a lesson."""
    examined: Callable[[Memory], Memory]
    """Gives a lesson with how it did in its exam."""
    disagreeing: Callable[[], tuple[Flawed, ...]]
    """The stated rules that confirmed questions speak against."""

    def waiting(self, limit: int | None = None) -> tuple[Waiting, ...]:
        """The lessons that nobody sees until somebody has looked at them, newest first, with whose words they are; up to `limit`."""
        found = [
            memory
            for kind in _REVIEWED
            for memory in self.store.memories(self.clone_id, type=kind, limit=None)
            if state_of(memory) is State.WAITING and NOTES.isdisjoint(memory.tags)
        ]
        found.sort(key=lambda one: (one.created_at, one.id), reverse=True)
        return tuple(map(self._waiting, found[:limit]))

    def _waiting(self, memory: Memory) -> Waiting:
        file = self.store.lessons.file_of(self.clone_id, memory.id)
        heard = tuple(self._heard(memory))
        return Waiting(memory=memory, why=reason_of(memory), heard=heard, file=file)

    def _heard(self, memory: Memory) -> Iterator[Heard]:
        ids = memory.provenance.episode_ids[:_MOST]
        by_people = memory.provenance.source in TRUSTED
        for episode in self.store.episodes_called(self.clone_id, ids).values():
            question, asker = episode.answer.question, episode.user_id
            role = self.people.role(asker)
            yield Heard(by=asker, source=role, at=episode.created_at, question=question)
            for one in self.store.feedback_on(self.clone_id, episode.id):
                said = one.correction or one.text
                if said and (one.source in TRUSTED or not by_people):
                    yield Heard(
                        by=one.rater,
                        source=one.source,
                        at=one.created_at,
                        question=question,
                        said=said,
                    )

    def approve(self, memory_id: str, by: str, *, pin: bool = False) -> Memory:
        """Let a lesson be shown, as the owner's own word; pinned, it is shown always where it fits."""

        def change(memory: Memory) -> Memory:
            if pin and (memory.type not in LESSONS or not _is_read(memory)):
                raise UsageError(f"{memory.id} is no lesson: only lessons can be pinned.")
            return approved(memory, by, pin=pin)

        return self._changed_by(by, "approves", memory_id, change)

    def retire(self, memory_id: str, by: str, reason: str = "") -> Memory:
        """Let a lesson never be shown, whatever else speaks for it, until a person takes that back."""

        def change(memory: Memory) -> Memory:
            is_known = memory.type in (*_REVIEWED, MemoryType.EXAMPLE) and memory.word is None
            if not is_known or not NOTES.isdisjoint(memory.tags):
                raise UsageError(
                    f"{memory.id} can't be retired: `oldhand memory forget {memory.id}` takes it back."
                )
            return retired(memory, reason or f"{by} does not want it.")

        return self._changed_by(by, "retires", memory_id, change)

    def beside(self, memory: Memory) -> tuple[Memory, ...]:
        """The confirmed pairs of the answers that a lesson came from: they go on saying the same to questions like theirs."""
        origins = frozenset(memory.provenance.episode_ids)
        pairs = self.store.memories(self.clone_id, type=MemoryType.EXAMPLE, limit=None)
        return tuple(
            one
            for one in pairs
            if is_shown(one) and one.id != memory.id and not origins.isdisjoint(one.provenance.episode_ids)
        )  # fmt: skip

    def edit(self, memory_id: str, text: str, by: str, effect: Effect | None = None) -> Memory:
        """Put a lesson into other words, with what they do: it is the word of whoever does so, and in force at once."""
        role = self.people.role(by)

        def change(memory: Memory) -> Memory:
            told = in_words(memory, text, effect) if _is_read(memory) else None
            if told is None:
                raise UsageError(
                    f"{memory.id} is no lesson in words: a correction (`oldhand feedback`) says what would be right."
                )
            theirs = approved(told, by)
            provenance = theirs.provenance.model_copy(update={"source": role})
            return by_hand(theirs.model_copy(update={"provenance": provenance}))

        return self._changed(memory_id, change)

    def taken_up(self, before: Memory) -> Memory:
        """A lesson that was taken out, as one that is tried anew; what something speaks against waits."""
        young = restored(before)
        return by_hand(at_birth(young, self.faults(young)))

    def prune(self, *, dry_run: bool = False) -> tuple[Memory, ...]:
        """Erase what has served its time, or only tell."""
        return tuple(self.upkeep.prune(self.clock.now(), write=not dry_run))

    def flaws(self, *, retire: bool = False) -> tuple[Flawed, ...]:
        """What is wrong with the lessons; with `retire`, those that are at fault are retired."""
        now = self.clock.now()
        if retire:
            return self.hygiene.clean(now)
        return (*self.disagreeing(), *self.hygiene.report(now))

    def _changed_by(
        self, person: str, does: str, memory_id: str, change: Callable[[Memory], Memory]
    ) -> Memory:
        self.people.check_owner(person, does)
        return self._changed(memory_id, change)

    def _changed(self, memory_id: str, change: Callable[[Memory], Memory]) -> Memory:
        with self.store.learning(self.clone_id):
            before = self.store.memory(self.clone_id, memory_id)
            after = change(before)
            if after == before:
                raise UsageError(f"{memory_id} is {state_of(before).value}, and says so, already.")
            after, gone = self._prevailing(self.examined(after) if is_shown(after) else after)
            self.store.save_memories(self.clone_id, [after, *gone])
        return after

    def _prevailing(self, newer: Memory) -> tuple[Memory, list[Memory]]:
        """A lesson by the word of a person, and the lessons that say the opposite, retired for it."""
        gone: list[Memory] = []
        if newer.type in LESSONS and _is_read(newer) and state_of(newer) is State.IN_FORCE:
            for kind in LESSONS:
                for other in self.store.memories(self.clone_id, type=kind, limit=None):
                    if is_shown(other) and _is_read(other) and contradicts(newer, other):
                        done = settled(newer, other)
                        newer, gone = done.newer, [*gone, done.older]
        return newer, gone


def _is_read(memory: Memory) -> bool:
    """Whether it is for a mind to read."""
    return NOTES.isdisjoint(memory.tags) and not is_unread(memory)
