"""Derive all that was learned anew from what is on record: what was asked, said, found, drawn and decided.

Invariant: what follows from the logs can be dropped and comes back the same. What came from outside is read from the
record and not done again: what models said, what was drawn, what people approved, what was imported.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from oldhand.learning.distillation.bookmark import rewind
from oldhand.learning.distillation.summaries import SUMMARY
from oldhand.learning.evidence import EvidenceDecision
from oldhand.learning.learner import Learner
from oldhand.learning.lifecycle.quarantine import REJECTED
from oldhand.learning.notes import Learned
from oldhand.loop.ground import LoopPart
from oldhand.loop.night import Night
from oldhand.record.memory import (
    RETRACTIONS,
    THUMB,
    ExamplePayload,
    IssuePayload,
    Memory,
    MemoryType,
    PreferencePayload,
    ReflectionPayload,
)
from oldhand.record.stage import BY_HAND, DISTILLED, PINNED, REVIEWED
from oldhand.store import Store

_BY_PEOPLE = frozenset({BY_HAND, PINNED, REVIEWED, REJECTED, *RETRACTIONS})
"""Tags of what people have decided on: that is on record nowhere else."""


class Rebuilt(Learned):
    """What a rebuild has done: what follows from feedback, and the rest; only what was lost, or was wrong, has changed."""

    dropped: int = 0
    """Memories that were dropped before."""
    lessons: int = 0
    """Lessons that were distilled again, or got more evidence."""
    decided: int = 0
    """Lessons that were promoted or retired."""
    believed: int = 0
    """Lessons whose confidence changed."""
    credited: int = 0
    """Votes that say which passages help."""
    indexed: int = 0
    """Memories that can be found by the search."""
    counted: int = 0
    """Groups of issues that were counted again."""


@dataclass(frozen=True)
class Derivable:
    """Something that can be derived from the logs."""

    name: str
    rebuild: Callable[[], Rebuilt]
    """Derives it anew; says what it has done in its own fields."""


@dataclass(frozen=True)
class Rebuilding(LoopPart):
    """Rebuilds what one clone has learned, part by part; a later part may rest on an earlier one."""

    parts: Sequence[Derivable]

    async def rebuild(self, *, drop: bool = False) -> Rebuilt:
        """Derive everything anew; with `drop`, first let go of all that will be derived, as if it had never been.

        Raises:
            StoreError: it can be done again; nothing is lost that the logs tell of.
        """
        return await asyncio.to_thread(self._rebuild, drop)

    def _rebuild(self, drop: bool) -> Rebuilt:
        found: dict[str, object] = {}
        if drop:
            found["dropped"] = self.store.rebuilding.drop(self.clone_id, self.derived())
        for part in self.parts:
            done = part.rebuild()
            found |= {name: getattr(done, name) for name in done.model_fields_set}
        return Rebuilt.model_validate(found)

    def derived(self) -> tuple[str, ...]:
        """Ids of the memories that the logs of this store tell all of."""
        found = self.store.memories(self.clone_id, type=MemoryType.REFLECTION, limit=None)
        payloads = (one.payload for one in found)
        reflected = {one.episode_id for one in payloads if isinstance(one, ReflectionPayload)}
        return tuple(
            one.id
            for kind in MemoryType
            if kind not in {MemoryType.EPISODIC, MemoryType.REFLECTION, MemoryType.PROMPT}
            for one in self.store.memories(self.clone_id, type=kind, limit=None)
            if _BY_PEOPLE.isdisjoint(one.tags) and self._follows(one, reflected)
        )

    def _follows(self, memory: Memory, reflected: set[str]) -> bool:
        payload = memory.payload
        episodes = memory.provenance.episode_ids
        if DISTILLED in memory.tags:
            # What is often asked is summed up by nights only: a summary stays until the next one.
            return SUMMARY not in memory.tags and bool(episodes) and reflected.issuperset(episodes)
        known = self.store.episodes_called(self.clone_id, episodes)
        if not episodes or len(known) < len(set(episodes)):
            return False
        match payload:
            case ExamplePayload():
                said = {one.id for one in self.store.feedback_log(self.clone_id, episodes)}
                return bool(payload.evidence) and said.issuperset(payload.evidence)
            case IssuePayload():
                return payload.evaluator_type == THUMB
            case PreferencePayload():
                direct = any(one.strength.is_direct for one in payload.evidence)
                return memory.word is not None and bool(payload.evidence) and not direct
            case _:
                return False


def parts_of(
    store: Store, learner: Learner, night: Night, credit: Callable[[], int]
) -> tuple[Derivable, ...]:
    """All that can be derived, in the order in which it rests on each other."""
    clone_id = learner.clone_id

    def lessons() -> Rebuilt:
        with store.learning(clone_id):
            rewind(store, clone_id)
        done = night.distiller.distil()
        return Rebuilt(lessons=done.told.changed)

    def votes() -> Rebuilt:
        store.rebuilding.votes(clone_id)
        return Rebuilt()

    def decided() -> Rebuilt:
        made = [
            one
            for one in night.trials.decide()
            if one.evidence.decision is not EvidenceDecision.WAIT
        ]
        return Rebuilt(decided=len(made))

    return (
        Derivable("votes", votes),
        Derivable("feedback", lambda: Rebuilt(**dict(learner.rebuild()))),
        Derivable("credit", lambda: Rebuilt(credited=credit())),
        Derivable("lessons", lessons),
        Derivable("trials", decided),
        Derivable("confidence", lambda: Rebuilt(believed=night.upkeep.believe())),
        Derivable("issues", lambda: Rebuilt(counted=store.rebuilding.tallies(clone_id))),
        Derivable("search", lambda: Rebuilt(indexed=store.rebuilding.index(clone_id))),
    )


def changes(rebuilt: Rebuilt) -> Iterator[str]:
    """What a rebuild has changed, in words."""
    yield f"{len(rebuilt.saved)} memories changed, {len(rebuilt.withdrawn)} withdrawn"
    for number, what in (
        (rebuilt.lessons, "lessons distilled again"),
        (rebuilt.decided, "lessons promoted or retired"),
        (rebuilt.believed, "lessons believed otherwise"),
    ):
        if number:
            yield f"{number} {what}"
