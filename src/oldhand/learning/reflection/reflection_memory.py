"""The memory that a reflection becomes."""

from datetime import datetime
from uuid import NAMESPACE_URL, uuid5

from oldhand.learning.reflection.reflector import RULES, Reflected, Reflection
from oldhand.record.feedback import Source
from oldhand.record.memory import (
    TTL_DAYS,
    Memory,
    MemoryType,
    Provenance,
    ReflectionPayload,
)
from oldhand.record.shortening import shortened

CONFIDENCE = 0.7
"""Of an analysis that nobody has confirmed."""
_TEXT_CHARS = 500
"""The answer itself is in its episode, and would be kept twice."""
_SUMMARY_CHARS = 100


def reflection_id(clone_id: str, episode_id: str) -> str:
    """The id of the reflection on an episode: a later one is a new version of it.

    >>> reflection_id("default", "7599436d")
    '0e9c1e03-95bc-5d78-93c4-9cc4f24f63e5'
    """
    return str(uuid5(NAMESPACE_URL, f"oldhand:reflection:{clone_id}/{episode_id}"))


def reflection_memory(reflected: Reflected, reflection: Reflection) -> Memory:
    """The record of a reflection; it follows from both alone, so that it is the same when it is made anew."""
    episode = reflected.episode
    answer, mode = episode.answer, "agent" if reflected.is_of_an_agent else "analysis"
    return Memory(
        type=MemoryType.REFLECTION,
        id=reflection_id(episode.clone_id, episode.id),
        clone_id=episode.clone_id,
        user_id=episode.user_id,
        created_at=moment_of(reflected),
        ttl_days=TTL_DAYS[MemoryType.REFLECTION],
        confidence=CONFIDENCE,
        tags=("auto-generated", mode),
        summary=shortened(f"Reflection on {mode} response: {answer.question}", _SUMMARY_CHARS),
        provenance=Provenance(source=_source(reflected, reflection), episode_ids=(episode.id,)),
        payload=ReflectionPayload(
            episode_id=episode.id,
            user_text=shortened(answer.question, _TEXT_CHARS),
            assistant_text=shortened(answer.text, _TEXT_CHARS),
            success=episode.success,
            mode=mode,
            tools_used=episode.tools_used,
            reflection=" ".join(filter(None, (reflection.text, reflection.note))),
            learnings=reflection.learnings,
            root_cause=reflection.root_cause,
            depth=reflection.depth,
            proposals=reflection.proposals,
        ),
    )


def moment_of(reflected: Reflected) -> datetime:
    """When the last thing became known that the reflection is on."""
    signals = (*reflected.feedback, *reflected.evaluations)
    return max([reflected.episode.created_at, *(one.created_at for one in signals)])


def _source(reflected: Reflected, reflection: Reflection) -> Source:
    """Rules say what follows from the record; a model has read what people said, and is as trusted as they are."""
    return Source.EVALUATOR if reflection.mind == RULES else reflected.least_trusted
