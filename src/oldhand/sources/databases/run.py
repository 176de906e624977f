"""One query under way: it can be stopped from any thread, once, with a reason."""

import threading

from oldhand.errors import DatabaseError
from oldhand.sources.databases.session import Session

_INTERRUPT_EVERY = 0.05
"""Seconds between two interrupts: one that arrives before the statement has begun has no effect."""
_INTERRUPTS = 200
"""After so many nobody waits any longer."""
_DEAD_AFTER = 5.0
"""Seconds after the first interrupt in which a statement that still runs is taken for one of a dead server."""


class QueryRun:
    """Joins the thread that reads with those that may want to stop it."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        """The time limit, from the moment in which the statement is sent."""
        self._lock = threading.Lock()
        self._session: Session | None = None
        self._ended = threading.Event()
        self._reason: DatabaseError | None = None
        self._timer: threading.Timer | None = None

    def begin(self, session: Session, on_timeout: DatabaseError) -> None:
        """The statement is about to run on `session`; the time limit starts now.

        Raises:
            DatabaseError: it was stopped before it began.
        """
        self._stop_timer()
        with self._lock:
            if self._reason is not None:
                raise self._reason
            self._session = session
        self._timer = threading.Timer(self.seconds, self.stop, (on_timeout,))
        self._timer.daemon = True
        self._timer.start()

    def leave(self) -> DatabaseError | None:
        """The statement no longer runs: the session is not touched from here on.

        Returns:
            Why it was stopped, or None when it was not.
        """
        self._stop_timer()
        with self._lock:
            self._session = None
            return self._reason

    def end(self) -> None:
        """All is over; whoever is stopping it may rest."""
        self._ended.set()

    def stop(self, reason: DatabaseError) -> None:
        """Interrupt the statement until it ends, and cut the line to a dead server; only the first reason counts."""
        with self._lock:
            if self._reason is not None or self._ended.is_set():
                return
            self._reason = reason
        last_resort = threading.Timer(_DEAD_AFTER, self._sever)
        last_resort.daemon = True
        last_resort.start()
        for _ in range(_INTERRUPTS):
            with self._lock:
                if self._session is not None:
                    self._session.interrupt()
            if self._ended.wait(_INTERRUPT_EVERY):
                break
        last_resort.cancel()

    def _sever(self) -> None:
        with self._lock:
            if self._session is not None:
                self._session.sever()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
