"""Bring a store to the tables of this version."""

from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from oldhand.errors import StoreTooNew, StoreTooOld
from oldhand.store.engine import Access, translated
from oldhand.store.work_tables import metadata

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 0x6F6C6468616E64
"""`oldhand` in ASCII: the key of Postgres' advisory lock."""


def upgrade(engine: sa.Engine) -> None:
    """Make the tables of an empty store, run the pending migrations of another.

    Two processes at once do it one after the other.

    Raises:
        StoreTooNew: a newer version of Oldhand has changed the tables already.
        StoreTooOld: it comes from before the first migration that is kept.
        StoreError: the store cannot be opened, is locked, or is full; it is unchanged then.
    """
    scripts = ScriptDirectory.from_config(_config())
    with translated(engine.url), _exclusive(engine) as connection:
        revision = _revision(connection, scripts)
        if revision is None:
            for statement in _tables(connection.dialect.name):
                connection.exec_driver_sql(statement)
            command.stamp(_config(connection), "head")
        elif revision != scripts.get_current_head():
            command.upgrade(_config(connection), "head")


def _revision(connection: sa.Connection, scripts: ScriptDirectory) -> str | None:
    revision = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in scripts.walk_revisions()}
    if revision is not None and revision not in known:
        raise StoreTooOld if revision < min(known) else StoreTooNew
    return revision


@cache
def _tables(dialect: str) -> tuple[str, ...]:
    """The statements that make all tables; put together once, for whoever opens several new stores."""
    made: list[str] = []

    def write(statement: sa.schema.ExecutableDDLElement, *_: object, **__: object) -> None:
        made.append(str(statement.compile(dialect=engine.dialect)))

    engine = sa.create_mock_engine(f"{dialect}://", write)
    metadata.create_all(engine, checkfirst=False)
    return tuple(made)


@contextmanager
def _exclusive(engine: sa.Engine) -> Generator[sa.Connection]:
    """A transaction that only one process can be in."""
    with engine.execution_options(access=Access.MIGRATE).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        yield connection


def _config(connection: sa.Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", _MIGRATIONS.as_posix().replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
