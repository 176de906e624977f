"""The server: what it adds to a question, many streams at once, and votes while it is killed again and again."""

import asyncio
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx2 as http

from benchmarks.overhead import make_shop
from oldhand import Client, Oldhand
from oldhand.models.clock import SystemClock
from oldhand.record.feedback import Feedback, standing
from oldhand.settings import load_settings
from oldhand.store import home_store

QUESTION = "How many customers live in Berlin?"
QUESTIONS = 40
STREAMS = 200
ROUNDS = 10
VOTES = 1_000
KILLS = 5
_PATIENCE = 120
_UNLIMITED = "server: {requests_per_second: 100000, burst: 100000}\n"
"""Else the server would tell the benchmark to wait."""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """`oldhand serve` in a process of its own."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._port = _free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self.process = self._started()

    def _started(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "oldhand", "serve", "--port", f"{self._port}"]
        environment = {**os.environ, "OLDHAND_HOME": str(self._home)}
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        self._wait()
        return process

    def _wait(self) -> None:
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            try:
                http.get(f"{self.url}/api/health")
            except http.TransportError:
                time.sleep(0.1)
            else:
                return
        raise TimeoutError("The server did not start.")

    def kill_and_restart(self) -> None:
        """As when the power fails, and somebody turns it on again."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process = self._started()

    def memory(self) -> float:
        """Resident megabytes."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def served(home: Path) -> Generator[Server]:
    """A server, for as long as the block lasts."""
    server = Server(home)
    try:
        yield server
    finally:
        server.process.terminate()
        server.process.wait(_PATIENCE)


def seconds_of(old: Oldhand) -> list[float]:
    """The time of each question."""
    spent: list[float] = []
    for _ in range(QUESTIONS):
        began = time.perf_counter()
        old.ask(QUESTION)
        spent.append(time.perf_counter() - began)
    return spent[5:]


async def stream_many(url: str, key: str) -> tuple[int, float]:
    """How many of many streams at once end in an answer, and the seconds until all have."""
    headers = {"Authorization": f"Bearer {key}"}
    limits = http.Limits(max_connections=STREAMS)
    began = time.perf_counter()
    async with http.AsyncClient(headers=headers, limits=limits, timeout=600) as wire:

        async def one() -> bool:
            place = f"{url}/api/clones/default/ask/stream"
            async with wire.stream("POST", place, json={"question": QUESTION}) as response:
                events = [line async for line in response.aiter_lines() if line.startswith("event")]
                return bool(events) and events[-1] == "event: answer"

        ended = await asyncio.gather(*(one() for _ in range(STREAMS)), return_exceptions=True)
    return sum(one is True for one in ended), time.perf_counter() - began


async def vote(server: Server, key: str, episodes: list[str]) -> set[str]:
    """Votes on all of these answers, while the server is killed: ids of the feedback that was acknowledged."""
    headers = {"Authorization": f"Bearer {key}"}
    acknowledged: set[str] = set()
    waiting = list(episodes)

    async def voter(wire: http.AsyncClient) -> None:
        while waiting:
            episode = waiting.pop()
            place = f"{server.url}/chat/message/{episode}/feedback"
            try:
                response = await wire.post(place, json={"contentRating": 1})
            except http.TransportError:
                waiting.append(episode)  # as a person who sees no answer and clicks again
                await asyncio.sleep(0.2)
                continue
            acknowledged.add(response.raise_for_status().json()["id"])

    async with http.AsyncClient(headers=headers, timeout=60) as wire:
        voters = [asyncio.create_task(voter(wire)) for _ in range(8)]
        for part in range(1, KILLS + 1):
            while len(acknowledged) < VOTES * part / (KILLS + 2):  # noqa: ASYNC110 - killed at its own time
                await asyncio.sleep(0.05)
            await asyncio.to_thread(server.kill_and_restart)
        await asyncio.gather(*voters)
    return acknowledged


def run(_: Path | None) -> None:
    """Print all figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_shop(folder / "shop.db")
        (folder / "home").mkdir()
        (folder / "home/settings.yaml").write_text(_UNLIMITED, "utf-8")
        with Oldhand(folder / "home") as old:
            old.databases.add(f"sqlite:///{folder}/shop.db", name="shop")
            key = old.access.issue_key("default").token
            visitor = old.access.issue_key("visitor").token
            old.access.let_in("visitor")
            old.ask(QUESTION)
            near = statistics.median(seconds_of(old))
        with served(folder / "home") as server:
            with Client(server.url, key) as far:
                beyond = statistics.median(seconds_of(far)) - near
            print(
                f"one question: {near * 1000:.0f} ms here, {beyond * 1000:+.1f} ms over the network"
            )
            before = server.memory()
            for _round in range(ROUNDS):
                answered, seconds = asyncio.run(stream_many(server.url, key))
                print(
                    f"{STREAMS} streams at once: {answered} answered in {seconds:.1f} s, "
                    f"{server.memory():.0f} MB resident ({before:.0f} before)"
                )
            try_votes(folder / "home", server, visitor)


def try_votes(home: Path, server: Server, visitor: str) -> None:
    """Print what became of many votes while the server is killed."""
    with Oldhand(home) as old:
        episodes = [old.record(QUESTION, "2000", user="visitor") for _ in range(VOTES)]
    acknowledged = asyncio.run(vote(server, visitor, episodes))
    report_votes(home, episodes, acknowledged)


def report_votes(home: Path, episodes: list[str], acknowledged: set[str]) -> None:
    """Which votes are kept."""
    with home_store(home, load_settings(home), clock=SystemClock()) as kept:
        log = kept.feedback_log("default", episodes)
    ids = {one.id for one in log}
    said = defaultdict[str, list[Feedback]](list)
    for one in log:
        said[one.episode_id].append(one)
    lost, doubled = acknowledged - ids, sum(len(standing(each)) > 1 for each in said.values())
    print(
        f"{len(acknowledged)} votes acknowledged over {KILLS} kills: {len(lost)} lost, {doubled} doubled; "
        f"{len(ids - acknowledged)} were kept whose answer never came, and given again"
    )
