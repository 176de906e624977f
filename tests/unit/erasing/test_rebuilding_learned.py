"""What was learned can be dropped, and comes back the same from what is on record."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from oldhand.bootstrap import Home, open_home
from oldhand.record.evaluation import Evaluation
from oldhand.record.feedback import Said
from oldhand.record.memory import MemoryType
from oldhand.record.stage import is_shown
from oldhand.store import IssueScope, TallyFilter, sqlite_url
from oldhand.store.engine import open_engine
from oldhand.store.issues.runs import Draw
from oldhand.testing import FixedClock
from oldhand.testing.records import NOON, example_memory

QUESTIONS = {
    "How many customers live in Berlin?": "SELECT COUNT(*) FROM customers WHERE city = 'Berlin' AND id > 0",
    "How many customers live in Oslo?": "SELECT COUNT(*) FROM customers WHERE city = 'Oslo' AND id > 0",
    "How many punters are there?": "SELECT COUNT(*) FROM customers",
    "How many punters live in Oslo?": "SELECT COUNT(*) FROM customers WHERE city = 'Oslo'",
}
SCOPE = IssueScope("default", "gpt-4", "sales", "sqlvalidator")


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        connection.execute("INSERT INTO customers VALUES (1, 'Berlin'), (2, 'Oslo')")
    clock = FixedClock(NOON)
    opened = open_home(tmp_path / "home", clock=clock)
    opened.catalog.add(f"sqlite:///{tmp_path / 'shop.db'}", name="shop")
    for question, right in QUESTIONS.items():
        clock.advance(60)
        answer = await opened.turn.ask(question)
        clock.advance(60)
        await opened.critique.give(answer.episode_id, Said("default", correction=right))
        judge(opened, answer.episode_id, clock)
    await opened.memories.define("cities", "shop.customers.city", "default")
    opened.store.save_memory(example_memory("theirs", MemoryType.SEMANTIC))
    await opened.reflecting.run()
    await opened.night.work()
    yield opened
    await opened.close()


def judge(home: Home, episode_id: str, clock: FixedClock) -> None:
    """Find an issue, show it, and find it again."""
    for number in range(2):
        clock.advance(1)
        found = Evaluation(
            id=f"{episode_id}-{number}",
            episode_id=episode_id,
            evaluator_type="sqlvalidator",
            granularity="step",
            policy_model="gpt-4",
            task_type="sales",
            query_idx=1,
            score=0.5,
            is_valid=False,
            issues=("It forgets the returns",),
            sql_query="SELECT 1",
            created_at=clock.now(),
        )
        home.store.results.add("default", [found])
        pool = home.store.results.pool(SCOPE, episode_id, [])
        draws = [Draw(one.seq, shown=True, chance=0.5) for one in pool.issues.values()][:1]
        clock.advance(1)
        home.store.results.draw(SCOPE, episode_id, draws, at=clock.now())


def dump(home: Home) -> dict[str, object]:
    """All that is derived, without the keys of rows and when they were written."""
    store = home.store
    engine = open_engine(sqlite_url(home.path / "store.db"))
    with engine.connect() as connection:
        lists = sa.text(
            "SELECT m.id, d.terms, d.phrase FROM search_documents d JOIN memories m ON m.seq = d.seq"
        )
        holders = sa.text(
            "SELECT s.user_id, s.type, s.memories, s.words, p.term, count(*), sum(length(p.places))"
            " FROM search_scopes s JOIN search_postings p ON p.scope_id = s.id"
            " GROUP BY s.user_id, s.type, s.memories, s.words, p.term"
        )
        searched = sorted(map(tuple, connection.execute(lists).all()), key=str)
        counted = sorted(map(tuple, connection.execute(holders).all()), key=str)
    engine.dispose()
    memories = {
        # A lesson is as old as the reflection that it was first made of, which may have been made anew since; and nights
        # examine it again.
        one.id: one.model_dump_json(
            exclude={"created_at": True, "payload": {"exam"}} if "distilled" in one.tags else None
        )
        for kind in MemoryType
        for one in store.memories("default", type=kind, limit=None)
        if one.id != "night"
    }
    tallies = store.results.tallies("default", TallyFilter())
    return {
        "memories": memories,
        "tallies": [one.model_dump_json() for one in tallies],
        "documents": [one for one in searched if one[0] != "night"],
        "holders": [one for one in counted if "night" not in one],
    }


def test_there_is_something_of_every_kind(home: Home) -> None:
    kinds = {one.type for one in home.store.memories("default", limit=None)}
    assert kinds >= {MemoryType.EXAMPLE, MemoryType.PREFERENCE, MemoryType.SEMANTIC}
    (tally, *_) = [one for one in home.store.results.tallies("default", TallyFilter()) if one.shown]
    assert (tally.count, tally.recurred) >= (8, 4)
    assert len(home.rebuilding.derived()) > 4


async def test_a_rebuild_changes_nothing_when_nothing_was_lost(home: Home) -> None:
    before = dump(home)
    rebuilt = await home.rebuilding.rebuild()
    assert rebuilt.saved == rebuilt.withdrawn == ()
    assert dump(home) == before


async def test_what_was_dropped_comes_back_the_same(home: Home) -> None:
    before, derived = dump(home), home.rebuilding.derived()
    assert home.store.rebuilding.drop("default", derived) == len(derived)
    assert dump(home) != before
    await home.rebuilding.rebuild()
    assert dump(home) == before


async def test_all_at_once_with_the_index_and_the_tallies(home: Home) -> None:
    before = dump(home)
    engine = open_engine(sqlite_url(home.path / "store.db"))
    with engine.begin() as connection:
        for name in ("search_postings", "search_documents", "search_scopes"):
            connection.execute(sa.delete(sa.table(name)))
    engine.dispose()
    rebuilt = await home.rebuilding.rebuild(drop=True)
    assert rebuilt.dropped > 4
    assert dump(home) == before


async def test_what_people_stated_or_imported_is_not_dropped(home: Home) -> None:
    derived = set(home.rebuilding.derived())
    stated = {one.id for one in home.store.memories("default", limit=None) if one.id == "theirs"}
    words = home.store.memories("default", type=MemoryType.PREFERENCE, text="cities", limit=None)
    assert stated
    assert words
    assert derived.isdisjoint(stated | {one.id for one in words})


async def test_pruned_evaluations_take_their_tallies_along(home: Home) -> None:
    assert dump(home)["tallies"]
    home.store.results.prune("default", NOON.replace(year=2100))
    await home.rebuilding.rebuild()
    assert not dump(home)["tallies"]


async def test_the_note_on_the_nights_comes_back_the_same(home: Home) -> None:
    before = home.store.memory("default", "night")
    await home.rebuilding.rebuild(drop=True)
    assert home.store.memory("default", "night") == before


async def test_what_people_set_aside_or_took_back_stays_so(home: Home) -> None:
    kept = home.store.memories("default", tag="distilled", type=MemoryType.SEMANTIC)
    lesson, *_ = kept
    home.reviewing.retire(lesson.id, "default", "I have doubts.")
    await home.rebuilding.rebuild(drop=True)
    assert not is_shown(home.store.memory("default", lesson.id))
    await asyncio.to_thread(home.editing.undo, lesson.id, "default")
    await home.rebuilding.rebuild(drop=True)
    assert is_shown(home.store.memory("default", lesson.id))
