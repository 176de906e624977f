"""Of a user who was erased nothing is left, and what others taught stays."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from oldhand.bootstrap import Home, open_home
from oldhand.errors import UsageError
from oldhand.record.feedback import Said
from oldhand.record.lesson import Search
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.step import AgentState, Checkpoint
from oldhand.store import ErasedCounts, sqlite_url
from oldhand.store.engine import open_engine
from oldhand.testing import FixedClock
from oldhand.testing.records import example_evaluation

MARK = "zanzibar"
"""Stands in everything that is of the user, and nowhere else."""
ASKED = f"How many customers live in {MARK.capitalize()}?"
RIGHT = f"SELECT COUNT(*) FROM customers WHERE city = '{MARK}'"
OTHERS = "How many customers live in Berlin?"
OTHERS_RIGHT = "SELECT COUNT(*) FROM customers WHERE city = 'Berlin' AND id > 0"


@pytest.fixture(params=["sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest) -> str | None:
    return request.getfixturevalue("postgres_url") if request.param == "postgres" else None


@pytest.fixture
async def home(folder: Path, store_url: str | None) -> AsyncIterator[Home]:
    if store_url is not None:
        (folder / "home").mkdir()
        (folder / "home" / "settings.yaml").write_text(f"store: {store_url}\n")
    opened = open_home(folder / "home", clock=FixedClock())
    opened.catalog.add(f"sqlite:///{folder / 'shop.db'}", name="shop")
    opened.people.name(owner="ana", experts=("bo", "cy"))
    yield opened
    await opened.close()


async def teach(home: Home, user: str, question: str, right: str, rater: str | None = None) -> str:
    answer = await home.turn.ask(question, user=user)
    await home.critique.give(answer.episode_id, Said(rater or user, correction=right))
    return answer.episode_id


def learned(home: Home) -> list[tuple[str, str]]:
    """What is known, without what only tells of the work of nights."""
    kinds = (MemoryType.EXAMPLE, MemoryType.ISSUE, MemoryType.PREFERENCE, MemoryType.SEMANTIC)
    found: list[Memory] = []
    for kind in kinds:
        found += home.store.memories("default", type=kind, limit=None)
    return sorted((one.id, one.model_dump_json()) for one in found if one.id != "night")


async def settle(home: Home) -> None:
    """Let everything follow that follows from what is on record."""
    await home.reflecting.run()
    await asyncio.to_thread(home.night.distiller.distil)


def tables_with(home: Home, text: str) -> list[str]:
    """The tables in which a text stands, read by somebody who knows nothing of them."""
    engine = open_engine(home.settings.store or sqlite_url(home.path / "store.db"))
    found: list[str] = []
    with engine.connect() as connection:
        for name in sa.inspect(connection).get_table_names():
            table = sa.Table(name, sa.MetaData(), autoload_with=connection)
            rows = connection.execute(sa.select(table)).all()
            found += [name] if any(text in str(tuple(row)).lower() for row in rows) else []
    return found


def files_with(folder: Path, text: str) -> list[str]:
    """The files in which a text stands, free pages and logs of databases included."""
    files = (one for one in sorted(folder.rglob("*")) if one.is_file())
    return [one.name for one in files if text.encode() in one.read_bytes().lower()]


async def mark_everything(home: Home) -> None:
    """Let the user leave something wherever something can be left."""
    episode_id = await teach(home, "bo", ASKED, RIGHT)
    await home.memories.define(MARK, "shop.customers", "bo")
    found = example_evaluation(
        f"{MARK}-1", episode_id=episode_id, issues=(f"It names {MARK}",), sql_query=RIGHT
    )
    home.store.results.add("default", [found])
    state = AgentState(run_id=f"run-{MARK}", query=ASKED)
    home.store.checkpoints("default", "bo").begin(Checkpoint(state=state))
    await home.reflecting.run()
    await home.night.work()
    again = await home.turn.ask(f"How many {MARK}?", user="bo")
    assert again.episode_id


async def test_nothing_is_left_of_what_they_asked_said_and_taught(home: Home, folder: Path) -> None:
    await teach(home, "cy", OTHERS, OTHERS_RIGHT)
    await mark_everything(home)
    assert len(tables_with(home, MARK)) > 8
    assert files_with(folder / "home" / "memory", MARK)
    await home.erasing.erase("bo")
    assert tables_with(home, MARK) == []
    assert files_with(folder / "home", MARK) == []
    assert not (folder / "home" / "memory" / "bo").exists()
    assert home.store.search_each("default", [Search(MARK)]) == ((),)
    assert home.people.clone().experts == ("cy",)


async def test_their_name_is_left_nowhere_not_even_in_answers_to_others(
    home: Home, folder: Path
) -> None:
    home.people.name(owner="ana", experts=("cy", "quentin"))
    await teach(home, "quentin", OTHERS, OTHERS_RIGHT)
    await settle(home)
    answer = await home.turn.ask(OTHERS, user="cy")
    assert "which quentin confirmed" in " ".join(answer.notes)
    await home.erasing.erase("quentin")
    assert tables_with(home, "quentin") == []
    assert files_with(folder / "home", "quentin") == []
    noted = home.store.episode("default", answer.episode_id).answer.notes
    assert "which somebody confirmed" in " ".join(noted)


async def test_what_others_taught_is_as_if_the_user_had_never_been_there(
    home: Home, folder: Path
) -> None:
    await teach(home, "cy", OTHERS, OTHERS_RIGHT)
    await settle(home)
    before = learned(home)
    await teach(home, "bo", ASKED, RIGHT)
    both = await home.turn.ask(OTHERS, user="cy")
    await home.critique.give(both.episode_id, Said("bo", rating=-1))
    await settle(home)
    assert learned(home) != before
    await home.erasing.erase("bo")
    assert learned(home) == before


async def test_the_plan_says_how_much_and_changes_nothing(home: Home) -> None:
    await teach(home, "bo", ASKED, RIGHT)
    before = learned(home)
    planned = await home.erasing.plan("bo")
    assert (planned.episodes, planned.feedback) == (1, 1)
    assert planned.memories >= 2
    assert learned(home) == before
    done = await home.erasing.erase("bo")
    assert (done.episodes, done.feedback) == (1, 1)


async def test_an_owner_is_not_erased(home: Home) -> None:
    with pytest.raises(UsageError, match="name another owner"):
        await home.erasing.erase("ana")


async def test_who_was_never_there_can_be_erased(home: Home) -> None:
    await teach(home, "cy", OTHERS, OTHERS_RIGHT)
    await settle(home)
    before = learned(home)
    assert await home.erasing.erase("nobody") == ErasedCounts()
    assert learned(home) == before


async def test_two_who_erase_at_once_do_it_once_and_leave_nothing(home: Home, folder: Path) -> None:
    await teach(home, "cy", OTHERS, OTHERS_RIGHT)
    await mark_everything(home)
    other = open_home(folder / "home", clock=FixedClock())
    counts = await asyncio.gather(home.erasing.erase("bo"), other.erasing.erase("bo"))
    await other.close()
    assert sorted(one.episodes > 0 for one in counts) == [False, True]
    assert home.store.erasing.unfinished("default") == {}
    assert tables_with(home, MARK) == []
    assert files_with(folder / "home", MARK) == []
