"""The memory of an episode: what a conversation's record shows of it."""

from oldhand.record.episode import Episode
from oldhand.record.memory import TTL_DAYS, EpisodicPayload, Memory, MemoryType, Provenance
from oldhand.record.shortening import shortened
from oldhand.store.verdict import Verdict

_SUMMARY_CHARS = 100


def episodic_memory(episode: Episode, known: Verdict) -> Memory:
    """The episodic memory of `episode`, with what is known of how it went."""
    answer = episode.answer
    return Memory(
        type=MemoryType.EPISODIC,
        id=episode.id,
        clone_id=episode.clone_id,
        user_id=episode.user_id,
        created_at=episode.created_at,
        last_used_at=episode.created_at,
        ttl_days=TTL_DAYS[MemoryType.EPISODIC],
        tags=episode.tags,
        summary=shortened(" ".join(answer.question.split()), _SUMMARY_CHARS),
        provenance=Provenance(),
        payload=EpisodicPayload(
            session_id=episode.session_id,
            user_text=answer.question,
            assistant_text=answer.text,
            model_used=answer.model,
            tools_used=episode.tools_used,
            cost=answer.usage.cost,
            latency_ms=episode.latency_ms,
            success=known.success,
            feedback=known.feedback,
        ),
    )
