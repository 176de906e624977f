"""Experts, and a way to them, in memory: for tests of whatever asks people."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from oldhand.errors import DeliveryFailed
from oldhand.record.expert import ExpertMessage, ExpertSignal, Hear, Presence, Reception, SignalKind

Replies = Callable[[ExpertMessage], str | None]
"""What an expert replies at once to a question; None to keep quiet."""


class ExpertLetter(NamedTuple):
    """What a person reads."""

    thread: str
    """The id of the consultation."""
    text: str


class FakeExpert:
    """Somebody who is reached in memory.

    Args:
        address: where.
        replies: what they reply at once; they wait to be told what to write when None.
        is_there: whether they read what comes; if not, they find it when `comes` is called.
    """

    def __init__(
        self, address: str, replies: Replies | None = None, *, is_there: bool = True
    ) -> None:
        self.address = address
        self.replies = replies
        self.is_there = is_there
        self.received: list[ExpertMessage] = []
        self.way: MemoryTransport | None = None
        self._held: list[ExpertMessage] = []
        self._letters: asyncio.Queue[ExpertLetter] = asyncio.Queue()
        self._told: asyncio.Queue[str] = asyncio.Queue()

    async def comes(self) -> None:
        """Be there, and find what came meanwhile."""
        self.is_there, held, self._held = True, self._held, []
        for message in held:
            await self.take(message)
            await self._signal(SignalKind.DELIVERED, "", message.consultation.id, "")

    async def take(self, message: ExpertMessage) -> None:
        """Get something; called by the transport."""
        if not self.is_there:
            self._held.append(message)
            return
        self.received.append(message)
        self._letters.put_nowait(ExpertLetter(message.consultation.id, message.text))
        if self.replies is not None and (text := self.replies(message)) is not None:
            await self.writes(text, message.consultation.id)

    async def reads(self) -> ExpertLetter:
        """The next thing that comes."""
        return await self._letters.get()

    async def told(self) -> str:
        """What they are told next about what they wrote."""
        return await self._told.get()

    async def writes(
        self,
        text: str,
        thread: str | None = None,
        *,
        message_id: str = "",
        kind: SignalKind = SignalKind.REPLY,
    ) -> None:
        """Say something, in a thread or without one."""
        await self._signal(kind, text, thread, message_id)

    async def _signal(self, kind: SignalKind, text: str, thread: str | None, message_id: str) -> None:  # fmt: skip
        assert self.way is not None, "an expert is given to a MemoryTransport"
        signal = ExpertSignal(
            transport=self.way.name,
            address=self.address,
            kind=kind,
            consultation_id=thread,
            text=text,
            message_id=message_id,
        )
        received = await self.way.say(signal)
        if received is not None and received.says and kind is not SignalKind.DELIVERED:
            self._told.put_nowait(received.says)


class MemoryTransport:
    """Reaches experts in memory. It may be closed and started again: what they say meanwhile is heard then.

    >>> bo = FakeExpert("bo@desk", replies=lambda message: "12 percent")
    >>> way = MemoryTransport(bo)  # and `await old.experts.add_transport(way)`
    >>> way.name
    'memory'
    """

    name = "memory"

    def __init__(self, *experts: FakeExpert) -> None:
        self._experts = {one.address: one for one in experts}
        for one in experts:
            one.way = self
        self._hear: Hear | None = None
        self._unheard: list[ExpertSignal] = []
        self._sent: set[tuple[str, str, str]] = set()

    async def start(self, hear: Hear) -> None:
        """Begin to listen, and give what came while nobody did."""
        self._hear, unheard, self._unheard = hear, self._unheard, []
        for signal in unheard:
            await hear(signal)

    async def deliver(self, message: ExpertMessage) -> bool:
        """Send something; the same again is not sent twice.

        Raises:
            DeliveryFailed: nobody has this address.
        """
        expert = self._experts.get(message.address)
        if expert is None:
            raise DeliveryFailed(f"Nobody has the address {message.address}.")
        key = (message.address, message.consultation.id, message.text)
        if key not in self._sent:
            self._sent.add(key)
            await expert.take(message)
        return expert.is_there

    async def presence(self, address: str) -> Presence:
        """Whether they are there."""
        expert = self._experts.get(address)
        there = expert is not None and expert.is_there
        return Presence.AVAILABLE if there else Presence.OFFLINE

    async def say(self, signal: ExpertSignal) -> Reception | None:
        """Hand on what an expert says; None while nobody listens."""
        if self._hear is None:
            self._unheard.append(signal)
            return None
        return await self._hear(signal)

    async def close(self) -> None:
        """Listen no more."""
        self._hear = None
