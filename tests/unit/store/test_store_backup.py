"""A home goes into one file and comes back: at one moment, whole, or not at all."""

import gzip
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import pytest

from oldhand import Oldhand
from oldhand.errors import InvalidBackup, OutputExists
from oldhand.store.backup import back_up, checked_backup, restore
from oldhand.testing import FixedClock

CLOCK = FixedClock()


def filled(home: Path, store: str | None = None) -> list[str]:
    with Oldhand(home, store=store) as old:
        kept = [old.record(f"How many ships in {town}?", "2") for town in ("Rome", "Oslo")]
        old.feedback(kept[0], rating=+1)
        old.documents.upload("leave.md", b"# Leave\n\nAsk the office two weeks before.\n")
        old.documents.refresh()
        old.databases.upload("ships.csv", b"name,tons\nAda,5\n")
        old.access.add_clone("other", "zoe")
    with Oldhand(home, clone="other", store=store) as other:
        kept.append(other.record("How many boats?", "3"))
    return kept


def known(home: Path, store: str | None = None) -> tuple[object, ...]:
    with Oldhand(home, store=store) as old, Oldhand(home, clone="other", store=store) as other:
        answers = sorted(one.id for one in (*old.episodes.list(), *other.episodes.list()))
        texts = [one.text for one in old.documents.passages(old.documents.list()[0].id)]
        return answers, texts, old.feedback_totals(), other.people.get().owner


def test_all_of_a_home_comes_back(tmp_path: Path):
    kept = filled(tmp_path / "home")
    back_up(tmp_path / "home", tmp_path / "b.tar.gz", store=None, clock=CLOCK)
    restore(tmp_path / "b.tar.gz", tmp_path / "again")
    before, after = known(tmp_path / "home"), known(tmp_path / "again")
    assert before == after
    assert after[0] == sorted(kept)
    assert (tmp_path / "again/uploads/leave.md").exists()
    with Oldhand(tmp_path / "again") as old:
        assert [one.document.source for one in old.documents.refresh()] == [str(tmp_path / "again/uploads/leave.md")]  # fmt: skip
        old.documents.upload("leave.md", b"# Leave\n\nAsk the office three weeks before.\n")
        assert [one.change for one in old.documents.refresh()] in (["read"], ["unchanged"])
        assert old.databases.list()[0].url == f"files:////{tmp_path}/again/uploads/databases/ships.csv".replace("////", "///")  # fmt: skip
    journal = "memory/default/episodic.jsonl"
    assert (tmp_path / "again" / journal).read_text() == (tmp_path / "home" / journal).read_text()
    assert (tmp_path / "b.tar.gz").stat().st_mode & 0o077 == 0


def test_a_store_in_postgres_comes_back_and_counts_on(tmp_path: Path, postgres_url: str, postgres_store_url: str):  # fmt: skip
    filled(tmp_path / "home", postgres_store_url)
    made = back_up(tmp_path / "home", tmp_path / "b.tar.gz", store=postgres_store_url, clock=CLOCK)
    assert made.store == "postgresql"
    restore(tmp_path / "b.tar.gz", tmp_path / "again", store=postgres_url)
    assert known(tmp_path / "home", postgres_store_url) == known(tmp_path / "again", postgres_url)
    with Oldhand(tmp_path / "again", store=postgres_url) as old:
        assert old.feedback(old.record("How many?", "4"), rating=-1).source == "owner"
    with pytest.raises(OutputExists, match="empty database"):
        restore(tmp_path / "b.tar.gz", tmp_path / "third", store=postgres_url)
    assert not (tmp_path / "third").exists()


def test_others_go_on_writing_meanwhile(tmp_path: Path):
    home, said, stop = tmp_path / "home", list[str](), Event()
    filled(home)

    def work() -> None:
        with Oldhand(home) as old:
            while not stop.is_set():
                said.append(old.record("How many ships?", "2"))

    writer = Thread(target=work)
    writer.start()
    try:
        for number in range(3):
            there = list(said)
            back_up(home, tmp_path / f"{number}.tar.gz", store=None, clock=CLOCK)
            restore(tmp_path / f"{number}.tar.gz", tmp_path / f"again{number}")
            with Oldhand(tmp_path / f"again{number}") as old:
                assert set(there) <= {one.id for one in old.episodes.list(limit=100_000)}
    finally:
        stop.set()
        writer.join()


def test_nothing_is_overwritten_and_nothing_half_is_believed(tmp_path: Path):
    filled(tmp_path / "home")
    whole = tmp_path / "b.tar.gz"
    back_up(tmp_path / "home", whole, store=None, clock=CLOCK)
    with pytest.raises(OutputExists):
        back_up(tmp_path / "home", whole, store=None, clock=CLOCK)
    with pytest.raises(OutputExists):
        restore(whole, tmp_path / "home")
    data = whole.read_bytes()
    plain = bytearray(gzip.decompress(data))
    at = plain.index(b"two weeks before")
    plain[at : at + 3] = b"six"
    for wrong, said in ((data[: len(data) // 2], "half-written"), (b"hello", "half-written"), (gzip.compress(plain), "leave.md|store.db")):  # fmt: skip
        (tmp_path / "wrong.tar.gz").write_bytes(wrong)
        with pytest.raises(InvalidBackup, match=said):
            restore(tmp_path / "wrong.tar.gz", tmp_path / "new")
        assert sorted(it.name for it in tmp_path.iterdir()) == ["b.tar.gz", "home", "wrong.tar.gz"]


def test_one_that_is_killed_leaves_no_file_of_that_name(tmp_path: Path):
    home, target = tmp_path / "home", tmp_path / "b.tar.gz"
    filled(home)
    with (home / "uploads/large.bin").open("wb") as file:
        file.write(os.urandom(40_000_000))
    command = [sys.executable, "-m", "oldhand", "backup", str(target), "--home", str(home)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    partial = target.with_name("b.tar.gz.partial")
    while process.poll() is None and not (partial.exists() and partial.stat().st_size):
        pass
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not target.exists()
    with pytest.raises(InvalidBackup):
        checked_backup(partial)
    (home / "uploads/large.bin").unlink()
    back_up(home, target, store=None, clock=CLOCK)
    assert not partial.exists()
    assert "home/uploads/leave.md" in checked_backup(target).sums
