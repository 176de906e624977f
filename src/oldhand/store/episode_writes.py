"""Write episodes and what belongs to them."""

from collections.abc import Iterator, Mapping, Sequence

import sqlalchemy as sa

from oldhand.errors import UsageError
from oldhand.record.base import Record
from oldhand.record.episode import Episode, Recollection
from oldhand.record.feedback import Feedback
from oldhand.record.memory import TTL_DAYS, EpisodicPayload, Memory, MemoryType, Provenance
from oldhand.record.ports import NewId
from oldhand.record.shortening import shortened
from oldhand.store import tables
from oldhand.store.credit.messages import note_feedback
from oldhand.store.outcomes import counting
from oldhand.store.reflection_queue import call_row, let_wait
from oldhand.store.transactions import insert_all
from oldhand.store.verdict import Verdict

_SUMMARY_CHARS = 100


def check_parts(episode: Episode, recollection: Recollection | None) -> None:
    """Raise `UsageError` unless all parts name the episode that they are recorded with."""
    named = {episode.answer.episode_id}
    if recollection is not None:
        named.add(recollection.episode_id)
    if named != {episode.id} or episode.answer.session_id != episode.session_id:
        raise UsageError(f"Not all parts of the episode {episode.id!r} belong to it.")


def insert_episode(connection: sa.Connection, episode: Episode, new_id: NewId) -> None:
    """Write an episode with its steps, messages and ledger; unless it is small talk, it waits to be looked back on from now on."""
    answer = episode.answer
    key = {"clone_id": episode.clone_id, "episode_id": episode.id}
    own = episode.model_dump(exclude={"answer", "messages", "ledger"})
    said = answer.model_dump(exclude={"steps", "episode_id", "session_id", "asked"})
    connection.execute(sa.insert(tables.episodes), {**own, **said})
    insert_all(connection, tables.steps, _in_order(key, answer.steps))
    written = {**key, "created_at": episode.created_at}
    messages = ({**one, "id": new_id()} for one in _in_order(written, episode.messages))
    insert_all(connection, tables.messages, messages)
    insert_all(
        connection, tables.token_ledger, ({**key, **call_row(one)} for one in episode.ledger)
    )
    if not answer.is_small_talk:
        let_wait(connection, episode.clone_id, episode.id, episode.created_at)


def insert_recollection(
    connection: sa.Connection, clone_id: str, recollection: Recollection
) -> None:
    """Write what was recalled for an episode, also when it was nothing."""
    key = {"clone_id": clone_id, "episode_id": recollection.episode_id}
    connection.execute(sa.insert(tables.recollections), key)
    # All fields of each: what one of them leaves out must not be lost for the others.
    rows = ({**key, "position": at, **dict(one)} for at, one in enumerate(recollection.items))
    insert_all(connection, tables.recollection_items, rows)


def insert_feedback(connection: sa.Connection, feedback: Feedback) -> None:
    """Add one signal to the log, count it, and let the answer be looked back on once more."""
    if feedback.passage is not None:
        connection.execute(sa.insert(tables.feedback), feedback.model_dump())
        return
    with counting(connection, feedback.clone_id, feedback.episode_id):
        connection.execute(sa.insert(tables.feedback), feedback.model_dump())
        note_feedback(connection, feedback.clone_id, feedback.episode_id)
    let_wait(connection, feedback.clone_id, feedback.episode_id, feedback.created_at)


def _in_order(key: Mapping[str, object], records: Sequence[Record]) -> Iterator[dict[str, object]]:
    """The rows of records that belong to something, each with its position."""
    for position, one in enumerate(records):
        yield {**key, "position": position, **one.model_dump()}


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
