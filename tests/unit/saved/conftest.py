"""A small shop whose clock stands still, in a home of its own."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from oldhand.bootstrap import Home
from oldhand.bootstrap.opening import open_home
from oldhand.face.boards import AsyncBoards
from oldhand.face.opened import Opened
from oldhand.face.saved import AsyncSaved
from oldhand.record.saved import SavedQuestion
from oldhand.testing import FixedClock

SHOP = """
CREATE TABLE orders (id INTEGER PRIMARY KEY, city TEXT, total REAL, ordered_on DATE);
INSERT INTO orders VALUES (1, 'Berlin', 10, '2026-02-03'), (2, 'Oslo', 20, '2026-02-20'), (3, 'Oslo', 30, '2026-03-02'),
                          (4, 'Rome', 40, '2026-03-15'), (5, 'Rome', 50, '2026-03-31'), (6, 'Rome', 60, '2025-07-01');
"""


@dataclass
class Shop:
    """A home at work."""

    folder: Path
    home: Home
    clock: FixedClock
    saved: AsyncSaved
    boards: AsyncBoards

    def change(self, script: str) -> None:
        """Change what the database holds."""
        with closing(sqlite3.connect(self.folder / "shop.db")) as connection, connection:
            connection.executescript(script)

    async def save(self, question: str, name: str = "it", **given: str) -> SavedQuestion:
        """Ask a question, and save it."""
        answer = await self.home.turn.ask(question)
        return await self.saved.add(name, answer, **given)


def opened_shop(folder: Path, clock: FixedClock) -> Shop:
    """The shop of a folder, whatever works in it already."""
    home = open_home(folder / "home", clock=clock)
    opened = Opened(home, "a test")
    return Shop(folder, home, clock, AsyncSaved(opened), AsyncBoards(opened))


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Shop]:
    made = opened_shop(tmp_path, FixedClock(datetime(2026, 3, 5, 12, tzinfo=UTC)))
    made.change(SHOP)
    made.home.catalog.add(f"sqlite:///{tmp_path}/shop.db", name="shop")
    yield made
    await made.home.close()
