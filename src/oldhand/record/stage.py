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
_FOUND_OUT = FOUND | {MemoryType.ISSUE}


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
    vouched = memory.provenance.source in TRUSTED or REVIEWED in memory.tags
    return is_found_out(memory) and not vouched


def at_stage(memory: Memory, stage: Stage) -> Memory:
    """The memory with the tag of that stage, and of no other.

    >>> from oldhand.testing.records import example_memory
    >>> at_stage(example_memory(tags=("rule", "candidate")), Stage.TRUSTED).tags
    ('rule', 'trusted')
    """
    other = tuple(tag for tag in memory.tags if tag not in set(Stage))
    return memory.model_copy(update={"tags": (*other, stage.value)})
