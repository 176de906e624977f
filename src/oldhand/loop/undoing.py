"""Taking back the last change of one memory: edited, approved, retired or forgotten, it is as it was before."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from oldhand.errors import UsageError
from oldhand.learning.evidence.weighing import says_of
from oldhand.learning.hygiene import editable_text
from oldhand.learning.lifecycle.quarantine import by_hand
from oldhand.learning.retractions import FORGET, RETRACTION
from oldhand.loop.memories import MemoryCare
from oldhand.loop.reviewing import Reviewing
from oldhand.record.feedback import Source
from oldhand.record.memory import (
    THUMB,
    ExamplePayload,
    IssuePayload,
    Memory,
    MemoryType,
    PreferencePayload,
)
from oldhand.record.stage import BY_HAND, PINNED, State, is_shown, state_of
from oldhand.store import MemoryVersion, Store


@dataclass(frozen=True)
class Undoing:
    """Takes changes of the memories of one clone back. Methods block."""

    store: Store
    memories: MemoryCare
    reviewing: Reviewing
    say_again: Callable[[Memory, str, str], Memory]
    """Corrects the answer that a pair rests on."""

    def undo(self, memory_id: str, by: str) -> Memory:
        """Let a memory be as it was before its last change; undone twice, it is as it was.

        What was retired is on trial anew, unless somebody with a say stands behind it. What counts as a change is what
        it says, its state, and whether it is pinned; new evidence alone is none.

        Raises:
            UnknownMemory: there never was one.
            UsageError: it was never changed, it follows from what people said, or the person is not the owner.
        """
        self.memories.people.check_owner(by, "undoes")
        clone_id = self.memories.clone_id
        versions = self.store.memory_versions(clone_id, memory_id)
        if (other := _said_before(versions)) is not None:
            return self.say_again(versions[-1].memory, editable_text(other), by)
        with self.store.learning(clone_id):
            versions = self.store.memory_versions(clone_id, memory_id)
            now = versions[-1]
            if RETRACTION in now.memory.tags and now.forgotten_at is None:
                self.memories.let_go(now.memory)
                return now.memory
            if now.forgotten_at is not None and (note := self._note_on(memory_id)) is not None:
                self.memories.let_go(note)
                return self.store.memory(clone_id, memory_id)
            after = self._before(versions)
            if after is None:
                self.memories.let_go(now.memory)
                return now.memory
            others = self.memories.aliases.replaced(after, rater=by, source=Source.OWNER)
            self.store.save_memories(clone_id, [after, *others.saved])
        return after

    def _before(self, versions: Sequence[MemoryVersion]) -> Memory | None:
        """The memory as it was; None when it was not there."""
        now = versions[-1]
        came_by_hand = BY_HAND in now.memory.tags and _is_back(versions)
        if _follows(now.memory) and now.forgotten_at is None and is_shown(now.memory) and not came_by_hand:  # fmt: skip
            raise UsageError(
                f"{now.memory.id} follows from what people said: take that back with `oldhand memory forget {now.memory.id}`, "
                "or go back to a moment with `oldhand memory undo --to`."
            )
        earlier = next((one for one in reversed(versions) if _look(one) != _look(now)), None)
        if earlier is None:
            state = state_of(now.memory)
            hint = "approve" if state is State.WAITING else "retire"
            raise UsageError(
                f"{now.memory.id} was never changed; it is {state.value}: `oldhand memory {hint} {now.memory.id}`."
            )
        if earlier.forgotten_at is not None:
            return None
        came_back = now.forgotten_at is not None or not is_shown(now.memory)
        if not came_back or not is_shown(earlier.memory) or _follows(earlier.memory):
            return by_hand(earlier.memory)
        after = self.reviewing.taken_up(earlier.memory)
        if state_of(after) is state_of(now.memory) is State.WAITING:
            raise UsageError(f"{after.id} waits for approval: `oldhand memory approve {after.id}`.")
        return after

    def _note_on(self, memory_id: str) -> Memory | None:
        """The latest note that a memory is forgotten with all that was said for it."""
        notes = self.store.memories(
            self.memories.clone_id, type=MemoryType.PREFERENCE, tag=RETRACTION, limit=None
        )
        found = [
            one
            for one in notes
            if isinstance(one.payload, PreferencePayload)
            and (one.payload.key, one.payload.value) == (FORGET, memory_id)
        ]
        return max(found, key=lambda one: one.created_at, default=None)


def _look(version: MemoryVersion) -> object:
    """What people see of a version, and what it does."""
    memory = version.memory
    gone = version.forgotten_at is not None
    return gone or (state_of(memory), PINNED in memory.tags, says_of(memory))


def _is_back(versions: Sequence[MemoryVersion]) -> bool:
    """Whether the last change was that it came back, and not that it says something else."""
    now = versions[-1]
    earlier = next((one for one in reversed(versions) if _look(one) != _look(now)), None)
    return earlier is not None and earlier.forgotten_at is not None


def _said_before(versions: Sequence[MemoryVersion]) -> Memory | None:
    """What a pair that follows from what people said has said before, in SQL.

    None where it always said the same, and where it was gone meanwhile: only the last step is taken back.
    """
    if _is_back(versions):
        return None
    now = versions[-1].memory
    if not isinstance(now.payload, ExamplePayload) or versions[-1].forgotten_at is not None:
        return None
    earlier = (one.memory for one in reversed(versions) if one.forgotten_at is None)
    others = (one for one in earlier if isinstance(one.payload, ExamplePayload) and one.payload.sql)
    here = editable_text(now)
    return next((one for one in others if _follows(now) and editable_text(one) != here), None)


def _follows(memory: Memory) -> bool:
    """Whether it is a pair that follows from feedback alone."""
    payload = memory.payload
    thumb = isinstance(payload, IssuePayload) and payload.evaluator_type == THUMB
    return thumb or (isinstance(payload, ExamplePayload) and bool(payload.evidence))
