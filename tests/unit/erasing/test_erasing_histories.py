"""Random histories of two users: with one of them erased, what is known is what the other alone has taught."""

import asyncio
import random
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from oldhand.bootstrap import Home, open_home
from oldhand.record.answer import QueryStep
from oldhand.record.episode import Episode
from oldhand.record.feedback import Said
from oldhand.record.memory import MemoryType
from oldhand.testing import FixedClock
from oldhand.testing.records import NOON, example_episode

STEPS = 10
QUESTIONS = (
    "How many customers live in Berlin?",
    "How many customers are there?",
    "List the cities of the customers",
)
SQL = (
    "SELECT COUNT(*) FROM customers WHERE city = 'Berlin' AND id > 0",
    "SELECT COUNT(DISTINCT id) FROM customers WHERE city <> 'Rome'",
    "SELECT DISTINCT city FROM customers ORDER BY city",
)
KNOWN = (
    MemoryType.EXAMPLE,
    MemoryType.ISSUE,
    MemoryType.SEMANTIC,
    MemoryType.CHECKLIST,
    MemoryType.BUG_FIX,
    MemoryType.PREFERENCE,
)


class Did(NamedTuple):
    """What is asked by one user, and said of the answer by one."""

    number: int
    user: str
    judge: str
    question: str
    sql: str
    rating: int | None
    correction: str | None


def history(seed: int) -> list[Did]:
    source = random.Random(seed)
    done: list[Did] = []
    for number in range(STEPS):
        which = source.randrange(len(QUESTIONS))
        correction = source.choice([None, None, SQL[which], SQL[source.randrange(len(SQL))]])
        rating = source.choice([1, 1, -1, None]) if correction is None else None
        user, sql = source.choice("bc"), source.choice(SQL)
        # Now and then somebody judges what the other has asked.
        judge = user if source.random() < 0.7 else source.choice("bc")
        done.append(Did(number, user, judge, QUESTIONS[which], sql, rating, correction))
    return done


def episode(did: Did, clock: FixedClock) -> Episode:
    step = QueryStep(number=1, purpose="Look it up", database="shop", sql=did.sql)
    return example_episode(
        f"answer-{did.number}",
        user_id=did.user,
        session_id=f"session-{did.number}",
        created_at=clock.now(),
        question=did.question,
        standalone=did.question,
        steps=(step,),
        ledger=(),
    )


async def lived(home: Path, done: Sequence[Did]) -> Home:
    """A home in which this has happened; ids and times are those of the same thing in any other home."""
    clock, counts = FixedClock(NOON), Counter[str]()
    now = "ana"

    def new_id() -> str:
        counts[now] += 1
        return f"id-of-{now}-{counts[now]}"

    opened = open_home(home / "home", clock=clock, new_id=new_id)
    opened.catalog.add(f"sqlite:///{home.parent / 'shop.db'}", name="shop")
    opened.people.name(owner="ana", experts=("b", "c"))
    for one in done:
        now = f"{one.number}-asked"
        clock.advance((one.number + 1) * 60 - clock.monotonic())
        # As it was answered then: what both have taught must not tell in the answers of one.
        opened.store.record_episode(episode(one, clock))
        if one.rating is not None or one.correction is not None:
            now = f"{one.number}-said"
            said = Said(one.judge, rating=one.rating, correction=one.correction)
            await opened.critique.give(f"answer-{one.number}", said)
    await opened.reflecting.run()
    await asyncio.to_thread(opened.night.distiller.distil)
    return opened


def known(home: Home) -> list[tuple[object, ...]]:
    """All that was learned."""
    found = (m for kind in KNOWN for m in home.store.memories("default", type=kind, limit=None))
    return sorted(
        (
            memory.id,
            memory.user_id,
            memory.payload.model_dump_json(),
            memory.confidence,
            memory.provenance.model_dump_json(),
        )
        for memory in found
        if memory.id != "night"
    )


def without_b(done: Sequence[Did]) -> list[Did]:
    """The same history, had b never been there: what b asked was not asked, what b said was not said."""
    asked = [one for one in done if one.user != "b"]
    unsaid = {"rating": None, "correction": None}
    return [one._replace(**unsaid) if one.judge == "b" else one for one in asked]


@pytest.mark.parametrize("seed", range(3))
async def test_erasing_one_leaves_what_the_other_alone_has_taught(
    tmp_path: Path, seed: int
) -> None:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        connection.execute("INSERT INTO customers VALUES (1, 'Berlin'), (2, 'Oslo'), (3, 'Rome')")
    done = history(seed)
    both = await lived(tmp_path / "both", done)
    alone = await lived(tmp_path / "alone", without_b(done))
    try:
        await both.erasing.erase("b")
        assert known(both) == known(alone)
        assert both.memories.learner.rebuild().saved == ()
    finally:
        await both.close()
        await alone.close()
