"""Every kind of store that the conformance suite runs over."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from oldhand.store import Journal, Store
from oldhand.testing.clock import CountingIds, FixedClock

STORES = {"sqlite": "sqlite_store_url", "postgres": "postgres_store_url"}


@pytest.fixture
def stores() -> dict[str, str]:
    """The kinds of stores, each with the fixture that gives its address."""
    return STORES


@pytest.fixture(params=STORES)
def store_url(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue(STORES[request.param])


@pytest.fixture
def clock() -> FixedClock:
    """The clock of the stores that `open_store` opens."""
    return FixedClock()


@pytest.fixture
def open_store(store_url: str, tmp_path: Path, clock: FixedClock) -> Iterator[Callable[[], Store]]:
    """Opens the store of the test, again and again if need be; its home is `tmp_path`."""
    opened: list[Store] = []

    def open_it() -> Store:
        journal = Journal(tmp_path / "memory", new_id=CountingIds("journal"))
        ids = CountingIds(f"message-{len(opened)}")
        opened.append(Store.open(store_url, clock=clock, new_id=ids, journal=journal))
        return opened[-1]

    yield open_it
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Callable[[], Store]) -> Store:
    return open_store()
