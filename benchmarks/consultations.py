"""A thousand questions to people at once, as the ledger keeps them: nothing lost, nothing crossed, and what waiting costs."""

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from oldhand import Oldhand
from oldhand.bootstrap import open_home
from oldhand.loop.consultations.desk import ExpertDesk
from oldhand.loop.consultations.wish import ConsultationWish
from oldhand.loop.critique import FeedbackIntake
from oldhand.record.consultation import Consultation
from oldhand.record.expert import INBOX, ExpertSignal, SignalKind
from oldhand.record.feedback import Said
from oldhand.testing import FakeExpert, MemoryTransport

AT_ONCE = 1_000
LEARNED = 60
EXPERTS = 10
IDLE_SECONDS = 10.0
PATIENCE = 600.0


class Unlearned:
    """Learns nothing: what learning costs is measured by itself."""

    async def give(self, episode_id: str, said: Said, *, foresees: bool = True) -> None:
        """Let it pass."""


def made(folder: Path, *, in_memory: bool) -> list[FakeExpert]:
    """A home with experts, who are reached in memory or look into their inbox."""
    experts = [FakeExpert(f"expert-{n}") for n in range(EXPERTS)]
    with Oldhand(folder) as old:
        for one in experts:
            addresses = {MemoryTransport.name: one.address} if in_memory else {}
            old.experts.add(one.address, addresses=addresses, most_open=AT_ONCE)
    return experts


async def asked(desk: ExpertDesk, experts: Sequence[FakeExpert], count: int) -> list[Consultation]:
    """That many questions, of fifty users."""
    return [
        await desk.ask(
            ConsultationWish(
                f"Question {n}?", f"user-{n % 50}", experts=(experts[n % EXPERTS].address,)
            )
        )
        for n in range(count)
    ]


async def reply(desk: ExpertDesk, expert: FakeExpert, one: Consultation, text: str) -> float:
    """Let an expert reply; gives how long it took."""
    began = time.perf_counter()
    if desk.transports:
        await expert.writes(text, one.id)
    else:
        kind, address = SignalKind.REPLY, expert.address
        await desk.hear(ExpertSignal(transport=INBOX, address=address, kind=kind, consultation_id=one.id, text=text))  # fmt: skip
    return time.perf_counter() - began


async def at_once(folder: Path, way: str) -> None:
    """Ask them all, wait, let experts reply in any order, and look at what became of each."""
    experts, home = made(folder, in_memory=way == "in memory"), open_home(folder)
    home.critique = cast("FeedbackIntake", Unlearned())
    desk = home.desk
    if way == "in memory":
        await desk.add_transport(MemoryTransport(*experts))
    began = time.perf_counter()
    ones = await asked(desk, experts, AT_ONCE)
    asking = (time.perf_counter() - began) / AT_ONCE
    waiting = [asyncio.create_task(desk.wait(one.id, PATIENCE)) for one in ones]
    await asyncio.sleep(5.0)
    own = time.process_time()
    await asyncio.sleep(IDLE_SECONDS)
    own = time.process_time() - own
    order = list(enumerate(ones))
    random.Random(1).shuffle(order)
    replying = [await reply(desk, experts[n % EXPERTS], one, f"answer {n}") for n, one in order]
    ended = await asyncio.gather(*waiting)
    await home.close()
    right = sum(one.answer == f"answer {n}" for n, one in enumerate(ended))
    crossed = sum(one.answer not in {None, f"answer {n}"} for n, one in enumerate(ended))
    cells = (
        way,
        f"{right:,}",
        f"{crossed}",
        f"{own / IDLE_SECONDS:.1%}",
        f"{asking * 1000:.0f} ms",
        f"{statistics.median(replying) * 1000:.0f} ms",
    )
    print(f"| {' | '.join(cells)} |", flush=True)


async def learned(folder: Path) -> None:
    """What learning from a reply costs on top."""
    experts, home = made(folder, in_memory=False), open_home(folder)
    ones = await asked(home.desk, experts, LEARNED)
    spent = [await reply(home.desk, experts[n % EXPERTS], one, f"{n} percent") for n, one in enumerate(ones)]  # fmt: skip
    await home.close()
    print(f"\nWith learning, a reply takes {statistics.median(spent) * 1000:.0f} ms (median of {LEARNED}).")  # fmt: skip


def run(data: Path | None) -> None:  # noqa: ARG001 - all data is made here
    """Print the table."""
    print(f"{AT_ONCE:,} questions to {EXPERTS} experts, all waiting at once.\n")
    print(
        "| way | answered | crossed | of a core while they wait | asking one | taking one reply |"
    )
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as made_here:
        for way in ("in memory", "inbox"):
            asyncio.run(at_once(Path(made_here) / way.replace(" ", "-"), way))
        asyncio.run(learned(Path(made_here) / "learned"))
