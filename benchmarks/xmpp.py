"""Questions to people over a real XMPP server: how many at once, how fast, at what cost, and what a crash of the server costs."""

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from oldhand.human import Agent, HumanInteractionBehaviour, ProsodyServer
from oldhand.human.link import XmppLink
from oldhand.human.message import MESSAGE_TYPE, Incoming, StanzaKind
from oldhand.human.prosody import prosody_program
from oldhand.record.consultation import ConsultationState

AT_ONCE = 1_000
EXPERTS = 10
ROUND_TRIPS = 300
IDLE_SECONDS = 10.0
PATIENCE = 60.0


class Expert:
    """Keeps questions until told to answer them; answers what was asked, so that a crossed answer shows."""

    def __init__(self, server: ProsodyServer, name: str) -> None:
        self.link = XmppLink(server.account(name), self._hear)
        self.kept: list[Incoming] = []
        self.at_once = False

    def _hear(self, incoming: Incoming) -> None:
        if incoming.kind is StanzaKind.SAID and not incoming.message.get_metadata(MESSAGE_TYPE):
            self.kept.append(incoming)
            if self.at_once:
                self._answering = asyncio.ensure_future(self.answer())

    async def answer(self) -> None:
        """Answer all that wait, in any order."""
        kept, self.kept = self.kept, []
        random.Random(1).shuffle(kept)
        for incoming in kept:
            reply = incoming.message.make_reply(_answer(incoming.message.body))
            reply.metadata.clear()
            await self.link.send(reply)


def _answer(body: str) -> str:
    return f"answer to {body.split('] ', 1)[1].splitlines()[0]}"


async def asked(agent: Agent, experts: Sequence[Expert], count: int) -> list[HumanInteractionBehaviour]:  # fmt: skip
    """That many questions under way, which all have arrived."""
    asks = [
        HumanInteractionBehaviour(experts[n % len(experts)].link.address, f"Question {n}", timeout=PATIENCE)
        for n in range(count)
    ]  # fmt: skip
    for ask in asks:
        agent.add_behaviour(ask)
    while sum(len(one.kept) for one in experts) < count:  # noqa: ASYNC110 - nothing tells
        await asyncio.sleep(0.01)
    return asks


def cpu_of(pid: int) -> float:
    """Seconds of a core that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


async def many(agent: Agent, experts: Sequence[Expert], server: ProsodyServer) -> None:
    """All at once; what waiting costs; whether answers get where they belong."""
    began = time.perf_counter()
    asks = await asked(agent, experts, AT_ONCE)
    out = time.perf_counter() - began
    await asyncio.sleep(1.0)
    own, theirs = time.process_time(), cpu_of(server.pid)
    await asyncio.sleep(IDLE_SECONDS)
    own, theirs = time.process_time() - own, cpu_of(server.pid) - theirs
    began = time.perf_counter()
    for expert in experts:
        await expert.answer()
    await asyncio.gather(*(ask.join(PATIENCE) for ask in asks))
    back = time.perf_counter() - began
    answered = sum(ask.outcome is ConsultationState.ANSWERED for ask in asks)
    crossed = sum(
        ask.response is not None and ask.response != f"answer to {ask.question}" for ask in asks
    )
    print(f"| {AT_ONCE:,} questions to {EXPERTS} experts, all delivered in | {out:.2f} s |")
    print(f"| all answered, in any order, in | {back:.2f} s |")
    print(f"| answered | {answered:,} |")
    print(f"| answers that went to another question | {crossed} |")
    print(f"| of a core while they wait: asking and answering process | {own / IDLE_SECONDS:.1%} |")
    print(f"| of a core while they wait: Prosody | {theirs / IDLE_SECONDS:.1%} |")


async def one_by_one(agent: Agent, expert: Expert) -> None:
    """A question and its answer, again and again."""
    expert.at_once, spent = True, list[float]()
    for n in range(ROUND_TRIPS):
        ask = HumanInteractionBehaviour(expert.link.address, f"Ping {n}", timeout=PATIENCE)
        began = time.perf_counter()
        agent.add_behaviour(ask)
        await ask.join(PATIENCE)
        spent.append(time.perf_counter() - began)
    expert.at_once = False
    worst = statistics.quantiles(spent, n=20)[-1]
    print(f"| question and answer through Prosody, median of {ROUND_TRIPS} | {statistics.median(spent) * 1000:.1f} ms |")  # fmt: skip
    print(f"| 95th percentile | {worst * 1000:.1f} ms |")


async def after_a_crash(agent: Agent, experts: Sequence[Expert], server: ProsodyServer) -> None:
    """The server is killed while questions wait, answered while it is down, and comes back."""
    asks = await asked(agent, experts, 100)
    await server.kill()
    for expert in experts:
        await expert.answer()
    await asyncio.sleep(3.0)
    await server.start()
    began = time.perf_counter()
    await asyncio.gather(*(ask.join(PATIENCE) for ask in asks))
    took = time.perf_counter() - began
    right = sum(ask.response == f"answer to {ask.question}" for ask in asks)
    print(f"| server killed for 3 s with 100 open questions, answered meanwhile: all in, after | {took:.1f} s |")  # fmt: skip
    print(f"| lost | {100 - right} |")


async def measured(folder: Path) -> None:
    """All of it, on one server."""
    server = ProsodyServer(folder, port=0)
    experts = [Expert(server, f"expert-{n}") for n in range(EXPERTS)]
    shop = server.account("shop")
    await server.start()
    try:
        async with Agent(shop) as agent:
            for expert in experts:
                await expert.link.open()
            print("| | |\n|---|---|")
            await many(agent, experts, server)
            await one_by_one(agent, experts[0])
            await after_a_crash(agent, experts, server)
            for expert in experts:
                await expert.link.close()
    finally:
        await server.stop()


def run(data: Path | None) -> None:  # noqa: ARG001 - all data is made here
    """Print the table."""
    if not prosody_program():
        print("Prosody is not installed here (apt install prosody): nothing was measured.")
        return
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measured(Path(folder)))
