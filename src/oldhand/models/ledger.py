"""The token ledger of one turn: what each call to a language model cost, and for which stage."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock

from oldhand.models.clock import SystemClock
from oldhand.record.ports import Clock, Observer
from oldhand.record.progress import Spent
from oldhand.record.tracing import span
from oldhand.record.usage import LedgerEntry, Usage


class Ledger:
    """Collects the calls of one turn; safe to share between tasks and threads.

    >>> from oldhand.testing.clock import FixedClock
    >>> ledger = Ledger(FixedClock())
    >>> attempt = ledger.start("plan", "gpt-4")
    >>> entry = attempt.close(Usage(requests=1, input_tokens=900, output_tokens=60, cost=0.03))
    >>> again = attempt.close(Usage(requests=1))    # an attempt is booked once
    >>> ledger.total
    Usage(requests=1, input_tokens=900, cached_tokens=0, output_tokens=60, cost=0.03)
    """

    def __init__(self, clock: Clock | None = None, observe: Observer | None = None) -> None:
        """Start with nothing spent.

        Args:
            clock: for `LedgerEntry.at` and `.seconds`; the machine's own when None.
            observe: is told `Spent` after each call.
        """
        self.clock: Clock = clock or SystemClock()
        self._observe = observe
        self._lock = Lock()
        self._entries: list[LedgerEntry] = []
        self._total = Usage()

    def start(self, stage: str, model: str) -> "BookedRequest":
        """Note that a call begins."""
        return BookedRequest(self, stage, model)

    def add(self, entry: LedgerEntry) -> None:
        """Book a call that ended."""
        with self._lock:
            self._entries.append(entry)
            self._total = total = self._total + entry.usage
        if self._observe is not None:
            self._observe(Spent(stage=entry.stage, usage=entry.usage, total=total))

    @property
    def entries(self) -> tuple[LedgerEntry, ...]:
        """All calls so far, in the order in which they ended."""
        with self._lock:
            return tuple(self._entries)

    @property
    def total(self) -> Usage:
        """All calls so far, added up."""
        with self._lock:
            return self._total


class BookedRequest:
    """One request on its way; is booked when it is closed."""

    def __init__(self, ledger: Ledger, stage: str, model: str) -> None:
        self._ledger = ledger
        self._stage = stage
        self._model = model
        self._began = ledger.clock.monotonic()
        self._entry: LedgerEntry | None = None
        asked = {"gen_ai.operation.name": "chat", "gen_ai.request.model": model, "oldhand.stage": stage}  # fmt: skip
        self._span = span(f"chat {model}", asked)
        self._note = self._span.__enter__()

    def close(self, usage: Usage) -> LedgerEntry:
        """Book it with what it used; a second call changes nothing."""
        if self._entry is None:
            self._entry = LedgerEntry(
                stage=self._stage,
                model=self._model,
                usage=usage,
                seconds=self._ledger.clock.monotonic() - self._began,
                at=self._ledger.clock.now(),
            )
            self._ledger.add(self._entry)
            spent = {"gen_ai.usage.input_tokens": usage.input_tokens, "gen_ai.usage.output_tokens": usage.output_tokens}  # fmt: skip
            self._note(spent)
            error = sys.exception()
            trace = None if error is None else error.__traceback__
            self._span.__exit__(None if error is None else type(error), error, trace)
        return self._entry


_booking: ContextVar[Ledger | None] = ContextVar("oldhand_ledger", default=None)


def booking() -> Ledger | None:
    """The ledger of the run that this thread or task works for; None outside of any."""
    return _booking.get()


@contextmanager
def booked_to(ledger: Ledger) -> Generator[None]:
    """Have whoever asks a model inside the block, such as an evaluator of anybody's writing, book it there.

    >>> with booked_to(Ledger()) as _:
    ...     booking() is None
    False
    """
    token = _booking.set(ledger)
    try:
        yield
    finally:
        _booking.reset(token)
