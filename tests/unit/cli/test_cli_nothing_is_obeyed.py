"""Nothing that is printed is obeyed by a terminal, and what others log does not get there."""

import contextlib
import io
import json
import logging
import os
import stat
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from oldhand.cli.paper import Paper
from oldhand.cli.screen import print_json, safe
from oldhand.errors import InvalidSetting, JournalError, SchemaError
from oldhand.settings import load_settings
from oldhand.settings.strict_yaml import read_document
from oldhand.sources.databases.address import parse_address, shown_url
from oldhand.store.journal.record_files import read_records

HARMLESS = set("\n\t")


def steers(text: str) -> bool:
    return any(
        unicodedata.category(char) in ("Cc", "Cf", "Cs") for char in text if char not in HARMLESS
    )


@given(st.text())
def test_whatever_is_printed_holds_nothing_that_steers(text):
    console = Paper(record=True, file=open(os.devnull, "w"), width=80)  # noqa: SIM115, PTH123
    console.print(Text(text))
    console.file.close()
    assert not steers(console.export_text())
    assert not steers(safe(text))


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_json_holds_nothing_that_steers_and_says_the_same(text):
    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        print_json({"text": text})
    assert not steers(written.getvalue())
    assert json.loads(written.getvalue()) == {"text": text}


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://ana:p@ss@db/shop", "postgresql://ana:***@db/shop"),
        (
            "postgresql://ana:a@b:c/d@e?f@db:5432/shop?sslmode=require",
            "postgresql://ana:***@db:5432/shop?sslmode=require",
        ),
        ("mysql://ana:s@cret@127.0.0.1:3306/shop", "mysql://ana:***@127.0.0.1:3306/shop"),
        ("mysql://ana:${PW}@db/shop", "mysql://ana:***@db/shop"),
        ("mysql://ana:p%40ss@db/shop", "mysql://ana:***@db/shop"),
        ("mysql://ana@db/shop", "mysql://ana@db/shop"),
    ],
)
def test_a_password_is_never_shown(url, shown):
    assert shown_url(url) == shown
    address = parse_address(url, {"PW": "x"})
    assert address.shown == shown
    assert "@" not in (address.host or "")


def test_a_password_with_signs_that_should_be_escaped_is_taken_as_it_is():
    assert parse_address("postgresql://ana:a@b:c/d@e?f@db/shop").password == "a@b:c/d@e?f"
    assert parse_address("postgresql://ana:p%40ss@db/shop").password == "p@ss"


@pytest.mark.parametrize("kind", ["pipe", "device", "deep", "huge"])
def test_files_that_never_end_are_named_errors(tmp_path, kind):
    path = tmp_path / "settings.yaml"
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "deep":
            path.write_text("[" * 100_000)
        case _:
            with path.open("wb") as file:
                file.truncate(2_000_000_000)
    with pytest.raises(InvalidSetting):
        load_settings(tmp_path, {})
    with pytest.raises(SchemaError):
        read_document(path)
    with pytest.raises(JournalError):
        list(read_records(path))


PROGRAM = """
import logging, os, sys, warnings
sys.argv = ["oldhand", "init", "--home", sys.argv[1]]
from oldhand import cli
cli._quiet_others()
logging.getLogger("sqlglot").warning("foreign words")
warnings.warn("foreign warning")
logging.getLogger("oldhand.loop").warning("ours \\x1b[2J")
try:
    1 / 0
except ZeroDivisionError:
    logging.getLogger("oldhand.loop").exception("reflection_failed: 1 so far")
cli.main()
"""


def test_what_others_log_stays_away_and_files_are_private(tmp_path):
    tmp_path.chmod(0o777)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "home")],
        capture_output=True,
        text=True,
        umask=0,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert "foreign words" not in done.stderr
    assert "ours" in done.stderr
    assert "\x1b" not in done.stderr
    assert "reflection_failed: 1 so far: ZeroDivisionError: division by zero" in done.stderr
    assert "Traceback" not in done.stderr
    files = [path for path in (tmp_path / "home").rglob("*") if path.is_file()]
    assert files
    assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in files)
    assert logging.getLogger("oldhand")
