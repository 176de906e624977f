"""A server in a process of its own: it ends in good order, and lives long without growing."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import httpx2 as http
import pytest
from tests.patience import PATIENCE, own_port
from tests.unit.server.conftest import Served  # noqa: F401 - needs the extra

from oldhand import Oldhand
from oldhand.testing import FakeServer, PromptReader
from oldhand.testing.fake_server import Reply, Request

READER = PromptReader({"Which towns are there?": "SELECT name FROM towns ORDER BY name"})


def searches(wire: http.Client) -> float:
    """How often the process has searched for garbage, after a few requests more."""
    for _ in range(5):
        told = wire.get("/metrics").text
    (line,) = [it for it in told.splitlines() if it.startswith('python_gc_collections_total{generation="0"}')]  # fmt: skip
    return float(line.split()[-1])


def test_an_answer_that_takes_longer_than_the_server_has_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # fmt: skip
    home, writes, may_go_on = tmp_path / "home", threading.Event(), threading.Event()

    def reply(request: Request) -> Reply | str:
        if request.stage != "summarise":
            return READER.reply(request)
        writes.set()
        assert may_go_on.wait(PATIENCE)
        return Reply(data={"text": "There are three of them in all: Basel, Bern and Chur."})

    with closing(sqlite3.connect(tmp_path / "shop.db")) as shop, shop:
        shop.execute("CREATE TABLE towns (name TEXT)")
        shop.execute("INSERT INTO towns VALUES ('Basel'), ('Bern'), ('Chur')")
    with Oldhand(home) as old:
        old.databases.add(f"sqlite:///{tmp_path}/shop.db", name="shop")
        old.access.add_account("root", admin=True)
        key = old.access.issue_key("root").token
    (home / "settings.yaml").write_text("model: openai:fake\nserver: {grace_seconds: 1}\n", "utf-8")
    port = own_port()
    with FakeServer(reply) as model:
        monkeypatch.setenv("OPENAI_BASE_URL", model.openai_url)
        command = [
            sys.executable,
            "-m",
            "oldhand",
            "serve",
            "--home",
            str(home),
            "--port",
            f"{port}",
        ]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ.copy())  # fmt: skip
        assert process.stdout is not None
        assert "answers at" in process.stdout.readline()
        try:
            wire = http.Client(
                base_url=f"http://127.0.0.1:{port}",
                headers={"Authorization": f"Bearer {key}"},
                timeout=PATIENCE,
                transport=http.HTTPTransport(retries=20),
            )
            before, after = (searches(wire) for _ in range(2))
            assert after > before, "a server that lives long has to search for garbage"
            asked = {"question": "Which towns are there?"}
            with wire.stream("POST", "/api/clones/default/ask/stream", json=asked) as response:
                lines = response.iter_lines()
                begun = next(line for line in lines if line.startswith("data:"))
                assert writes.wait(PATIENCE)
                process.send_signal(signal.SIGTERM)
                with pytest.raises((http.RemoteProtocolError, http.ReadError)):
                    list(lines)
        finally:
            may_go_on.set()
            process.wait(PATIENCE)
    episode = json.loads(begun.removeprefix("data:"))["episode_id"]
    with Oldhand(home) as old:
        kept = old.episodes.get(episode).answer
    assert kept.text == "There are three of them in all: Basel, Bern and Chur."
