"""Whoever waits for a change of a consultation is woken by it, in whichever process it was made.

One look at the audit trail each half second serves all who wait, however many they are; nobody waits, nobody looks.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress

from oldhand.errors import StoreError
from oldhand.store.consultations.ledger import ConsultationLedger

CarryOn = Callable[[Iterable[str]], Awaitable[None]]
"""Does what is due, and what other processes have left to do for those that they changed."""


class ConsultationWatch:
    """Wakes those who wait. All of it runs on one event loop."""

    def __init__(
        self, clone_id: str, ledger: ConsultationLedger, carry_on: CarryOn, seconds: float
    ) -> None:
        self._clone_id = clone_id
        self._ledger = ledger
        self._carry_on = carry_on
        self._seconds = seconds
        self._waiting: dict[str | None, set[asyncio.Event]] = {}
        self._task: asyncio.Task[None] | None = None

    def wake(self, consultation_id: str) -> None:
        """Wake those who wait for a change of this one, or of any."""
        for event in (*self._waiting.get(consultation_id, ()), *self._waiting.get(None, ())):
            event.set()

    @asynccontextmanager
    async def waiting(self, consultation_id: str | None = None) -> AsyncGenerator[asyncio.Event]:
        """An event that is set with each change of one, or of any of them when None."""
        event = asyncio.Event()
        self._waiting.setdefault(consultation_id, set()).add(event)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._look())
        try:
            yield event
        finally:
            events = self._waiting[consultation_id]
            events.discard(event)
            if not events:
                del self._waiting[consultation_id]

    async def _look(self) -> None:
        after: int | None = None
        while self._waiting:
            with suppress(StoreError):  # it is tried again with the next look
                after, ids = await asyncio.to_thread(self._ledger.changed, self._clone_id, after)
                await self._carry_on(ids)
                for one in ids:
                    self.wake(one)
            await asyncio.sleep(self._seconds)

    async def close(self) -> None:
        """Look no more."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
