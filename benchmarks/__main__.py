"""Run the benchmarks and print their tables.

python -m benchmarks                      all of them, on data made here
python -m benchmarks --list               what there is, and about how long each takes
python -m benchmarks --data DIR           those on public data as well
python -m benchmarks spider tokens        only these
python -m benchmarks memory_scale --memories 1000000
                                          a million memories in 1,000 assistants
python -m benchmarks --out FILE           write the report to a file, too, as it comes in
python -m benchmarks --out FILE --go-on   leave what it holds, and measure the rest
python -m benchmarks stream --data DIR --set spider_train --every 5 --quick
                                          the stream on every fifth database of another part, one order

Each runs in a process of its own. What goes on is told on the standard error output. The exit code is 1 when one failed.
"""

import argparse
import importlib
import platform
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks._known import known
from benchmarks._running import Report, run_all


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("names", nargs="*", help="which benchmarks; all when none is named")
    parser.add_argument(
        "--data", type=lambda text: Path(text).resolve(), help="folder with the public data sets"
    )
    parser.add_argument("--out", type=Path, help="write the report to this file, too")
    parser.add_argument("--go-on", action="store_true", help="keep what that file holds already")
    parser.add_argument("--list", action="store_true", help="name all benchmarks, and run none")
    parser.add_argument("--in-process", metavar="NAME", help=argparse.SUPPRESS)
    options = parser.add_argument_group("of single benchmarks")
    options.add_argument("--set", default="spider_dev", help="folder of the questions of stream")
    options.add_argument("--every", type=int, default=1, help="stream: only every n-th database")
    options.add_argument("--quick", action="store_true", help="one order instead of five")
    options.add_argument(
        "--large", action="store_true", help="retrieval with 100,000 and a million passages, too"
    )
    options.add_argument(
        "--write",
        action="store_true",
        help="renew docs/benchmarks/stream.*, evidence.*, credit.*, calibration.md, retrieval.md and reading.md",
    )
    options.add_argument(
        "--memories",
        type=int,
        help="how many memory_scale keeps, such as 1000000, and memory_care, such as 100000",
    )
    options.add_argument(
        "--reflections", type=int, help="how many distillation reads, such as 100000"
    )
    return parser


def _run_here(name: str, given: argparse.Namespace) -> None:
    """Run one with the options that are its own."""
    module = importlib.import_module(f"benchmarks.{name}")
    of: dict[str, Callable[[], dict[str, object]]] = {
        "stream": lambda: {
            "choice": module.Choice(given.set, given.every, given.quick, given.write)
        },
        "calibration": lambda: {"write": given.write},
        "evidence": lambda: {"write": given.write},
        "retrieval": lambda: {"write": given.write, "large": given.large},
        "reading": lambda: {"keep": given.write},
        "credit": lambda: {"quick": given.quick, "write": given.write},
        "distillation": lambda: {"sizes": (given.reflections,)} if given.reflections else {},
        "memory_care": lambda: {"memories": given.memories} if given.memories else {},
        "memory_scale": lambda: {"memories": given.memories} if given.memories else {},
    }
    module.run(given.data, **of.get(name, dict)())


def _header(parser: argparse.ArgumentParser, given: argparse.Namespace) -> str:
    aside = {"names", "out", "go_on", "list", "in_process"}
    options = (
        f"{name} {one.name if isinstance(one, Path) else one}"
        for name, one in vars(given).items()
        if name not in aside and one != parser.get_default(name)
    )
    machine = f"Python {platform.python_version()}", platform.machine(), platform.system()
    return f"# Measurements\n\n{', '.join((*machine, *options))}.\n\n"


def main() -> int:
    """Read the arguments, and print the report; gives the exit code."""
    parser = _parser()
    given = parser.parse_args()
    if given.in_process:
        _run_here(given.in_process, given)
        return 0
    all_known = known(public=given.data is not None)
    if unknown := sorted(set(given.names) - set(all_known)):
        parser.error(f"no benchmark called {', '.join(unknown)}; there are: {', '.join(all_known)}")
    if given.data and not given.data.is_dir():
        parser.error(f"{given.data} is not a folder")
    if given.go_on and not given.out:
        parser.error("--go-on goes on with the report that --out names")
    chosen = [one for one in all_known.values() if one.name in (given.names or all_known)]
    if given.list:
        print("\n".join(f"{one.name:14} {one.minutes:4g} min  {one.about}" for one in chosen))
        return 0
    again = [sys.executable, "-m", "benchmarks", *sys.argv[1:], "--in-process"]
    report = Report(_header(parser, given), given.out, go_on=given.go_on)
    return run_all(chosen, lambda name: [*again, name], report)


if __name__ == "__main__":
    sys.exit(main())
