"""The ledger's questions over XMPP: every end of a message, and servers and programs that die in the middle."""

import asyncio
import os
import signal
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.integration.xmpp.people import person
from tests.patience import PATIENCE

from oldhand.errors import DeliveryFailed
from oldhand.human import ProsodyServer
from oldhand.human.position import KeptPosition
from oldhand.human.transport import XmppTransport
from oldhand.record.consultation import Consultation
from oldhand.record.expert import (
    ExpertMessage,
    ExpertSignal,
    MessagePurpose,
    Presence,
    Reception,
    ReceptionKind,
    SignalKind,
)
from oldhand.record.ports import random_id

NOW = datetime(2026, 3, 2, tzinfo=UTC)


class Desk:
    """Takes what transports report, and knows what it has heard before."""

    def __init__(self, says: str = "") -> None:
        self.heard: asyncio.Queue[ExpertSignal] = asyncio.Queue()
        self.says = says
        self.known: set[str] = set()

    async def hear(self, heard: ExpertSignal) -> Reception:
        if heard.message_id in self.known:
            return Reception(kind=ReceptionKind.REPEATED)
        self.known.add(heard.message_id)
        self.heard.put_nowait(heard)
        return Reception(kind=ReceptionKind.TAKEN, says=self.says)

    async def next(self, kind: SignalKind) -> ExpertSignal:
        """The next report of this kind."""
        async with asyncio.timeout(PATIENCE):
            while True:
                if (found := await self.heard.get()).kind is kind:
                    return found


def question(to: str, text: str = "Why?") -> ExpertMessage:
    asked = Consultation(
        id=random_id(), clone_id="default", question=text, asked_by="ana",
        asked_at=NOW, deadline=NOW + timedelta(days=1),
    )  # fmt: skip
    return ExpertMessage(
        consultation=asked, expert="bo", address=to, purpose=MessagePurpose.QUESTION, text=text
    )


def only_archived(prosody: ProsodyServer, jid: str) -> Path:
    """Take what waits for an address from it, as if another client had got it and died; the file of its archive."""
    data, name = prosody.folder / "data", jid.partition("@")[0].replace("-", "%2d")
    [waiting] = data.glob(f"*/offline/{name}.list")
    waiting.unlink()
    [archive] = data.glob(f"*/archive/{name}.list")
    return archive


async def test_a_question_goes_out_and_its_receipt_and_answer_come_back(account):
    desk, agent = Desk(says="Thank you."), account("desk")
    transport = XmppTransport(agent)
    async with person(account("bo")) as bo:
        await transport.start(desk.hear)
        asked = question(bo.jid)
        assert await transport.deliver(asked) is False
        assert await transport.deliver(asked) is False  # after a crash it is sent again
        got = await bo.reads()
        assert (got.thread, got.metadata["query_id"]) == (asked.consultation.id, got.thread[:8])
        assert (await desk.next(SignalKind.DELIVERED)).consultation_id == got.thread
        await bo.replies(got, "/ask Which one?")
        assert (await desk.next(SignalKind.ASK_BACK)).text == "Which one?"
        await bo.writes(agent.jid, f"[{got.thread[:8]}] Because.")
        reply = await desk.next(SignalKind.REPLY)
        assert (reply.address, reply.consultation_id, reply.text) == (bo.jid, got.thread[:8], "Because.")  # fmt: skip
        assert (await bo.reads()).body == "Thank you."
        assert bo.told.qsize() <= 1  # the question came once, and two replies were thanked for
    await transport.close()
    await transport.close()
    with pytest.raises(DeliveryFailed):
        await transport.deliver(asked)


async def test_wrong_addresses_bounce_and_those_that_are_none_fail(account, prosody):
    desk, transport = Desk(), XmppTransport(account("desk"))
    await transport.start(desk.hear)
    with pytest.raises(DeliveryFailed, match="no XMPP address"):
        await transport.deliver(question("bo at home"))
    with pytest.raises(DeliveryFailed, match="shorten it"):
        await transport.deliver(question("bo@example.org", "x" * 300_000))
    lost = question(f"nobody@{prosody.domain}")
    await transport.deliver(lost)
    bounced = await desk.next(SignalKind.BOUNCED)
    assert bounced.consultation_id == lost.consultation.id
    assert bounced.text
    await transport.close()


async def test_presence_of_those_who_are_in_the_directory(prosody):
    transport = XmppTransport(prosody.account("known-agent"))
    await transport.start(Desk().hear)
    bo = prosody.account("known-expert")
    assert await transport.presence(bo.jid) is Presence.UNKNOWN
    async with person(bo) as there:
        await transport.deliver(question(bo.jid))
        await there.reads()
        assert await transport.presence(bo.jid) is Presence.AVAILABLE
    await transport.close()


async def test_what_came_while_nobody_listened_is_heard_once_whatever_was_settled(
    account, tmp_path
):
    desk, agent = Desk(), account("desk")
    async with person(account("bo")) as bo:
        await bo.writes(agent.jid, "one", "t1")
        for expected in ("one", "two"):
            transport = XmppTransport(agent, KeptPosition(tmp_path / "heard"))
            await transport.start(desk.hear)
            assert (await desk.next(SignalKind.REPLY)).text == expected
            await transport.close()
            await bo.writes(agent.jid, "two", "t2")
    assert desk.heard.empty()


async def test_an_archive_that_has_forgotten_what_was_heard_last_is_read_from_its_start(
    account, prosody, tmp_path
):
    desk, agent = Desk(), account("desk")
    kept = tmp_path / "heard"
    kept.write_text("of-an-archive-that-was-cleared", "utf-8")
    async with person(account("bo")) as bo:
        await bo.writes(agent.jid, "one", "t1")
    only_archived(prosody, agent.jid)
    transport = XmppTransport(agent, KeptPosition(kept))
    await transport.start(desk.hear)
    assert (await desk.next(SignalKind.REPLY)).text == "one"
    await transport.close()
    assert kept.read_text("utf-8") != "of-an-archive-that-was-cleared"


async def test_an_archive_that_fails_is_read_later_and_nothing_is_skipped(
    account, prosody, tmp_path
):
    """What comes meanwhile is heard, but it is not taken for the last that was heard of the archive."""
    desk, agent = Desk(), account("desk")
    async with person(account("bo")) as bo:
        await bo.writes(agent.jid, "one", "t1")
        archive = only_archived(prosody, agent.jid)
        good = archive.read_bytes()
        archive.write_bytes(b"this is no archive")
        transport = XmppTransport(agent, KeptPosition(tmp_path / "heard"))
        await transport.start(desk.hear)
        await bo.writes(agent.jid, "two", "t2")
        assert (await desk.next(SignalKind.REPLY)).text == "two"
        assert not (tmp_path / "heard").exists()
        archive.write_bytes(good)
        assert (await desk.next(SignalKind.REPLY)).text == "one"
        await transport.close()
    assert (tmp_path / "heard").exists()


async def test_nothing_is_lost_when_the_server_is_killed_and_comes_back(
    prosody, tmp_path, monkeypatch
):
    monkeypatch.setattr("oldhand.human.transport.WAITS", PATIENCE)  # as long as a start may take
    server = ProsodyServer(tmp_path / "xmpp", port=0)
    await server.start(members=["desk", "bo"])
    desk, transport = Desk(), XmppTransport(server.account("desk"))
    await transport.start(desk.hear)
    async with person(server.account("bo")) as bo:
        await transport.deliver(question(bo.jid, "before"))
        got = await bo.reads()
        await server.kill()
        sending = asyncio.create_task(transport.deliver(question(bo.jid, "meanwhile")))
        replying = asyncio.create_task(bo.replies(got, "said while it was down"))
        await server.start()
        assert (await desk.next(SignalKind.REPLY)).text == "said while it was down"
        assert (await bo.reads()).body == "meanwhile"
        await asyncio.gather(sending, replying)
    await transport.close()
    await server.stop()


async def test_a_desk_that_is_killed_hears_afterwards_what_came_meanwhile(account, tmp_path):
    """Another process takes a reply but dies before it is in its store: the next one hears it."""
    agent, bo_account = account("desk"), account("bo")
    program = (
        "import asyncio, os, sys\n"
        "from pathlib import Path\n"
        "from oldhand.human import XmppAccount\n"
        "from oldhand.human.position import KeptPosition\n"
        "from oldhand.human.transport import XmppTransport\n"
        "async def hear(signal):\n"
        "    print('heard', signal.text, flush=True)\n"
        "    await asyncio.Event().wait()\n"
        "async def main():\n"
        "    jid, password, host, port, ca, kept = sys.argv[1:]\n"
        "    account = XmppAccount(jid, password, host, int(port), Path(ca))\n"
        "    await XmppTransport(account, KeptPosition(Path(kept))).start(hear)\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(main())\n"
    )
    kept = tmp_path / "heard"
    given = (agent.jid, agent.password, agent.host, str(agent.port), str(agent.ca_file), str(kept))
    other = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, *given, stdout=asyncio.subprocess.PIPE
    )
    async with person(bo_account) as bo:
        await bo.writes(agent.jid, "do not lose me", "t1", "m1")
        async with asyncio.timeout(PATIENCE):
            assert await other.stdout.readline() == b"heard do not lose me\n"
        os.kill(other.pid, signal.SIGKILL)
        await other.wait()
        desk, transport = Desk(), XmppTransport(agent, KeptPosition(kept))
        await transport.start(desk.hear)
        assert (await desk.next(SignalKind.REPLY)).text == "do not lose me"
        await transport.close()
