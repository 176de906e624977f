"""`%load_ext oldhand` in a notebook: questions, variables, errors."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from oldhand import Oldhand

testing = pytest.importorskip("IPython.testing.globalipapp")


@pytest.fixture
def shell(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("OLDHAND_HOME", str(folder / "home"))
    with Oldhand() as old:
        old.databases.add(f"sqlite:///{folder}/shop.db", name="shop")
    shell = testing.start_ipython() or testing.get_ipython()
    shell.run_line_magic("load_ext", "oldhand")
    yield shell
    shell.run_line_magic("unload_ext", "oldhand")


def test_a_cell_asks_shows_and_assigns(shell: Any, capsys: pytest.CaptureFixture[str]):
    shell.run_cell_magic("oldhand", "--user ana as found", "How many customers\nlive in Berlin?")
    assert shell.user_ns["found"].rows == ((1,),)
    assert "1 customer" in capsys.readouterr().out
    shell.run_line_magic("oldhand", "--user ana as found and in Oslo?")
    assert (shell.user_ns["found"].rows, shell.user_ns["found"].question) == (((1,),), "and in Oslo?")  # fmt: skip
    shell.run_line_magic("oldhand", "Which city does each customer live in?")
    said = capsys.readouterr().out
    assert "Berlin" in said
    assert "Oslo" in said
    with Oldhand() as old:
        assert len({one.session_id for one in old.episodes.list(user="ana")}) == 1


def test_a_question_on_one_line_may_end_with_its_mark(
    shell: Any, capsys: pytest.CaptureFixture[str]
):
    shell.run_cell(
        "if True:\n    %oldhand as found How many customers' cities are called Berlin?\n"
    ).raise_error()
    shell.run_cell("%oldhand as found How many customers live in Berlin?").raise_error()
    assert shell.user_ns["found"].rows == ((1,),)
    shell.run_cell("%oldhand and in Oslo?").raise_error()
    assert "Oslo" in capsys.readouterr().out
    shell.run_cell("%oldhand?").raise_error()
    assert "Ask a question in plain words" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "says"),
    [("", "QUESTION"), ("--nothing x How many?", "QUESTION"), ("--db moon How many customers?", "UnknownDatabase: "),
     ("--server http://127.0.0.1:9 How many?", "UsageError: A key is needed")],
)  # fmt: skip
def test_what_is_wrong_is_one_line(shell: Any, line: str, says: str):
    error = import_module("IPython.core.error").UsageError
    with pytest.raises(error) as raised:
        shell.run_line_magic("oldhand", line)
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)
