"""How long the command line and the package take to be ready."""

import os
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

COMMANDS = {
    "python -c pass (reference)": ["-c", "pass"],
    "oldhand --help": ["-m", "oldhand", "--help"],
    "oldhand ask --help": ["-m", "oldhand", "ask", "--help"],
    "import oldhand": ["-c", "import oldhand"],
    "from oldhand import Oldhand": ["-c", "from oldhand import Oldhand"],
}
RUNS = 7
_WRITING = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
"""Byte code is written in the first run, which does not count, as on the machine of a user."""


def seconds(arguments: list[str]) -> tuple[float, float]:
    """Wall time and processor time of one run; the second is less disturbed by other programs."""
    began, before = time.perf_counter(), _used()
    command = [sys.executable, *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=_WRITING)
    return time.perf_counter() - began, _used() - before


def _used() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def asking(folder: Path) -> list[str]:
    """Make a home with one database, and the command that asks it."""
    with closing(sqlite3.connect(folder / "shop.db")) as connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        connection.execute("INSERT INTO customers (city) VALUES ('Berlin'), ('Rome')")
        connection.commit()
    home = ["--home", str(folder / "home")]
    for command in (["init"], ["db", "add", f"sqlite:///{folder}/shop.db", "--name", "shop"]):
        seconds(["-m", "oldhand", *command, *home])
    return ["-m", "oldhand", "ask", "How many customers are in Berlin?", *home]


def run(data: Path | None) -> None:  # noqa: ARG001
    """Print the median time of each command as a whole process."""
    with tempfile.TemporaryDirectory() as folder:
        _report(COMMANDS | {"oldhand ask, of one small database": asking(Path(folder))})


def _report(commands: dict[str, list[str]]) -> None:
    print(f"| command | median of {RUNS}, ms | over the reference | processor, ms |")
    print("|---|---:|---:|---:|")
    reference = 0.0
    for name, arguments in commands.items():
        seconds(arguments)
        walls, used = zip(*(seconds(arguments) for _ in range(RUNS)), strict=True)
        wall = statistics.median(walls)
        reference = reference or wall
        over, busy = 1e3 * (wall - reference), 1e3 * statistics.median(used)
        print(f"| {name} | {wall * 1e3:.0f} | {over:+.0f} ms | {busy:.0f} |")
