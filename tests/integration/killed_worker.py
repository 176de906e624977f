"""What the process does that is killed: it works in a home, and says what it was told is done."""

import asyncio
import itertools
from multiprocessing.connection import Connection
from pathlib import Path

from oldhand.bootstrap import Home, open_home
from oldhand.record.feedback import Said

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
