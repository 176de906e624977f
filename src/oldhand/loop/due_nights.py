"""Nights that are due: every program that works in a home looks whether one was missed."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from oldhand.learning.distillation.bookmark import last_night
from oldhand.loop.ground import LoopPart
from oldhand.record.memory import MemoryType
from oldhand.settings import NightSettings

if TYPE_CHECKING:
    from oldhand.loop.night import Night

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
