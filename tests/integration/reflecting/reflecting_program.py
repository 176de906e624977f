"""Looks back on what waits and is killed in the middle, or stops where the test wants to kill it.

python reflecting_program.py HOME [claimed|found|saved]
"""

import asyncio
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

from oldhand.bootstrap import Home, open_home
from oldhand.learning.reflection import Reflected, Reflection, Reflectors, RulesReflector
from oldhand.record.memory import Depth


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Deadly:
    """Reflects, and takes the process along: before it has found anything, or right after."""

    def __init__(self, when: str) -> None:
        self._when = when

    async def reflect(self, reflected: Reflected, depth: Depth) -> Reflection:
        if self._when == "claimed":
            die()
        found = await RulesReflector().reflect(reflected, depth)
        if self._when == "found":
            die()
        return found


async def main(home: Home, when: str) -> None:
    reflecting = replace(home.reflecting, reflectors=Reflectors(Deadly(when)))
    saved = await reflecting.run(1 if when == "saved" else None)
    if when == "saved":
        die()
    for memory in saved:
        print(memory.id, flush=True)
    await home.close()


if __name__ == "__main__":
    asyncio.run(main(open_home(Path(sys.argv[1])), sys.argv[2] if len(sys.argv) > 2 else ""))
