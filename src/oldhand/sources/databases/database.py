"""A database that is only read: queries with a row limit, a time limit and a way to stop them."""

import asyncio
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Self

from sqlglot import exp

from oldhand.errors import (
    DatabaseUnreachable,
    FunctionRefused,
    QueryCancelled,
    QueryTimedOut,
    UnreadableSQL,
)
from oldhand.record.base import Cell
from oldhand.record.schema import DatabaseSchema
from oldhand.record.tracing import span
from oldhand.sources.cells import plain_cell
from oldhand.sources.databases.guard import checked_text
from oldhand.sources.databases.introspection import introspect
from oldhand.sources.databases.keys.infer import with_inferred_keys
from oldhand.sources.databases.result import QueryResult
from oldhand.sources.databases.run import QueryRun
from oldhand.sources.databases.selecting import quoted, selected
from oldhand.sources.databases.session import Driver, Session
from oldhand.sources.workers.reading import FetchedRows

_VALUES_SECONDS = 30.0
_MOST_FUNCTIONS = 100_000
_KEPT = 4
"""Sessions that wait for the next query; more are closed."""
_CANCEL_GRACE = 10.0
"""Seconds that a cancelled task waits for its query to end."""
_CALL = re.compile(r'(?:"((?:[^"]|"")+)"|`((?:[^`]|``)+)`|([\w$]+))\s*\(')
"""What stands before a bracket."""


class Database:
    """One database, opened for reading; safe to use from several tasks and threads at once.

    Sessions are opened when they are needed, kept for the next query, and opened anew after the server was restarted.
    """

    def __init__(
        self,
        name: str,
        driver: Driver,
        functions: Iterable[str] = (),
        monotonic: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.name = name
        self._functions = OwnFunctions(name, functions)
        self._driver = driver
        self._monotonic = monotonic
        self._slots = threading.BoundedSemaphore(driver.sessions)
        self._threads = ThreadPoolExecutor(driver.sessions, thread_name_prefix=f"oldhand-{name}")
        self._lock = threading.Lock()
        self._idle: list[Session] = []
        self._runs: set[QueryRun] = set()
        self._closed = False

    @property
    def dialect(self) -> str:
        """Name in sqlglot, such as `postgres` or `tsql`."""
        return self._driver.dialect

    @property
    def closed(self) -> bool:
        """True once `close` was called."""
        return self._closed

    def __repr__(self) -> str:
        return f"Database({self.name!r}, dialect={self.dialect!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def reach(self) -> None:
        """Open the first connection now, so that a wrong address shows at once.

        Raises:
            DatabaseUnreachable: there is no database, or it does not let us in.
        """
        session, _ = self._take()
        self._give_back(session)

    def fetch(self, sql: str, *, rows: int, seconds: float) -> QueryResult:
        """Run one statement as it stands: the caller answers for what it is.

        The connection itself only reads, so that even a statement that writes changes nothing.

        Args:
            sql: One statement in the database's dialect.
            rows: Rows that are fetched at most; the rest is cut, never read.
            seconds: Time limit; the database is told to stop.

        Raises:
            QueryFailed: the database rejected it.
            FunctionRefused: it calls a function that the database's owner wrote.
            WriteRefused: it would have changed something.
            QueryTimedOut: it ran longer than `seconds`.
            QueryCancelled: the database was closed meanwhile.
            DatabaseUnreachable: there is no connection, and a new one cannot be opened.
        """
        self._functions.check(sql, self._written)
        return self._carry_out(QueryRun(seconds), sql, rows)

    async def execute(self, sql: str, *, rows: int, seconds: float) -> QueryResult:
        """Check one statement and run it without blocking the loop.

        Cancelling the task that awaits this stops the query in the database.

        Raises:
            QueryRefused: it does more than read, or does not parse.
            DatabaseError: as `fetch`.
        """
        self._require_open()
        run = QueryRun(seconds)
        work = asyncio.get_running_loop().run_in_executor(
            self._threads, self._guard_and_carry_out, run, sql, rows
        )
        facts = {"db.system.name": self._driver.dialect, "db.namespace": self.name}
        try:
            with span(f"SELECT {self.name}", facts, {"db.query.text": sql}) as note:
                found = await asyncio.shield(work)
                note({"db.response.returned_rows": len(found.rows)})
                return found
        except asyncio.CancelledError:
            work.add_done_callback(_take_note)
            threading.Thread(target=run.stop, args=(QueryCancelled(),), daemon=True).start()
            await asyncio.wait({work}, timeout=_CANCEL_GRACE)
            raise

    def introspect(self, samples: int = 3) -> DatabaseSchema:
        """Read tables, columns, keys, comments and row counts, and look at the values of each column.

        Keys that the database does not declare are inferred from names and values.

        Args:
            samples: Distinct values per column at most; 0 reads no rows at all, and infers nothing. Columns that look
                like secrets have none.

        Raises:
            DatabaseError: the catalogue cannot be read.
        """
        found = introspect(self, self._driver.catalogue, samples)
        return with_inferred_keys(found, self) if samples else found

    def distinct_values(
        self, table: str, column: str, *, schema_name: str | None = None, limit: int
    ) -> Iterator[Cell]:
        """At most `limit` different values of a column, without NULL, in no order.

        Raises:
            DatabaseError: the column cannot be read, or not within 30 seconds.
        """
        filled = quoted(column).is_(exp.null()).not_()
        query = selected(table, schema_name, [column]).distinct().where(filled)
        sql = query.limit(limit).sql(self.dialect)
        for (value,) in self.fetch(sql, rows=limit, seconds=_VALUES_SECONDS).values:
            yield plain_cell(value)

    def close(self) -> None:
        """Stop what runs and close all connections; calling it twice is fine."""
        with self._lock:
            self._closed = True
            running, idle = list(self._runs), self._idle
            self._idle = []
        for run in running:
            run.stop(QueryCancelled(f"{self.name} was closed while the query ran."))
        for session in idle:
            session.close()
        self._threads.shutdown(wait=True)
        self._driver.close()

    def _written(self) -> set[str]:
        """The functions that somebody wrote in the database."""
        if self._driver.own_functions is None:
            return set()
        found = self._carry_out(
            QueryRun(_VALUES_SECONDS), self._driver.own_functions, _MOST_FUNCTIONS
        )
        return {str(name) for (name,) in found.values}

    def _require_open(self) -> None:
        if self._closed:
            raise DatabaseUnreachable(f"{self.name} is closed.")

    def _guard_and_carry_out(self, run: QueryRun, sql: str, rows: int) -> QueryResult:
        try:
            text = checked_text(sql, self.dialect)
            self._functions.check(text, self._written)
            return self._carry_out(run, text, rows)
        finally:
            run.end()

    def _carry_out(self, run: QueryRun, sql: str, rows: int) -> QueryResult:
        if not sql.strip() or "\0" in sql:
            raise UnreadableSQL("The SQL is empty, or holds a null character.")
        with self._slots:
            with self._lock:
                self._require_open()
                self._runs.add(run)
            try:
                started = self._monotonic()
                reading = self._read(run, sql, rows + 1)
                seconds = self._monotonic() - started
            finally:
                run.end()
                with self._lock:
                    self._runs.discard(run)
        truncated = len(reading.rows) > rows
        return QueryResult(reading.columns, tuple(reading.rows[:rows]), truncated, seconds)

    def _read(self, run: QueryRun, sql: str, rows: int) -> FetchedRows:
        session, fresh = self._take()
        try:
            return self._read_on(session, run, sql, rows)
        except DatabaseUnreachable:
            if fresh:
                raise
        self._close_idle()  # they are as old as the one that was lost
        session, _ = self._take()
        return self._read_on(session, run, sql, rows)

    def _read_on(self, session: Session, run: QueryRun, sql: str, rows: int) -> FetchedRows:
        timed_out = QueryTimedOut(f"{self.name}: stopped after {run.seconds:g} seconds.")
        try:
            run.begin(session, timed_out)
            return session.read(sql, rows, run.seconds)
        finally:
            self._after(run, session)

    def _after(self, run: QueryRun, session: Session) -> None:
        """Take the session back; raise why the run was stopped, whatever the driver made of that."""
        reason = run.leave()
        self._give_back(session)
        if reason is not None:
            raise reason

    def _take(self) -> tuple[Session, bool]:
        while True:
            with self._lock:
                session = self._idle.pop() if self._idle else None
            if session is None:
                return self._driver.connect(), True
            if session.usable:
                return session, False
            session.close()

    def _give_back(self, session: Session) -> None:
        with self._lock:
            if session.usable and not self._closed and len(self._idle) < _KEPT:
                self._idle.append(session)
                return
        session.close()

    def _close_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for session in idle:
            session.close()


def _take_note(work: asyncio.Future[QueryResult]) -> None:
    """See how a query ended that nobody waits for, else asyncio complains that nobody did."""
    if not work.cancelled():
        work.exception()


# Functions that a database's owner wrote: no syntax tree tells what they do, so they are refused unless settings list them.
class OwnFunctions:
    """Those of one database; they are asked for when a statement first calls one."""

    def __init__(self, database: str, allowed: Iterable[str]) -> None:
        self._database = database
        self._allowed = {name.casefold() for name in allowed}
        self._known: set[str] | None = None

    def check(self, sql: str, written: Callable[[], set[str]]) -> None:
        """Raise if the statement calls one that is not allowed.

        Raises:
            FunctionRefused: it does.

        >>> OwnFunctions("shop", ()).check("SELECT pay_all(1)", lambda: {"pay_all"})
        Traceback (most recent call last):
        ...
        oldhand.errors.FunctionRefused: pay_all() is a function that somebody wrote in shop, and what it does cannot be seen. If it only reads, list it in settings.yaml under query.functions.
        """
        called = {name.casefold() for found in _CALL.findall(sql) for name in found if name}
        if not called:
            return
        if self._known is None:
            self._known = {name.casefold() for name in written()} - self._allowed
        for name in sorted(called & self._known):
            raise FunctionRefused(
                f"{name}() is a function that somebody wrote in {self._database}, and what it does cannot be seen. "
                "If it only reads, list it in settings.yaml under query.functions."
            )
