"""Read what credit follows from (votes, and the passages that were shown), and keep what follows from it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.answer import Outcome
from oldhand.record.episode import Recalled
from oldhand.record.feedback import Feedback, Source
from oldhand.store import tables
from oldhand.store import work_tables as documents
from oldhand.store.credit.messages import note_feedback
from oldhand.store.transactions import StorePart, delete_among, insert_all, record_of, rows_among

CreditNumbers = Mapping[str, Mapping[str, float | Sequence[float]]]
"""By passage, and by the name of each number."""
VoteFields = Mapping[str, str | float | bool | Sequence[str] | Sequence[int] | None]
"""Of the vote, by their names."""
_events, _scores, _patterns = (
    documents.credit_events,
    documents.chunk_scores,
    documents.response_style_patterns,
)


class LoggedVote(NamedTuple):
    """A signal in the log, with its place in it."""

    seq: int
    feedback: Feedback


class SeenPassages(NamedTuple):
    """What somebody saw who voted on an answer."""

    question: str
    """As it stands alone."""
    cited: frozenset[str]
    items: tuple[Recalled, ...]
    """The passages that were considered."""


class EventRow(NamedTuple):
    """One vote with what it said, as it is kept."""

    feedback_id: str
    episode_id: str
    question: str
    vector: bytes | None
    model: str | None
    credits: CreditNumbers
    vote: VoteFields
    at: datetime


class ScoreRow(NamedTuple):
    """What is known of one passage for one kind of question."""

    chunk_hash: str
    intent: str
    score: float
    hit_count: int


class StyleWord(NamedTuple):
    """What the owner says of how an answer is put."""

    text: str
    """Of the answer."""
    rating: int | None
    """+1, 0 or -1."""
    edited: str | None
    """As the owner has put it."""


class CreditStore(StorePart):
    """What a `Store` keeps of credit. Methods block, and may raise the errors of the store."""

    def votes(
        self, clone_id: str, episode_ids: Sequence[str] | None = None
    ) -> tuple[LoggedVote, ...]:
        """What was said of answers for which passages were found, in order; of all of them, or of some."""
        vote, item = tables.feedback, tables.recollection_items
        with_passages = sa.exists().where(
            item.c.clone_id == vote.c.clone_id,
            item.c.episode_id == vote.c.episode_id,
            item.c.kind == "chunk",
        )
        query = sa.select(vote).where(vote.c.clone_id == clone_id, with_passages)
        with self._transactions.reading() as connection:
            rows = (
                connection.execute(query).mappings()
                if episode_ids is None
                else rows_among(connection, query, vote.c.episode_id, episode_ids)
            )
            found = [LoggedVote(row["seq"], record_of(Feedback, row)) for row in rows]
        return tuple(sorted(found, key=lambda one: one.seq))

    def has_passages(self, clone_id: str, episode_id: str) -> bool:
        """Whether passages were considered for an answer."""
        item = tables.recollection_items
        found = sa.select(item.c.item_id).where(
            item.c.clone_id == clone_id, item.c.episode_id == episode_id, item.c.kind == "chunk"
        )
        with self._transactions.reading() as connection:
            return connection.execute(found.limit(1)).first() is not None

    def seen(self, clone_id: str, episode_ids: Sequence[str]) -> dict[str, SeenPassages]:
        """The passages that were considered for these answers; answers without any are left out."""
        item, episode = tables.recollection_items, tables.episodes
        of = sa.select(item).where(item.c.clone_id == clone_id, item.c.kind == "chunk")
        asked = sa.select(
            episode.c.id, episode.c.question, episode.c.standalone, episode.c.citations
        ).where(episode.c.clone_id == clone_id)
        items: dict[str, list[Recalled]] = defaultdict(list)
        with self._transactions.reading() as connection:
            for row in rows_among(
                connection, of.order_by(item.c.position), item.c.episode_id, episode_ids
            ):
                items[row["episode_id"]].append(record_of(Recalled, row))
            return {
                row["id"]: SeenPassages(
                    row["standalone"] or row["question"],
                    frozenset(one["chunk"] for one in row["citations"] or ()),
                    tuple(items[row["id"]]),
                )
                for row in rows_among(connection, asked, episode.c.id, sorted(items))
            }

    def last(self, clone_id: str) -> int:
        """The place of the last event; another one after each change, 0 where there is none."""
        query = sa.select(sa.func.max(_events.c.seq)).where(_events.c.clone_id == clone_id)
        with self._transactions.reading() as connection:
            return connection.scalar(query) or 0

    def events(self, clone_id: str, after: int = 0) -> tuple[EventRow, ...]:
        """All votes that count, in the order of the log; those behind one place."""
        of_clone = sa.and_(_events.c.clone_id == clone_id, _events.c.seq > after)
        query = sa.select(_events).where(of_clone).order_by(_events.c.seq)
        with self._transactions.reading() as connection:
            rows = connection.execute(query).mappings()
            return tuple(EventRow(*(row[name] for name in EventRow._fields)) for row in rows)

    def replace(
        self,
        clone_id: str,
        gone: Sequence[str],
        added: Sequence[EventRow],
        scores: Mapping[str, Sequence[ScoreRow]],
        at: datetime,
    ) -> None:
        """Take out the events of some feedback, put others at the end, and let each of these passages have these scores.

        All of it at once; the scores of other passages stay.
        """
        with self._transactions.writing(clone_id, journalled=False) as connection:
            of_clone = _events.c.clone_id == clone_id
            delete_among(connection, _events, _events.c.feedback_id, gone, of_clone)
            insert_all(
                connection, _events, ({"clone_id": clone_id, **one._asdict()} for one in added)
            )
            delete_among(
                connection,
                _scores,
                _scores.c.chunk_hash,
                list(scores),
                _scores.c.clone_id == clone_id,
            )
            rows = (one for some in scores.values() for one in some)
            insert_all(
                connection,
                _scores,
                ({"clone_id": clone_id, "updated_at": at, **one._asdict()} for one in rows),
            )

    def scores(
        self, clone_id: str, chunks: Sequence[str] | None = None, intent: str | None = None
    ) -> tuple[ScoreRow, ...]:
        """What is known of these passages, or of all."""
        table = _scores
        query = sa.select(*(table.c[name] for name in ScoreRow._fields)).where(
            table.c.clone_id == clone_id
        )
        if intent is not None:
            query = query.where(table.c.intent == intent)
        with self._transactions.reading() as connection:
            rows = (
                connection.execute(query.order_by(table.c.chunk_hash)).mappings()
                if chunks is None
                else rows_among(connection, query, table.c.chunk_hash, chunks)
            )
            return tuple(ScoreRow(*(row[name] for name in ScoreRow._fields)) for row in rows)

    def styles(self, clone_id: str) -> tuple[StyleWord, ...]:
        """What the owner says of the style of answers, and answers that the owner has put otherwise, oldest first.

        Of each answer the last rating, and the last other words; answers with steps of SQL, and questions that had no answer, are put otherwise by none.
        """
        vote, episode, step = tables.feedback, tables.episodes, tables.steps
        same = sa.and_(episode.c.clone_id == vote.c.clone_id, episode.c.id == vote.c.episode_id)
        steps = sa.exists().where(
            step.c.clone_id == vote.c.clone_id, step.c.episode_id == vote.c.episode_id
        )
        written = sa.and_(~steps, episode.c.outcome == Outcome.ANSWERED.value)
        edited = sa.case((written, vote.c.correction))
        query = (
            sa.select(vote.c.episode_id, episode.c.text, vote.c.style_rating, edited)
            .join_from(vote, episode, same)
            .where(
                vote.c.clone_id == clone_id,
                vote.c.source == Source.OWNER.value,
                sa.or_(vote.c.style_rating.is_not(None), edited.is_not(None)),
            )
            .order_by(vote.c.seq)
        )
        last: dict[tuple[str, bool], StyleWord] = {}
        with self._transactions.reading() as connection:
            for at, *told in connection.execute(query):
                word = StyleWord(*told)
                last.pop((at, word.rating is None), None)
                last[at, word.rating is None] = word
        return tuple(last.values())

    def patterns(self, clone_id: str) -> dict[tuple[str, str], float]:
        """What people prefer in how answers are put, by kind and key."""
        query = sa.select(_patterns).where(_patterns.c.clone_id == clone_id)
        with self._transactions.reading() as connection:
            rows = connection.execute(query)
            return {(one.pattern_type, one.pattern_key): one.preference_score for one in rows}

    def keep_patterns(self, clone_id: str, patterns: Mapping[tuple[str, str], float]) -> None:
        """Keep these in place of all before."""
        with self._transactions.writing(clone_id, journalled=False) as connection:
            connection.execute(sa.delete(_patterns).where(_patterns.c.clone_id == clone_id))
            rows = [
                {
                    "clone_id": clone_id,
                    "pattern_type": kind,
                    "pattern_key": key,
                    "preference_score": score,
                }
                for (kind, key), score in sorted(patterns.items())
            ]
            insert_all(connection, _patterns, rows)

    def count(self, clone_id: str, up_to: int | None = None) -> int:
        """How many votes count; those up to one place."""
        query = sa.select(sa.func.count()).where(_events.c.clone_id == clone_id)
        if up_to is not None:
            query = query.where(_events.c.seq <= up_to)
        with self._transactions.reading() as connection:
            return connection.scalar(query) or 0

    def note_votes(self, clone_id: str) -> None:
        """Let the messages name the latest vote on each answer once more, as the log has it."""
        vote = tables.feedback
        of = sa.select(vote.c.episode_id).where(vote.c.clone_id == clone_id).distinct()
        with self._transactions.writing(clone_id, journalled=False) as connection:
            for one in connection.scalars(of).all():
                note_feedback(connection, clone_id, one)
