"""Benchmarks run one after the other: failures are named, and what was measured is kept."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks._known import known
from benchmarks._running import Benchmark, Report, run_all

ROOT = Path(__file__).parents[2]
HEADER = "# Measurements\n\nHere.\n\n"
STATEMENTS = {
    "good": "print('| 1 |')",
    "raises": "print('| 2 |'); raise ValueError('no such row')",
    "killed": "import os; print('| 3 |', flush=True); os.kill(os.getpid(), 9)",
    "last": "print('| 4 |')",
}
WAITING = """
import signal, sys
from pathlib import Path
from benchmarks._running import Benchmark, Report, run_all
rows = {
    "first": "print('| 1 |')",
    "waits": "import os, signal; print('|', os.getpid(), '|'); signal.pause()",
    "never": "print('| 3 |')",
}
chosen = [Benchmark(name, "Something.", 1) for name in rows]
report = Report("# Measurements\\n\\nHere.\\n\\n", Path(sys.argv[1]))
sys.exit(run_all(chosen, lambda name: [sys.executable, "-c", rows[name]], report))
"""


def ran(*names: str, report: Report) -> int:
    chosen = [Benchmark(name, "Something.", 1) for name in names]
    return run_all(chosen, lambda name: [sys.executable, "-c", STATEMENTS[name]], report)


@pytest.fixture
def waiting(tmp_path: Path):
    """A run whose second benchmark waits for ever; with the process of that one."""
    command = [sys.executable, "-c", WAITING, str(tmp_path / "report.md")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        lines = iter(process.stdout)
        next(line for line in lines if line == "## waits\n")
        row = next(line for line in lines if line.startswith("|"))
        yield process, int(row.strip("| \n"))
        process.kill()


def test_one_that_fails_is_named_and_ends_no_other(capfd, tmp_path):
    file = tmp_path / "report.md"
    code = ran("good", "raises", "killed", "last", report=Report(HEADER, file))
    out, err = capfd.readouterr()
    assert code == 1
    assert file.read_text() == out
    assert [row for row in out.splitlines() if row.startswith("|")] == [
        "| 1 |",
        "| 2 |",
        "| 3 |",
        "| 4 |",
    ]
    assert "raises failed: it ended with exit code 1." in err
    assert "killed failed: it was ended by SIGKILL." in err
    assert "ValueError: no such row" in err
    assert "2 of 4 ended well." in err


def test_all_that_end_well_end_well(capfd):
    assert ran("good", "last", report=Report(HEADER, None)) == 0
    out, err = capfd.readouterr()
    assert out.startswith(HEADER + "## good\n\n| 1 |\n")
    assert "[1 of 2] good: Something. About 60 s; with all that is left 2 min." in err


def test_a_later_run_goes_on_with_what_failed_or_is_missing(capfd, tmp_path):
    file = tmp_path / "report.md"
    ran("good", "raises", report=Report(HEADER, file))
    before = file.read_text()
    capfd.readouterr()
    ran("good", "raises", "last", report=Report(HEADER, file, go_on=True))
    text = file.read_text()
    assert text.startswith(before[: before.index("## raises")])
    assert [text.count(f"## {name}\n") for name in ("good", "raises", "last")] == [1, 1, 1]
    assert "[1 of 2] raises" in capfd.readouterr().err


def test_a_report_of_other_options_is_not_mixed(tmp_path):
    file = tmp_path / "report.md"
    ran("good", report=Report(HEADER, file))
    kept = file.read_text()
    with pytest.raises(SystemExit, match="other options"):
        Report("# Measurements\n\nElsewhere.\n\n", file, go_on=True)
    assert file.read_text() == kept


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_keeps_what_was_measured_and_leaves_no_process(waiting, tmp_path, how):
    process, inner = waiting
    process.send_signal(how)
    assert process.wait() == 130
    text = (tmp_path / "report.md").read_text()
    assert "## first\n\n| 1 |\n\n_" in text
    assert f"| {inner} |\n\n_failed after" in text
    assert "it was interrupted" in text
    assert "never" not in text
    with pytest.raises(ProcessLookupError):
        os.kill(inner, 0)


def test_a_killed_run_keeps_what_was_measured(waiting, tmp_path):
    process, inner = waiting
    process.kill()
    process.wait()
    os.kill(inner, signal.SIGKILL)
    text = (tmp_path / "report.md").read_text()
    assert "## first\n\n| 1 |\n\n_" in text
    assert text.endswith(f"## waits\n\n| {inner} |\n")


def test_every_benchmark_says_what_it_measures_and_how_long_it_takes():
    found = known()
    assert len(found) >= 39
    for one in found.values():
        assert one.about, one.name
        assert one.minutes > 0, one.name
