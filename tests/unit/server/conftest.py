"""A server with two assistants, each with a database, people and keys."""

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from socket import socket

import pytest
from httpx2._config import DEFAULT_TIMEOUT_CONFIG
from tests.patience import PATIENCE

uvicorn = pytest.importorskip("uvicorn", reason="install it with: pip install 'oldhand[server]'")

from oldhand import Oldhand  # noqa: E402
from oldhand.record.access import Role  # noqa: E402
from oldhand.server.app import create_app  # noqa: E402
from oldhand.server.site import Site  # noqa: E402

for part in ("connect", "read", "write", "pool"):  # else a request is given up after 5 seconds
    setattr(DEFAULT_TIMEOUT_CONFIG, part, PATIENCE)


@dataclass(frozen=True)
class Served:
    """A running server, and what lets people in."""

    url: str
    home: Path
    keys: dict[str, str]
    """Keys of the first assistant, by role."""
    other_key: str
    """Of the owner of the other assistant."""
    share: str


def customers(path: Path, *towns: str) -> str:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        connection.executemany("INSERT INTO customers (city) VALUES (?)", [(it,) for it in towns])
    return f"sqlite:///{path}"


def people_of(home: Path) -> tuple[dict[str, str], str]:
    with Oldhand(home) as old:
        old.people.name(owner="ana", experts=["eve"])
        old.access.add_account("root", admin=True)
        old.access.let_in("mo")
        old.access.let_in("xi", Role.EXTERNAL)
        people = {
            "owner": "ana",
            "expert": "eve",
            "member": "mo",
            "external": "xi",
            "admin": "root",
        }
        keys = {role: old.access.issue_key(name).token for role, name in people.items()}
        return keys, old.access.share("ana").token


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    home = folder / "home"
    keys, share = people_of(home)
    with Oldhand(home) as old:
        old.databases.add(customers(folder / "shop.db", "Berlin", "Oslo", "Berlin"), name="shop")
        old.access.add_clone("other", "zoe")
    with Oldhand(home, clone="other") as old:
        old.databases.add(customers(folder / "other.db", "Rome"), name="shop")
        other = old.access.issue_key("zoe").token
    with running(home) as url:
        yield Served(url, home, keys, other, share)


class Announcing(uvicorn.Server):
    """Says when it answers."""

    def __init__(self, config: "uvicorn.Config", answers: threading.Event) -> None:
        super().__init__(config)
        self._answers = answers

    async def startup(self, sockets: "list[socket] | None" = None) -> None:
        await super().startup(sockets)
        self._answers.set()


class running:  # noqa: N801 - reads like a function
    """A server of a home on a free port, for as long as the block lasts."""

    def __init__(self, home: Path) -> None:
        self._home = home

    def __enter__(self) -> str:
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        assert started.wait(PATIENCE)
        (listening,) = self._server.servers[0].sockets
        return f"http://127.0.0.1:{listening.getsockname()[1]}"

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE)

    def _run(self, started: threading.Event) -> None:
        async def serve() -> None:
            app = create_app(Site(self._home))
            config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning")
            self._server = Announcing(config, started)
            await self._server.serve()

        asyncio.run(serve())
