"""Signing in, what goes wrong with servers, and the page that speaks XMPP for an expert."""

import asyncio
import sys
from dataclasses import replace

import pytest
from tests.patience import PATIENCE

from oldhand.errors import (
    ChatServerUnreachable,
    ChatSignInRefused,
    InvalidSetting,
    ProsodyFailed,
    ProsodyMissing,
)
from oldhand.human import Agent, AgentMessage, HumanInteractionBehaviour, ProsodyServer
from oldhand.human.expert_chat import expert_chat
from oldhand.human.link import XmppLink
from oldhand.human.message import Incoming, StanzaKind
from oldhand.human.own_server import addresses, own_server, xmpp_transport
from oldhand.human.prosody import free_port
from oldhand.settings import XmppSettings


async def test_a_wrong_password_a_strange_certificate_and_a_server_that_is_away(account):
    right = account("agent")
    with pytest.raises(ChatSignInRefused, match="wrong password"):
        await Agent(replace(right, password="guessed")).start()
    with pytest.raises(ChatSignInRefused, match="certificate"):
        await Agent(replace(right, ca_file=None)).start()
    with pytest.raises(ChatServerUnreachable, match=r"127\.0\.0\.1"):
        await Agent(replace(right, port=free_port())).start(seconds=0.5)
    assert "PASSWORD" not in repr(replace(right, password="PASSWORD"))


async def test_nobody_speaks_to_the_server_in_the_clear(prosody):
    reader, writer = await asyncio.open_connection("127.0.0.1", prosody.port)
    writer.write(
        b"<stream:stream to='localhost' xmlns='jabber:client' version='1.0' "
        b"xmlns:stream='http://etherx.jabber.org/streams'>"
    )
    async with asyncio.timeout(PATIENCE):
        said = await reader.readuntil(b"</stream:features>")
    assert b"<required" in said
    assert b"PLAIN" not in said
    writer.close()


async def test_a_port_that_is_taken_and_a_server_that_is_not_installed(prosody, tmp_path):
    with pytest.raises(ProsodyFailed, match="--port"):
        await ProsodyServer(tmp_path / "two", port=prosody.port).start()
    with pytest.raises(ProsodyMissing, match="apt install prosody"):
        await ProsodyServer(tmp_path / "three", port=0, program="no-such-program").start()


async def test_accounts_that_are_made_while_the_server_runs_and_names_that_look_like_mail(prosody):
    made = addresses(prosody, ["Ana@corp.example"])
    assert made == {"Ana@corp.example": "ana\\40corp.example@localhost"}
    async with Agent(prosody.account(made["Ana@corp.example"])) as ana:
        assert ana.is_alive()


async def test_a_page_speaks_xmpp_for_an_expert(account):
    bo = account("bo")
    async with Agent(account("agent")) as agent:
        asks = HumanInteractionBehaviour(bo.jid, "Who sells helmets?")
        agent.add_behaviour(asks)
        assert await agent.link.flushed(PATIENCE)
        for _ in range(2):  # a page that is opened anew sees what came before
            async with expert_chat(bo) as chat, asyncio.timeout(PATIENCE):
                question = await anext(chat)
        assert question.thread == asks.thread
        async with expert_chat(bo) as chat:
            await chat.reply(question, "Heron.")
        await asks.join(PATIENCE)
    assert asks.response == "Heron."


def test_the_transport_of_a_home_is_that_of_its_settings_or_of_its_own_server(
    tmp_path, monkeypatch
):
    assert xmpp_transport(tmp_path, XmppSettings()) is None
    own_server(tmp_path, port=5333).account("oldhand")
    assert xmpp_transport(tmp_path, XmppSettings()).name == "xmpp"
    elsewhere = XmppSettings(jid="oldhand@example.org")
    with pytest.raises(InvalidSetting, match="OLDHAND_XMPP_PASSWORD"):
        xmpp_transport(tmp_path, elsewhere)
    monkeypatch.setenv("OLDHAND_XMPP_PASSWORD", "secret")
    assert xmpp_transport(tmp_path, elsewhere).name == "xmpp"


async def test_a_message_at_which_the_server_hangs_up_is_given_up_and_the_next_one_goes(account):
    bounced: asyncio.Queue[Incoming] = asyncio.Queue()
    link = XmppLink(account("agent"), bounced.put_nowait)
    await link.open()
    poison = AgentMessage(
        "bo@localhost", body="x", thread="t" * 300_000
    )  # longer than any server takes
    await link.send(poison)
    async with asyncio.timeout(PATIENCE):
        found = await bounced.get()
    assert (found.kind, found.about) == (StanzaKind.BOUNCED, poison.id)
    await link.close()


async def test_without_the_package_a_message_says_how_to_install_it():
    program = (
        "import sys\nsys.modules['slixmpp'] = None\n"
        "try: import oldhand.human\nexcept ImportError: print('ImportError')\n"
        "except Exception as error: print(type(error).__name__, error)\n"
    )
    run = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE
    )
    said = (await run.communicate())[0].decode()
    assert "MissingExtra" in said
    assert "pip install 'oldhand[xmpp]'" in said
