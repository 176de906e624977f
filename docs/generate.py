"""Write the generated parts of the documentation anew: recordings of commands, the help of the command line, the API.

    python -m docs.generate            write
    python -m docs.generate --check    fail if a part is out of date (times, days and ids aside)

A recording is a block in a Markdown page:

    <!-- run: oldhand ask "How many customers live in Berlin?" -->
    ```console
    …is replaced by what the command printed…
    ```
    <!-- end -->

All recordings of a page run one after the other in one fresh folder.
"""

import argparse
import difflib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path

from docs.one_question import STAGES
from docs.reference_pages import pages

from oldhand.cli.app import made

ROOT = Path(__file__).parents[1]
PAGES = (
    "README.md",
    "docs/reference/cli.md",
    "docs/explanation/analyst.md",
    "docs/benchmarks/README.md",
)
RECORDING = re.compile(
    r"(?P<open><!-- run: (?P<command>.+?) -->\n).*?(?P<close><!-- end -->)", re.DOTALL
)
VARIES = re.compile(
    r"\b\d{1,2} [A-Z][a-z]+ \d{4}\b|\b\d{4}-\d\d-\d\d\b|"
    r"\b\d+(?:[.,]\d+)?\s?(?:ms|s)\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{8}\b| {2,}|[─━-]{2,}"
)

PLAIN = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
"""A plain terminal of 100 columns."""


def environment(folder: Path) -> dict[str, str]:
    """A plain terminal of 100 columns whose home is `folder`."""
    scripts = str(Path(sys.executable).parent)
    kept: Mapping[str, str] = {k: v for k, v in os.environ.items() if not k.startswith("OLDHAND_")}
    return {
        **kept,
        "PATH": f"{scripts}{os.pathsep}{kept.get('PATH', '')}",
        **PLAIN,
        "OLDHAND_HOME": str(folder / "home"),
        "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), kept.get("PYTHONPATH", "")))),
    }


def recorded(command: str, folder: Path) -> str:
    """What `command` prints, both streams, with the folder's name taken out."""
    done = subprocess.run(
        shlex.split(command), cwd=folder, env=environment(folder), check=False, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=300,
    )  # fmt: skip
    lines = (line.rstrip() for line in done.stdout.replace(f"{folder}/", "").splitlines())
    status = f"\n$ echo $?\n{done.returncode}" if done.returncode else ""
    return "\n".join(lines).strip("\n") + status


def shown_here(command: str) -> str | None:
    """What a command without effects prints, without a process of its own; None for all others.

    >>> shown_here("oldhand init --help").split()[:2], shown_here("oldhand init")
    (['Usage:', 'oldhand'], None)
    """
    match shlex.split(command):
        case ["oldhand", *path, "--help"]:
            with redirect_stdout(io.StringIO()) as printed:
                made(*path[:1])([*path, "--help"], prog_name="oldhand", standalone_mode=False)
            lines = printed.getvalue().splitlines()
        case ["python", "-m", "docs.one_question", stage]:
            lines = "\n".join(STAGES[stage]()).splitlines()
        case _:
            return None
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def renewed(text: str) -> str:
    """The page with each recording made anew."""
    with tempfile.TemporaryDirectory(prefix="tour-") as name:
        folder = Path(name)

        def play(found: re.Match[str]) -> str:
            command = found["command"]
            output = shown_here(command) or recorded(command, folder)
            return f"{found['open']}```console\n$ {command}\n{output}\n```\n{found['close']}"

        return RECORDING.sub(play, text)


def comparable(text: str) -> str:
    """The text without what differs from run to run: times, days and ids, and the columns they move."""
    return VARIES.sub(" ", text)


def main() -> None:
    """Write or check all pages."""
    parser = argparse.ArgumentParser(prog="python -m docs.generate")
    parser.add_argument(
        "--check", action="store_true", help="change nothing; fail if a page is out of date"
    )
    check = parser.parse_args().check
    os.environ.update(PLAIN)
    stale: list[str] = []
    changes: list[str] = []
    made = pages()
    for page in (*PAGES, *(str(path.relative_to(ROOT)) for path in made)):
        path = ROOT / page
        old = path.read_text("utf-8") if path.exists() else ""
        new = made.get(path) or renewed(old)
        if comparable(old) != comparable(new):
            stale.append(page)
            changes += difflib.unified_diff(
                comparable(old).splitlines(),
                comparable(new).splitlines(),
                page,
                "today",
                n=1,
                lineterm="",
            )
        if not check:
            path.write_text(new, encoding="utf-8")
    if check and stale:
        sys.exit("\n".join((f"out of date, run `make docs`: {', '.join(stale)}", *changes)))


if __name__ == "__main__":
    main()
