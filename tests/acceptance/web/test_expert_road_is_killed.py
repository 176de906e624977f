"""An expert in the browser, agents in other processes, a server and Prosody: each is killed while a question waits."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.acceptance.web.conftest import MILLISECONDS, make_shop, sign_in, sync_api
from tests.acceptance.web.test_server_restarts import OwnServer
from tests.patience import PATIENCE, own_port

pytest.importorskip("slixmpp", reason="needs slixmpp: pip install 'oldhand[xmpp]'")

from benchmarks._browsing import CHROMIUM

from oldhand import Oldhand
from oldhand.human import ProsodyServer
from oldhand.human.prosody import prosody_program

expect = sync_api.expect
QUESTION = "Which discount do resellers get?"
AGENT = """
import asyncio, sys
from pathlib import Path
from oldhand.human import Agent, HumanInteractionBehaviour, ProsodyServer

async def main():
    async with Agent(ProsodyServer(Path(sys.argv[1])).account("shop")) as agent:
        asks = HumanInteractionBehaviour("bo@localhost", "How many bikes fit into the van?")
        agent.add_behaviour(asks)
        await asks.join()
        print(asks.outcome.value, asks.response)

asyncio.run(main())
"""


def started(*words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True)


class OwnProsody:
    """`oldhand experts serve`, which can be killed."""

    def __init__(self, home: Path) -> None:
        self._words = ("-m", "oldhand", "experts", "serve", "--home", str(home), "--port", str(own_port()))  # fmt: skip
        self.start()

    def start(self) -> None:
        self._process = started(*self._words)
        assert self._process.stdout is not None
        assert "XMPP answers" in self._process.stdout.readline()

    def kill(self) -> None:
        self._process.kill()  # Prosody itself is left, and ended by the next one
        self._process.wait()

    def end(self) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with Oldhand(tmp_path / "home") as old:
        old.people.name(owner="ana", experts=["bo"])
        old.databases.add(make_shop(tmp_path / "shop.db"), name="shop")
    return tmp_path / "home"


@pytest.fixture
def prosody(home: Path) -> Iterator[OwnProsody]:
    if not prosody_program():
        pytest.skip("needs Prosody: apt install prosody")
    one = OwnProsody(home)
    yield one
    one.end()


@pytest.fixture
def server(home: Path, prosody: OwnProsody) -> Iterator[OwnServer]:
    one = OwnServer(home)
    one.start()
    yield one
    one.kill()


@pytest.mark.slow
def test_a_question_survives_each_of_them(
    home: Path, prosody: OwnProsody, server: OwnServer, browser: "sync_api.Browser"
) -> None:
    with Oldhand(home) as old:
        key = old.access.issue_key("bo").token
        agent = started("-c", AGENT, str(home / "xmpp"))
        asking = started("-m", "oldhand", "experts", "ask", QUESTION, "--user", "ana", "--wait", "--home", str(home))  # fmt: skip

        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        dying = browser.browser_type.launch(executable_path=CHROMIUM, args=flags)
        inbox = _inbox(dying, server, key)
        ours = inbox.locator("article", has_text=QUESTION)
        theirs = inbox.locator("[data-chats] article", has_text="How many bikes fit into the van?")
        expect(ours).to_be_visible()
        expect(theirs).to_be_visible()
        expect(inbox.locator("[data-chats] article")).to_have_count(1)  # ours stands there once

        asking.kill()
        asking.wait()
        theirs.get_by_label("Your answer").fill("Twelve.")
        server.kill()
        server.start()
        prosody.kill()
        prosody.start()
        expect(theirs.get_by_label("Your answer")).to_have_value("Twelve.")  # a draft outlives both
        with pytest.raises(sync_api.Error, match="closed"):  # as when it is killed
            dying.new_browser_cdp_session().send("Browser.crash")

        inbox = _inbox(browser, server, key)
        theirs = inbox.locator("[data-chats] article", has_text="How many bikes fit into the van?")
        theirs.get_by_label("Your answer").fill("Twelve.")
        theirs.get_by_role("button", name="Answer").click()
        expect(theirs).to_have_count(0)
        assert agent.communicate(timeout=PATIENCE)[0] == "answered Twelve.\n"

        ours = inbox.locator("article", has_text=QUESTION)
        ours.get_by_label("Your answer").fill("Resellers get 12 percent.")
        ours.get_by_role("button", name="Answer").click()
        expect(ours).to_have_count(0)
        inbox.context.close()
        (one,) = old.experts.questions()
        assert one.answer == "Resellers get 12 percent."
        assert old.experts.news("ana") == (one,)
        assert "12 percent" in old.ask(QUESTION, user="cy").text
        assert len(old.experts.questions()) == 1
    assert ProsodyServer(home / "xmpp").addresses()  # as it was left


def _inbox(browser: "sync_api.Browser", server: OwnServer, key: str) -> "sync_api.Page":
    page = browser.new_context().new_page()
    page.set_default_timeout(MILLISECONDS)
    sign_in(page, server.url, key)
    page.goto(f"{server.url}/clones/default/inbox")
    return page
