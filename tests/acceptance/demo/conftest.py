"""The Postgres of the test run, as one of our own, and a place for others."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import sqlalchemy as sa

from oldhand.sources.databases.embedded import start_server


@pytest.fixture(scope="session")
def cluster(postgres_server: str) -> Path:
    """The folder of a Postgres that runs; parallel workers share it."""
    folder = Path(str(sa.make_url(postgres_server).query["host"]))
    start_server(folder)
    return folder


@pytest.fixture
def newcomer() -> Iterator[Path]:
    """A folder that another pytest that starts meanwhile does not lock for Postgres' user."""
    with TemporaryDirectory(prefix="oldhand-newcomer-") as folder:
        yield Path(folder)
