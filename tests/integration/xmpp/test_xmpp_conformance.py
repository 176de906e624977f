"""XMPP as a way to people: all cases of the suite, over a real server."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from oldhand.human import AgentMessage, XmppAccount
from oldhand.human.expert_chat import ExpertChat, expert_chat
from oldhand.human.message import MESSAGE_TYPE
from oldhand.human.position import KeptPosition
from oldhand.human.transport import XMPP, XmppTransport
from oldhand.record.expert import SignalKind
from oldhand.testing import ExpertLetter, ExpertTransportSuite

COMMANDS = {SignalKind.REPLY: "", SignalKind.DECLINE: "/decline ", SignalKind.ASK_BACK: "/ask "}


class InAClient:
    """Somebody who reads and writes in an ordinary client."""

    def __init__(self, chat: ExpertChat, home: str) -> None:
        self.chat, self.home = chat, home
        self.letters: asyncio.Queue[ExpertLetter] = asyncio.Queue()
        self.notices: asyncio.Queue[str] = asyncio.Queue()

    async def listens(self) -> None:
        async for message in self.chat:
            if message.get_metadata(MESSAGE_TYPE) is None:
                self.letters.put_nowait(ExpertLetter(message.thread or "", message.body))
            else:
                self.notices.put_nowait(message.body)

    async def reads(self) -> ExpertLetter:
        return await self.letters.get()

    async def told(self) -> str:
        return await self.notices.get()

    async def writes(
        self,
        text: str,
        thread: str | None = None,
        *,
        message_id: str = "",
        kind: SignalKind = SignalKind.REPLY,
    ) -> None:
        message = AgentMessage(self.home, body=f"{COMMANDS[kind]}{text}", thread=thread, id=message_id)  # fmt: skip
        await self.chat.send(message)


class OverXmpp:
    """Experts with accounts of the server."""

    def __init__(self, account: Callable[[str], XmppAccount], folder: Path) -> None:
        self.accounts = {name: account(name) for name in ("oldhand", "bo", "cy")}
        self.heard = folder / "heard"

    def transport(self) -> XmppTransport:
        return XmppTransport(self.accounts["oldhand"], KeptPosition(self.heard))

    def addresses(self, expert: str) -> Mapping[str, str]:
        return {XMPP: self.accounts[expert].jid}

    def nowhere(self) -> Mapping[str, str]:
        return {XMPP: "nobody@localhost"}

    @asynccontextmanager
    async def person(self, expert: str, home: Path) -> AsyncGenerator[InAClient]:
        async with expert_chat(self.accounts[expert]) as chat:
            one = InAClient(chat, self.accounts["oldhand"].jid)
            listening = asyncio.create_task(one.listens())
            yield one
            listening.cancel()


class TestXmpp(ExpertTransportSuite):
    @pytest.fixture
    def reached(self, account: Callable[[str], XmppAccount], tmp_path: Path) -> OverXmpp:
        return OverXmpp(account, tmp_path)
