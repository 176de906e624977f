"""The XMPP of one home: its own server on this machine, and what goes over it."""

import asyncio
import os
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from oldhand.errors import InvalidSetting
from oldhand.human.account import XmppAccount
from oldhand.human.link import XmppLink
from oldhand.human.message import AgentMessage
from oldhand.human.position import KeptPosition
from oldhand.human.prosody import ACCOUNTS, ProsodyServer
from oldhand.human.stanzas import Incoming, StanzaKind
from oldhand.human.transport import XmppTransport
from oldhand.settings import XmppSettings

FOLDER = "xmpp"
"""Where it lies in a home."""
PASSWORD = "OLDHAND_XMPP_PASSWORD"  # noqa: S105 - the name of a variable
ASKER = "oldhand"
"""The account that asks."""


def own_server(home: Path, *, domain: str | None = None, port: int | None = None) -> ProsodyServer:
    """The server of a home, which `oldhand experts serve` runs."""
    return ProsodyServer(home / FOLDER, domain=domain, port=port)


def xmpp_transport(home: Path, settings: XmppSettings) -> XmppTransport | None:
    """The transport over the server that the settings name, else over the home's own.

    None where neither was set up, and where another transport speaks for the account, until that one is closed.

    Raises:
        InvalidSetting: the password is not there.
    """
    folder = home / FOLDER
    if settings.jid is not None:
        password = os.environ.get(PASSWORD)
        if not password:
            raise InvalidSetting(f"xmpp.jid is {settings.jid}: set {PASSWORD} to its password.")
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        jid, host = settings.jid, settings.host
        account = XmppAccount(jid, password, host, settings.port, settings.ca_file)
    elif (folder / ACCOUNTS).is_file():
        account = ProsodyServer(folder).account(ASKER)
    else:
        return None
    try:
        return XmppTransport(account, KeptPosition(folder / f"heard-{account.jid}"))
    except BlockingIOError:
        return None


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

    async def send(self, message: AgentMessage) -> None:
        """Say something in their name.

        Raises:
            MessageTooLarge: no server would take it.
        """
        await self._link.send(message)

    async def reply(self, message: AgentMessage, text: str) -> None:
        """Reply to a message, in its thread."""
        await self.send(AgentMessage(message.sender_address, body=text, thread=message.thread))


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
