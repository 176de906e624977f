"""Read episodes and what belongs to them."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, TypeVar

import sqlalchemy as sa

from oldhand.errors import UnknownEpisode, UsageError
from oldhand.record.answer import Answer, QueryStep
from oldhand.record.base import Record
from oldhand.record.episode import Episode, Message
from oldhand.record.evaluation import Evaluation
from oldhand.record.feedback import Feedback
from oldhand.record.recollection import Recalled, Recollection
from oldhand.record.usage import LedgerEntry, Usage
from oldhand.store import tables
from oldhand.store.reading import batches, record_of
from oldhand.store.verdict import Verdict, verdict

_R = TypeVar("_R", bound=Record)


class UsageTotal(Record):
    """What one model has cost in one stage."""

    stage: str
    model: str
    usage: Usage
    seconds: float
    """Time spent waiting for it."""


def full_id(connection: sa.Connection, clone_id: str, given: str) -> str:
    """The id of the one episode that `given` is the id of, or the beginning of its id.

    Raises:
        UnknownEpisode: there is none, or fewer than 4 characters were given.
        UsageError: several begin like that.
    """
    column = tables.episodes.c.id
    of_clone = sa.select(column).where(tables.episodes.c.clone_id == clone_id)
    if connection.scalar(of_clone.where(column == given)) is not None:
        return given
    found: list[str] = []
    if len(given) >= 4:
        alike = of_clone.where(column.startswith(given, autoescape=True)).order_by(column)
        # SQLite's LIKE doesn't tell upper from lower case.
        found = [one for one in connection.scalars(alike) if one.startswith(given)]
    if not found:
        raise UnknownEpisode(f"No answer with the id {given!r} is in the store.")
    if len(found) > 1:
        some = ", ".join(found[:3])
        raise UsageError(f"{len(found)} answers begin with {given!r} ({some}, …): give more of it.")
    return found[0]


def load_episode(connection: sa.Connection, clone_id: str, episode_id: str) -> Episode | None:
    """The episode of exactly that id, whole, or None."""
    table = tables.episodes
    query = sa.select(table).where(table.c.clone_id == clone_id, table.c.id == episode_id)
    return next(iter(load_episodes(connection, clone_id, query)), None)


def load_episodes_called(
    connection: sa.Connection, clone_id: str, ids: Sequence[str]
) -> dict[str, Episode]:
    """The episodes of exactly these ids, whole."""
    table = tables.episodes
    found: list[Episode] = []
    for batch in batches(ids):
        query = sa.select(table).where(table.c.clone_id == clone_id, table.c.id.in_(batch))
        found += load_episodes(connection, clone_id, query)
    return {one.id: one for one in found}


def newest_episodes(
    clone_id: str, user_id: str | None, session_id: str | None
) -> sa.Select[*tuple[object, ...]]:
    """Select the episodes of a clone, or of one user or session of it, newest first."""
    table = tables.episodes
    query = sa.select(table).where(table.c.clone_id == clone_id)
    if user_id is not None:
        query = query.where(table.c.user_id == user_id)
    if session_id is not None:
        query = query.where(table.c.session_id == session_id)
    return query.order_by(table.c.created_at.desc(), table.c.seq.desc())


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
    said = {name: row[name] for name in Answer.model_fields if name in row}
    own = {name: row[name] for name in Episode.model_fields if name in row}
    answer = {**said, "episode_id": row["id"], "steps": steps}
    return Episode.model_validate(
        {
            **own,
            "answer": answer,
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
) -> dict[str, list[_R]]:
    """Records of `kind` by the episode that they belong to, in their order."""
    order = table.c.seq if "seq" in table.c else table.c.position
    found: dict[str, list[_R]] = defaultdict(list)
    for batch in batches(ids):
        query = (
            sa.select(table)
            .where(table.c.clone_id == clone_id, table.c.episode_id.in_(batch))
            .order_by(order)
        )
        for row in connection.execute(query).mappings():
            found[row["episode_id"]].append(kind.model_validate(_nested(row, kind)))
    return found


def _nested(row: sa.RowMapping, kind: type[Record]) -> dict[str, object]:
    """The fields of a record; usage lies in columns of its own."""
    fields = {name: row[name] for name in kind.model_fields if name in row}
    return {**fields, "usage": record_of(Usage, row)} if kind is LedgerEntry else fields


def is_recorded(connection: sa.Connection, episode: Episode) -> bool:
    """Whether exactly this episode is there already.

    Raises:
        UsageError: another one has its id.
    """
    known = load_episode(connection, episode.clone_id, episode.id)
    if known is None:
        return False
    # What was said of it since then is no part of what was recorded.
    since = {"success": episode.success, "tags": known.tags[: len(episode.tags)]}
    if known.model_copy(update=since) != episode:
        raise UsageError(f"The episode id {episode.id!r} is taken by another episode.")
    return True


def is_given(connection: sa.Connection, feedback: Feedback) -> bool:
    """Whether exactly this feedback is there already.

    Raises:
        UsageError: other feedback has its id.
    """
    table = tables.feedback
    query = sa.select(*(table.c[name] for name in Feedback.model_fields)).where(
        table.c.clone_id == feedback.clone_id, table.c.id == feedback.id
    )
    row = connection.execute(query).mappings().one_or_none()
    if row is not None and Feedback.model_validate(dict(row)) != feedback:
        raise UsageError(f"The feedback id {feedback.id!r} is taken by other feedback.")
    return row is not None


class Signals(NamedTuple):
    """All that says how an episode went."""

    feedback: tuple[Feedback, ...]
    evaluations: tuple[Evaluation, ...]
    executed: bool | None

    def and_also(self, feedback: Feedback) -> "Signals":
        """These signals and one more."""
        return self._replace(feedback=(*self.feedback, feedback))

    def verdict(self) -> Verdict:
        """What they add up to."""
        return verdict(self.feedback, self.evaluations, self.executed)


def load_signals(
    connection: sa.Connection, clone_id: str, ids: Sequence[str]
) -> dict[str, Signals]:
    """What is known of each of these episodes; ids that are no episode's are left out."""
    table = tables.episodes
    executed: dict[str, bool | None] = {}
    for batch in batches(ids):
        query = sa.select(table.c.id, table.c.success).where(
            table.c.clone_id == clone_id, table.c.id.in_(batch)
        )
        executed |= {row.id: row.success for row in connection.execute(query)}
    feedback = _children(connection, tables.feedback, Feedback, clone_id, list(executed))
    evaluations = _children(connection, tables.evaluations, Evaluation, clone_id, list(executed))
    return {
        one: Signals(tuple(feedback[one]), tuple(evaluations[one]), known)
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
    """Sums of the token ledger by stage and model."""
    table = tables.token_ledger
    sums = [sa.func.sum(table.c[name]).label(name) for name in (*Usage.model_fields, "seconds")]
    query = (
        sa.select(table.c.stage, table.c.model, *sums)
        .where(table.c.clone_id == clone_id)
        .group_by(table.c.stage, table.c.model)
    )
    if since is not None:
        query = query.where(table.c.at >= since)
    totals = [
        UsageTotal(
            stage=row["stage"],
            model=row["model"],
            usage=record_of(Usage, row),
            seconds=row["seconds"],
        )
        for row in connection.execute(query).mappings()
    ]
    return tuple(sorted(totals, key=lambda total: (total.stage, total.model)))
