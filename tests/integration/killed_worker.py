"""What the process does that is killed: it works in a home, and says what it was told is done."""

import asyncio
import itertools
import json
from multiprocessing.connection import Connection
from pathlib import Path

from oldhand.bootstrap import Home, open_home
from oldhand.record.feedback import Said
from oldhand.store import import_memories

QUESTIONS = ("How many customers live in Berlin?", "How many customers live in Oslo?", "How many customers are there?")  # fmt: skip


def work(home: Path, told: Connection, round_number: int) -> None:
    """Ask, judge, look back, do the work of nights; forever."""
    asyncio.run(_work(open_home(home), told, round_number))


async def _work(home: Home, told: Connection, round_number: int) -> None:
    told.send(("ready", ""))
    for number in itertools.count(round_number):
        answer = await home.turn.ask(QUESTIONS[number % 3], user="bo")
        told.send(("answer", answer.episode_id))
        said = Said("default", rating=1 if number % 4 else -1, text=f"word {number}")
        if number % 5 == 2:
            said = Said("default", correction=f"SELECT COUNT(*) FROM customers WHERE id > {number}")
        receipt = await home.critique.give(answer.episode_id, said)
        told.send(("feedback", receipt.feedback.id))
        await home.reflecting.run(limit=2)
        if number % 3 == 0:
            await home.night.work()
            told.send(("night", ""))


def erase(home: Path, told: Connection) -> None:
    """Erase `bo`."""
    opened = open_home(home)
    told.send(("ready", ""))
    asyncio.run(opened.erasing.erase("bo"))
    told.send(("erased", ""))


BATCH = 40
"""Memories of one file."""


def care(home: Path, told: Connection, round_number: int) -> None:
    """Import, retire, forget and prune; forever."""
    opened = open_home(home)
    told.send(("ready", ""))
    for number in itertools.count(round_number):
        file = home.parent / f"{number}.jsonl"
        file.write_text("\n".join(line_of(f"{number}-{one}", one) for one in range(BATCH)))
        import_memories(opened.store, file, trust=True)
        told.send(("imported", f"{number}"))
        opened.reviewing.retire(f"{number}-0", "default", "Out of date.")
        told.send(("retired", f"{number}-0"))
        opened.memories.forget(f"{number}-1")
        told.send(("forgotten", f"{number}-1"))
        opened.reviewing.prune()
        told.send(("pruned", f"{number}-2"))


def line_of(name: str, place: int) -> str:
    """A memory as files have it; the third of each is old and hardly believed."""
    at, confidence = ("2020-01-01T00:00:00Z", 0.1) if place == 2 else ("2026-01-01T00:00:00Z", 0.9)
    said = {"rule": f"Count things of kind {name}"}
    kept = {"provenance": {"source": "owner"}, "confidence": confidence, "tags": ["distilled"]}
    return json.dumps({"type": "semantic", "id": name, "created_at": at, "payload": said, **kept})
