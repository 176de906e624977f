"""How far a memory has come: the stage of a lesson, kept as a tag, and the state of any memory, which is what people see."""

from enum import StrEnum

from oldhand.record.feedback import MACHINES, TRUSTED, Source
from oldhand.record.memory import LEAST_CONFIDENCE, RECORDS, THUMB, IssuePayload, Memory, MemoryType

PINNED = "pinned"
"""Tag of what the owner wants to be shown always; it is never on trial."""


DISTILLED = "distilled"
"""Tag of lessons that were made of reflections; each names the answers that these looked back on."""


REVIEWED = "reviewed"
"""Tag of what somebody trusted has looked at and approved; without it, nothing that others said is shown."""


BY_HAND = "by-hand"
"""Tag of what a person has set aside or taken back: nothing else is on record of that."""


SUGGESTION = "prompt_suggestion"
"""Tag of a rule that is an instruction for the prompt: it is tried as a version of the prompt, and not recalled."""


SUPERSEDED_BY = "superseded_by"
"""Field of a payload: the id of the lesson that took the place of this one."""
DEPRECATED = "deprecated"
"""Tag of a version of a prompt whose place another has taken; people can take it back."""
SUMMARY = "summary"
"""Tag of what only counts how often something is asked: for people, and not for models."""


class State(StrEnum):
    """What people are told of a memory; everything that shows one uses these words."""

    CANDIDATE = "candidate"
    """Noted and not used yet: more has to speak for it first."""
    ON_TRIAL = "on trial"
    """Nobody with a say stands behind it, so it is left to chance whether an answer is made with it."""
    IN_FORCE = "in force"
    """Used wherever it fits."""
    WAITING = "waiting"
    """Not used until somebody with a say has looked at it."""
    RETIRED = "retired"
    """Not used any more; it is kept, and people can take it back."""
    ERASED = "erased"
    """Forgotten, or let go of; only its history is left."""


class Stage(StrEnum):
    """The stages of a lesson, each the tag of its name, as they are stored; people are shown its `State`."""

    CANDIDATE = "candidate"
    """Young: where somebody with a say stands behind it, it is in force; else it is left to chance, so that its effect can be told."""
    TRUSTED = "trusted"
    """It helps: nearly always shown."""
    RETIRED = "retired"
    """It does harm: never shown; people can restore it."""
    QUARANTINED = "quarantined"
    """Set aside until somebody has looked at it: never shown."""


LESSONS = (
    MemoryType.SEMANTIC,
    MemoryType.CHECKLIST,
    MemoryType.PREFERENCE,
    MemoryType.BUG_FIX,
)
"""The types of memory that distillation writes."""
FOUND = frozenset(LESSONS)
"""What may rest on the findings of machines alone."""
"""Types that are no lessons but the record of one answer each."""
_FOUND_OUT = FOUND | {MemoryType.ISSUE}


def stage_of(memory: Memory) -> Stage:
    """The stage of a memory; without a tag that says so, it is a candidate. Of several, the most cautious counts.

    >>> from oldhand.testing.records import example_memory
    >>> stage_of(example_memory(tags=("rule", "trusted"))).value
    'trusted'
    """
    for one in (Stage.QUARANTINED, Stage.RETIRED, Stage.TRUSTED):
        if one in memory.tags:
            return one
    return Stage.CANDIDATE


def is_shown(memory: Memory) -> bool:
    """Whether it may be shown at all: neither retired nor set aside.

    >>> from oldhand.testing.records import example_memory
    >>> is_shown(example_memory(tags=("retired",)))
    False
    """
    return stage_of(memory) in {Stage.CANDIDATE, Stage.TRUSTED}


def is_approved(memory: Memory) -> bool:
    """Whether it rests on what trusted people said, was approved by one of them, or is what machines have found.

    What machines find becomes lessons, which are on trial; examples, and what words mean, only people can vouch for.

    >>> from oldhand.testing.records import example_memory
    >>> heard, found = (example_memory(provenance={"source": one}) for one in ("external", "execution"))
    >>> is_approved(heard), is_approved(heard.model_copy(update={"tags": (REVIEWED,)})), is_approved(found)
    (False, True, True)
    """
    source = memory.provenance.source
    found = source in MACHINES and memory.type in FOUND and memory.word is None
    return found or source in TRUSTED or REVIEWED in memory.tags


def may_be_shown(memory: Memory) -> bool:
    """Whether it may be shown with any answer: vouched for or found, and neither retired nor set aside.

    What was found out is judged by evidence, so a low confidence never hides it; what else is there must be believed.
    The search notes it with each version that is saved; a change of what counts needs a migration that notes it anew.

    >>> from oldhand.testing.records import example_memory
    >>> kinds = (MemoryType.EXAMPLE, MemoryType.SEMANTIC)
    >>> [may_be_shown(example_memory(kind=kind, confidence=0.2)) for kind in kinds]
    [False, True]
    """
    believed = memory.confidence >= LEAST_CONFIDENCE or is_found_out(memory)
    return believed and is_approved(memory) and is_shown(memory)


def is_found_out(memory: Memory) -> bool:
    """Whether it was worked out from answers, so that it may be wrong; not what people stated.

    Stated are confirmed and rejected pairs, what words mean, and what is pinned. Prompts are tried among their versions.

    >>> from oldhand.testing.records import example_memory
    >>> [is_found_out(example_memory(kind=kind)) for kind in (MemoryType.SEMANTIC, MemoryType.EXAMPLE)]
    [True, False]
    """
    payload = memory.payload
    stated = memory.word is not None or PINNED in memory.tags
    rejected = isinstance(payload, IssuePayload) and payload.evaluator_type == THUMB
    return memory.type in _FOUND_OUT and not stated and not rejected


def is_on_trial(memory: Memory) -> bool:
    """Whether it is left to chance if an answer is made with this memory: nobody with a say stands behind it.

    What the owner or an expert corrected or approved is in force at once and always.

    >>> from oldhand.testing.records import example_memory
    >>> rule = example_memory(kind=MemoryType.SEMANTIC, provenance={"source": "execution"})
    >>> is_on_trial(rule), is_on_trial(rule.model_copy(update={"tags": (REVIEWED,)}))
    (True, False)
    >>> is_on_trial(example_memory(kind=MemoryType.SEMANTIC, provenance={"source": "owner"}))
    False
    """
    return is_found_out(memory) and not is_vouched(memory)


def is_vouched(memory: Memory) -> bool:
    """Whether somebody with a say stands behind it: it is their word, or they have approved it."""
    return memory.provenance.source in TRUSTED or REVIEWED in memory.tags


def at_stage(memory: Memory, stage: Stage) -> Memory:
    """The memory with the tag of that stage, and of no other.

    >>> from oldhand.testing.records import example_memory
    >>> at_stage(example_memory(tags=("rule", "candidate")), Stage.TRUSTED).tags
    ('rule', 'trusted')
    """
    other = tuple(tag for tag in memory.tags if tag not in set(Stage))
    return memory.model_copy(update={"tags": (*other, stage.value)})


def state_of(memory: Memory) -> State:
    """The state of a memory that has not been erased.

    >>> from oldhand.testing.records import example_memory
    >>> owner, machine = {"source": "owner"}, {"source": "execution"}
    >>> pair = example_memory(kind=MemoryType.EXAMPLE, provenance=owner)
    >>> rule = example_memory(kind=MemoryType.SEMANTIC, provenance=machine)
    >>> [state_of(one).value for one in (pair, rule, at_stage(rule, Stage.TRUSTED), at_stage(rule, Stage.QUARANTINED))]
    ['in force', 'on trial', 'in force', 'waiting']
    >>> state_of(pair.model_copy(update={"confidence": 0.3})).value
    'candidate'
    """
    stage = stage_of(memory)
    if stage is Stage.QUARANTINED:
        return State.WAITING
    if stage is Stage.RETIRED or (memory.word is not None and not memory.confidence):
        return State.RETIRED
    if memory.type is MemoryType.PROMPT:
        return _state_of_prompt(memory)
    return State.IN_FORCE if memory.type in RECORDS else _state_of_lesson(memory)


def is_unread(memory: Memory) -> bool:
    """Whether no model gets to read it as a lesson: it only counts, or it is tried as a version of a prompt."""
    return not {SUMMARY, SUGGESTION}.isdisjoint(memory.tags)


def _state_of_lesson(memory: Memory) -> State:
    """Of one that is neither waiting nor retired by its stage."""
    if memory.provenance.source is Source.EXTERNAL and not is_approved(memory):
        return State.WAITING
    if is_unread(memory) or not may_be_shown(memory):
        return State.CANDIDATE
    tried = is_on_trial(memory) and stage_of(memory) is Stage.CANDIDATE
    return State.ON_TRIAL if tried else State.IN_FORCE


def _state_of_prompt(memory: Memory) -> State:
    """As the versions of a prompt are marked: the active one, the one on trial, and those that were replaced."""
    replaced = (memory.payload.model_extra or {}).get(SUPERSEDED_BY)
    if DEPRECATED in memory.tags or replaced:
        return State.RETIRED
    if getattr(memory.payload, "text", "").strip() and not is_approved(memory):
        return State.WAITING
    return State.ON_TRIAL if Stage.CANDIDATE in memory.tags else State.IN_FORCE


INTERNAL = frozenset({PINNED, DISTILLED, REVIEWED, BY_HAND, "rejected", *Stage})
"""Tags that say what has become of a memory; people are told its state instead."""
