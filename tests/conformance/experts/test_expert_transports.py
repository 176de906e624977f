"""Ways to people that need no server: in memory, and the inbox that everybody has. XMPP is tried beside its server."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from oldhand import AsyncOldhand
from oldhand.record.consultation import Consultation
from oldhand.record.expert import INBOX, ExpertSignal, SignalKind
from oldhand.testing import ExpertLetter, ExpertTransportSuite, FakeExpert, MemoryTransport


class InMemory:
    """Two fake experts."""

    def __init__(self) -> None:
        self.people = {name: FakeExpert(f"{name}@desk", is_there=False) for name in ("bo", "cy")}
        self.way = MemoryTransport(*self.people.values())

    def transport(self) -> MemoryTransport:
        return self.way

    def addresses(self, expert: str) -> Mapping[str, str]:
        return {self.way.name: self.people[expert].address}

    def nowhere(self) -> Mapping[str, str]:
        return {self.way.name: "nobody@desk"}

    @asynccontextmanager
    async def person(self, expert: str, home: Path) -> AsyncGenerator[FakeExpert]:
        await self.people[expert].comes()
        yield self.people[expert]
        self.people[expert].is_there = False


class AtTheInbox:
    """Somebody who looks into the inbox from a program of their own."""

    def __init__(self, old: AsyncOldhand, name: str) -> None:
        self.old, self.name = old, name
        self.read: set[str] = set()
        self.answers: asyncio.Queue[str] = asyncio.Queue()

    async def reads(self) -> ExpertLetter:
        for one in await self.old.experts.inbox(self.name):
            if one.id not in self.read:
                return self._opened(one)
        # What has ended is in nobody's inbox: a link to it still opens.
        left = [one for one in await self.old.experts.questions() if one.id not in self.read]
        return self._opened(left[0])

    def _opened(self, one: Consultation) -> ExpertLetter:
        self.read.add(one.id)
        return ExpertLetter(one.id, one.question)

    async def told(self) -> str:
        return await self.answers.get()

    async def writes(
        self,
        text: str,
        thread: str | None = None,
        *,
        message_id: str = "",
        kind: SignalKind = SignalKind.REPLY,
    ) -> None:
        signal = ExpertSignal(
            transport=INBOX, address=self.name, kind=kind, consultation_id=thread, text=text, message_id=message_id
        )  # fmt: skip
        received = await self.old._opened.home.desk.hear(signal)
        self.answers.put_nowait(received.says)


class Inbox:
    """What everybody has."""

    def transport(self) -> None:
        return None

    def addresses(self, expert: str) -> Mapping[str, str]:
        return {}

    def nowhere(self) -> None:
        return None

    @asynccontextmanager
    async def person(self, expert: str, home: Path) -> AsyncGenerator[AtTheInbox]:
        async with AsyncOldhand(home) as old:
            yield AtTheInbox(old, expert)


class TestInMemory(ExpertTransportSuite):
    @pytest.fixture
    def reached(self) -> InMemory:
        return InMemory()


class TestInbox(ExpertTransportSuite):
    @pytest.fixture
    def reached(self) -> Inbox:
        return Inbox()


async def test_a_fake_expert_answers_by_itself(tmp_path: Path):
    bo = FakeExpert("bo@desk", replies=lambda message: "12 percent")
    async with AsyncOldhand(tmp_path) as old:
        await old.experts.add("bo", addresses={"memory": bo.address})
        await old.experts.add_transport(MemoryTransport(bo))
        one = await old.experts.ask("Which discount do resellers get?")
        assert (await old.experts.get(one.id)).answer == "12 percent"


def test_the_suite_has_all_its_cases():
    assert sum(name.startswith("test_") for name in dir(ExpertTransportSuite)) == 11
