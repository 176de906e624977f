"""Threads that are used again: to start one takes longer than to judge by rules."""

from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Thread


class Workers:
    """Runs work beside the caller, who need not wait for its end; whatever hangs keeps its thread, and no other.

    >>> workers = Workers()
    >>> workers.start(lambda: print("judged"), name="evaluator-rules").wait()
    judged
    True
    """

    def __init__(self) -> None:
        self._idle: deque[_Worker] = deque()

    def start(self, work: Callable[[], None], *, name: str) -> Event:
        """Let a thread do `work`.

        Args:
            work: must not raise.
            name: of the thread meanwhile.

        Returns:
            what is set as soon as it has ended.
        """
        ended = Event()
        self._worker().begin(work, name, ended)
        return ended

    def _worker(self) -> "_Worker":
        while True:
            try:
                worker = self._idle.pop()
            except IndexError:
                return _Worker(self._idle)
            if worker.is_alive():  # not in a process that was forked
                return worker


class _Worker:
    """One thread; it puts itself among the idle ones before anybody hears that its work has ended."""

    def __init__(self, idle: "deque[_Worker]") -> None:
        self._idle = idle
        self._given = SimpleQueue[tuple[Callable[[], None], str, Event]]()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def begin(self, work: Callable[[], None], name: str, ended: Event) -> None:
        self._given.put((work, name, ended))

    def _run(self) -> None:
        while True:
            work, name, ended = self._given.get()
            self._thread.name = name
            work()
            del work  # what it holds is not kept until the next one
            self._idle.append(self)
            ended.set()
