"""Every command that writes a file which somebody names says by name why it can't, and what to do."""

import re
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from tests.command_line import CommandLine
from typer.testing import Result

from oldhand.cli.exits import Exit
from oldhand.cli.whole import app

COMMANDS = {
    "memory export": ("memory", "export", "{}"),
    "evaluations export": ("evaluations", "export", "{}"),
    "export training": ("export", "training", "--output", "{}"),
    "export preferences": ("export", "preferences", "--output", "{}"),
    "evidence --plot": ("evidence", "--plot", "{}.svg"),
    "backup": ("backup", "{}"),
    "schema introspect --out": ("schema", "introspect", "shop", "--out", "{}"),
    "spec --output": ("spec", "last", "--output", "{}", "--contains", "Berlin"),
    "init --home": ("init", "--home", "{}"),
    "demo --home": ("demo", "--home", "{}"),
    "restore --home": ("restore", "whole.tar.gz", "--home", "{}"),
    **{
        f"ask --output .{ending}": ("ask", "How many customers per city?", "--output", "{}." + ending)
        for ending in ("csv", "json", "parquet", "xlsx", "svg", "png")
    },
}  # fmt: skip
FOLDERS = {"spec --output", "init --home", "demo --home", "restore --home"}
"""Commands to which a folder is named."""
PLACES = {
    "a forbidden folder": "/sys/named",
    "a folder that is not there": "missing/deeper/named",
    "below a file": "a-file/named",
    "a name that is too long": "n" * 300,
}
LONG = ("demo --home", "a folder that is not there")
"""Not refused, and it takes long."""
ADVICE = re.compile(r"\b(?:name|Name|make|change|give) |there is no folder")


@pytest.fixture(scope="module")
def lived(tmp_path_factory) -> Path:
    """A folder with a home that has a judged answer, and a backup of it."""
    folder = tmp_path_factory.mktemp("lived")
    with closing(sqlite3.connect(folder / "shop.db")) as connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        connection.execute("INSERT INTO customers (city) VALUES ('Berlin'), ('Oslo'), ('Berlin')")
        connection.commit()
    for words in (
        ("db", "add", f"sqlite:///{folder}/shop.db"),
        ("ask", "How many customers live in Berlin?"),
        ("feedback", "last", "--good"),
        ("backup", str(folder / "whole.tar.gz")),
    ):
        assert run(folder, *words).exit_code == Exit.OK
    return folder


def run(lived: Path, *words: str) -> Result:
    environ = {"OLDHAND_HOME": str(lived / "home"), "COLUMNS": "120"}
    return CommandLine().invoke(app, words, env=environ)


@pytest.fixture
def asked(lived, tmp_path, monkeypatch) -> Callable[..., Result]:
    """Runs a command on that home, in an empty folder but for a file that is no folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a-file").write_text("no folder")
    (tmp_path / "whole.tar.gz").symlink_to(lived / "whole.tar.gz")
    return partial(run, lived)


def files(folder: Path) -> set[Path]:
    """What lies there."""
    return set(folder.rglob("*"))


def check_refused(done, named: str, before: set[Path], folder: Path) -> None:
    """It is one line with the name of the error, the file and what to do; nothing is left behind."""
    assert done.exit_code in {Exit.USAGE, Exit.STORE}, done.output
    last = done.stderr.splitlines()[-1]
    assert re.match(r"oldhand: (StoreError|StoreUnreachable|OutputExists|UsageError): ", last)
    assert named in last
    assert ADVICE.search(last), last
    assert "Errno" not in last
    assert files(folder) == before


@pytest.mark.skipif(sys.platform != "linux", reason="only there is /sys")
@pytest.mark.parametrize(
    ("command", "place"), [two for two in product(COMMANDS, PLACES) if two != LONG]
)
def test_a_place_that_cannot_be_written_is_named_with_what_to_do(command, place, asked, tmp_path):
    before, named = files(tmp_path), PLACES[place]
    done = asked(*(word.format(named) for word in COMMANDS[command]))
    if done.exit_code == Exit.OK:
        # Folders on the way are made by what writes whole files, or folders.
        assert place == "a folder that is not there"
        assert any("named" in one.name for one in files(tmp_path) - before), done.output
    else:
        check_refused(done, Path(named).parts[0], before, tmp_path)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_in_the_place_of_a_file_is_named_with_what_to_do(command, asked, tmp_path):
    # To some a folder is named: there, it is a file that stands in its place.
    words = COMMANDS[command]
    place = next(tmp_path / word.format("in-place") for word in words if "{}" in word)
    if command in FOLDERS:
        place.write_text("no folder")
    else:
        place.mkdir()
    before = files(tmp_path)
    check_refused(asked(*(one.format("in-place") for one in words)), place.name, before, tmp_path)


def test_a_device_is_written_and_stays_one(asked, tmp_path):
    sink = tmp_path / "sink"
    sink.symlink_to("/dev/null")
    for command in (("memory", "export", str(sink)), ("evaluations", "export", "/dev/null")):
        done = asked(*command)
        assert done.exit_code == Exit.OK, done.output
    assert sink.is_symlink()
    assert sink.is_char_device()
