"""Run the benchmarks and print their tables.

python -m benchmarks                      all of them, on data made here
python -m benchmarks --data DIR           those on public data as well
python -m benchmarks spider tokens        only these
python -m benchmarks memory_scale --memories 1000000
                                          a million memories in 1,000 assistants
python -m benchmarks --out FILE           write the report to a file, too
python -m benchmarks stream --data DIR --set spider_train --every 5 --quick
                                          the stream on every fifth database of another part, one order
"""

import argparse
import importlib
import io
import pkgutil
import platform
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import TextIO

import benchmarks
from benchmarks import (
    calibration,
    credit,
    distillation,
    evidence,
    memory_scale,
    reading,
    retrieval,
    stream,
)

Run = Callable[[Path | None], None]


class Tee(io.TextIOBase):
    """Writes to several streams at once, so that long work is seen while it runs."""

    def __init__(self, *streams: TextIO) -> None:
        self._streams = streams

    def write(self, text: str) -> int:
        """Write `text` to each stream, at once."""
        for one in self._streams:
            one.write(text)
            one.flush()
        return len(text)


def found() -> dict[str, Run]:
    """Every module of this folder that has a `run`, by name."""
    names = sorted(m.name for m in pkgutil.iter_modules(benchmarks.__path__) if m.name[0] != "_")
    modules = {name: importlib.import_module(f"benchmarks.{name}") for name in names}
    return {name: module.run for name, module in modules.items() if hasattr(module, "run")}


def report(chosen: dict[str, Run], data: Path | None) -> None:
    """Run the chosen benchmarks, one after the other."""
    print("# Measurements\n")
    print(f"Python {platform.python_version()}, {platform.machine()}, {platform.system()}.\n")
    for name, run in chosen.items():
        print(f"## {name}\n", flush=True)
        began = time.perf_counter()
        run(data)
        print(f"\n_{time.perf_counter() - began:.1f} s_\n", flush=True)


def main() -> None:
    """Read the arguments and print the report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("names", nargs="*", help="which benchmarks; all when none is named")
    parser.add_argument(
        "--data", type=lambda text: Path(text).resolve(), help="folder with the public data sets"
    )
    parser.add_argument("--out", type=Path, help="write the report to this file, too")
    options = parser.add_argument_group("stream")
    options.add_argument("--set", default="spider_dev", help="folder of the questions")
    options.add_argument("--every", type=int, default=1, help="only every n-th database")
    options.add_argument("--quick", action="store_true", help="one order instead of five")
    options.add_argument(
        "--large", action="store_true", help="retrieval with 100,000 and a million passages, too"
    )
    options.add_argument(
        "--write",
        action="store_true",
        help="renew docs/benchmarks/stream.*, evidence.*, credit.*, retrieval.md and reading.md",
    )
    parser.add_argument(
        "--memories",
        type=int,
        default=memory_scale.QUICK,
        help=f"how many memory_scale keeps; {memory_scale.FULL:,} over {memory_scale.CLONES_OF_FULL:,} assistants is the full one",
    )
    parser.add_argument(
        "--reflections", type=int, help="how many distillation reads, such as 100000"
    )
    arguments = parser.parse_args()
    runs = found()
    choice = stream.Choice(arguments.set, arguments.every, arguments.quick, arguments.write)
    runs["stream"] = partial(stream.run, choice=choice)
    runs["calibration"] = partial(calibration.run, write=arguments.write)
    runs["evidence"] = partial(evidence.run, write=arguments.write)
    runs["retrieval"] = partial(retrieval.run, write=arguments.write, large=arguments.large)
    runs["reading"] = partial(reading.run, keep=arguments.write)
    runs["credit"] = partial(credit.run, quick=arguments.quick, write=arguments.write)
    if arguments.reflections:
        runs["distillation"] = partial(distillation.run, sizes=(arguments.reflections,))
    runs["memory_scale"] = partial(memory_scale.run, memories=arguments.memories)
    if unknown := sorted(set(arguments.names) - set(runs)):
        parser.error(f"no benchmark called {', '.join(unknown)}; there are: {', '.join(runs)}")
    if arguments.data and not arguments.data.is_dir():
        parser.error(f"{arguments.data} is not a folder")
    chosen = {name: run for name, run in runs.items() if name in (arguments.names or runs)}
    copy = io.StringIO()
    with redirect_stdout(Tee(sys.stdout, copy)):
        report(chosen, arguments.data)
    if arguments.out:
        arguments.out.write_text(copy.getvalue(), encoding="utf-8")


if __name__ == "__main__":
    main()
