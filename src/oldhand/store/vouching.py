"""Whom an import may speak for: a file can claim anything, so what it says of people counts only if somebody vouches."""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from oldhand.record.feedback import MACHINES, TRUSTED, Source
from oldhand.record.memory import RETRACTIONS, Memory, PreferencePayload, ReflectionPayload
from oldhand.record.stage import FOUND, PINNED, REVIEWED, is_vouched
from oldhand.store.journal.lines import journal_line

_APPROVALS = frozenset({REVIEWED, PINNED})
"""Tags by which the owner stands for a memory."""
_EXTERNAL = {"source": Source.EXTERNAL}
"""As words of somebody we don't know."""


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
