"""The assistants that one server answers for, opened when they are first asked for."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Self

import httpx2 as http

from oldhand.errors import OldhandError, StoreError, UnknownClone
from oldhand.face import AsyncOldhand
from oldhand.record.base import checked_name
from oldhand.record.clone import DEFAULT_CLONE
from oldhand.server.oidc import OpenIDProvider
from oldhand.settings import home_folder, load_settings

logger = logging.getLogger(__name__)

_PROVIDER_SECONDS = 10.0
_STORE_SECONDS = 5.0
"""Wait before a store that was busy or away is tried again."""


class Site:
    """All assistants of one home.

    Args:
        home: the folder, as for `Oldhand`.
        store: URL of the store; a SQLite file in the home by default.
        model: the mind of all of them, in place of what the settings name.
    """

    def __init__(
        self, home: str | Path | None = None, *, store: str | None = None, model: str | None = None
    ) -> None:
        self._opening = asyncio.Lock()
        self.inventing = asyncio.Lock()
        """Held while a made-up company is written."""
        self._attending: set[asyncio.Task[None]] = set()
        self._firing: set[str] = set()
        self.open_pages: Counter[str] = Counter()
        """How many pages of each person are told news as it comes."""
        self.is_ending = False
        """Whether the server is told to end: then answers are finished though nobody waits for them any longer."""
        self.settings = load_settings(home_folder(home)).server
        """How those are treated who come over the network."""
        self._http = http.AsyncClient(timeout=_PROVIDER_SECONDS) if self.settings.sign_in else None
        self.providers = {
            one.name: OpenIDProvider(one, self._http, time.monotonic)
            for one in self.settings.sign_in
            if self._http is not None
        }
        """By which people sign in beside links."""
        first = AsyncOldhand(home, store=store, model=model)
        self._clones: dict[str, AsyncOldhand] = {DEFAULT_CLONE: first}
        self.access = first.access
        """Who may come in."""

    async def clone(self, clone_id: str) -> AsyncOldhand:
        """One assistant.

        Raises:
            UnknownClone: there is none of that name.
        """
        if clone_id in self._clones:
            return self._clones[clone_id]
        if clone_id not in await self.access.clones():
            raise UnknownClone(f"There is no assistant {clone_id!r}.")
        async with self._opening:
            if clone_id not in self._clones:
                beside = self._clones[DEFAULT_CLONE].beside
                opened = await asyncio.to_thread(beside, clone=clone_id)
                self._clones[clone_id] = opened
                self._attend(opened)
        return self._clones[clone_id]

    async def add(self, clone_id: str, owner: str) -> None:
        """Make an assistant.

        Raises:
            NameTaken: there is one of that name.
        """
        await self.access.add_clone(checked_name(clone_id), owner)

    def attend(self) -> None:
        """Carry questions to people, for every assistant that is open or will be; and ask saved questions on time."""
        for old in self._clones.values():
            self._attend(old)
        self._go_on(self._keep_appointments())

    def _attend(self, old: AsyncOldhand) -> None:
        self._go_on(_attended(old))

    async def _keep_appointments(self) -> None:
        """Have saved questions asked that are due, of whichever assistant."""
        first = self._clones[DEFAULT_CLONE]
        seconds = (await first.settings.get()).saved.look_seconds
        while True:
            with suppress(OldhandError):  # the store may be away; it is looked at again
                for name in await first.saved.due_clones():
                    if name not in self._firing:
                        self._firing.add(name)
                        self._go_on(self._fire(name))
            await asyncio.sleep(seconds)

    async def _fire(self, name: str) -> None:
        try:
            fired = await (await self.clone(name)).saved.due()
            logger.info("saved_questions: %s: %s", name, fired)
        except OldhandError as error:
            logger.warning("Saved questions of %s were not asked: %s", name, error)
        finally:
            self._firing.discard(name)

    def _go_on(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._attending.add(task)
        task.add_done_callback(self._attending.discard)

    async def close(self) -> None:
        """Let go of all of them, when what they work on is in the store."""
        for task in self._attending:
            task.cancel()
        await asyncio.gather(*self._attending, return_exceptions=True)
        clones, self._clones = self._clones, {}
        for old in clones.values():
            await old.close()
        if self._http is not None:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


async def _attended(old: AsyncOldhand) -> None:
    try:
        while True:
            try:
                return await old.experts.attend()
            except StoreError as error:
                logger.warning("experts_wait: %s: %s", type(error).__name__, error)
                await asyncio.sleep(_STORE_SECONDS)
    except OldhandError as error:
        logger.warning("Nobody is asked over XMPP: %s", error)
