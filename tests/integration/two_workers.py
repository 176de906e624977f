"""What two processes do to one home at the same time; each says what it did, or by which name it was refused."""

import asyncio
from multiprocessing.connection import Connection
from pathlib import Path

from killed_worker import QUESTIONS, line_of

from oldhand.bootstrap import Home, open_home
from oldhand.errors import OldhandError
from oldhand.record.feedback import Said
from oldhand.store import import_memories


async def ask(home: Home, number: int, _about: str) -> str:
    return (await home.turn.ask(QUESTIONS[number % 3], user="bo", session_id="both")).episode_id


async def night(home: Home, _number: int, _about: str) -> str:
    await home.night.work()
    return ""


async def learn(home: Home, _number: int, _about: str) -> str:
    await asyncio.to_thread(home.night.distiller.distil)
    return ""


async def praise(home: Home, number: int, about: str) -> str:
    return (await home.critique.give(about, Said("default", rating=1 - 2 * (number % 2)))).feedback.id  # fmt: skip


async def correct(home: Home, number: int, about: str) -> str:
    right = f"SELECT COUNT(*) FROM customers WHERE id > {number}"
    return (await home.critique.give(about, Said("default", correction=right))).feedback.id


async def approve(home: Home, _number: int, about: str) -> str:
    return home.reviewing.approve(about, "default").id


async def retire(home: Home, number: int, about: str) -> str:
    return home.reviewing.retire(about, "default", f"reason {number}").id


async def edit(home: Home, number: int, about: str) -> str:
    return (await home.editing.edit(about, f"Count things of kind {number}", "default")).id


async def undo(home: Home, _number: int, about: str) -> str:
    return home.editing.undo(about, "default").id


async def forget(home: Home, _number: int, about: str) -> str:
    return home.memories.forget(about).id


async def prune(home: Home, _number: int, _about: str) -> str:
    return str(len(home.reviewing.prune()))


async def bring(home: Home, number: int, _about: str) -> str:
    file = home.root / f"brought-{number}.jsonl"
    file.write_text("\n".join(line_of(f"in{number}-{one}", one) for one in range(20)))
    import_memories(home.store, file, trust=True)
    return f"in{number}"


async def rebuild(home: Home, _number: int, _about: str) -> str:
    await home.rebuilding.rebuild()
    return ""


def work(folder: Path, told: Connection) -> None:
    """Do what is asked for, each so many times, until nothing more is."""
    asyncio.run(_work(folder, told))


async def _work(folder: Path, told: Connection) -> None:
    home = open_home(folder)
    told.send("ready")
    while (wish := told.recv()) is not None:
        act, rounds, about = wish
        done: list[tuple[str, str]] = []
        for number in range(rounds):
            try:
                done.append(("done", await globals()[act](home, number, about)))
            except OldhandError as error:
                done.append((type(error).__name__, str(error)))
        told.send(done)
    await home.close()
