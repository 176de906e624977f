"""A server that is killed while somebody asks: what it finished is found again, what it did not is said."""

import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from time import monotonic

import pytest
from tests.acceptance.web.conftest import MILLISECONDS, make_shop, sign_in, sync_api
from tests.patience import PATIENCE, own_port

from oldhand import Oldhand

expect = sync_api.expect
QUESTION = "How many customers live in Berlin?"


class OwnServer:
    """`oldhand serve` in a process that can be held and killed, always at one address."""

    def __init__(self, home: Path) -> None:
        self._port = own_port()
        self.home = home
        self.url = f"http://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "oldhand", "serve", "--port", f"{self._port}", "--home", f"{self.home}"]  # fmt: skip
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        until = monotonic() + PATIENCE
        while monotonic() < until and self._process.poll() is None:
            try:
                urllib.request.urlopen(f"{self.url}/api/health", timeout=PATIENCE).close()
            except OSError:
                Event().wait(0.1)
            else:
                return
        pytest.fail("The server did not start.")

    def hold(self) -> None:
        """From now on it takes connections, and answers none."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self._process.pid, os.WSTOPPED)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@pytest.fixture
def server(tmp_path: Path) -> Iterator[OwnServer]:
    made = OwnServer(tmp_path / "home")
    with Oldhand(made.home) as old:
        old.people.name(owner="ana")
        old.databases.add(make_shop(tmp_path / "shop.db"), name="shop")
    yield made
    made.kill()


def test_an_answer_survives_the_server_that_gave_it(
    server: OwnServer, browser: "sync_api.Browser"
) -> None:
    with Oldhand(server.home) as old:
        key = old.access.issue_key("ana").token
    server.start()
    context = browser.new_context()
    try:
        context.set_default_timeout(MILLISECONDS)
        page = context.new_page()
        sign_in(page, server.url, key)
        field, live = page.locator("#question"), page.locator(".live")

        server.hold()
        field.fill(QUESTION)
        with page.expect_request("**/ask/stream") as sent:
            field.press("Enter")
        server.kill()
        live.get_by_text("The server does not answer").wait_for()
        session = sent.value.post_data_json["session_id"]
        with Oldhand(server.home) as old:  # as if the server had finished before it was killed
            kept = old.ask(QUESTION, user="ana", session_id=session)
        server.start()
        page.locator(f".answer[data-id='{kept.episode_id}']").wait_for()
        page.wait_for_url(f"**{kept.episode_id}")
        expect(page.locator(".answer")).to_have_count(1)

        page.route("**/ask/stream", lambda route: route.abort(), times=1)
        field.fill(QUESTION)
        field.press("Enter")
        page.locator(".answer").nth(1).wait_for()  # it is asked once more by itself
        expect(field).to_have_value("")
        with Oldhand(server.home) as old:
            assert len(old.episodes.list(user="ana")) == 2
    finally:
        context.close()
