"""Take all that is of a user, or follows from what they said, out of the tables of one clone."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from hashlib import blake2b
from typing import Any, NamedTuple, cast

import sqlalchemy as sa

from oldhand.record.clone import DEFAULT_USER
from oldhand.record.consultation import WHO_WAS_ASKED
from oldhand.record.evaluation import Evaluation
from oldhand.record.memory import RETRACTIONS, MemoryType
from oldhand.record.stage import DISTILLED
from oldhand.store import tables, work_tables
from oldhand.store.column_types import dump_json
from oldhand.store.erasing.mentions import Marks, mentions, without_name
from oldhand.store.search.index import search_scopes
from oldhand.store.transactions import BATCH, batches, delete_among, record_of, rows_among

_PERSONAL = frozenset({MemoryType.EPISODIC.value, MemoryType.REFLECTION.value})


class MemoryRow(NamedTuple):
    """What tells whose a version of a memory is."""

    seq: int
    id: str
    type: str
    user_id: str
    tags: Sequence[str]
    provenance: Mapping[str, object]
    payload: Mapping[str, object]

    @property
    def is_retraction(self) -> bool:
        """Whether it takes back what people said; it stands, whatever else is gone."""
        return not RETRACTIONS.isdisjoint(self.tags)


def marks_of(connection: sa.Connection, clone_id: str, user_id: str) -> Marks:
    """By what all that is of a user is told, apart from memories."""
    said = tables.feedback
    own = connection.scalars(_of_user(clone_id, user_id)).all()
    by_them = sa.select(said.c.id, said.c.episode_id).where(
        said.c.clone_id == clone_id, said.c.rater == user_id
    )
    given = connection.execute(by_them).all()
    judged = {row.episode_id for row in given} - set(own)
    ids = {*own, *(row.id for row in given)}
    lines: set[str] = set()
    for table in (said, tables.messages, tables.evaluations):
        query = sa.select(table).where(table.c.clone_id == clone_id)
        for row in rows_among(connection, query, table.c.episode_id, own):
            ids.add(row["id"])
            if table is tables.evaluations:
                lines.add(digest(dump_json(record_of(Evaluation, row).as_saved())))
    return Marks(user_id, frozenset(ids), frozenset(judged), lines=frozenset(lines))


def doomed_memories(
    connection: sa.Connection, clone_id: str, marks: Marks, reset: Iterable[str]
) -> tuple[dict[int, str], Marks]:
    """The versions of memories that go, with the ids of their memories, and the marks with what is gone.

    A version that names what goes goes, too, until nothing more is found.
    Those whose ids are in `reset` go whatever they say.
    """
    doomed: dict[int, str] = {}
    while True:
        before, left = len(doomed), set[str]()
        for row in memory_rows(connection, clone_id):
            if row.seq in doomed:
                continue
            if row.id in set(reset) or _is_doomed(row, marks):
                doomed[row.seq] = row.id
                if _is_own(row, marks):
                    marks = marks._replace(ids=marks.ids | {row.id})
            else:
                left.add(row.id)
        marks = marks._replace(gone=frozenset(set(doomed.values()) - left))
        if len(doomed) == before:
            return doomed, marks


def _is_own(row: MemoryRow, marks: Marks) -> bool:
    """Whether it is of the user, or looks back on an answer of theirs; what the clone keeps for all is nobody's."""
    personal = marks.user_id != DEFAULT_USER or row.type in _PERSONAL
    own = row.user_id == marks.user_id and personal
    return own or (
        row.type == MemoryType.REFLECTION.value and row.payload.get("episode_id") in marks.ids
    )


def _is_doomed(row: MemoryRow, marks: Marks) -> bool:
    user_id = marks.user_id
    if _is_own(row, marks):
        return True
    known = (row.provenance, row.payload)
    if row.is_retraction:
        return row.provenance.get("rater") == user_id
    ids = marks.ids | marks.gone
    if row.type == MemoryType.REFLECTION.value or DISTILLED in row.tags:
        ids |= marks.judged
    return mentions(known, user_id, ids)


def memory_rows(connection: sa.Connection, clone_id: str) -> Iterator[MemoryRow]:
    """All versions of all memories of a clone, in order of arrival, some at a time."""
    table = tables.memories
    columns = [table.c[name] for name in MemoryRow._fields]
    after = 0
    while True:
        query = sa.select(*columns).where(table.c.clone_id == clone_id, table.c.seq > after)
        rows = connection.execute(query.order_by(table.c.seq).limit(BATCH)).all()
        yield from (MemoryRow(*row) for row in rows)
        if len(rows) < BATCH:
            return
        after = rows[-1].seq


def delete_logs(connection: sa.Connection, clone_id: str, marks: Marks) -> dict[str, int]:
    """Delete what was asked and said, and what was found in it; says how much of each there was.

    What hangs on an episode goes with it.
    """
    counted = count_logs(connection, clone_id, marks.user_id)
    ids = sorted(marks.ids)
    for name, table in (("evaluations", tables.evaluations), ("", tables.issue_runs)):
        of_clone = table.c.clone_id == clone_id
        number = delete_among(connection, table, table.c.episode_id, ids, of_clone)
        if name:
            counted[name] = number
    for table, whose in _logs_of(clone_id, marks.user_id).values():
        connection.execute(sa.delete(table).where(table.c.clone_id == clone_id, whose))
    return counted


def count_logs(connection: sa.Connection, clone_id: str, user_id: str) -> dict[str, int]:
    """How much of what was asked and said goes with a user, and how many runs of which nobody can tell whose they are."""
    logs = _logs_of(clone_id, user_id)
    logs["runs_of_nobody"] = (work_tables.runs, _is_of_nobody(clone_id))
    counted: dict[str, int] = {}
    for name, (table, whose) in logs.items():
        count = sa.select(sa.func.count()).select_from(table)
        counted[name] = connection.scalar(count.where(table.c.clone_id == clone_id, whose)) or 0
    return counted


def _logs_of(clone_id: str, user_id: str) -> dict[str, tuple[sa.Table, sa.ColumnElement[bool]]]:
    """What was asked and said that goes with a user: the rows of each table, episodes last.

    A run may be theirs, too, where it does not say whose it is, as in old versions.
    """
    episode, said, runs = tables.episodes, tables.feedback, work_tables.runs
    on_theirs = said.c.episode_id.in_(_of_user(clone_id, user_id))
    sessions = _of_user(clone_id, user_id).with_only_columns(episode.c.session_id)
    is_theirs = sa.and_(runs.c.user_id.is_(None), runs.c.run_id.in_(sessions))
    is_run = sa.or_(runs.c.user_id == user_id, is_theirs, _is_of_nobody(clone_id))
    return {
        "feedback": (said, sa.or_(said.c.rater == user_id, on_theirs)),
        "runs": (runs, is_run),
        "episodes": (episode, episode.c.user_id == user_id),
    }


def _is_of_nobody(clone_id: str) -> sa.ColumnElement[bool]:
    """Whether a run neither says whose it is, nor has an answer that does."""
    runs, episode = work_tables.runs, tables.episodes
    known = sa.select(episode.c.session_id).where(episode.c.clone_id == clone_id)
    return sa.and_(runs.c.user_id.is_(None), runs.c.run_id.not_in(known))


def _of_user(clone_id: str, user_id: str) -> sa.Select[str]:
    """The ids of a user's episodes."""
    episode = tables.episodes.c
    return sa.select(episode.id).where(episode.clone_id == clone_id, episode.user_id == user_id)


def strip_runs(connection: sa.Connection, clone_id: str, changed: Set[str], lost: Set[str]) -> None:
    """Take what goes out of what the runs of others go on with: what is lost, and memories that were changed.

    Of these, some versions go, and a run may hold any of them.
    """
    runs = work_tables.runs
    columns = (runs.c.run_id, runs.c.lessons, runs.c.recalled, runs.c.instructions)
    for row in connection.execute(sa.select(*columns).where(runs.c.clone_id == clone_id)).all():
        lessons = [one for one in row.lessons if one["memory"]["id"] not in changed]
        recalled = [one for one in row.recalled if one["item_id"] not in lost]
        if (lessons, recalled) == (row.lessons, row.recalled):
            continue
        prompted = any(one["kind"] == "prompt" for one in row.recalled if one not in recalled)
        told = dict[str, str]() if prompted else row.instructions
        change = sa.update(runs).where(runs.c.clone_id == clone_id, runs.c.run_id == row.run_id)
        connection.execute(change.values(lessons=lessons, recalled=recalled, instructions=told))


def strip_notes(
    connection: sa.Connection, clone_id: str, user_id: str, changed: Sequence[str]
) -> None:
    """Let the notes of answers of others no longer name the user as who was asked, or had taught what they rest on.

    Notes of other answers stay, since a user may be called like an ordinary word.
    """
    episode = tables.episodes.c
    notes = sa.select(episode.seq, episode.notes).where(episode.clone_id == clone_id)
    _put(
        connection,
        notes,
        lambda told: [
            without_name(one, user_id) if one.startswith(WHO_WAS_ASKED) else one for one in told
        ],
    )
    for query in _resting_on(changed, clone_id, episode.notes):
        _put(connection, query, lambda told: [without_name(one, user_id) for one in told])


def strip_lost(connection: sa.Connection, clone_id: str, gone: Sequence[str]) -> None:
    """Take what is no longer there out of what was recalled for the answers of others."""
    item, memory = tables.recollection_items, tables.memories
    known = sa.select(memory.c.id).where(memory.c.clone_id == clone_id)
    found = {row["id"] for row in rows_among(connection, known, memory.c.id, gone)}
    lost = [one for one in gone if one not in found]
    for query in _resting_on(lost, clone_id, tables.episodes.c.lessons):
        _put(connection, query, lambda named: [one for one in named if one not in lost])
    delete_among(connection, item, item.c.item_id, lost, item.c.clone_id == clone_id)


def _resting_on(
    items: Sequence[str], clone_id: str, column: sa.Column[Any]
) -> Iterator[sa.Select[int, Any]]:
    """The answers for which some items were recalled, each with a list of theirs, in batches."""
    item, episode = tables.recollection_items.c, tables.episodes.c
    for batch in batches(items):
        recalled = sa.select(item.episode_id).where(
            item.clone_id == clone_id, item.item_id.in_(batch)
        )
        yield sa.select(episode.seq, column).where(
            episode.clone_id == clone_id, episode.id.in_(recalled)
        )


def _put(
    connection: sa.Connection,
    query: sa.Select[int, Any],
    change: Callable[[list[str]], list[str]],
) -> None:
    """Change a list of the answers that a query selects."""
    column = query.selected_columns[1]
    for seq, before in connection.execute(query).all():
        if (after := change(before)) != before:
            this = sa.update(tables.episodes).where(tables.episodes.c.seq == seq)
            connection.execute(this.values({column.name: after}))


def delete_scopes(connection: sa.Connection, clone_id: str, user_id: str) -> None:
    """Delete the search over memories of a user, of which none is left."""
    scope = search_scopes.c
    gone = sa.and_(scope.clone_id == clone_id, scope.user_id == user_id, scope.memories == 0)
    connection.execute(sa.delete(search_scopes).where(gone))


def delete_pending_lines(connection: sa.Connection, clone_id: str, marks: Marks) -> None:
    """Delete lines that wait to be written and belong to the user, or name what goes."""
    table = tables.journal_outbox
    query = sa.select(table.c.seq, table.c.user_id, table.c.line).where(
        table.c.clone_id == clone_id
    )
    gone = [
        row.seq
        for row in connection.execute(query)
        if row.user_id == marks.user_id or is_marked_line(row.line, json.loads(row.line), marks)
    ]
    delete_among(connection, table, table.c.seq, gone)


def is_marked_line(line: str, record: object, marks: Marks) -> bool:
    """Whether a line of a file is to go: it names what goes, or tells of a memory of which nothing is left."""
    if digest(line) in marks.lines:
        return True
    fields = cast("dict[str, object]", record) if isinstance(record, dict) else {}
    if fields.get("id") in marks.gone:
        return True
    tags = cast("object", fields.get("tags"))
    ids = marks.ids | marks.gone
    if fields.get("type") == MemoryType.REFLECTION.value or (
        isinstance(tags, list) and DISTILLED in tags
    ):
        ids |= marks.judged
    return mentions(fields or line, marks.user_id, ids)


def digest(text: str) -> str:
    """A short name for a text, from which it can't be read back."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
