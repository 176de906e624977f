"""What an expert sees and says over XMPP, where a server speaks it for the page that they look at."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from oldhand.human.addresses import XmppAccount
from oldhand.human.link import XmppLink
from oldhand.human.message import MESSAGE_TYPE, QUERY_TYPE, AgentMessage, Incoming, StanzaKind

_KEPT = 1_000
"""Messages that wait for whoever reads them; older ones are dropped."""


class ExpertChat:
    """`async for message in chat` gives what is said to them, that of earlier first; `open` holds the questions that wait."""

    def __init__(self, account: XmppAccount) -> None:
        self.open: dict[str, AgentMessage] = {}
        """By their threads; those of the last weeks, without what was answered from any client or taken back."""
        self.changed = asyncio.Event()
        """Set when `open` may have changed, and at first."""
        self.changed.set()
        self.link = XmppLink(account, self._hear, reads_back=True, hears_own=True)
        self._said: asyncio.Queue[AgentMessage] = asyncio.Queue(_KEPT)

    def __aiter__(self) -> "ExpertChat":
        return self

    async def __anext__(self) -> AgentMessage:
        """The next message to them."""
        return await self._said.get()

    async def send(self, message: AgentMessage) -> None:
        """Say something in their name; while there is no connection, as soon as there is one.

        Raises:
            MessageTooLarge: no server would take it.
        """
        await self.link.send(message)
        self._close(message.thread)

    async def reply(self, message: AgentMessage, text: str) -> None:
        """Reply to a message, in its thread."""
        await self.send(AgentMessage(message.sender_address, body=text, thread=message.thread))

    def _hear(self, incoming: Incoming) -> None:
        message = incoming.message
        if incoming.kind is StanzaKind.SAID:
            is_own = message.sender_address == self.link.address
            if is_own or message.get_metadata(MESSAGE_TYPE) is not None:
                self._close(message.thread)
            elif message.thread and message.get_metadata("type") == QUERY_TYPE:
                self.open[message.thread] = message
                self.changed.set()
            if not is_own:
                if self._said.full():  # nobody looks at all that is said
                    self._said.get_nowait()
                self._said.put_nowait(message)
        self.link.settled(incoming)

    def _close(self, thread: str | None) -> None:
        if thread and self.open.pop(thread, None) is not None:
            self.changed.set()


@asynccontextmanager
async def expert_chat(account: XmppAccount) -> AsyncGenerator[ExpertChat]:
    """Sign an expert in for as long as their page is open; a server that is down is found as soon as it is back."""
    chat = ExpertChat(account)
    chat.link.start()
    try:
        yield chat
        await chat.link.flushed(1.0)
    finally:
        await chat.link.close()
