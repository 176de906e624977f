"""How far a lesson has come in its trial; a tag of the memory, so that it is seen and can be taken back."""

from enum import StrEnum

from oldhand.record.feedback import MACHINES, TRUSTED
from oldhand.record.memory import LEAST_CONFIDENCE, THUMB, IssuePayload, Memory, MemoryType

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


class Stage(StrEnum):
    """The stages of a lesson, each the tag of its name."""

    CANDIDATE = "candidate"
    """Young: shown in half of the answers that it fits, so that its effect can be told."""
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
_ON_TRIAL = FOUND | {MemoryType.ISSUE}


def stage_of(memory: Memory) -> Stage:
    """The stage of a memory; without a tag that says so, it is a candidate. Of several, the most cautious counts.

    >>> from oldhand.testing.records import example_memory
    >>> stage_of(example_memory(tags=("rule", "trusted"))).value
    'trusted'
    """
    cautious = (Stage.QUARANTINED, Stage.RETIRED, Stage.TRUSTED)
    return next((one for one in cautious if one in memory.tags), Stage.CANDIDATE)


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
    """Whether it may be shown with any answer: vouched for or found, believed, and neither retired nor set aside.

    The search notes it with each version that is saved; a change of what counts needs a migration that notes it anew.

    >>> from oldhand.testing.records import example_memory
    >>> may_be_shown(example_memory()), may_be_shown(example_memory(confidence=0.2))
    (True, False)
    """
    return memory.confidence >= LEAST_CONFIDENCE and is_approved(memory) and is_shown(memory)


def is_on_trial(memory: Memory) -> bool:
    """Whether it is left to chance if an answer is made with this memory.

    Not with what people vouched for or stated: confirmed and rejected pairs, what words mean, what is pinned. Prompts
    are drawn among their versions, by other chances.

    >>> from oldhand.testing.records import example_memory
    >>> [is_on_trial(example_memory(kind=kind)) for kind in (MemoryType.SEMANTIC, MemoryType.EXAMPLE)]
    [True, False]
    """
    payload = memory.payload
    stated = memory.word is not None or PINNED in memory.tags
    rejected = isinstance(payload, IssuePayload) and payload.evaluator_type == THUMB
    return memory.type in _ON_TRIAL and not stated and not rejected


def at_stage(memory: Memory, stage: Stage) -> Memory:
    """The memory with the tag of that stage, and of no other.

    >>> from oldhand.testing.records import example_memory
    >>> at_stage(example_memory(tags=("rule", "candidate")), Stage.TRUSTED).tags
    ('rule', 'trusted')
    """
    other = tuple(tag for tag in memory.tags if tag not in set(Stage))
    return memory.model_copy(update={"tags": (*other, stage.value)})
