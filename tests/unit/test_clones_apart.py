"""Several assistants in one home: they share the store, and nothing else."""

import sqlite3
from pathlib import Path

import pytest

from oldhand import Oldhand
from oldhand.errors import InvalidId, UnknownEpisode


def database(path: Path, town: str, people: int) -> str:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, town TEXT)")
    connection.executemany("INSERT INTO customers (town) VALUES (?)", [(town,)] * people)
    connection.commit()
    connection.close()
    return f"sqlite:///{path}"


def test_clones_know_nothing_of_each_other(tmp_path: Path):
    with Oldhand(tmp_path / "home", clone="acme") as acme, Oldhand(tmp_path / "home", clone="borealis") as borealis:  # fmt: skip
        acme.databases.add(database(tmp_path / "a.db", "Oslo", 2), name="crm")
        borealis.databases.add(database(tmp_path / "b.db", "Bern", 3), name="crm")
        first, second = (one.ask("How many customers are there?") for one in (acme, borealis))
        assert (first.rows, second.rows) == (((2,),), ((3,),))
        acme.feedback(first, rating=+1)
        acme.people.name(owner="ana")
        assert [one.id for one in acme.episodes.list()] == [first.episode_id]
        assert borealis.people.get().owner == "default"
        assert len(acme.memories.list()) > len(borealis.memories.list())
        with pytest.raises(UnknownEpisode):
            borealis.episodes.get(first.episode_id)
    folder = tmp_path / "home" / "memory" / "_clones"
    assert {one.name for one in folder.iterdir()} == {"acme", "borealis"}


def test_the_name_of_a_clone_is_no_path(tmp_path: Path):
    with pytest.raises(InvalidId):
        Oldhand(tmp_path / "home", clone="../evil")
