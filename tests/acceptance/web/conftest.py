"""One served home and one Chromium for all tests of pages."""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.unit.server.conftest import running

sync_api = pytest.importorskip(
    "playwright.sync_api", reason="install it with: pip install playwright"
)
MILLISECONDS = 120_000
"""How long a page may take for what it is waited for: a busy machine reads the script of charts slowly."""
sync_api.expect.set_options(timeout=MILLISECONDS)

from benchmarks._browsing import CHROMIUM, opened_browser, sign_in  # noqa: E402

from oldhand import Oldhand  # noqa: E402
from oldhand.record.access import Role  # noqa: E402

ROWS = 10_000
HOSTILE = "<img src=x onerror=\"document.title='HACKED'\">"
"""Stands wherever people or databases can write."""


@dataclass(frozen=True)
class Pages:
    """A server whose pages are looked at."""

    url: str
    home: Path
    keys: dict[str, str]
    share: str


def make_shop(path: Path) -> str:
    with sqlite3.connect(path) as connection:
        connection.executescript(
            """
            CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, status TEXT);
            INSERT INTO customers (name, city, status) VALUES
                ('Ana', 'Berlin', 'active'), ('Bo', 'Oslo', 'closed'), ('Cy', 'Berlin', 'active');
            CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), total REAL);
            """
        )
        connection.execute(
            "INSERT INTO customers (name, city, status) VALUES (?, 'Rome', 'active')", (HOSTILE,)
        )
        orders = ((1 + number % 4, number / 7) for number in range(ROWS))
        connection.executemany("INSERT INTO orders (customer_id, total) VALUES (?, ?)", orders)
    return f"sqlite:///{path}"


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    folder = tmp_path_factory.mktemp("pages")
    home = folder / "home"
    with Oldhand(home) as old:
        old.people.name(owner="ana")
        old.access.let_in("mo")
        old.access.let_in("xi", Role.EXTERNAL)
        old.databases.add(make_shop(folder / "shop.db"), name="shop")
        keys = {name: old.access.issue_key(name).token for name in ("ana", "mo", "xi")}
        share = old.access.share("ana").token
        old.access.add_clone("empty", "ana")
    with running(home) as url:
        yield Pages(url, home, keys, share)


@pytest.fixture(scope="module")  # its event loop runs in the main thread: no other tests beside it
def browser() -> Iterator["sync_api.Browser"]:
    if CHROMIUM is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    with opened_browser() as opened:
        yield opened


Visit = Callable[..., "sync_api.Page"]


@pytest.fixture
def visit(pages: Pages, browser: "sync_api.Browser") -> Iterator[Visit]:
    """Opens a page as somebody, in a browser of their own; a script that fails fails the test."""
    contexts: list[sync_api.BrowserContext] = []
    faults: list[str] = []

    def opened(
        path: str = "/", user: str = "ana", token: str = "", **settings: object
    ) -> "sync_api.Page":
        context = browser.new_context(**settings)
        context.set_default_timeout(MILLISECONDS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        sign_in(page, pages.url, token or pages.keys[user])
        if path != "/":
            page.goto(f"{pages.url}/clones/default{path}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not faults
