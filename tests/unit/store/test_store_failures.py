"""What a store says when it cannot be read or written, and that nothing is half written then."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy import event

from oldhand.errors import (
    MissingExtra,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreTooNew,
    StoreUnreachable,
    UsageError,
)
from oldhand.record.clone import Clone
from oldhand.record.ports import random_id
from oldhand.store import Store, sqlite_url
from oldhand.store.engine import open_engine
from oldhand.store.migrate import upgrade
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import example_episode, example_feedback

CLOCK = FixedClock()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "oldhand.db",
        "postgresql://db:port/x",
        "mysql://db/x",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite://store.db",
        "sqlite://folder/store.db",
        "::",
    ],
)
def test_an_address_that_is_none_of_a_store_is_refused(url: str):
    with pytest.raises(UsageError):
        Store.open(url, clock=CLOCK)


@pytest.mark.parametrize("name", ["a b", "a%20b", "a#b", "a?b", "ö", "a@b:c"])
def test_any_folder_can_hold_a_store(tmp_path: Path, name: str):
    (tmp_path / name).mkdir()
    Store.open(sqlite_url(tmp_path / name / "store.db"), clock=CLOCK).close()
    assert (tmp_path / name / "store.db").is_file()
    assert [one.name for one in tmp_path.iterdir()] == [name]


def test_a_folder_that_does_not_exist_is_unreachable(tmp_path: Path):
    with pytest.raises(StoreUnreachable, match=r"nowhere/x\.db"):
        Store.open(f"sqlite:///{tmp_path}/nowhere/x.db", clock=CLOCK)


def test_a_file_that_is_no_database_is_unreachable_and_unharmed(tmp_path: Path):
    (tmp_path / "x.db").write_text("notes of mine " * 1000)
    with pytest.raises(StoreUnreachable, match="not a database"):
        Store.open(f"sqlite:///{tmp_path}/x.db", clock=CLOCK)
    assert (tmp_path / "x.db").read_text() == "notes of mine " * 1000


@pytest.mark.parametrize("option", ["password", "sslpassword"])
def test_a_password_among_the_options_is_not_shown(tmp_path: Path, option: str):
    with pytest.raises(StoreUnreachable) as raised:
        Store.open(f"postgresql:///oldhand?host={tmp_path}&{option}=hunter2", clock=CLOCK)
    assert "hunter2" not in str(raised.value)
    assert f"{option}=***" in str(raised.value)


def test_a_server_that_does_not_answer_is_unreachable_and_its_password_not_shown(tmp_path: Path):
    with pytest.raises(StoreUnreachable) as raised:
        Store.open(f"postgresql://ana:hunter2@/x?host={tmp_path}", clock=CLOCK)
    assert "hunter2" not in str(raised.value)


def test_a_database_that_the_server_does_not_have_is_unreachable(postgres_url: str):
    missing = sa.make_url(postgres_url).set(database="nowhere")
    with pytest.raises(StoreUnreachable, match="nowhere"):
        Store.open(missing.render_as_string(hide_password=False), clock=CLOCK)


def test_a_connection_that_was_lost_in_between_is_made_anew(postgres_url: str):
    with Store.open(postgres_url, clock=CLOCK) as store:
        engine = open_engine(postgres_url)
        store.save_clone(Clone(created_at=CLOCK.now()))
        with engine.connect() as other:
            everybody = sa.text(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            assert all(other.execute(everybody).scalars())
        engine.dispose()
        assert store.clone("default") is not None


def test_postgres_without_its_driver_names_the_install_command(tmp_path: Path):
    program = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from oldhand.store.engine import open_engine\n"
        "from oldhand.errors import MissingExtra\n"
        "try: open_engine('postgresql://db/x')\n"
        "except MissingExtra as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout == f"{MissingExtra('psycopg', 'postgres')}\n"


def test_a_store_that_another_process_holds_is_locked(url: str, tmp_path: Path):
    with Store.open(url, clock=CLOCK, lock_seconds=0.01) as store:
        holder = sqlite3.connect(tmp_path / "oldhand.db", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreLocked, match="try again"):
            store.record_episode(example_episode())
        assert store.episodes("default") == ()
        holder.execute("COMMIT")
        holder.close()
        store.record_episode(example_episode())
        assert len(store.episodes("default")) == 1


def test_a_locked_postgres_is_locked(postgres_url: str):
    with Store.open(postgres_url, clock=CLOCK, lock_seconds=0.01) as store:
        engine = open_engine(postgres_url)
        with engine.begin() as holder:
            holder.execute(sa.text("LOCK TABLE episodes"))
            with pytest.raises(StoreLocked):
                store.record_episode(example_episode())
        engine.dispose()
        store.record_episode(example_episode())
        assert len(store.episodes("default")) == 1


def test_a_full_store_says_so_and_writes_nothing(url: str):
    engine = open_engine(url)
    upgrade(engine)
    with engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
    engine.dispose()
    few = f"PRAGMA max_page_count = {pages + 30}"
    event.listen(engine, "connect", lambda raw, _: raw.execute(few))
    store = Store(engine, clock=CLOCK, new_id=random_id, journal=None)
    store.record_episode(example_episode())
    with pytest.raises(StoreFull, match="no room"):
        store.record_episode(example_episode("big", text="x" * 400_000))
    assert [one.id for one in store.episodes("default")] == ["episode-1"]
    store.add_feedback(example_feedback("f-1", +1))
    assert store.episode("default", "episode-1").success is True
    store.close()


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with room for three quarters of a megabyte."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=768k", "tmpfs", disk], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("needs the right to mount a small disk")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_a_full_disk_says_so_and_keeps_what_was_written(tiny_disk: Path):
    url = f"sqlite:///{tiny_disk}/oldhand.db"
    written = 0
    with Store.open(url, clock=CLOCK) as store, suppress(StoreFull):
        while written < 1000:
            store.record_episode(example_episode(f"e{written}", text="x" * 10_000))
            written += 1
    assert 0 < written < 100
    with Store.open(url, clock=CLOCK) as store:
        assert len(store.episodes("default", limit=None)) == written


def test_a_store_of_a_newer_version_is_left_alone(url: str):
    Store.open(url, clock=CLOCK).close()
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreTooNew, match="upgrade"):
        Store.open(url, clock=CLOCK)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_store_that_may_not_be_written_is_unreachable(url: str, tmp_path: Path):
    Store.open(url, clock=CLOCK).close()
    (tmp_path / "oldhand.db").chmod(0o400)
    with pytest.raises(StoreUnreachable), Store.open(url, clock=CLOCK) as store:
        store.record_episode(example_episode())


def test_a_damaged_store_is_a_store_error(url: str, tmp_path: Path):
    with Store.open(url, clock=CLOCK) as store:
        store.record_episode(example_episode(text="x" * 100_000))
    path = tmp_path / "oldhand.db"
    path.write_bytes(path.read_bytes()[:8192] + b"\xff" * 200_000)
    with pytest.raises(StoreError), Store.open(url, clock=CLOCK) as store:
        store.episodes("default")


def test_feedback_is_synced_to_the_disk_before_it_is_acknowledged(url: str):
    engine = open_engine(url)
    statements: list[str] = []
    event.listen(engine, "connect", lambda one, _: one.set_trace_callback(statements.append))
    upgrade(engine)
    store = Store(engine, clock=CLOCK, new_id=random_id, journal=None)
    store.record_episode(example_episode())
    assert "PRAGMA synchronous = FULL" not in statements[-5:]
    statements.clear()
    store.add_feedback(example_feedback("f-1", +1))
    assert "PRAGMA synchronous = FULL" in statements
    assert "PRAGMA synchronous = NORMAL" not in statements
    store.close()
