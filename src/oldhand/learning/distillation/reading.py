"""What a reflection proposes, whoever wrote it."""

from collections.abc import Iterator

from oldhand.learning.distillation.lessons import Proposed
from oldhand.record.effect import Alias
from oldhand.record.memory import Memory, ReflectionPayload
from oldhand.record.proposal import LessonProposal, ProposedType

_CARRIES: tuple[ProposedType, ...] = ("semantic", "preference", "checklist", "bug_fix", "prompt")
"""Which type has the say where several proposals of one reflection have the same effect: two lessons that do the same
could not be told apart by leaving one out."""


def proposed_in(reflection: Memory) -> tuple[Proposed, ...]:
    """What a reflection proposes, each thing once; nothing when the memory is no reflection.

    Reflections of others say their rules as texts only: these count as words of whoever the reflection comes from.
    What words mean is learned from feedback directly, and so is left out.

    >>> from oldhand.record.memory import MemoryType
    >>> from oldhand.testing.records import example_memory
    >>> [one.proposal.text for one in proposed_in(example_memory(kind=MemoryType.REFLECTION))]
    ['Count customers by id, not by address']
    """
    payload = reflection.payload
    if not isinstance(payload, ReflectionPayload):
        return ()
    given = payload.proposals or tuple(_from_texts(reflection, payload))
    effects: set[str] = set()
    found: dict[str, Proposed] = {}
    for one in sorted(given, key=lambda proposal: _CARRIES.index(proposal.type)):
        if isinstance(one.effect, Alias):
            continue
        own = one
        if one.effect is not None:
            key = one.effect.model_dump_json() + (one.applies_when or "")
            own = one.model_copy(update={"effect": None}) if key in effects else one
            effects.add(key)
        proposed = Proposed(own, reflection)
        found.setdefault(proposed.lesson_id, proposed)
    return tuple(found.values())


def _from_texts(reflection: Memory, payload: ReflectionPayload) -> Iterator[LessonProposal]:
    texts: tuple[tuple[ProposedType, tuple[str, ...]], ...] = (
        ("semantic", payload.learnings.rules),
        ("prompt", payload.learnings.prompt_suggestions),
    )
    for kind, said in texts:
        for text in filter(str.strip, said):
            yield LessonProposal(
                type=kind,
                text=text,
                episode_id=payload.episode_id,
                source=reflection.provenance.source,
            )
