"""Lessons that wait for somebody to look at them, and what people decide."""

from collections.abc import Callable
from dataclasses import dataclass

from oldhand.errors import UsageError
from oldhand.learning.distillation.conflicts import at_birth
from oldhand.learning.hygiene import Flawed, Hygiene
from oldhand.learning.lifecycle.pruning import NIGHT
from oldhand.learning.lifecycle.quarantine import (
    approved,
    by_hand,
    pinned,
    rejected,
    restored,
    set_aside,
    unpinned,
)
from oldhand.learning.lifecycle.upkeep import Upkeep
from oldhand.loop.people import People
from oldhand.record.feedback import Source
from oldhand.record.memory import RETRACTIONS, Memory, MemoryType
from oldhand.record.ports import Clock
from oldhand.record.stage import LESSONS, PINNED, SUGGESTION, Stage, is_approved, is_shown, stage_of
from oldhand.store import Store

_RULED_OUT = RETRACTIONS | {NIGHT, SUGGESTION}
"""Tags of what is kept as a memory of those types, and is nothing for a mind to read."""
_REVIEWED = (*LESSONS, MemoryType.ISSUE, MemoryType.PROMPT)


@dataclass(frozen=True)
class Reviewing:
    """Sets lessons of one clone aside, and takes them back. Methods block.

    Each raises `UnknownMemory` where there is no such lesson, and `UsageError` where the person may not, or nothing would change.
    """

    clone_id: str
    store: Store
    people: People
    hygiene: Hygiene
    upkeep: Upkeep
    faults: Callable[[Memory], list[str]]
    """What speaks against showing a lesson."""
    clock: Clock

    def waiting(self) -> tuple[Memory, ...]:
        """The lessons that nobody sees until somebody has looked at them, newest first: set aside, or by strangers."""
        found = [
            memory
            for kind in _REVIEWED
            for memory in self.store.memories(self.clone_id, type=kind, limit=None)
            if stage_of(memory) is Stage.QUARANTINED or _is_foreign(memory)
        ]
        return tuple(sorted(found, key=lambda one: (one.created_at, one.id), reverse=True))

    def approve(self, memory_id: str, by: str) -> Memory:
        """Let a lesson be shown, as the owner's own word."""
        return self._changed_by(by, "approves", memory_id, lambda memory: approved(memory, by))

    def reject(self, memory_id: str, by: str) -> Memory:
        """Let a lesson never be shown, whatever else speaks for it."""
        return self._changed_by(by, "rejects", memory_id, lambda memory: rejected(memory, by))

    def pin(self, memory_id: str, by: str) -> Memory:
        """Let a lesson always be shown where it fits, as the owner's own word."""

        def held(memory: Memory) -> Memory:
            if memory.type not in LESSONS or not _RULED_OUT.isdisjoint(memory.tags):
                raise UsageError(f"{memory.id} is no lesson: only lessons can be pinned.")
            return pinned(memory, by)

        return self._changed_by(by, "pins", memory_id, held)

    def unpin(self, memory_id: str, by: str) -> Memory:
        """Let a pinned lesson be superseded and pruned again; it stays approved."""

        def loose(memory: Memory) -> Memory:
            if PINNED not in memory.tags:
                raise UsageError(f"{memory.id} is not pinned.")
            return unpinned(memory)

        return self._changed_by(by, "unpins", memory_id, loose)

    def quarantine(self, memory_id: str, reason: str) -> Memory:
        """Set a lesson aside."""

        def aside(memory: Memory) -> Memory:
            if stage_of(memory) is Stage.QUARANTINED:
                raise UsageError(f"{memory.id} is set aside already.")
            return by_hand(set_aside(memory, reason))

        return self._changed(memory_id, aside)

    def restore(self, memory_id: str) -> Memory:
        """Take a lesson back that was retired or set aside: it is young, and on trial anew.

        What something speaks against has to be approved instead: retired, it waits for that from now on.
        """

        def back(memory: Memory) -> Memory:
            if is_shown(memory):
                raise UsageError(f"{memory.id} is shown already.")
            young = restored(memory)
            faults = self.faults(young)
            if faults and stage_of(memory) is Stage.QUARANTINED:
                raise UsageError(f"{memory.id} waits for approval: {'; '.join(faults)}.")
            return by_hand(at_birth(young, faults))

        return self._changed(memory_id, back)

    def prune(self, *, dry_run: bool = False) -> tuple[Memory, ...]:
        """Let go of what has served its time, or only tell."""
        return tuple(self.upkeep.prune(self.clock.now(), write=not dry_run))

    def flaws(self, *, quarantine: bool = False) -> tuple[Flawed, ...]:
        """What is wrong with the lessons; with `quarantine`, that is set aside."""
        now = self.clock.now()
        return self.hygiene.clean(now) if quarantine else self.hygiene.report(now)

    def _changed_by(
        self, person: str, does: str, memory_id: str, change: Callable[[Memory], Memory]
    ) -> Memory:
        if self.people.role(person) is not Source.OWNER:
            owner = self.people.clone().owner
            raise UsageError(f"Only the owner {does}: {owner}, not {person}.")
        return self._changed(memory_id, change)

    def _changed(self, memory_id: str, change: Callable[[Memory], Memory]) -> Memory:
        with self.store.learning(self.clone_id):
            after = change(self.store.memory(self.clone_id, memory_id))
            self.store.save_memory(after)
        return after


def _is_foreign(memory: Memory) -> bool:
    """Whether it would be shown, if it were not by somebody whom nobody knows: an import, for instance."""
    unknown = memory.provenance.source is Source.EXTERNAL and not is_approved(memory)
    return unknown and is_shown(memory) and RETRACTIONS.isdisjoint(memory.tags)
