"""Whether trials tell harmful lessons from useful ones: a simulation in which the truth is known."""

from pathlib import Path

from benchmarks._evidence.measured import SEEDS, measure
from benchmarks._evidence.plot import draw
from benchmarks._evidence.tables import report, setting
from benchmarks._stream.page import FOLDER, put_tables


def run(data: Path | None, *, write: bool = False) -> None:  # noqa: ARG001
    """Print the tables; with `write`, put them into the page and draw the plot beside it."""
    about = f"{setting()} {len(SEEDS)} seeds; in brackets, 95 % intervals."
    print(about + "\n", flush=True)
    measured = measure()
    print(report(measured))
    if write:
        put_tables("evidence.md", f"{about}\n\n{report(measured)}")
        draw(measured, FOLDER / "evidence.png")
