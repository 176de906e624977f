"""What becomes of worker processes: none outlives its program, and one that died is replaced."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from tests.patience import PATIENCE

from oldhand.errors import DatabaseUnreachable
from oldhand.record.clone import DatabaseEntry
from oldhand.sources.databases import open_database

PROGRAM = Path(__file__).with_name("stuck_program.py")


@pytest.fixture
def url(tmp_path):
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        connection.execute("CREATE TABLE shop (id INTEGER)")
    return f"sqlite:///{tmp_path}/shop.db"


def is_alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


def gone(*pids: int) -> bool:
    until = time.monotonic() + PATIENCE
    while any(map(is_alive, pids)) and time.monotonic() < until:
        os.sched_yield()
    return not any(map(is_alive, pids))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("killed", ["program", "nursery"])
def test_a_killed_program_leaves_no_worker_behind(url, killed):
    with subprocess.Popen(
        [sys.executable, str(PROGRAM), url],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as program:
        assert program.stdout is not None
        worker, nursery = map(int, program.stdout.readline().split())
        assert is_alive(worker)
        assert is_alive(nursery)
        os.kill(program.pid if killed == "program" else nursery, signal.SIGKILL)
        assert gone(worker, nursery)
        program.kill()


def test_a_worker_that_died_is_replaced(url):
    with open_database(DatabaseEntry(name="shop", url=url)) as shop:
        (session,) = shop._idle
        os.kill(session._pid, signal.SIGKILL)
        assert session._line.poll(PATIENCE)
        assert shop.fetch("SELECT 1", rows=1, seconds=PATIENCE).rows == ((1,),)


def test_a_nursery_that_died_is_replaced(url):
    with open_database(DatabaseEntry(name="shop", url=url)) as shop:
        (session,) = shop._idle
        os.kill(session._nursery._process.pid, signal.SIGKILL)
        session._nursery._process.wait(PATIENCE)
        session.interrupt()
        assert session._line.poll(PATIENCE)
        assert shop.fetch("SELECT 1", rows=1, seconds=PATIENCE).rows == ((1,),)
        with open_database(DatabaseEntry(name="again", url=url)) as again:
            assert again.fetch("SELECT 1", rows=1, seconds=PATIENCE).rows == ((1,),)


def test_a_fork_has_workers_of_its_own(url):
    with open_database(DatabaseEntry(name="shop", url=url)) as shop:
        child = os.fork()
        if child == 0:
            status = 1
            try:
                status = int(shop.fetch("SELECT 1", rows=1, seconds=PATIENCE).rows != ((1,),))
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert shop.fetch("SELECT 1", rows=1, seconds=PATIENCE).rows == ((1,),)


def test_workers_do_not_see_the_secrets_of_the_program(url, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "secret")
    with open_database(DatabaseEntry(name="shop", url=url)) as shop:
        (session,) = shop._idle
        if sys.platform == "linux":
            assert b"SOME_API_KEY" not in Path(f"/proc/{session._pid}/environ").read_bytes()


@pytest.mark.parametrize("place", ["/dev/zero", "pipe"])
def test_a_pipe_or_a_device_is_no_database(tmp_path, place):
    path = tmp_path / place
    if place == "pipe":
        os.mkfifo(path)
    with pytest.raises(DatabaseUnreachable, match="pipe or a device"):
        open_database(DatabaseEntry(name="shop", url=f"sqlite:///{path}"))
