"""One piece of Python, run by Monty in a process of its own: no files, no network, no imports beyond its own."""

import contextlib
import os
import signal
import threading
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic_monty import (
    CollectString,
    Monty,
    MontyCrashedError,
    MontyError,
    MontySession,
    ResourceLimits,
)

from oldhand.errors import ToolFailed
from oldhand.settings import PythonLimits

_MEBIBYTE = 1024 * 1024
_GRACE = 2.0
"""Seconds beyond the time limit after which a worker that does not stop by itself is killed."""
_TOLD_CHARS = 2_000
"""Characters of a traceback that the model is shown, its end."""
_SLEEP = 0.0
"""Seconds that the code may sleep: waiting serves nobody here."""


@dataclass(frozen=True)
class Ran:
    """What a piece of code brought."""

    printed: str
    value: object
    """Of its last expression; None when there is none."""


class Sandbox:
    """Runs one piece of code, once; another thread may stop it.

    The blocking face of Monty is used on purpose: the threads of its asynchronous one live on after it was closed
    and abort the whole program when they meet the interpreter at its end (seen in a third of short programs, 1.4.0).
    """

    def __init__(self, limits: PythonLimits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._worker: int | None = None
        self._stopped = False

    def run(self, code: str, tables: Mapping[str, object]) -> Ran:
        """Run `code` with the tables as variables; takes a little more than the time limit at most.

        Raises:
            ToolFailed: it raised an error, ran into a limit, or its process died; says what to do next.
        """
        limits = self._limits
        printed = CollectString(max_bytes=4 * limits.output_chars)
        allowed = ResourceLimits(
            max_feed_duration_secs=limits.seconds,
            max_memory=limits.memory_mib * _MEBIBYTE,
            max_recursion_depth=limits.recursion,
            max_total_sleep_secs=_SLEEP,
        )
        deadline = limits.seconds + _GRACE
        try:
            with (
                Monty(min_processes=0, max_processes=1, request_timeout=deadline) as pool,
                pool.checkout(limits=allowed) as session,
            ):
                self._begin(session)
                value = session.feed_run(code, inputs=dict(tables), print_callback=printed)
                self._end()
        except MontyCrashedError as error:
            self._end()
            raise ToolFailed(_crashed(error, stopped=self._stopped)) from error
        except MontyError as error:
            self._end()
            told = _raised(error, printed.output[: limits.output_chars])
            raise ToolFailed(told) from error
        except (OSError, RuntimeError, TypeError, ValueError) as error:
            self._end()
            raise ToolFailed(f"The sandbox could not run the code: {error}.") from error
        return Ran(printed.output, value)

    def stop(self) -> None:
        """Kill the process in which the code runs, if it still does."""
        with self._lock:
            self._stopped = True
            if self._worker is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self._worker, signal.SIGKILL)

    def _begin(self, session: MontySession) -> None:
        with self._lock:
            if self._stopped:
                raise ToolFailed("The code was stopped before it began.")
            self._worker = session.worker_pid  # None while it is busy

    def _end(self) -> None:
        with self._lock:
            self._worker = None


def _crashed(error: MontyCrashedError, *, stopped: bool) -> str:
    if stopped:
        return "The code was stopped."
    return f"The process of the sandbox died: {error}. Nothing of it is left; write the code differently."


def _raised(error: MontyError, printed: str) -> str:
    display = getattr(error, "display", None)
    told = str(display() if callable(display) else error)[-_TOLD_CHARS:]
    return f"{told}\nPrinted before that:\n{printed}" if printed else told
