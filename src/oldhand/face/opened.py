"""The home behind a face, for as long as it is open."""

import asyncio
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from oldhand.errors import Closed, InOtherProcess, OldhandError
from oldhand.settings import SETTINGS_FILE

if TYPE_CHECKING:
    from oldhand.bootstrap import Home


logger = logging.getLogger(__name__)


def closed(again: str) -> Closed:
    """What is raised where something was closed, and `again` opens another one."""
    return Closed(f"This was closed: make another one with {again}.")


WAIT_SECONDS = 2.0
"""Time for which those who want to see what was found wait for the background."""


class Opened:
    """A home that one face has opened; after its end, and in a fork, it gives itself to nobody.

    Args:
        home: closed by `close`.
        again: how to open another one, such as `AsyncOldhand(…)`.
        renewed: opens it once more, with the settings as they are by then.
    """

    def __init__(
        self, home: "Home", again: str, renewed: "Callable[[], Home] | None" = None
    ) -> None:
        self._renewed = renewed
        self.path: Path = home.path
        """The folder, also after the end."""
        self._again = again
        self._process = os.getpid()
        self._home: Home | None = home
        self._files = tuple(one / SETTINGS_FILE for one in {home.path: 0, home.root: 0})
        self._seen = self._stamps()
        self._renewing = asyncio.Lock()

    @property
    def home(self) -> "Home":
        """What works in the folder.

        Raises:
            Closed: it was closed.
            InOtherProcess: this is a fork of the process that opened it, whose connections it must not touch.
        """
        if self._home is None:
            raise closed(self._again)
        if os.getpid() != self._process:
            raise InOtherProcess
        return self._home

    async def current(self) -> "Home":
        """The home, with the settings as they are by now: whoever changed their file, in whatever process.

        Settings that do not hold change nothing; the log says so.
        """
        if self._stamps() != self._seen:
            try:
                await self.renew()
            except OldhandError as error:
                logger.warning("settings_wait: %s: %s", type(error).__name__, error)
        return self.home

    def _stamps(self) -> tuple[object, ...]:
        """Tells each state of the files of settings from others."""
        known = (one.stat() if one.exists() else None for one in self._files)
        return tuple(one and (one.st_mtime_ns, one.st_size, one.st_ino) for one in known)

    async def renew(self) -> None:
        """Go on with the settings as they are now; what is under way ends with those that it began with."""
        async with self._renewing:  # one after the other, so that each home but the last is closed
            before, self._seen = self.home, self._stamps()
            if self._renewed is not None:
                self._home = await asyncio.to_thread(self._renewed)
                if "desk" in vars(before):  # ways to people that a program has added stay
                    self._home.desk.take_over(before.desk)
                await before.close(keeps_databases=True)

    async def close(self) -> None:
        """Let go of the home; safe to call twice, and in a fork, which leaves it to the process that opened it."""
        home, self._home = self._home, None
        if home is not None and os.getpid() == self._process:
            await home.close()


class FaceGroup:
    """One group of what a face can do; it works on the same home."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    @property
    def _clone_id(self) -> str:
        return self._opened.home.clone_id
