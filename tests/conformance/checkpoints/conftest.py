"""Every place where unfinished runs lie."""

from collections.abc import Iterator
from datetime import datetime

import pytest

from oldhand.agent.acting import Checkpoints
from oldhand.store import Store
from oldhand.testing import FixedClock, MemoryCheckpoints

STORES = {"sqlite": "sqlite_store_url", "postgres": "postgres_store_url"}
KINDS = ("memory", *STORES)


class TickingClock(FixedClock):
    """Moves on whenever somebody looks at it."""

    def now(self) -> datetime:
        self.advance(1)
        return super().now()


@pytest.fixture
def kinds() -> tuple[str, ...]:
    return KINDS


@pytest.fixture(params=KINDS)
def checkpoints(request: pytest.FixtureRequest) -> Iterator[Checkpoints]:
    if request.param == "memory":
        yield MemoryCheckpoints()
        return
    url = request.getfixturevalue(STORES[request.param])
    with Store.open(url, clock=TickingClock()) as store:
        yield store.checkpoints("ana")
