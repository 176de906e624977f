"""Reflections with proposals, ready-made for tests."""

from datetime import timedelta

from oldhand.record.feedback import Source
from oldhand.record.memory import Memory, MemoryType, Provenance, ReflectionPayload
from oldhand.record.proposal import LessonProposal
from oldhand.testing.records import NOON


def example_proposal(text: str, episode_id: str = "episode-1", **changes: object) -> LessonProposal:
    """A rule that the owner's word stands for.

    >>> example_proposal("Count by id.", source="external").source.value
    'external'
    """
    fields: dict[str, object] = {
        "type": "semantic",
        "text": text,
        "episode_id": episode_id,
        "source": Source.OWNER,
    }
    return LessonProposal.model_validate({**fields, **changes})


def example_reflection(episode_id: str, *proposals: LessonProposal, minutes: float = 0) -> Memory:
    """The reflection on an episode, so many minutes after noon.

    >>> example_reflection("e-1", example_proposal("Count by id.", "e-1")).id
    'reflection-e-1'
    """
    return Memory(
        type=MemoryType.REFLECTION,
        id=f"reflection-{episode_id}",
        created_at=NOON + timedelta(minutes=minutes),
        ttl_days=180,
        confidence=0.7,
        tags=("auto-generated",),
        summary="Reflection on a response",
        provenance=Provenance(source=Source.EVALUATOR, episode_ids=(episode_id,)),
        payload=ReflectionPayload(
            episode_id=episode_id,
            user_text="How many customers live in Berlin?",
            assistant_text="42 customers live in Berlin.",
            reflection="Something was wrong.",
            proposals=proposals,
        ),
    )
