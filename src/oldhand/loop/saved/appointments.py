"""Schedules: what is due is asked and sent, once, whichever process looks first; what fails is tried again and stops nothing else."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock

from oldhand.errors import DeliveryFailed, OldhandError
from oldhand.errors.mishaps import Mishap, Mishaps
from oldhand.loop.saved.asking import SavedAsking
from oldhand.loop.saved.sending import AnswerSender
from oldhand.record.answer import Outcome
from oldhand.record.base import Record
from oldhand.record.file_names import without_folders
from oldhand.record.ports import Clock
from oldhand.record.saved import Delivery, DeliveryState, SavedAnswer
from oldhand.settings import SavedSettings
from oldhand.store import Store
from oldhand.store.saved.rows import CLAIMED, ClaimedDelivery, ClaimedQuestion
from oldhand.store.saved.store import NextTry, SavedStore

_LONGEST = timedelta(hours=12)


class Fired(Record):
    """What was due, and what came of it."""

    asked: int = 0
    failed: int = 0
    """Of these: they are tried again, or wait for their next time."""
    sent: int = 0
    unsent: int = 0
    """Messages that nobody took: they are tried again, or were tried often enough."""

    def __add__(self, other: "Fired") -> "Fired":
        known = {name: getattr(self, name) + getattr(other, name) for name in Fired.model_fields}
        return Fired.model_validate(known)

    def __str__(self) -> str:
        return f"{self.asked} asked ({self.failed} failed), {self.sent} sent ({self.unsent} not taken)."


@dataclass
class _Claim:
    """A claim of ours, as it is by now: one thread makes it longer while another is at what it is on."""

    store: SavedStore
    clone_id: str
    clock: Clock
    latest: ClaimedQuestion | ClaimedDelivery
    _one_by_one: Lock = field(default_factory=Lock)

    def longer(self) -> bool:
        """Make it longer; whether it is ours still."""
        with self._one_by_one:
            held = self.store.hold(self.clone_id, self.latest, self.clock)
            self.latest = held or self.latest
        return held is not None

    def settle(self, became: Delivery) -> bool:
        """End it with what became of the delivery; whether that was ours to tell."""
        with self._one_by_one:
            return self.store.settle(self.clone_id, became, self.latest.until)


@dataclass(frozen=True)
class Appointments:
    """Keeps the schedules of one clone."""

    asking: SavedAsking
    sender: AnswerSender
    settings: SavedSettings
    clock: Clock
    mishaps: Mishaps
    beat: float = CLAIMED.total_seconds() / 4
    """Seconds after which a claim is made longer by whoever is at it."""
    at_once: int = 4
    """Questions, and then messages, that are under way at the same time: one that hangs holds up no other."""

    @property
    def _store(self) -> Store:
        return self.asking.store

    @property
    def _clone_id(self) -> str:
        return self.asking.clone_id

    async def fire(self) -> Fired:
        """Ask what is due, and send what is to be sent; whatever was missed is done once."""
        asked = await self._all(self._ask_next)
        sent = await self._all(self._send_next)
        good, delivered = sum(asked), sum(sent)
        return Fired(asked=len(asked), failed=len(asked) - good, sent=delivered, unsent=len(sent) - delivered)  # fmt: skip

    async def _all(self, take: Callable[[], Awaitable[bool | None]]) -> list[bool]:
        """Whether each went well, of all that there is to do."""
        done: list[bool] = []

        async def work() -> None:
            while (well := await take()) is not None:
                done.append(well)

        await asyncio.gather(*(work() for _ in range(self.at_once)))
        return done

    async def _ask_next(self) -> bool | None:
        claim = self._store.saved.claim
        claimed = await asyncio.to_thread(claim, self._clone_id, self.clock)
        if claimed is None:
            return None
        async with self._held(claimed):
            found = await self.mishaps.spared_while("saved", self.asking.ask(claimed.saved))
        if isinstance(found, Mishap):
            now = self.clock.now()
            found = SavedAnswer(at=now, outcome=Outcome.FAILED, text=without_folders(found.error))
        well = found.outcome is Outcome.ANSWERED
        upcoming = self._upcoming(claimed, well=well)
        over = well or not upcoming.tries
        await asyncio.to_thread(
            self._store.saved.add_answer,
            self._clone_id,
            claimed.saved.id,
            found,
            kept=self.settings.kept,
            upcoming=upcoming,
            targets=claimed.saved.targets if over else (),
        )
        return well

    @asynccontextmanager
    async def _held(self, claimed: ClaimedQuestion | ClaimedDelivery) -> AsyncGenerator["_Claim"]:
        """Nobody else takes it up meanwhile, however long it takes."""
        claim = _Claim(self._store.saved, self._clone_id, self.clock, claimed)

        async def keep() -> None:
            while True:
                await asyncio.sleep(self.beat)
                with suppress(OldhandError):  # the store may be busy; it is tried again
                    await asyncio.to_thread(claim.longer)

        keeping = asyncio.create_task(keep())
        try:
            yield claim
        finally:
            keeping.cancel()

    def _upcoming(self, claimed: ClaimedQuestion, *, well: bool) -> NextTry:
        """When it is asked next: soon again after a failure, unless it has failed often enough."""
        now, saved = self.clock.now(), claimed.saved
        planned = saved.schedule.after(now) if saved.schedule else None
        again, tries = self._again(claimed.tries + 1, now), claimed.tries + 1
        if well or tries >= self.settings.tries or (planned and planned <= again):
            return NextTry(planned, saved.due_at)
        return NextTry(again, saved.due_at, tries)

    async def _send_next(self) -> bool | None:
        claim = self._store.saved.claim_delivery
        claimed = await asyncio.to_thread(claim, self._clone_id, self.clock)
        if claimed is None:
            return None
        async with self._held(claimed) as held:
            error = await self._sent(claimed, held.longer)
            if error is not None:
                became = self._became(claimed, error)
                if await asyncio.to_thread(held.settle, became):
                    return not error
        return await self._send_next()  # this one is left to whoever has taken it over

    def _became(self, claimed: ClaimedDelivery, error: str) -> Delivery:
        """What a delivery is after it was tried once more; without an error it was sent."""
        now, tries = self.clock.now(), claimed.delivery.tries + 1
        given_up = tries >= self.settings.tries
        state = DeliveryState.FAILED if given_up else DeliveryState.WAITING
        changed: dict[str, object] = {
            "tries": tries,
            "error": error,
            "state": state if error else DeliveryState.SENT,
            "due_at": self._again(tries, now) if error and not given_up else None,
            "sent_at": None if error else now,
        }
        return claimed.delivery.model_copy(update=changed)

    async def _sent(self, claimed: ClaimedDelivery, is_ours: Callable[[], bool]) -> str | None:
        """What went wrong; empty when it was taken, None when it was left to somebody who has taken it over."""

        def send() -> str | None:
            try:
                if not is_ours():
                    return None
                self.sender.send(claimed, self.clock.now())
            except DeliveryFailed as error:
                return str(error)
            return ""

        said = await self.mishaps.spared_while("delivery", asyncio.to_thread(send))
        return said.error if isinstance(said, Mishap) else said

    def _again(self, tries: int, now: datetime) -> datetime:
        wait = timedelta(seconds=self.settings.retry_seconds * 4 ** min(tries - 1, 20))
        return now + min(wait, _LONGEST)
