"""How long the command line and the package take to be ready."""

import statistics
import subprocess
import sys
import time
from pathlib import Path

COMMANDS = {
    "python -c pass (reference)": ["-c", "pass"],
    "oldhand --help": ["-m", "oldhand", "--help"],
    "oldhand ask --help": ["-m", "oldhand", "ask", "--help"],
    "import oldhand": ["-c", "import oldhand"],
    "from oldhand import Oldhand": ["-c", "from oldhand import Oldhand"],
}
RUNS = 7


def seconds(arguments: list[str]) -> float:
    """Wall time of one run."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def run(data: Path | None) -> None:  # noqa: ARG001
    """Print the median wall time of each command as a whole process."""
    print(f"| command | median of {RUNS}, ms | over the reference |")
    print("|---|---:|---:|")
    reference = 0.0
    for name, arguments in COMMANDS.items():
        seconds(arguments)
        median = statistics.median(seconds(arguments) for _ in range(RUNS))
        reference = reference or median
        print(f"| {name} | {median * 1000:.0f} | {(median - reference) * 1000:+.0f} ms |")
