"""Every kind of index that the conformance suite runs over."""

from collections.abc import Callable, Collection, Iterator, Sequence

import pytest
import sqlalchemy as sa

from oldhand.learning.recall import FoundMemory
from oldhand.record.lesson import ANYTHING, Only, Search
from oldhand.record.memory import Memory, MemoryType
from oldhand.store import Store
from oldhand.testing import FixedClock, MemoryIndex


class Shelf:
    """A store seen as `MemoryIndex` shows itself: put in, take out, search."""

    def __init__(self, url: str) -> None:
        self.kind = sa.make_url(url).get_backend_name()
        self.store = Store.open(url, clock=FixedClock())

    def save(self, memory: Memory) -> None:
        self.store.save_memory(memory)

    def forget(self, memory_id: str) -> None:
        self.store.forget_memory("default", memory_id)

    def search(
        self,
        text: str,
        *,
        types: Collection[MemoryType] | None,
        limit: int,
        only: Only = ANYTHING,
    ) -> Sequence[FoundMemory]:
        return self.search_each([Search(text, types, limit, only)])[0]

    def search_each(self, searches: Sequence[Search]) -> Sequence[Sequence[FoundMemory]]:
        return self.store.search_each("default", searches, user_ids={"default", "ana"})


class InMemory(MemoryIndex):
    """The twin, with a name."""

    kind = "memory"


STORES = {"sqlite": "sqlite_store_url", "postgres": "postgres_store_url"}
INDEXES = ("memory", *STORES)


@pytest.fixture
def indexes() -> tuple[str, ...]:
    return INDEXES


@pytest.fixture
def made() -> Iterator[Callable[[str, pytest.FixtureRequest], InMemory | Shelf]]:
    """Makes an empty index of any kind."""
    opened: list[Shelf] = []

    def make(kind: str, request: pytest.FixtureRequest) -> InMemory | Shelf:
        if kind == "memory":
            return InMemory()
        opened.append(Shelf(request.getfixturevalue(STORES[kind])))
        return opened[-1]

    yield make
    for shelf in opened:
        shelf.store.close()


@pytest.fixture(params=INDEXES)
def index(request: pytest.FixtureRequest, made) -> InMemory | Shelf:
    return made(request.param, request)
