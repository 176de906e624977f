"""Memories out to lines of JSON and back in, without loss."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TextIO, cast

from oldhand.errors import JournalError, MemoryConflict
from oldhand.record.base import Record
from oldhand.record.clone import DEFAULT_CLONE, DEFAULT_USER
from oldhand.record.feedback import MACHINES, TRUSTED, Source
from oldhand.record.memory import (
    RETRACTIONS,
    Memory,
    MemoryType,
    PreferencePayload,
    ReflectionPayload,
)
from oldhand.record.stage import FOUND, PINNED, REVIEWED, is_vouched
from oldhand.store.journal.lines import export_line, forgotten_id, journal_line, memory_from
from oldhand.store.journal.record_files import FoundRecord, read_records, record_files
from oldhand.store.memory_writes import SavedChange
from oldhand.store.store import Store

_APPROVALS = frozenset({REVIEWED, PINNED})
"""Tags by which the owner stands for a memory."""
_EXTERNAL = {"source": Source.EXTERNAL}
"""As words of somebody we don't know."""


class ImportReport(Record):
    """What an import did; a memory counts once, however many versions the files hold."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    skipped: int = 0
    untrusted: int = 0
    """Memories that say they come from the owner or an expert, for which nobody vouches: kept as external."""
    reasons: tuple[str, ...] = ()
    """Why something was skipped, one sentence for each."""


def export_memories(
    store: Store,
    target: TextIO,
    *,
    clone_id: str = DEFAULT_CLONE,
    user_id: str | None = None,
    type: MemoryType | None = None,  # noqa: A002
) -> int:
    """Write the memories of a clone, oldest first, one line each.

    Into an open text file, in UTF-8 with `newline=""`, or standard output; gives how many there were.
    """
    found = store.memories(clone_id, user_id=user_id, type=type, limit=None)
    target.writelines(export_line(memory) + "\n" for memory in reversed(found))
    return len(found)


def import_memories(
    store: Store,
    source: Path,
    *,
    clone_id: str = DEFAULT_CLONE,
    user_id: str | None = None,
    trust: bool = False,
) -> ImportReport:
    """Read memories from a file, or from a folder in the journal's layout, into a clone.

    Everything is checked before anything is changed. The latest record of an id wins. What a record says about where
    it comes from counts only if the file is trusted, or if the store has had this very record before; else it becomes
    `external`, which is kept but never recalled. What takes back what people taught is left out then.

    Args:
        store: where they go.
        source: a file of records, or a folder: its `*.jsonl` files, and those of its subfolders,
            whose names are the users' ids.
        clone_id: whose memories they become.
        user_id: whose they are when neither the record, nor the folder, nor the store says so.
        trust: believe what the records say about who taught them.

    Raises:
        JournalError: a file cannot be read, or a record does not hold; the file and line are
            named, and nothing was changed.
    """
    try:
        batch = _Batch(clone_id)
        for file, folder_owner in record_files(source):
            name = file.relative_to(source.parent if source.is_dir() else file.parent).as_posix()
            for found in read_records(file):
                batch.files[batch.add(found, folder_owner)] = name
        # Whoever learns or takes back meanwhile sees all of it, or nothing.
        with store.learning(clone_id):
            return batch.save(store, user_id or DEFAULT_USER, trust=trust)
    except JournalError as error:
        raise JournalError(f"{str(error).rstrip('.')}. {_NOTHING}") from error


@dataclass
class _Batch:
    """The latest record of each id, checked and ready."""

    clone_id: str
    memories: dict[str, Memory] = field(default_factory=dict[str, Memory])
    forgotten: dict[str, None] = field(default_factory=dict[str, None])
    owners: dict[str, str] = field(default_factory=dict[str, str])
    """Users as the files name them; an id that is not here may be anybody's."""
    places: dict[str, str] = field(default_factory=dict[str, str])
    files: dict[str, str] = field(default_factory=dict[str, str])
    """The file that each memory is read from."""

    def add(self, found: FoundRecord, folder_owner: str | None) -> str:
        """Check one record, and let it replace an earlier one of its id, which is returned."""
        try:
            return self._add(found, folder_owner)
        except JournalError as error:
            raise JournalError(f"{found.place}: {error}") from error

    def _add(self, found: FoundRecord, folder_owner: str | None) -> str:
        record = found.record
        owner = cast("str | None", record.get("user_id", folder_owner))
        if folder_owner not in (None, owner):
            raise JournalError(f"user_id: {owner} in the folder of {folder_owner}")
        if "forgotten_at" in record:
            memory_id = forgotten_id(record)
            self.memories.pop(memory_id, None)
            self.forgotten[memory_id] = None
        else:
            memory = memory_from(record, clone_id=self.clone_id, user_id=owner or DEFAULT_USER)
            memory_id = memory.id
            self.forgotten.pop(memory_id, None)
            self.memories[memory_id] = memory
        if owner is not None and self.owners.setdefault(memory_id, owner) != owner:
            other = self.owners[memory_id]
            raise JournalError(f"{memory_id} belongs to {other} at {self.places[memory_id]}")
        self.places[memory_id] = found.place
        return memory_id

    def save(self, store: Store, user_id: str, *, trust: bool) -> ImportReport:
        """Save everything in one transaction."""
        known = store.known_memories(self.clone_id, [*self.memories, *self.forgotten])
        own = {id_: found[0].user_id for id_, found in known.items()}
        memories = tuple(
            one.model_copy(update={"user_id": self.owners.get(id_) or own.get(id_) or user_id})
            for id_, one in self.memories.items()
        )
        stored = store.lessons.kept(self.clone_id, [*known])
        alive = {id_ for id_, one in stored.items() if not one.forgotten}
        protected = set[str]() if trust else protected_among(known, alive)
        found = Vetted(memories, (), ()) if trust else vetted(memories, known, protected)
        kept = [id_ for id_ in self.forgotten if id_ in protected]
        forgotten = [id_ for id_ in self.forgotten if id_ not in kept]
        try:
            changes = store.save_memories(
                self.clone_id, found.memories, forgotten=forgotten, files=self.files
            )
        except MemoryConflict as error:
            raise JournalError(f"{self.places[error.memory_id]}: {error}") from error
        ids = (*(memory.id for memory in found.memories), *forgotten)
        became = zip(ids, changes, strict=True)
        reasons = [f"{id_}: {_REASONS[one]}" for id_, one in became if one in _REASONS]
        reasons += (f"{id_}: {_NEEDS_TRUST}" for id_ in (*found.refused, *kept))
        return ImportReport(
            new=changes.count(SavedChange.NEW),
            changed=changes.count(SavedChange.CHANGED),
            unchanged=changes.count(SavedChange.UNCHANGED),
            skipped=len(reasons),
            untrusted=len(found.untrusted),
            reasons=tuple(reasons),
        )


_NOTHING = "Nothing was imported: put that right, and import again."
_NEEDS_TRUST = (
    "it changes what people taught or took back here, which only an import with --trust may"
)
_REASONS = {
    SavedChange.FORGOTTEN: "it was forgotten here",
    SavedChange.DERIVED: "its success and feedback follow from `oldhand feedback` only",
}


# Whom an import may speak for: a file can claim anything, so what it says of people counts only if somebody vouches.
class Vetted(NamedTuple):
    """What may be imported."""

    memories: tuple[Memory, ...]
    """With what nobody vouches for marked as external."""
    untrusted: tuple[str, ...]
    """Ids of those that were marked so."""
    refused: tuple[str, ...]
    """Ids of those that are left out: they would change what counts of what people have said."""


def vetted(
    memories: Iterable[Memory], known: Mapping[str, Sequence[Memory]], protected: Set[str]
) -> Vetted:
    """Take away what a file claims about people, unless the store has known the very same memory; what is `protected` it does not change."""
    kept: list[Memory] = []
    untrusted: list[str] = []
    refused: list[str] = []
    for memory in memories:
        before = known.get(memory.id, ())
        if journal_line(memory) in map(journal_line, before):
            kept.append(memory)
        elif is_retraction(memory) or memory.id in protected:
            refused.append(memory.id)
        else:
            humble = _as_external(memory)
            kept.append(humble)
            if humble != memory:
                untrusted.append(memory.id)
    return Vetted(tuple(kept), tuple(untrusted), tuple(refused))


def protected_among(known: Mapping[str, Sequence[Memory]], alive: Set[str]) -> Set[str]:
    """Ids of what no file may change: what people stand behind, of what is `alive`, and all that ever took back what they taught."""
    return {
        id_
        for id_, before in known.items()
        if any(map(is_retraction, before)) or (id_ in alive and is_vouched(before[-1]))
    }


def is_retraction(memory: Memory) -> bool:
    """Whether it takes back what people taught.

    >>> is_retraction(Memory.model_validate({
    ...     "type": "preference", "id": "p1", "created_at": "2026-01-01T00:00:00Z", "tags": ["order"],
    ...     "payload": {"key": "forget", "value": "example-1"}}))
    True
    """
    return not RETRACTIONS.isdisjoint(memory.tags)


def _as_external(memory: Memory) -> Memory:
    """The memory without trusted sources, its own and those of its evidence, and without anybody's approval."""
    changes: dict[str, object] = {}
    source = memory.provenance.source
    if source in TRUSTED or (source in MACHINES and memory.type in FOUND):
        changes["provenance"] = memory.provenance.model_copy(update=_EXTERNAL)
    if not _APPROVALS.isdisjoint(memory.tags):
        changes["tags"] = tuple(tag for tag in memory.tags if tag not in _APPROVALS)
    payload = memory.payload
    if isinstance(payload, PreferencePayload):
        evidence = tuple(
            one.model_copy(update=_EXTERNAL) if one.source in TRUSTED else one
            for one in payload.evidence
        )
        if evidence != payload.evidence:
            changes["payload"] = payload.model_copy(update={"evidence": evidence})
    if isinstance(payload, ReflectionPayload):
        # What a machine is said to have found may be invented, too.
        proposals = tuple(one.model_copy(update=_EXTERNAL) for one in payload.proposals)
        if proposals != payload.proposals:
            changes["payload"] = payload.model_copy(update={"proposals": proposals})
    return memory.model_copy(update=changes) if changes else memory
