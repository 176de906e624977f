"""Work that nobody waits for: answers are looked back on in a thread of its own while others are given."""

import asyncio
import atexit
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from threading import Event, Lock, Thread, main_thread
from typing import TYPE_CHECKING

from oldhand.errors.mishaps import Mishap
from oldhand.learning.distillation.bookmark import last_night
from oldhand.loop.ground import LoopPart
from oldhand.loop.reflecting import Reflecting
from oldhand.record.memory import Memory, MemoryType
from oldhand.settings import NightSettings

_DAY = timedelta(days=1)


@dataclass(frozen=True)
class DueNights(LoopPart):
    """Does the nights of a clone that were missed."""

    settings: NightSettings
    night: "Callable[[], Night]"
    """Asked for only when there is one to be done."""

    async def catch_up(self) -> None:
        """Do what was missed, in the time that the settings give it.

        It is for when rules have looked back on what waits just now.
        """
        if await asyncio.to_thread(self.is_due):
            await self.night().work(seconds=self.settings.seconds, looks_back=False)

    def is_due(self) -> bool:
        """Whether the last night was before the hour at which there should have been one; cheap."""
        if not self.settings.enabled:
            return False
        now, last = self.clock.now(), last_night(self.store, self.clone_id)
        begins = latest_hour(now, self.settings.hour)
        if last is not None:
            return last < begins or last > now + _DAY  # a clock that ran ahead
        first = self.store.lessons.page(self.clone_id, [MemoryType.REFLECTION], limit=1)
        return bool(first) and first[0].memory.created_at < begins


def latest_hour(now: datetime, hour: int) -> datetime:
    """The last time that it was so late, on the clock of the machine.

    >>> from datetime import UTC
    >>> at = latest_hour(datetime(2026, 1, 2, 12, tzinfo=UTC), 3)
    >>> at.hour, at.minute, datetime(2026, 1, 2, 12, tzinfo=UTC) - at < timedelta(days=1)
    (3, 0, True)
    """
    local = now.astimezone()
    today = local.replace(hour=hour, minute=0, second=0, microsecond=0)
    return today if today <= local else today - _DAY


if TYPE_CHECKING:
    from oldhand.loop.night import Night

_JOIN_SECONDS = 5.0
"""Time for what is under way to break off, before the process ends without it."""
_ENDED = "interpreter shutdown"
"""What Python says to whoever wants a thread while the program ends; what is not finished waits in the store."""


class Background:
    """Looks back on answers as they come, and on those left over from before; then does what nights have missed.

    The thread is there only while there is something to do. Whatever ends the process, what it has not finished waits
    in the store.
    """

    def __init__(
        self,
        reflecting: Reflecting,
        after: Callable[[], Awaitable[None]] | None = None,
        nights: DueNights | None = None,
        documents: Callable[[Callable[[], bool]], object] = lambda _: None,
    ) -> None:
        self._reflecting = reflecting
        self._after = after
        self._nights = nights
        self._documents = documents
        self._lock = Lock()
        self._night_done = Event()
        self._rules_done = Event()
        self._rules_done.set()
        self._thread: Thread | None = None
        self._again = False
        self._stopped = False
        self._under_way: tuple[asyncio.AbstractEventLoop, asyncio.Task[object]] | None = None

    def soon(self) -> None:
        """Look back on what waits; returns at once."""
        with self._lock:
            if self._stopped:
                return
            self._again = True
            self._night_done.clear()
            self._rules_done.clear()
            if self._thread is None:
                # A thread that is at work while Python ends may take the process down with it.
                atexit.register(self.break_off)
                self._thread = Thread(target=self._work, name="reflecting", daemon=True)
                self._thread.start()

    def catch_up(self, seconds: float) -> tuple[Memory, ...]:
        """Let rules look back on what waits, and wait for it: none is begun after this time. Blocks."""
        return asyncio.run(self._run(seconds, models=False))

    def wait(self, seconds: float) -> None:
        """Wait until rules have looked back on all that came so far, but no longer than this. Blocks."""
        self._rules_done.wait(seconds)

    @property
    def is_under_way(self) -> bool:
        """Whether it works on something just now."""
        with self._lock:
            return self._thread is not None

    def skip_nights(self) -> None:
        """Leave nights that were missed to other processes."""
        self._nights = None

    def stop(self) -> None:
        """Finish what rules look at, break off what a model looks at, and leave the rest for later. Blocks.

        A night that was missed gets a moment first, so that those are served, too, who only ever run single commands.
        """
        nights = self._nights
        if nights is not None and self._reflecting.mishaps.spared("night", nights.is_due) is True:
            self.soon()
            self._night_done.wait(nights.settings.command_seconds)
        self.break_off()

    def break_off(self) -> None:
        """Begin nothing more, and leave what a model looks at for later. Blocks for some seconds at most."""
        atexit.unregister(self.break_off)
        with self._lock:
            self._stopped = True
            thread, under_way = self._thread, self._under_way
            if under_way is not None:
                loop, task = under_way
                loop.call_soon_threadsafe(task.cancel)
        if thread is not None:
            thread.join(_JOIN_SECONDS)

    def _work(self) -> None:
        while True:
            with self._lock:
                if self._stopped or not self._again:
                    self._thread = None
                    atexit.unregister(self.break_off)
                    self._rules_done.set()
                    return
                self._again = False
            try:
                asyncio.run(self._interruptible())
            except asyncio.CancelledError:
                continue
            except RuntimeError as error:
                if _ENDED not in str(error) and main_thread().is_alive():
                    raise
                return

    async def _interruptible(self) -> None:
        task = asyncio.current_task()
        assert task is not None, "a coroutine runs in some task"
        with self._lock:
            if self._stopped:
                return
            self._under_way = (asyncio.get_running_loop(), task)
        try:
            await self._run(None, models=False)
            self._tell_rules_done()
            if self._nights is not None:
                await self._reflecting.mishaps.spared_while("night", self._nights.catch_up())
            self._night_done.set()
            await asyncio.to_thread(self._read_documents)
            if self._reflecting.may_ask_model():
                # A command that ends at once would only begin what costs money and break it off.
                await asyncio.sleep(self._reflecting.settings.pause_seconds)
                await self._run(None, models=True)
        finally:
            self._night_done.set()
            with self._lock:
                self._under_way = None

    def _read_documents(self) -> None:
        work = partial(self._documents, lambda: not self._stopped)
        self._reflecting.mishaps.spared("documents", work)

    def _tell_rules_done(self) -> None:
        with self._lock:
            if not self._again:
                self._rules_done.set()

    async def _run(self, seconds: float | None, *, models: bool) -> tuple[Memory, ...]:
        mishaps = self._reflecting.mishaps
        try:
            work = self._reflecting.run(seconds=seconds, models=models)
            done = await mishaps.spared_while("reflection", work)
        finally:
            if models and self._after is not None:
                await mishaps.spared_while("reflection", self._after())
        return () if isinstance(done, Mishap) else done
