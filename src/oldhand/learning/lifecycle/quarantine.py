"""Setting lessons aside, and taking them back: always reversible, always with the reason."""

from oldhand.learning.lifecycle.pruning import SUPERSEDED_BY
from oldhand.record.feedback import Source
from oldhand.record.memory import Memory
from oldhand.record.stage import BY_HAND, PINNED, REVIEWED, Stage, at_stage, is_shown, stage_of

REJECTED = "rejected"
"""Tag of a lesson that the owner does not want; nothing brings it back but people."""
_SURE = 0.9
"""Confidence at least of what the owner has pinned."""
_REASON = "set_aside"
_AGAINST = "against"
TRIAL = "trial"
"""Field of a payload that holds what the trial of a lesson has shown so far."""
EXAM = "exam"
"""Field of a payload that holds how a lesson did with confirmed questions."""
KEPT_FIELDS = frozenset({_REASON, _AGAINST, TRIAL, EXAM, SUPERSEDED_BY})
"""Fields of a payload that say what has become of a lesson; the others are what it says."""


def set_aside(
    memory: Memory, reason: str, stage: Stage = Stage.QUARANTINED, *, behind: str | None = None
) -> Memory:
    """The lesson as one that is shown no more, with the reason.

    It may stand `behind` a lesson that it contradicts, and that counts more for now.

    >>> from oldhand.testing.records import example_memory
    >>> reason_of(set_aside(example_memory(), "It names a password."))
    'It names a password.'
    """
    fields = {_REASON: reason} if behind is None else {_REASON: reason, _AGAINST: behind}
    return _with(at_stage(memory, stage), fields, without=(_AGAINST,))


def by_hand(memory: Memory) -> Memory:
    """The lesson as one of which a person has decided what becomes of it.

    >>> from oldhand.testing.records import example_memory
    >>> by_hand(by_hand(example_memory(tags=("rule",)))).tags
    ('rule', 'by-hand')
    """
    tags = (*(tag for tag in memory.tags if tag != BY_HAND), BY_HAND)
    return memory.model_copy(update={"tags": tags})


def waits_behind(memory: Memory) -> str | None:
    """The id of the lesson that this one contradicts and was set aside for; None when it was for something else."""
    found = (memory.payload.model_extra or {}).get(_AGAINST)
    return str(found) if found and stage_of(memory) is Stage.QUARANTINED else None


def superseded(memory: Memory, by: str, reason: str) -> Memory:
    """The lesson as one whose place another has taken."""
    return _with(set_aside(memory, reason, Stage.RETIRED), {SUPERSEDED_BY: by})


def restored(memory: Memory) -> Memory:
    """The lesson as a young one that is on trial anew, whatever set it aside.

    >>> from oldhand.testing.records import example_memory
    >>> restored(set_aside(example_memory(tags=("rule",)), "Stale.")).tags
    ('rule', 'candidate')
    """
    tags = tuple(tag for tag in memory.tags if tag != REJECTED)
    plain = _with(memory, {}, without=(_REASON, _AGAINST, SUPERSEDED_BY, TRIAL))
    return at_stage(plain.model_copy(update={"tags": tags}), Stage.CANDIDATE)


def approved(memory: Memory, owner: str) -> Memory:
    """The lesson as one that the owner stands for."""
    young = restored(memory)
    provenance = memory.provenance.model_copy(update={"source": Source.OWNER, "rater": owner})
    tags = (*(tag for tag in young.tags if tag != REVIEWED), REVIEWED)
    return young.model_copy(update={"tags": tags, "provenance": provenance})


def pinned(memory: Memory, owner: str) -> Memory:
    """The lesson as one that the owner wants to be shown always: it is on trial no more.

    >>> from oldhand.testing.records import example_memory
    >>> pinned(example_memory(confidence=0.2), "ana").confidence
    0.9
    """
    young = approved(memory, owner)
    tags = (*(tag for tag in young.tags if tag != PINNED), PINNED)
    sure = max(memory.confidence, _SURE)
    return young.model_copy(update={"tags": tags, "confidence": sure})


def unpinned(memory: Memory) -> Memory:
    """The lesson as one that is on trial again."""
    return memory.model_copy(update={"tags": tuple(tag for tag in memory.tags if tag != PINNED)})


def rejected(memory: Memory, owner: str) -> Memory:
    """The lesson as one that the owner does not want."""
    plain = tuple(tag for tag in memory.tags if tag not in {REVIEWED, REJECTED, PINNED})
    refused = memory.model_copy(update={"tags": (*plain, REJECTED)})
    return set_aside(refused, f"{owner} does not want it.", Stage.RETIRED)


def reason_of(memory: Memory) -> str:
    """Why a lesson is not shown; empty when it is, or nobody said why."""
    if is_shown(memory):
        return ""
    return str((memory.payload.model_extra or {}).get(_REASON) or "")


def why_waiting(memory: Memory) -> str:
    """Why a lesson waits for the owner: as it was said, or because of who it comes from."""
    if stage_of(memory) is Stage.QUARANTINED:
        return reason_of(memory) or "Nobody said."
    return "It comes from people we don't know, such as by an import."


def _with(memory: Memory, fields: dict[str, str], *, without: tuple[str, ...] = ()) -> Memory:
    # Built anew, because a copy can't lose a field.
    payload = memory.payload
    kept = {name: value for name, value in payload.model_dump().items() if name not in without}
    changed = type(payload).model_validate({**kept, **fields})
    return memory.model_copy(update={"payload": changed})
