"""Setting lessons aside, and taking them back: always reversible, always with the reason."""

from oldhand.record.feedback import TRUSTED, Source
from oldhand.record.memory import LEAST_CONFIDENCE, RECORDS, Memory, MemoryType
from oldhand.record.stage import (
    BY_HAND,
    PINNED,
    REVIEWED,
    SUGGESTION,
    SUMMARY,
    SUPERSEDED_BY,
    Stage,
    State,
    at_stage,
    stage_of,
    state_of,
)

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


def approved(memory: Memory, owner: str, *, pin: bool = False) -> Memory:
    """The lesson as one that the owner stands for; pinned, it is shown always, and neither replaced nor let go of.

    >>> from oldhand.testing.records import example_memory
    >>> approved(example_memory(confidence=0.2), "ana", pin=True).confidence
    0.9
    """
    young = restored(memory)
    provenance = memory.provenance.model_copy(update={"source": Source.OWNER, "rater": owner})
    tags = (*(tag for tag in young.tags if tag not in {REVIEWED, PINNED}), REVIEWED)
    changes: dict[str, object] = {"tags": tags, "provenance": provenance}
    if pin:
        changes = {**changes, "tags": (*tags, PINNED), "confidence": max(memory.confidence, _SURE)}
    return young.model_copy(update=changes)


def retired(memory: Memory, reason: str) -> Memory:
    """The lesson as one that a person does not want: only people bring it back."""
    plain = tuple(tag for tag in memory.tags if tag not in {REVIEWED, REJECTED, PINNED})
    refused = memory.model_copy(update={"tags": (*plain, REJECTED)})
    return by_hand(set_aside(refused, reason, Stage.RETIRED))


def reason_of(memory: Memory) -> str:
    """Why a memory is in the state that it is in.

    >>> from oldhand.testing.records import example_memory
    >>> reason_of(example_memory(provenance={"source": "owner", "rater": "ana"}))
    'It is the word of ana (owner).'
    >>> reason_of(example_memory(kind=MemoryType.EXAMPLE, confidence=0.3, provenance={"source": "owner"}))
    'It is believed at 0.30, and used from 0.50 on.'
    """
    state = state_of(memory)
    said = str((memory.payload.model_extra or {}).get(_REASON) or "")
    if state is State.WAITING:
        foreign = "It comes from people we don't know, such as by an import."
        return said or ("Nobody said." if stage_of(memory) is Stage.QUARANTINED else foreign)
    if state is State.RETIRED:
        return said or _why_retired(memory)
    if state is State.ON_TRIAL:
        return "Machines have found it: chance decides which answers are made with it."
    return _why_candidate(memory) if state is State.CANDIDATE else _why_in_force(memory)


def _why_in_force(memory: Memory) -> str:
    by = memory.provenance.said_by
    if memory.type in RECORDS:
        return "It is on record."
    known = memory.provenance.source in TRUSTED
    if not {PINNED, REVIEWED}.isdisjoint(memory.tags):
        who = by if known else "Somebody with a say"
        return f"{who} {'pinned' if PINNED in memory.tags else 'approved'} it."
    if known:
        return f"It is the word of {by}."
    if stage_of(memory) is Stage.TRUSTED:
        return "Its trial has shown that it helps."
    return (
        "It is the version in use."
        if memory.type is MemoryType.PROMPT
        else f"It was found by {by}."
    )


def _why_retired(memory: Memory) -> str:
    if memory.word is not None:
        return "It was taken back."
    if memory.type is MemoryType.PROMPT:
        return "Another version has taken its place."
    trial = (memory.payload.model_extra or {}).get(TRIAL)
    return "Answers were worse with it." if trial else "Nobody said."


def _why_candidate(memory: Memory) -> str:
    if SUMMARY in memory.tags:
        return "It only counts what is asked: it is for people, and no model reads it."
    if SUGGESTION in memory.tags:
        return "It is tried as a version of a prompt."
    if memory.confidence < LEAST_CONFIDENCE:
        return (
            f"It is believed at {memory.confidence:.2f}, and used from {LEAST_CONFIDENCE:.2f} on."
        )
    return "Machines have found it; only people can vouch for what it says."


def _with(memory: Memory, fields: dict[str, str], *, without: tuple[str, ...] = ()) -> Memory:
    # Built anew, because a copy can't lose a field.
    payload = memory.payload
    kept = {name: value for name, value in payload.model_dump().items() if name not in without}
    changed = type(payload).model_validate({**kept, **fields})
    return memory.model_copy(update={"payload": changed})
