"""How fast the store commits: episodes, and feedback that is synced to the disk each time."""

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from oldhand.store import Journal, Store
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import example_episode, example_feedback

COMMITS = 500


class Speed(NamedTuple):
    """The times of single calls, in seconds."""

    times: list[float]

    @property
    def per_second(self) -> float:
        """Calls in one second, one after another."""
        return len(self.times) / sum(self.times)

    def percentile(self, share: int) -> float:
        """Milliseconds that `share` percent of the calls stay below."""
        return statistics.quantiles(self.times, n=100)[share - 1] * 1000


def run(data: Path | None) -> None:  # noqa: ARG001
    """Print commits per second and the time of one call, with the journal and without it."""
    print("| SQLite | commits/s | p50 ms | p95 ms |")
    print("|---|---:|---:|---:|")
    for journalled in (False, True):
        ending = " with journal" if journalled else ""
        with TemporaryDirectory() as home:
            journal = Journal(Path(home) / "memory") if journalled else None
            url = f"sqlite:///{home}/oldhand.db"
            with Store.open(url, clock=FixedClock(), journal=journal) as store:
                _print_row(f"record_episode{ending}", _timed(lambda n: _record(store, n)))
                _print_row(f"add_feedback{ending}", _timed(lambda n: _rate(store, n)))
                _print_row(f"episodes(limit=50){ending}", _timed(lambda _: _list(store), 50))


def _record(store: Store, n: int) -> None:
    store.record_episode(example_episode(f"e{n}"))


def _rate(store: Store, n: int) -> None:
    store.add_feedback(example_feedback(f"f{n}", +1, episode_id=f"e{n}"))


def _list(store: Store) -> None:
    store.episodes("default", limit=50)


def _timed(call: Callable[[int], None], times: int = COMMITS) -> Speed:
    found: list[float] = []
    for n in range(times):
        start = time.perf_counter()
        call(n)
        found.append(time.perf_counter() - start)
    return Speed(found)


def _print_row(name: str, speed: Speed) -> None:
    p50, p95 = speed.percentile(50), speed.percentile(95)
    print(f"| {name} | {speed.per_second:,.0f} | {p50:.2f} | {p95:.2f} |")
