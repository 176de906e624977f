"""Processes that ask people, reply, decline and take back are killed at any moment: each question ends once, and nothing is lost."""

import asyncio
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import cast

from oldhand import AsyncOldhand, Oldhand
from oldhand.bootstrap import open_home
from oldhand.errors import NotAllowed, UsageError
from oldhand.record.consultation import AnswerRule, Consultation
from oldhand.record.expert import ReceptionKind
from oldhand.testing import FixedClock

PROCESSES = 4
KILLS = 40
SECONDS = 2.0
"""That a process works at most before it is killed."""
EXPERTS = ("bo", "cy", "dee")
_CONTEXT = get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    ["benchmarks.ledger_kills", "oldhand.bootstrap.experts", "oldhand.bootstrap.teaching"]
)


@dataclass
class Trial:
    """What processes said was done before they were killed."""

    asked: set[str] = field(default_factory=set[str])
    taken: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    kills: int = 0

    def note(self, told: tuple[str, str, str]) -> None:
        """Something was done, and acknowledged."""
        what, one, expert = told
        if what == "asked":
            self.asked.add(one)
        elif what == "taken":
            self.taken.add((one, expert))


def work(home: Path, told: Connection, seed: int) -> None:
    """Ask and reply, for ever."""
    asyncio.run(_work(home, told, random.Random(seed)))


async def _work(home: Path, told: Connection, source: random.Random) -> None:
    async with AsyncOldhand(home) as old:
        told.send(("ready", "", ""))
        while True:
            expert = source.choice(EXPERTS)
            waiting = await old.experts.inbox(expert)
            if len(waiting) < 3 or source.random() < 0.4:
                several = source.sample(EXPERTS, source.randint(1, 3))
                rule, seconds = source.choice(list(AnswerRule)), source.choice((0.3, 2.0, 600.0))  # fmt: skip
                text = f"Question {source.random()}?"
                asked = await old.experts.ask(text, experts=several, rule=rule, seconds=seconds)
                told.send(("asked", asked.id, ""))
            elif waiting:
                await _ends(old, source, source.choice(waiting), expert, told)


async def _ends(
    old: AsyncOldhand, source: random.Random, one: Consultation, expert: str, told: Connection
) -> None:
    """Somebody does something about a question; another process may have been faster."""
    chance = source.random()
    try:
        if chance < 0.7:
            reply = await old.experts.answer(
                one.id, f"answer {source.randint(1, 2)}", expert=expert
            )
            if reply.kind in {ReceptionKind.TAKEN, ReceptionKind.LATE}:
                told.send(("taken", one.id, expert))
        elif chance < 0.85:
            await old.experts.decline(one.id, "no idea", expert=expert)
        else:
            await old.experts.withdraw(one.id)
    except (NotAllowed, UsageError):
        pass


def killed(home: Path, kills: int) -> Trial:
    """Let processes work side by side, and kill one after the other."""
    trial, source = Trial(), random.Random(kills)
    running = [_started(home, number) for number in range(PROCESSES)]
    while trial.kills < kills:
        number = source.randrange(PROCESSES)
        process, reader = running[number]
        _listen(trial, reader, 60.0)  # it works
        ends = time.monotonic() + source.random() * SECONDS
        while (left := ends - time.monotonic()) > 0:
            _listen(trial, reader, left)
        process.kill()
        process.join()
        _listen(trial, reader, 0.0)
        trial.kills += 1
        running[number] = _started(home, PROCESSES + trial.kills)
    for process, reader in running:
        process.kill()
        process.join()
        _listen(trial, reader, 0.0)
    return trial


def _started(home: Path, seed: int) -> tuple[BaseProcess, Connection]:
    reader, writer = cast("tuple[Connection, Connection]", _CONTEXT.Pipe(duplex=False))
    process = _CONTEXT.Process(target=work, args=(home, writer, seed))
    process.start()
    writer.close()
    return process, reader


def _listen(trial: Trial, reader: Connection, seconds: float) -> None:
    """Take in all that is there, and wait so long for the first of it."""
    try:
        while reader.poll(seconds):
            trial.note(reader.recv())
            seconds = 0.0
    except EOFError:
        return


async def faults(folder: Path, trial: Trial) -> tuple[Counter[str], list[str]]:
    """How all ended once their time is over, and what is wrong with it."""
    home = open_home(folder, clock=FixedClock(datetime.now(UTC) + timedelta(days=1)))
    desk, ledger = home.desk, home.store.consultations
    await desk.carry_on()
    ones = ledger.list("default", limit=1_000_000)
    kept = {one.id: one for one in ones}
    wrong = [f"{one}: asked, and lost" for one in trial.asked - kept.keys()]
    for one_id, expert in trial.taken:
        part = kept[one_id].ask_of(expert) if one_id in kept else None
        if part is None or part.reply is None:
            wrong.append(f"{one_id}: the reply of {expert} is lost")
    journal = folder / "memory" / "_people" / "consultations.jsonl"
    last = {line["id"]: line for line in map(json.loads, journal.read_text("utf-8").splitlines())}
    for one in ones:
        wrong += _wrong_with(one, [it.what for it in ledger.events("default", one.id)])
        for part in one.replies if not one.disagrees else ():
            given = home.store.feedback_on("default", one.episode_id or one.id)
            times = sum(it.rater == part.expert for it in given)
            if times != 1:
                wrong.append(f"{one.id}: the reply of {part.expert} was learned {times} times")
        if last.get(one.id) != one.model_dump(mode="json"):
            wrong.append(f"{one.id}: the journal tells another story")
    await home.close()
    return Counter(one.state.value for one in ones), wrong


def _wrong_with(one: Consultation, trail: Iterable[str]) -> list[str]:
    counted = Counter(trail)
    ends = [what for what in counted.elements() if what.startswith("ended: ")]
    wrong = [] if ends == [f"ended: {one.state.value}"] else [f"{one.id} is {one.state}: {ends}"]
    replies = counted["answered"] + counted["late"]
    if replies != len(one.replies):
        wrong.append(f"{one.id}: {replies} replies noted, {len(one.replies)} kept")
    return wrong


def run(data: Path | None) -> None:  # noqa: ARG001 - all data is made here
    """Print what became of them."""
    with tempfile.TemporaryDirectory() as folder:
        home = prepared(Path(folder) / "home")
        trial = killed(home, KILLS)
        states, wrong = asyncio.run(faults(home, trial))
    print(
        f"{PROCESSES} processes, {trial.kills} of them killed one after the other.\n\n| | |\n|---|---:|"
    )
    print(f"| questions asked | {states.total()} |\n| replies acknowledged | {len(trial.taken)} |")
    for state, count in states.most_common():
        print(f"| {state.replace('_', ' ')} | {count} |")
    print(f"| lost, doubled or ended twice | {len(wrong)} |")
    for one in wrong:
        print(f"- {one}")


def prepared(home: Path) -> Path:
    """A home with experts."""
    with Oldhand(home) as old:
        old.people.name(owner="ana", experts=EXPERTS)
    return home
