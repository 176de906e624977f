"""Runs benchmarks one after the other, each in a process of its own, and keeps what each of them printed as it comes in.

One that fails is named and ends no other. What was measured before an interruption stays in the report, and a later run can go
on behind it.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import IO, NamedTuple

_DONE = re.compile(r"^_[\d.]+ s_$", re.MULTILINE)
_TOLD_EVERY = 60.0
"""Seconds between two words on how far a long one is."""
_ENDED_WITHIN = 10.0
"""Seconds that an interrupted one has to put its things away."""
INTERRUPTED = 130


class Benchmark(NamedTuple):
    """One of them, before it runs."""

    name: str
    about: str
    """What it measures, in a sentence."""
    minutes: float
    """About how long it takes on two cores that do nothing else."""


class Run(NamedTuple):
    """How one ended."""

    name: str
    seconds: float
    failed: str
    """Why it has no whole result; empty when it has."""


class Report:
    """What is printed and, where a file is given, written as it comes in."""

    def __init__(self, header: str, file: Path | None, *, go_on: bool = False) -> None:
        self._file = file
        kept = _sections(header, file) if go_on and file is not None and file.exists() else {}
        self.done = frozenset(kept)
        """Those whose whole sections an earlier report held."""
        start = "".join((header, *kept.values()))
        if file is not None:
            # Written beside it first: who is killed here loses nothing that was measured.
            beside = file.with_name(f"{file.name}.part")
            beside.write_text(start, "utf-8")
            beside.replace(file)
        _print(start)

    def say(self, text: str) -> None:
        """Print it, and keep it."""
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as out:
                out.write(text)
        _print(text)


def run_all(
    chosen: Sequence[Benchmark], command: Callable[[str], Sequence[str]], report: Report
) -> int:
    """Run each by its command; gives 0, 1 when one failed, and 130 when all were interrupted.

    An interruption is Ctrl-C, or a polite kill. It ends the one that runs, and none is begun behind it.
    """
    runs: list[Run] = []
    todo = [one for one in chosen if one.name not in report.done]
    if len(todo) < len(chosen):
        _tell(f"{len(chosen) - len(todo)} were measured before.")
    left = sum(one.minutes for one in todo)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for number, one in enumerate(todo, 1):
            _tell(
                f"[{number} of {len(todo)}] {one.name}: {one.about} "
                f"About {_told(one.minutes)}; with all that is left {_told(left)}."
            )
            runs.append(_run(one, command(one.name), report))
            left -= one.minutes
    except KeyboardInterrupt:
        _tell("Interrupted. What was measured is kept where --out says; --go-on goes on there.")
        return INTERRUPTED
    finally:
        signal.signal(signal.SIGTERM, before)
    failed = [one for one in runs if one.failed]
    for one in failed:
        _tell(f"{one.name} failed: {one.failed}.")
    _tell(f"{len(runs) - len(failed)} of {len(runs)} ended well.")
    return 1 if failed else 0


def _run(one: Benchmark, command: Sequence[str], report: Report) -> Run:
    report.say(f"## {one.name}\n\n")
    began, failed = time.perf_counter(), "it was interrupted"
    try:
        with _telling(one), _started(command) as process:
            assert process.stdout is not None, "its output is piped"
            for line in process.stdout:
                report.say(line)
            failed = _why(process.wait())
    finally:
        seconds = time.perf_counter() - began
        ended = f"failed after {seconds:.1f} s: {failed}" if failed else f"{seconds:.1f} s"
        report.say(f"\n_{ended}_\n\n")
    return Run(one.name, seconds, failed)


@contextmanager
def _started(command: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """A process with a group of its own: what it started is ended with it."""
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            try:
                process.wait(_ENDED_WITHIN)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        _close(process.stdout)


def _close(stream: IO[str] | None) -> None:
    if stream is not None:
        stream.close()


def _why(code: int) -> str:
    if code < 0:
        return f"it was ended by {signal.Signals(-code).name}"
    return f"it ended with exit code {code}" if code else ""


@contextmanager
def _telling(one: Benchmark) -> Iterator[None]:
    """Tell now and then how long it has been running."""
    over, began = Event(), time.monotonic()

    def tell() -> None:
        while not over.wait(_TOLD_EVERY):
            minutes = (time.monotonic() - began) / 60
            _tell(f"  {one.name}: {_told(minutes)} of about {_told(one.minutes)}")

    thread = Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _sections(header: str, file: Path) -> dict[str, str]:
    """The sections of a report that are whole, by name.

    Raises:
        SystemExit: the report is of another machine, or of other options.
    """
    start, *parts = re.split(r"^(?=## \w+$)", file.read_text("utf-8"), flags=re.MULTILINE)
    if start != header:
        raise SystemExit(
            f"{file} is a report of other options or of another machine: it begins\n\n{start}\n"
            "Leave out --go-on to write it anew."
        )
    return {_name(part): part for part in parts if _DONE.search(part)}


def _name(section: str) -> str:
    return section.partition("\n")[0].removeprefix("## ")


def _print(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _told(minutes: float) -> str:
    return f"{round(minutes)} min" if minutes >= 1.5 else f"{max(1, round(minutes * 60))} s"


def _tell(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
