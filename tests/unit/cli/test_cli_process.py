"""The command as a process: on a terminal, in a pipe that closes, interrupted."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event

import pytest

from oldhand.cli.exits import Exit
from oldhand.testing.fake_replies import Fault, Reply, Request
from oldhand.testing.model_server import FakeServer

# Of what a plain question never needs, what takes longest to load.
NEEDLESS = [
    "anyio",
    "duckdb",
    "numpy",
    "oldhand.agent.analyst.precedents.informed",
    "openai",
    "prompt_toolkit",
    "pyarrow",
    "pydantic_ai",
    "sqlglot.dialects.postgres",
]
BERLIN = "How many customers live in Berlin?"
SECONDS = 600
"""After this a process is given up."""
READY = r"\x1b\[\?2004h.*>.*\?25h"
"""The prompt is there: pasted text is asked for in brackets."""


def test_a_program_that_never_closes_its_assistant_ends_without_a_traceback(folder: Path) -> None:
    told = f"""
from oldhand import Oldhand
old = Oldhand("home")
old.databases.add("sqlite:///{folder}/shop.db", name="shop")
print(old.ask("{BERLIN}").text)
"""
    done = subprocess.run(
        [sys.executable, "-c", told],
        capture_output=True,
        check=True,
        cwd=folder,
        env=environment(folder),
    )
    assert (b"1 customer" in done.stdout, done.stderr) == (True, b"")


def test_a_question_loads_only_what_it_needs(home: Path) -> None:
    code = f"""
import gc, sys
from oldhand.cli import start
sys.argv = ["oldhand", "ask", {BERLIN!r}]
loaded, leave = sys.modules, __import__("os")._exit
def told(status):
    print([name for name in {NEEDLESS} if name in loaded], gc.get_freeze_count() > 100_000, flush=True)
    leave(status)
__import__("os")._exit = told
start()
"""
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=False,
        env=environment(home),
        text=True,
    )
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (Exit.OK, "[] True"), ran.stderr


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("OLDHAND_") and k != "NO_COLOR"}
    return {
        **kept,
        "OLDHAND_HOME": str(home),
        "TERM": "xterm-256color",
        "PROMPT_TOOLKIT_NO_CPR": "1",
        "COLUMNS": "100",
        **more,
    }


@contextmanager
def on_a_terminal(
    home: Path, *arguments: str, **more: str
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The command with a terminal of its own; gives the process and our end of the terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "oldhand", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment(home, **more),
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield process, ours
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def screen(terminal: int, until: str | None = None) -> str:
    """What is written on a terminal, up to something that matches or to the end."""
    seen = b""
    while until is None or not re.search(until.encode(), seen, re.DOTALL):
        readable, _, _ = select.select([terminal], [], [], SECONDS)
        assert readable, f"waited for {until!r}, saw {seen!r}"
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        seen += piece
    return seen.decode()


def shown(home: Path, *arguments: str, **more: str) -> str:
    with on_a_terminal(home, *arguments, **more) as (process, terminal):
        seen = screen(terminal)
        assert process.wait(SECONDS) == Exit.OK, seen
    return seen


def test_on_a_terminal_the_answer_is_in_colour_and_the_time_runs(home: Path) -> None:
    seen = shown(home, "ask", BERLIN, "--explain")
    assert "\x1b[1m" in seen
    assert re.search(r"\x1b\[\d*;?36m", seen), "SQL in cyan"
    assert re.search(r"\d\.\d s", seen)
    assert "There are 2 customers in Berlin." in seen


def test_no_color_is_respected(home: Path) -> None:
    seen = shown(home, "ask", BERLIN, NO_COLOR="1")
    assert not re.search(r"\x1b\[[\d;]*3\dm", seen)
    assert "There are 2 customers in Berlin." in seen


def test_a_conversation_on_a_terminal(home: Path) -> None:
    with on_a_terminal(home, "chat") as (process, terminal):
        screen(terminal, until=READY)
        os.write(terminal, f"{BERLIN}\r".encode())
        assert "There are 2 customers" in screen(terminal, until=f"confidence.*{READY}")
        os.write(terminal, b"/good\r")
        screen(terminal, until=f"Noted: good.*{READY}")
        os.write(terminal, b"\x04")
        screen(terminal)
        assert process.wait(SECONDS) == Exit.OK
    assert BERLIN in (home / "chat_history").read_text()


@pytest.mark.parametrize("arguments", [("schema", "show", "shop"), ("ask", BERLIN), ("--help",)])
def test_a_reader_that_has_seen_enough_is_no_error(home: Path, arguments: tuple[str, ...]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "oldhand", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(home),
    )
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    with closing(process.stderr) as errors:
        assert errors.read() == b""
    assert process.wait(SECONDS) == Exit.BROKEN_PIPE


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", [("ask", BERLIN), ("--help",)])
def test_a_full_disk_is_one_line(home: Path, arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "oldhand", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(home),
            text=True,
            check=False,
        )
    assert ran.returncode == Exit.UNEXPECTED
    assert ran.stderr.startswith("oldhand: ")
    assert ran.stderr.count("\n") == 1


def test_output_that_the_shell_has_closed_is_no_error(home: Path) -> None:
    ran = subprocess.run(
        ["/bin/sh", "-c", '"$0" -m oldhand ask "$1" >&-', sys.executable, BERLIN],
        capture_output=True,
        env=environment(home),
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (Exit.OK, "", "")


@pytest.mark.parametrize("moment", ["oldhand.cli.app", "typer", "signal"])
def test_ctrl_c_while_the_program_is_loaded_shows_no_traceback(moment: str) -> None:
    code = (
        "import sys, _signal\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {moment!r}: _signal.raise_signal(2)\n"
        "from oldhand.cli import start\n"
        f"sys.modules.pop({moment!r}, None)\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "start()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=False
    )
    assert ran.returncode in {Exit.INTERRUPTED, -signal.SIGINT}
    assert ran.stderr == ""


@pytest.mark.parametrize("arguments", [("ask", BERLIN), ("chat",)])
def test_ctrl_c_ends_a_question_in_good_order(home: Path, arguments: tuple[str, ...]) -> None:
    arrived = Event()

    def hang(_: Request) -> Reply:
        arrived.set()
        return Reply(fault=Fault.HANG)

    with FakeServer(hang) as server:
        process = subprocess.Popen(
            [sys.executable, "-m", "oldhand", *arguments, "--model", "openai:fake", "--base-url", server.openai_url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(home, OPENAI_API_KEY="test"),
            text=True,
        )  # fmt: skip
        assert process.stdin
        process.stdin.write(f"{BERLIN}\n")
        process.stdin.flush()
        assert arrived.wait(SECONDS)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == Exit.INTERRUPTED
    assert errors == "oldhand: interrupted\n"


def test_ctrl_c_on_a_terminal_ends_the_question_and_not_the_conversation(home: Path) -> None:
    arrived = Event()

    def hang(_: Request) -> Reply:
        arrived.set()
        return Reply(fault=Fault.HANG)

    with FakeServer(hang) as server:
        model = ("--model", "openai:fake", "--base-url", server.openai_url)
        with on_a_terminal(home, "chat", *model, OPENAI_API_KEY="test") as (process, terminal):
            screen(terminal, until=READY)
            os.write(terminal, f"{BERLIN}\r".encode())
            assert arrived.wait(SECONDS)
            process.send_signal(signal.SIGINT)
            screen(terminal, until=f"Interrupted.*{READY}")
            os.write(terminal, b"/quit\r")
            screen(terminal)
            assert process.wait(SECONDS) == Exit.OK
