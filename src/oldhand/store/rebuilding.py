"""Drop what can be derived from the logs, and derive the parts of it that are the store's own: search and tallies."""

from collections.abc import Collection

import sqlalchemy as sa

from oldhand.store import tables
from oldhand.store.erasing.erasing import delete_versions
from oldhand.store.erasing.rows import memory_rows
from oldhand.store.issues.recounting import recount_in, scopes_in
from oldhand.store.memory_rows import load_stored
from oldhand.store.memory_writes import entry_of
from oldhand.store.outcomes import recount
from oldhand.store.search import index as search_tables
from oldhand.store.search.index import add_entries
from oldhand.store.transactions import StorePart, batches

_tallies = tables.issue_tallies


class StoreRebuilding(StorePart):
    """What a `Store` does to derive things anew. Methods block, and may raise the errors of the store."""

    def drop(self, clone_id: str, memory_ids: Collection[str]) -> int:
        """Let these memories be as if they had never been, all their versions included; gives how many there were.

        Only for what will be derived from the logs again: nothing tells of them any longer.
        """
        wanted = frozenset(memory_ids)
        with self._transactions.writing(clone_id) as connection:
            rows = memory_rows(connection, clone_id)
            doomed = {row.seq: row.id for row in rows if row.id in wanted}
            delete_versions(connection, clone_id, doomed)
        return len(set(doomed.values()))

    def index(self, clone_id: str) -> int:
        """Drop the search of a clone and put every memory in again; gives how many there are."""
        scopes, table = search_tables.search_scopes, tables.memories
        with self._transactions.writing(clone_id, journalled=False) as connection:
            connection.execute(sa.delete(scopes).where(scopes.c.clone_id == clone_id))
            ids = list(
                connection.scalars(
                    sa.select(table.c.id)
                    .where(table.c.clone_id == clone_id)
                    .group_by(table.c.id)
                    .order_by(sa.func.max(table.c.seq))
                )
            )
            found = 0
            for batch in batches(ids):
                stored = load_stored(connection, clone_id, batch).values()
                alive = [one for one in stored if one.forgotten_at is None]
                alive.sort(key=lambda one: one.seq)
                add_entries(connection, [entry_of(one.memory, one.seq) for one in alive])
                found += len(alive)
        return found

    def tallies(self, clone_id: str) -> int:
        """Count issues again from the evaluations on record; gives in how many groups.

        Where evaluations were pruned, the tallies stay as they are: they know more than what is left.
        """
        with self._transactions.writing(clone_id, journalled=False) as connection:
            scopes = scopes_in(connection, clone_id)
            counted = _counts(connection, clone_id)
            again = connection.begin_nested()
            recount_in(connection, scopes)
            again_counted = _counts(connection, clone_id)
            if any(again_counted.get(one, 0) < count for one, count in counted.items()):
                again.rollback()
                return 0
            again.commit()
        return len(scopes)

    def votes(self, clone_id: str) -> int:
        """Count the votes on memories again from the feedback log; gives for how many memories there are some."""
        with self._transactions.writing(clone_id, journalled=False) as connection:
            return recount(connection, clone_id)


def _counts(connection: sa.Connection, clone_id: str) -> dict[str, int]:
    query = sa.select(_tallies.c.id, _tallies.c["count"]).where(_tallies.c.clone_id == clone_id)
    return {row[0]: row[1] for row in connection.execute(query)}
