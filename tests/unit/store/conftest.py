"""A store in a fresh home."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from oldhand.store import Journal, Store
from oldhand.testing.clock import FixedClock


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/oldhand.db"


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "memory")


@pytest.fixture
def store(sqlite_store_url: str, journal: Journal) -> Iterator[Store]:
    with Store.open(sqlite_store_url, clock=FixedClock(), journal=journal) as opened:
        yield opened
