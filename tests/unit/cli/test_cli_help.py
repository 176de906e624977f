"""`--help` of everything: quick, plain, and with examples that name real options."""

import re
import shlex
import subprocess
import sys

import pytest
from tests.command_line import WHOLE, CommandLine

from oldhand.cli.exits import Exit
from oldhand.cli.whole import app

# Typer itself needs pydantic to read the arguments of a command.
HEAVY = [
    "alembic",
    "anyio",
    "asyncio",
    "duckdb",
    "openai",
    "prompt_toolkit",
    "pyarrow",
    "pydantic_ai",
    "rich",
    "sqlalchemy",
    "sqlglot",
    "yaml",
]

COMMANDS = [
    *(
        "demo",
        "init",
        "ask",
        "chat",
        "feedback",
        "fix",
        "history",
        "why",
        "learn",
        "routes",
        "usage",
        "serve",
        "mcp",
        "doctor",
        "backup",
        "restore",
    ),
    *("db add", "db remove", "db list"),
    *("docs add", "docs list", "docs show", "docs refresh", "docs remove"),
    *("docs stats", "docs votes", "docs reset"),
    *("schema introspect", "schema check", "schema list", "schema show", "schema link"),
    *("memory list", "memory show", "memory search", "memory forget", "memory prune"),
    *("memory export", "memory import", "memory edit", "memory approve", "memory retire"),
    "memory undo",
    *("alias add", "alias list", "alias remove"),
    *("rule add", "rule list", "rule show", "rule remove", "rule edit", "rule undo", "rule import"),
    "rule export",
    *("people list", "people owner", "people add", "people remove", "people erase"),
    *("people invite", "people keys", "people key", "people revoke"),
    *("experts list", "experts add", "experts remove", "experts ask-back", "experts ask"),
    *("experts inbox", "experts answer", "experts decline", "experts explain", "experts withdraw"),
    *("experts questions", "experts show", "experts stats", "experts serve"),
    *("saved add", "saved list", "saved show", "saved run", "saved pin", "saved change"),
    *("saved schedule", "saved share", "saved remove", "saved due", "saved boards", "saved board"),
    *("evidence", "spec", "export training", "export preferences", "train lora"),
    *("prompts list", "prompts show", "prompts diff", "prompts ab", "prompts rollback"),
    *("runs list", "runs show", "runs discard"),
    *("evaluations prune", "evaluations export", "evaluations import", "evaluations forget"),
]


def command(words: str) -> object:
    """The command of those words, walked to through its groups."""
    found = WHOLE
    for word in words.split():
        found = found.commands[word]
    return found


def test_this_list_of_commands_is_complete() -> None:
    groups = WHOLE.commands
    found = [
        f"{name} {inner}" if (inner := child) else name
        for name, group in groups.items()
        for child in (getattr(group, "commands", None) or [""])
    ]
    assert sorted(name.strip() for name in found) == sorted(COMMANDS)


def test_help_imports_nothing_heavy() -> None:
    code = f"""
import sys
from oldhand.cli import main
for words in {["", *COMMANDS]}:
    sys.argv = ["oldhand", *words.split(), "--help"]
    try:
        main()
    except SystemExit:
        print("HEAVY", words, [name for name in {HEAVY} if name in sys.modules])
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    told = [line for line in ran.stdout.splitlines() if line.startswith("HEAVY")]
    assert ran.stdout.count("Usage: ") == len(told) == len(COMMANDS) + 1
    assert [line for line in told if not line.endswith(" []")] == []


def test_a_program_that_calls_the_command_line_goes_on_after_it() -> None:
    code = """
import atexit, sys
from oldhand.cli import main
sys.argv = ["oldhand", "--help"]
atexit.register(print, "AFTER")
try:
    main()
except SystemExit as ended:
    sys.exit(7 + (ended.code or 0))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (7, "AFTER")


GROUPS = ["", *sorted({words.split()[0] for words in COMMANDS if " " in words})]


@pytest.mark.parametrize("words", GROUPS)
def test_each_group_gives_examples_and_says_in_whole_what_its_commands_do(words: str) -> None:
    shown = CommandLine().invoke(app, [*words.split(), "--help"], env={"COLUMNS": "80"}).output
    assert "Examples:\n" in shown
    listed, flat = command(words).commands, " ".join(shown.split())
    for name, one in listed.items():
        first = " ".join(one.help.partition("\n\n")[0].split())
        assert f"{name} {first}" in flat
        assert first.endswith(".")


@pytest.mark.parametrize("words", COMMANDS)
def test_each_command_says_what_it_does_and_gives_examples_that_parse(words: str) -> None:
    shown = CommandLine().invoke(app, [*words.split(), "--help"])
    assert shown.exit_code == 0
    assert "\x1b" not in shown.output
    examples = shown.output.partition("Examples:\n")[2]
    ends = [line.split("| ")[-1] for line in examples.splitlines() if "oldhand " in line]
    lines = [end[end.index("oldhand ") :] for end in ends]  # without the times of a crontab
    assert lines, "no examples"
    for line in lines:
        arguments = shlex.split(line.strip())
        assert arguments[0] == "oldhand"
        inner = arguments[1:]
        first = next(c for c in COMMANDS if " ".join(inner).startswith(c))
        command(first).make_context(
            first, inner[len(first.split()) :]
        )  # raises on what is not valid


def test_the_exit_codes_are_all_explained() -> None:
    shown = CommandLine().invoke(app, ["--help"]).output
    explained = {int(code) for code in re.findall(r"^ {4}(\d+)  ", shown, re.MULTILINE)}
    assert explained == set(Exit)


def test_the_version_is_printed() -> None:
    shown = CommandLine().invoke(app, ["--version"])
    assert re.fullmatch(r"oldhand \d+\.\d+\.\d+(\.dev\d+\+g[\da-f.d]+)?\n", shown.output)
