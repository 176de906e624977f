"""What an agent does: each behaviour is a task of its own, with a mailbox."""

import asyncio
import logging
from abc import ABC, abstractmethod
from typing import Protocol

from oldhand.errors import UsageError
from oldhand.human.message import AgentMessage, MessageFilter

_log = logging.getLogger("oldhand.human")


class Owner(Protocol):
    """What a behaviour needs of its agent."""

    async def send(self, message: AgentMessage) -> None:
        """Send a message from the agent."""

    def get(self, name: str) -> object:
        """A value that the agent keeps; None when it keeps none of that name."""

    def set(self, name: str, value: object) -> None:
        """Keep a value."""

    def forget(self, behaviour: "Behaviour") -> None:
        """A behaviour has ended."""


class Behaviour(ABC):
    """Something that an agent does; subclasses say what in `run`.

    It starts when it is added to an agent that is running, or with the agent. What it raises ends it, is logged, and is its
    `exit_code`; the agent goes on.
    """

    def __init__(self) -> None:
        self.agent: Owner | None = None
        self.template: MessageFilter | None = None
        self.exit_code: object = 0
        self.mailbox: asyncio.Queue[AgentMessage] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self._ended = asyncio.Event()
        self._killed = False

    @abstractmethod
    async def run(self) -> None:
        """The work."""

    async def on_start(self) -> None:  # noqa: B027 - may stay empty
        """Is called before `run`, once."""

    async def on_end(self) -> None:  # noqa: B027 - may stay empty
        """Is called at the end, however it ended."""

    def match(self, message: AgentMessage) -> bool:
        """Whether it takes a message: as its template says; without one, all that nobody else takes."""
        return self.template is None or self.template.match(message)

    def take(self, message: AgentMessage) -> None:
        """Put a message into the mailbox."""
        self.mailbox.put_nowait(message)

    async def receive(self, timeout: float | None = None) -> AgentMessage | None:  # noqa: ASYNC109 - SPADE's signature
        """The next message; None when none came within `timeout` seconds. Without one it waits as long as it takes."""
        try:
            async with asyncio.timeout(timeout):
                return await self.mailbox.get()
        except TimeoutError:
            return None

    async def send(self, message: AgentMessage) -> None:
        """Send a message from the agent."""
        await self.owner.send(message)

    @property
    def owner(self) -> Owner:
        """The agent that does this.

        Raises:
            UsageError: it was not added to one.
        """
        if self.agent is None:
            raise UsageError(f"{type(self).__name__} belongs to no agent: agent.add_behaviour(…).")
        return self.agent

    def get(self, name: str) -> object:
        """A value that the agent keeps."""
        return self.owner.get(name)

    def set(self, name: str, value: object) -> None:
        """Let the agent keep a value."""
        self.owner.set(name, value)

    def start(self) -> None:
        """Begin; called by the agent."""
        if self._task is None and not self._ended.is_set():
            self._task = asyncio.create_task(self._live(), name=type(self).__name__)
            self._task.add_done_callback(self._end)

    def kill(self, exit_code: object = None) -> None:
        """End it where it stands; what it waits for is cancelled."""
        self._killed = True
        if exit_code is not None:
            self.exit_code = exit_code
        if self._task is not None and not self._task.done():
            self._task.cancel()
        elif self._task is None:
            self._ended.set()

    def is_killed(self) -> bool:
        """Whether it was told to end."""
        return self._killed

    def is_done(self) -> bool:
        """Whether it has ended."""
        return self._ended.is_set()

    @property
    def is_running(self) -> bool:
        """Whether it has begun and not ended."""
        return self._task is not None and not self.is_done()

    async def join(self, timeout: float | None = None) -> None:  # noqa: ASYNC109 - SPADE's signature
        """Wait until it has ended; it goes on when the wait is cancelled.

        Raises:
            TimeoutError: it has not, after `timeout` seconds.
        """
        async with asyncio.timeout(timeout):
            await self._ended.wait()

    async def _live(self) -> None:
        try:
            await self.on_start()
            await self._work()
        finally:
            await self.on_end()

    async def _work(self) -> None:
        await self.run()

    def _end(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self.exit_code = error
            _log.error("%s ended: %s", type(self).__name__, error, exc_info=error)
        self._ended.set()
        if self.agent is not None:
            self.agent.forget(self)


class OneShotBehaviour(Behaviour):
    """Runs once."""


class CyclicBehaviour(Behaviour):
    """Runs again and again until it is killed."""

    async def _work(self) -> None:
        while not self._killed:
            await self.run()
            await asyncio.sleep(
                0
            )  # a `run` that waits for nothing shall not keep others from working
