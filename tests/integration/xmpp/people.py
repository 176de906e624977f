"""A person with an ordinary client, for tests: writes what the test says, and keeps what comes."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from tests.patience import PATIENCE

from oldhand.human import AgentMessage, XmppAccount
from oldhand.human.link import XmppLink
from oldhand.human.message import Incoming, StanzaKind


class Person:
    """Somebody with a client."""

    def __init__(self, account: XmppAccount) -> None:
        self.jid = account.jid
        self.told: asyncio.Queue[AgentMessage] = asyncio.Queue()
        self.link = XmppLink(account, self._hear)

    def _hear(self, incoming: Incoming) -> None:
        if incoming.kind is StanzaKind.SAID:
            self.told.put_nowait(incoming.message)
        self.link.settled(incoming)

    async def reads(self) -> AgentMessage:
        """The next message."""
        async with asyncio.timeout(PATIENCE):
            return await self.told.get()

    async def writes(
        self, to: str, text: str, thread: str | None = None, message_id: str = ""
    ) -> AgentMessage:
        """Say something, and wait until the server has it."""
        message = AgentMessage(to, body=text, thread=thread, id=message_id)
        await self.link.send(message)
        assert await self.link.flushed(PATIENCE)
        return message

    async def replies(self, to: AgentMessage, text: str) -> None:
        """Reply as ordinary clients do: in the thread, without metadata."""
        await self.writes(to.sender, text, to.thread)


@asynccontextmanager
async def person(account: XmppAccount) -> AsyncGenerator[Person]:
    """Somebody who is signed in."""
    one = Person(account)
    await one.link.open(PATIENCE)
    try:
        yield one
    finally:
        await one.link.close()
