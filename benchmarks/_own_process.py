"""Work in a process of its own, so that its memory and its caches are told from those of others."""

import re
import resource
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

_T = TypeVar("_T")


def alone(work: Callable[[], _T]) -> _T:
    """Do it in a new process; what it is, and what it gives, can be pickled."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work).result()


def processor_seconds(work: Callable[[], object]) -> float:
    """Time of the processor, which other work on the machine does not lengthen much."""
    began = time.process_time()
    work()
    return time.process_time() - began


def peak_mib() -> float:
    """The most memory that the process has had so far."""
    status = Path("/proc/self/status")
    # What `getrusage` says there begins with the memory of whoever started the process.
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        return int(found[1]) / 1024 if found else 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 * 1024)
