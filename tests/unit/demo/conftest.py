"""The Postgres of the test run, as one of our own."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from oldhand.sources.databases.embedded import start_server


@pytest.fixture(scope="session")
def cluster(postgres_server: str) -> Path:
    """The folder of a Postgres that runs; parallel workers share it."""
    folder = Path(str(sa.make_url(postgres_server).query["host"]))
    start_server(folder)
    return folder
