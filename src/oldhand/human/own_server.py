"""The XMPP of one home: its own server on this machine, and what goes over it."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from oldhand.human.account import XmppAccount
from oldhand.human.link import XmppLink
from oldhand.human.message import AgentMessage
from oldhand.human.prosody import ACCOUNTS, ProsodyServer
from oldhand.human.stanzas import Incoming, StanzaKind
from oldhand.human.transport import KeptPosition, XmppTransport

FOLDER = "xmpp"
"""Where it lies in a home."""
ASKER = "oldhand"
"""The account that asks."""


def own_server(home: Path, *, domain: str | None = None, port: int | None = None) -> ProsodyServer:
    """The server of a home, which `oldhand experts serve` runs."""
    return ProsodyServer(home / FOLDER, domain=domain, port=port)


def own_transport(home: Path) -> XmppTransport | None:
    """The transport over the home's own server; None where it was never set up."""
    folder = home / FOLDER
    if not (folder / ACCOUNTS).is_file():
        return None
    return XmppTransport(ProsodyServer(folder).account(ASKER), KeptPosition(folder / "heard"))


def local_name(expert: str) -> str:
    r"""The name of an expert as the first part of an address: an @ is escaped as XEP-0106 does.

    >>> local_name("Ana@corp.example")
    'ana\\40corp.example'
    """
    return expert.lower().replace("@", "\\40")


def addresses(server: ProsodyServer, experts: Iterable[str]) -> dict[str, str]:
    """The address of each expert; accounts are made for those who have none."""
    return {expert: server.account(local_name(expert)).jid for expert in experts}


class ExpertChat:
    """What an expert sees and says over XMPP, for a page that speaks it for them: `async for message in chat`."""

    def __init__(self, link: XmppLink, said: "asyncio.Queue[AgentMessage]") -> None:
        self._link = link
        self._said = said

    def __aiter__(self) -> "ExpertChat":
        return self

    async def __anext__(self) -> AgentMessage:
        """The next message to them; those of earlier come first."""
        return await self._said.get()

    async def say(self, to: str, text: str, thread: str | None = None) -> None:
        """Say something in their name.

        Raises:
            MessageTooLarge: no server would take it.
        """
        await self._link.send(AgentMessage(to, body=text, thread=thread))

    async def reply(self, message: AgentMessage, text: str) -> None:
        """Reply to a message, in its thread."""
        await self.say(message.sender_address, text, message.thread)


@asynccontextmanager
async def expert_chat(account: XmppAccount) -> AsyncGenerator[ExpertChat]:
    """Sign an expert in for as long as their page is open.

    Raises:
        ChatServerUnreachable: the server does not answer.
    """
    said: asyncio.Queue[AgentMessage] = asyncio.Queue()

    def hear(incoming: Incoming) -> None:
        if incoming.kind is StanzaKind.SAID:
            said.put_nowait(incoming.message)
        link.settled(incoming)

    link = XmppLink(account, hear, reads_back=True)
    await link.open()
    try:
        yield ExpertChat(link, said)
        await link.flushed(1.0)
    finally:
        await link.close()
