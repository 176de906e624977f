"""Docs cannot lie: every Python block runs, every link leads somewhere, the glossary is in order."""

import re
import shlex
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.command_line import WHOLE

from oldhand.settings import Settings

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
NEEDS = re.compile(r"^# pip install (\w+)$", re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\((?!https?:|mailto:|#)([^)#\s]+)")

PYTHON_BLOCKS = [
    pytest.param(block, id=f"{page.relative_to(ROOT)}-{number}")
    for page in PAGES
    for number, block in enumerate(FENCE.findall(page.read_text("utf-8")), 1)
]

CLI_REFERENCE = ROOT / "docs/reference/cli.md"
WRITTEN = [page for page in PAGES if page != CLI_REFERENCE]
LINE = re.compile(r"^(?:\$ | {4})(?:\.venv/bin/)?(oldhand .+)$", re.MULTILINE)
MENTION = re.compile(r"`(oldhand [^`\n]+)`")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder with the database that the examples of the docs ask."""
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.executescript(
            """
            CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
            CREATE TABLE orders (id INTEGER PRIMARY KEY, amount REAL,
                                 customer_id INTEGER REFERENCES customers (id));
            INSERT INTO customers VALUES (1, 'Ana', 'Berlin'), (2, 'Bo', 'Oslo'), (3, 'Cy', 'Berlin');
            INSERT INTO orders VALUES (1, 20.5, 1), (2, 10.0, 1), (3, 7.25, 2);
            """
        )
    connection.close()
    return tmp_path


def test_there_are_blocks_to_run():
    assert len(PYTHON_BLOCKS) >= 2


@pytest.mark.parametrize("block", PYTHON_BLOCKS)
def test_python_blocks_of_the_docs_run(block, shop, monkeypatch):
    for package in NEEDS.findall(block):
        pytest.importorskip(package)
    monkeypatch.chdir(shop)
    monkeypatch.setenv("OLDHAND_HOME", str(shop / "default-home"))  # never that of a person
    exec(compile(block, "docs", "exec"), {"__name__": "docs"})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    broken = [
        link for link in LINK.findall(page.read_text("utf-8")) if not (page.parent / link).exists()
    ]
    assert broken == []


def test_the_glossary_is_in_order():
    words = re.findall(
        r"^\| \*\*(.+?)\*\*", (ROOT / "docs/glossary/README.md").read_text("utf-8"), re.MULTILINE
    )
    assert len(words) > 30
    assert words == sorted(words, key=str.casefold)


def found_command(line: str) -> tuple[object, list[str]]:
    """The command that a line calls, and the words behind it."""
    command, words = WHOLE, shlex.split(line.partition(" | ")[0], comments=True)[1:]
    while words and words[0] in getattr(command, "commands", {}):
        command, words = command.commands[words[0]], words[1:]
    return command, words


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_of_the_docs_are_there_and_take_these_options(page):
    text = page.read_text("utf-8")
    for line in LINE.findall(text):
        command, words = found_command(line)
        command.make_context("oldhand", words)  # raises on what is not valid
    for line in MENTION.findall(text):
        command, words = found_command(line)
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if word.startswith("-")} <= known | {"--help"}, line
        assert words != line.split()[1:] or words[0].startswith("-"), f"no such command: {line}"


def commands(command: Any, path: str) -> Iterator[str]:
    """All commands that do something, by the words that call them."""
    below: Mapping[str, Any] = getattr(command, "commands", {})
    if not below or command.invoke_without_command:
        yield path
    for name, one in below.items():
        if not one.hidden:
            yield from commands(one, f"{path} {name}")


def test_the_reference_tells_of_every_command_in_its_order():
    told = re.findall(r"^## (oldhand.*)$", CLI_REFERENCE.read_text("utf-8"), re.MULTILINE)
    assert told == list(dict.fromkeys(["oldhand", *commands(WHOLE, "oldhand")]))


def flat(settings: Mapping[str, object], before: str = "") -> Iterator[tuple[str, object]]:
    """Each single setting by its full name."""
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from flat(value, f"{before}{name}.")
        else:
            yield before + name, value


def test_all_settings_are_in_the_docs_with_their_defaults():
    text = (ROOT / "docs/reference/settings.md").read_text("utf-8")
    written = yaml.safe_load(re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)[0])
    assert dict(flat(written)) == dict(flat(Settings().model_dump(mode="json")))
