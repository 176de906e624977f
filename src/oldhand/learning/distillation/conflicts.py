"""Two lessons that can't both be right: which of them goes on, and why."""

from typing import NamedTuple

from oldhand.learning.distillation.lessons import said_by, trust_in
from oldhand.learning.distillation.likeness import gist_of, may_oppose, opposite
from oldhand.learning.distillation.places import contradict
from oldhand.learning.lifecycle.quarantine import set_aside, superseded
from oldhand.learning.recall.applies_when import condition_of
from oldhand.record.effect import Alias
from oldhand.record.memory import Memory, PreferencePayload, SemanticPayload
from oldhand.record.stage import PINNED, REVIEWED, Stage, at_stage

_PEOPLE = 2
"""What `trust_in` says of the word of people we know."""


class Settled(NamedTuple):
    """What becomes of the two."""

    newer: Memory
    older: Memory
    newer_wins: bool
    why: str


def settled(newer: Memory, older: Memory) -> Settled:
    """Let the newer lesson take the place of the older one, unless what the older one rests on counts more.

    The word of people we know counts more than what machines find, and among people the latest counts. What machines
    find must have been found at least as often.
    """
    if weight_of(newer) >= weight_of(older):
        why = f"{newer.id} is newer and says otherwise: {_says(newer)}"
        winner = newer
        if isinstance(payload := newer.payload, SemanticPayload):
            told = payload.model_copy(update={"supersedes": older.id})
            winner = newer.model_copy(update={"payload": told})
        return Settled(winner, superseded(older, newer.id, why), newer_wins=True, why=why)
    why = f"It contradicts {older.id}, which counts more: {_says(older)}"
    return Settled(set_aside(newer, why, behind=older.id), older, newer_wins=False, why=why)


def contradicts(one: Memory, other: Memory) -> bool:
    """Whether two lessons can't both be right: under the same condition, they say or do the opposite.

    >>> from oldhand.record.memory import MemoryType
    >>> from oldhand.testing.records import example_memory
    >>> def rule(text): return example_memory(text, MemoryType.SEMANTIC, payload={"rule": text})
    >>> contradicts(rule("Always round to cents"), rule("Never round to cents"))
    True
    """
    same_place = one.user_id == other.user_id and condition_of(one) == condition_of(other)
    if one.id == other.id or not same_place:
        return False
    if one.effect is not None and other.effect is not None:
        return contradict(one.effect, other.effect)
    said, theirs = said_by(one), said_by(other)
    if said is None or theirs is None:
        return False
    gist = gist_of(said[1])
    return may_oppose(gist, theirs[1]) and opposite(gist, gist_of(theirs[1]))


def weight_of(memory: Memory) -> tuple[int, int]:
    """How much a lesson counts against one that says otherwise; of two that count the same, the newer one goes on."""
    reviewed = not {PINNED, REVIEWED}.isdisjoint(memory.tags)
    trust = _PEOPLE if reviewed else trust_in(memory)
    return (trust, 0 if trust >= _PEOPLE else len(memory.provenance.episode_ids))


def _says(memory: Memory) -> str:
    effect = memory.effect
    if effect is not None and not isinstance(effect, Alias):
        return effect.says
    payload = memory.payload
    return payload.value if isinstance(payload, PreferencePayload) else memory.summary


def at_birth(memory: Memory, faults: list[str]) -> Memory:
    """A new lesson as a candidate, or set aside when something speaks against showing it."""
    if faults:
        return set_aside(memory, "; ".join(faults) + ".")
    return at_stage(memory, Stage.CANDIDATE)
