"""The Python sandbox: what it can do, and every way out of it that we know."""

import asyncio
import subprocess
import sys
import threading

import pytest

from oldhand.agent.tools import KeptTables, ToolOutput, Tools, python_tool
from oldhand.record.step import Action
from oldhand.settings import PythonLimits

pytest.importorskip("pydantic_monty", reason="needs the extra python")

LIMITS = PythonLimits(seconds=60, memory_mib=32, recursion=100, output_chars=2_000)


def run(code: str, kept: KeptTables | None = None, limits: PythonLimits = LIMITS) -> ToolOutput:
    tools = Tools([python_tool(kept=kept, limits=limits)])
    return asyncio.run(tools.call(Action(id="1", tool="python", arguments={"code": code})))


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("1 + 1", "Result: 2"),
        ("print('a'); print('b')", "a\nb\n"),
        ("print('a')\n[1, {'x': 2.5}]", 'a\n\nResult: [1,{"x":2.5}]'),
        ("x = 1", "It ran, but printed nothing, and its last line is no expression: print what you want to see."),
        ("import json, math, re, datetime\nmath.floor(2.5)", "Result: 2"),
        ("class A:\n    pass\n'made'", "Result: made"),
    ],
)  # fmt: skip
def test_harmless_code_runs(code, text):
    assert run(code) == ToolOutput(text)


def test_kept_tables_are_variables():
    kept = KeptTables()
    name = kept.keep(["city", "n"], [("Wien", 3), ("Graz", None), ("Linz", 4)])
    made = run(f"sum(row['n'] or 0 for row in {name}), {name}[0]['city']", kept)
    assert made.text == 'Result: [7,"Wien"]'


def test_nothing_is_left_of_an_earlier_call():
    run("secret = 42")
    assert "NameError" in run("secret").text


@pytest.mark.parametrize(
    "code",
    [
        "open('/etc/passwd').read()",
        "open('evil.txt', 'w').write('x')",
        "from pathlib import Path\nPath('/etc/passwd').read_text()",
        "import os\nos.listdir('/')",
        "import os\nos.system('id')",
        "import os\nos.environ['HOME']",
        "import os\nos.getenv('HOME') + ''",
        "__import__('os').system('id')",
        "import subprocess",
        "import socket",
        "import ctypes",
        "import importlib",
        "from urllib.request import urlopen",
        "import oldhand",
        "().__class__.__bases__[0].__subclasses__()",
        "'{0.__class__.__mro__}'.format(1)",
        "getattr(1, '__cla' + 'ss__')",
        "(lambda: 0).__globals__",
        "(lambda: 0).__code__",
        "eval(\"open('/etc/passwd').read()\")",
        "exec(\"import os; os.system('id')\")\nos.system",
        "globals()",
        "__builtins__",
        "compile('1', 'x', 'eval')",
        "input()",
        "breakpoint()",
        "try:\n    1 / 0\nexcept Exception as e:\n    e.__traceback__.tb_frame.f_globals",
    ],
)
def test_there_is_no_way_out(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = run(code)
    assert told.is_error
    assert "root:" not in told.text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("'x' * 10 ** 10", "MemoryError"),
        ("'x' * 60_000_000", "MemoryError"),
        ("[0] * 10 ** 9", "MemoryError"),
        ("10 ** 10 ** 8", "MemoryError"),
        ("kept = []\nwhile True: kept.append('x' * 100_000 + str(len(kept)))", "MemoryError"),
        ("def f(n): return f(n + 1)\nf(0)", "RecursionError"),
        ("(" * 5000 + "1" + ")" * 5000, "too deeply nested"),
        ("def (", "SyntaxError"),
        ("1 / 0", "ZeroDivisionError"),
        ("raise SystemExit", "SystemExit"),
        ("\0", "Error"),
        ("'\ud800'", "SyntaxError"),
    ],
)  # fmt: skip
def test_limits_and_errors_are_told(code, why):
    told = run(code)
    assert told.is_error
    assert why in told.text
    assert len(told.text) < 10_000


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("while True: pass", "TimeoutError"),
        ("while True:\n    try:\n        while True: pass\n    except BaseException: pass", "TimeoutError"),
        ("from time import sleep\nsleep(100)", "TimeoutError"),
        ("import asyncio\nawait asyncio.sleep(100)", "TimeoutError"),
        ("while True: print('x' * 1000)", "Error"),
    ],
)  # fmt: skip
def test_what_never_ends_is_stopped_and_told(code, why):
    told = run(code, limits=LIMITS.model_copy(update={"seconds": 0.2}))
    assert told.is_error
    assert why in told.text
    assert len(told.text) < 10_000


def test_output_is_cut():
    printed = run("print('x' * 3_000)")
    assert printed.truncated
    assert printed.text.endswith("(cut after 2,000 characters)")
    returned = run("['x'] * 100_000")
    assert returned.truncated
    assert len(returned.text) < 2_100


def test_a_deep_value_is_no_danger():
    assert len(run("x = []\nfor _ in range(100_000): x = [x]\nx").text) < 3_000


def test_cancelling_kills_the_process():
    tool = python_tool(limits=PythonLimits(seconds=500))

    async def give_up() -> None:
        async with asyncio.timeout(0.3):
            await tool.call({"code": "while True: pass"})

    before = set(threading.enumerate())
    with pytest.raises(TimeoutError):
        asyncio.run(give_up())
    begun = [one for one in threading.enumerate() if one.name.startswith("oldhand-tool-")]
    left = set(begun) - before
    for one in left:
        one.join(timeout=600)  # it tells the waiting task before it ends itself
    assert not any(one.is_alive() for one in left), "the thread ends, since its process did"


def test_programs_end_well_after_using_it():
    program = (
        "import asyncio\n"
        "from oldhand.agent.tools import python_tool\n"
        "print(asyncio.run(python_tool().call({'code': '1 + 1'})).text)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (0, "Result: 2\n")
