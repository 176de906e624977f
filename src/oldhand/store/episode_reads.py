"""Read episodes and what belongs to them."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple, TypeVar

import sqlalchemy as sa

from oldhand.errors import UnknownEpisode, UsageError
from oldhand.record.answer import Answer, QueryStep
from oldhand.record.base import Record
from oldhand.record.episode import Episode, Message, Recalled, Recollection
from oldhand.record.evaluation import Evaluation
from oldhand.record.feedback import Feedback
from oldhand.record.usage import LedgerEntry, Usage
from oldhand.store import tables
from oldhand.store.transactions import (
    batches,
    fields_of,
    id_beginning,
    is_whole,
    record_of,
    rows_among,
)
from oldhand.store.verdict import Verdict, verdict

_episodes = tables.episodes
_R = TypeVar("_R", bound=Record)


class UsageTotal(Record):
    """What one model has cost in one stage on one day."""

    day: date
    """In UTC."""
    stage: str
    model: str
    usage: Usage
    seconds: float
    """Time spent waiting for it."""


def full_id(connection: sa.Connection, clone_id: str, given: str) -> str:
    """The id of the one episode that `given` is the id of, or the beginning of its id: 4 characters or more.

    Raises:
        UnknownEpisode: there is none.
        UsageError: several begin like that.
    """
    ids = sa.select(_episodes.c.id).where(_episodes.c.clone_id == clone_id)
    if len(given) < 4:
        ids = ids.where(_episodes.c.id == given)
    one = id_beginning(connection, ids, "answers", given)
    if one is None:
        raise UnknownEpisode(f"No answer with the id {given!r} is in the store.")
    return one


def load_episodes_called(
    connection: sa.Connection, clone_id: str, ids: Sequence[str]
) -> dict[str, Episode]:
    """The episodes of exactly these ids, whole."""
    of_clone = sa.select(_episodes).where(_episodes.c.clone_id == clone_id)
    found: list[Episode] = []
    for batch in batches(ids):
        found += load_episodes(connection, clone_id, of_clone.where(_episodes.c.id.in_(batch)))
    return {one.id: one for one in found}


def newest_episodes(
    clone_id: str, user_id: str | None, session_id: str | None
) -> sa.Select[*tuple[object, ...]]:
    """Select the episodes of a clone, or of one user or session of it, newest first."""
    of = _episodes.c
    query = sa.select(_episodes).where(of.clone_id == clone_id)
    for column, wanted in ((of.user_id, user_id), (of.session_id, session_id)):
        if wanted is not None:
            query = query.where(column == wanted)
    return query.order_by(of.created_at.desc(), of.seq.desc())


def load_episodes(
    connection: sa.Connection, clone_id: str, query: sa.Select[*tuple[object, ...]]
) -> list[Episode]:
    """The episodes whose rows `query` selects, whole and in its order."""
    rows = connection.execute(query).mappings().all()
    ids = [str(row["id"]) for row in rows]
    steps = _children(connection, tables.steps, QueryStep, clone_id, ids)
    messages = _children(connection, tables.messages, Message, clone_id, ids)
    ledger = _children(connection, tables.token_ledger, LedgerEntry, clone_id, ids)
    signals = load_signals(connection, clone_id, ids)
    return [
        _episode(row, steps[one], messages[one], ledger[one], signals[one].verdict())
        for one, row in zip(ids, rows, strict=True)
    ]


def _episode(
    row: sa.RowMapping,
    steps: list[QueryStep],
    messages: list[Message],
    ledger: list[LedgerEntry],
    known: Verdict,
) -> Episode:
    return Episode.model_validate(
        {
            **fields_of(Episode, row),
            "answer": {**fields_of(Answer, row), "episode_id": row["id"], "steps": steps},
            "messages": messages,
            "ledger": ledger,
            "success": known.success,
            "tags": tuple(dict.fromkeys((*row["tags"], *known.tags_by(row["user_id"])))),
        }
    )


def _children(
    connection: sa.Connection,
    table: sa.Table,
    kind: type[_R],
    clone_id: str,
    ids: Sequence[str],
    *where: sa.ColumnElement[bool],
) -> dict[str, list[_R]]:
    """Records of `kind` by the episode that they belong to, in their order."""
    order = table.c.seq if "seq" in table.c else table.c.position
    found: dict[str, list[_R]] = defaultdict(list)
    query = sa.select(table).where(table.c.clone_id == clone_id, *where).order_by(order)
    for row in rows_among(connection, query, table.c.episode_id, ids):
        found[row["episode_id"]].append(_with_usage(row, kind))
    return found


def _with_usage(row: sa.RowMapping, kind: type[_R]) -> _R:
    """The record that a row holds; usage lies in columns of its own."""
    if "usage" not in kind.model_fields:
        return record_of(kind, row)
    return kind.model_validate({**fields_of(kind, row), "usage": record_of(Usage, row)})


def is_recorded(connection: sa.Connection, episode: Episode) -> bool:
    """Whether exactly this episode is there already; raises `UsageError` when another one has its id."""
    known = load_episodes_called(connection, episode.clone_id, [episode.id]).get(episode.id)
    if known is None:
        return False
    # What was said of it since then is no part of what was recorded.
    since = {"success": episode.success, "tags": known.tags[: len(episode.tags)]}
    if known.model_copy(update=since) != episode:
        raise UsageError(f"The episode id {episode.id!r} is taken by another episode.")
    return True


def is_given(connection: sa.Connection, feedback: Feedback) -> bool:
    """Whether exactly this feedback is there already; raises `UsageError` when other feedback has its id."""
    table = tables.feedback
    query = sa.select(table).where(table.c.clone_id == feedback.clone_id, table.c.id == feedback.id)
    row = connection.execute(query).mappings().one_or_none()
    if row is not None and record_of(Feedback, row) != feedback:
        raise UsageError(f"The feedback id {feedback.id!r} is taken by other feedback.")
    return row is not None


class EpisodeSignals(NamedTuple):
    """All that says how an episode went."""

    feedback: tuple[Feedback, ...]
    evaluations: tuple[Evaluation, ...]
    executed: bool | None

    def and_also(self, feedback: Feedback) -> "EpisodeSignals":
        """These signals and one more."""
        return self._replace(feedback=(*self.feedback, feedback))

    def verdict(self) -> Verdict:
        """What they add up to."""
        return verdict(self.feedback, self.evaluations, self.executed)


def load_signals(
    connection: sa.Connection, clone_id: str, ids: Sequence[str]
) -> dict[str, EpisodeSignals]:
    """What is known of each of these episodes; ids that are no episode's are left out."""
    of = _episodes.c
    query = sa.select(of.id, of.success).where(of.clone_id == clone_id)
    executed: dict[str, bool | None] = {
        row["id"]: row["success"] for row in rows_among(connection, query, of.id, ids)
    }
    said = _children(
        connection, tables.feedback, Feedback, clone_id, list(executed), is_whole(tables.feedback)
    )
    evaluations = _children(connection, tables.evaluations, Evaluation, clone_id, list(executed))
    return {
        one: EpisodeSignals(tuple(said[one]), tuple(evaluations[one]), known)
        for one, known in executed.items()
    }


def load_evaluations(
    connection: sa.Connection, clone_id: str, episode_id: str
) -> tuple[Evaluation, ...]:
    """What evaluators found in an episode, in order of arrival."""
    found = _children(connection, tables.evaluations, Evaluation, clone_id, [episode_id])
    return tuple(found[episode_id])


def load_recollection(
    connection: sa.Connection, clone_id: str, episode_id: str
) -> Recollection | None:
    """What was recalled for an episode; None when that was not recorded."""
    table = tables.recollections
    query = sa.select(table.c.episode_id).where(
        table.c.clone_id == clone_id, table.c.episode_id == episode_id
    )
    if connection.scalar(query) is None:
        return None
    items = _children(connection, tables.recollection_items, Recalled, clone_id, [episode_id])
    return Recollection(episode_id=episode_id, items=tuple(items[episode_id]))


def load_usage(
    connection: sa.Connection, clone_id: str, since: datetime | None
) -> tuple[UsageTotal, ...]:
    """Sums of the token ledger by day, model and stage."""
    table = tables.token_ledger
    day = sa.cast(sa.func.date(_in_utc(connection, table.c.at)), sa.String)
    sums = [sa.func.sum(table.c[name]).label(name) for name in (*Usage.model_fields, "seconds")]
    query = (
        sa.select(day.label("day"), table.c.stage, table.c.model, *sums)
        .where(table.c.clone_id == clone_id)
        .group_by("day", table.c.stage, table.c.model)
    )
    if since is not None:
        query = query.where(table.c.at >= since)
    totals = [_with_usage(row, UsageTotal) for row in connection.execute(query).mappings()]
    return tuple(sorted(totals, key=lambda one: (one.day, one.model, one.stage)))


def _in_utc(connection: sa.Connection, at: sa.Column[datetime]) -> sa.ColumnElement[datetime]:
    """A moment on UTC's clock; SQLite keeps it so."""
    return at if connection.dialect.name == "sqlite" else sa.func.timezone("UTC", at)
