"""Every place where unfinished runs lie."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from oldhand.agent.acting import Checkpoints
from oldhand.store import Store
from oldhand.testing import FixedClock, MemoryCheckpoints

KINDS = ("memory", "sqlite", "postgres")


class TickingClock(FixedClock):
    """Moves on whenever somebody looks at it."""

    def now(self) -> datetime:
        self.advance(1)
        return super().now()


@pytest.fixture
def kinds() -> tuple[str, ...]:
    return KINDS


@pytest.fixture(params=KINDS)
def checkpoints(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Checkpoints]:
    if request.param == "memory":
        yield MemoryCheckpoints()
        return
    on_disk = f"sqlite:///{tmp_path}/store.db"
    url = on_disk if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with Store.open(url, clock=TickingClock()) as store:
        yield store.checkpoints("ana")
