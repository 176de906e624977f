"""Whoever waits for a change of a consultation is woken by it, in whichever process it was made.

One look at the audit trail each half second serves all who wait on an event loop, however many they are; nobody waits, nobody looks,
and while no question is open it is looked more seldom.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress

from oldhand.errors import StoreError
from oldhand.store.consultations.ledger import ConsultationLedger

CarryOn = Callable[[Iterable[str]], Awaitable[None]]
"""Does what is due, and what other processes have left to do for those that they changed."""
IDLE = 4
"""How many times as long a look takes to come while no question is open."""


class ConsultationWatch:
    """Wakes those who wait, each on the event loop on which they do."""

    def __init__(
        self, clone_id: str, ledger: ConsultationLedger, carry_on: CarryOn, seconds: float
    ) -> None:
        self._clone_id = clone_id
        self._ledger = ledger
        self._carry_on = carry_on
        self._seconds = seconds
        self._waiting: dict[asyncio.Event, tuple[asyncio.AbstractEventLoop, str | None]] = {}
        self._looking: dict[
            asyncio.AbstractEventLoop, tuple[asyncio.Task[None], asyncio.Event]
        ] = {}

    def wake(self, consultation_id: str) -> None:
        """Wake those who wait for a change of this one, or of any."""
        waiting = (
            (loop, event)
            for event, (loop, of) in self._waiting.items()
            if of in (None, consultation_id)
        )
        for loop, event in (
            *waiting,
            *((loop, event) for loop, (_, event) in self._looking.items()),
        ):
            with suppress(RuntimeError):  # its loop has just ended
                loop.call_soon_threadsafe(event.set)

    @asynccontextmanager
    async def waiting(self, consultation_id: str | None = None) -> AsyncGenerator[asyncio.Event]:
        """An event that is set with each change of one, or of any of them when None."""
        event, loop = asyncio.Event(), asyncio.get_running_loop()
        self._waiting[event] = loop, consultation_id
        if loop not in self._looking:
            changed = asyncio.Event()
            self._looking[loop] = asyncio.create_task(self._look(changed)), changed
        try:
            yield event
        finally:
            del self._waiting[event]
            if loop not in (one for one, _ in self._waiting.values()):
                self._looking.pop(loop)[0].cancel()

    async def _look(self, changed: asyncio.Event) -> None:
        after: int | None = None
        while True:
            is_idle = False
            with suppress(StoreError):  # it is tried again with the next look
                last, ids = await asyncio.to_thread(self._ledger.changed, self._clone_id, after)
                for one in ids:
                    self.wake(one)
                await self._carry_on(ids)
                after = last  # what could not be carried on is seen again
                is_idle = not await asyncio.to_thread(self._ledger.waits, self._clone_id)
            if is_idle:
                with suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), self._seconds * IDLE)
                changed.clear()
            await asyncio.sleep(self._seconds)
