"""Only one learner of a clone works at a time, in whatever thread or process; nothing else waits for it."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from oldhand.store import Store
from oldhand.testing.records import example_episode, example_feedback

HOLDER = """
import sys
from oldhand.store import Store
from oldhand.testing.clock import FixedClock

with Store.open(sys.argv[1], clock=FixedClock()) as store, store.learning("default"):
    print("held", flush=True)
    sys.stdin.readline()
    print("done", flush=True)
"""


def test_a_second_thread_waits_until_the_first_has_learned(store: Store) -> None:
    happened: list[str] = []
    came = Event()

    def second() -> None:
        came.set()
        with store.learning("default"):
            happened.append("second")

    thread = Thread(target=second)
    with store.learning("default"):
        thread.start()
        assert came.wait(600)
        with store.learning("another"):
            happened.append("another clone")
        store.record_episode(example_episode())
        store.add_feedback(example_feedback("f-1", 1))
        happened.append("first")
    thread.join(600)
    assert happened == ["another clone", "first", "second"]


@contextmanager
def held(store_url: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that is learning."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, store_url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield holder


def test_another_process_keeps_a_learner_waiting_until_it_ends(
    store: Store, store_url: str
) -> None:
    happened: list[str] = []
    with held(store_url) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None

        def learns() -> None:
            with store.learning("default"):
                happened.append("learned")

        thread = Thread(target=learns)
        thread.start()
        store.record_episode(example_episode())
        store.add_feedback(example_feedback("f-1", 1))
        assert happened == []
        holder.stdin.write("go\n")
        holder.stdin.flush()
        assert holder.stdout.readline() == "done\n"
        thread.join(600)
    assert happened == ["learned"]


def test_a_learner_that_is_killed_lets_go(store: Store, store_url: str) -> None:
    with held(store_url) as holder:
        holder.kill()
    with store.learning("default"):
        assert store.judged_questions("default") == {}


def test_a_failure_lets_go(store: Store, open_store: Callable[[], Store], tmp_path: Path) -> None:
    try:
        with store.learning("default"):
            (tmp_path / "missing").read_text()
    except FileNotFoundError:
        with open_store().learning("default"):
            return
    raise AssertionError("the failure was swallowed")
