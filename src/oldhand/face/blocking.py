"""Coroutines as ordinary methods, with the same arguments and documentation."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from functools import wraps
from threading import Thread
from typing import Concatenate, Generic, ParamSpec, TypeVar

from oldhand.errors import InOtherProcess
from oldhand.face.opened import closed

A = TypeVar("A")
P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")


class FaceLoop:
    """The event loop of a face, for as long as that is open.

    It runs in a thread of its own, which keeps no process alive that has come to its end.
    """

    def __init__(self) -> None:
        self._process = os.getpid()
        self._is_open = True
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._serve, name="oldhand", daemon=True)
        self._thread.start()

    def run(self, work: Callable[[], Coroutine[object, object, T]]) -> T:
        """Run one coroutine to its end; an interrupt cancels it, so that a query in flight is stopped.

        Raises:
            Closed: the face was closed.
            InOtherProcess: this is a fork of the process that made the loop, and has no thread that could serve it.
        """
        if not self._is_open:
            raise closed("Oldhand(…)")
        if os.getpid() != self._process:
            raise InOtherProcess
        return self._run(work)

    def stop(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        """Run the last coroutine, and end the loop; safe to call twice."""
        was_open, self._is_open = self._is_open, False
        if was_open and os.getpid() == self._process:
            try:
                self._run(work)
            finally:
                self._loop.call_soon_threadsafe(self._loop.stop)
                self._thread.join()

    def _run(self, work: Callable[[], Coroutine[object, object, T]]) -> T:
        future = asyncio.run_coroutine_threadsafe(work(), self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _serve(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.get_loop().run_forever()


class Blocking(Generic[A]):
    """Something asynchronous, for ordinary code."""

    def __init__(self, served: FaceLoop, wrapped: A) -> None:
        self._served = served
        self._async = wrapped


def blocking(
    method: Callable[Concatenate[A, P], Coroutine[object, object, T]],
) -> Callable[Concatenate[Blocking[A], P], T]:
    """The same method for ordinary code: run to its end."""

    @wraps(method)
    def run(self: Blocking[A], /, *args: P.args, **kwargs: P.kwargs) -> T:
        served, wrapped = self._served, self._async  # pyright: ignore[reportPrivateUsage]
        # By its name: what is wrapped may be reached over the network.
        return served.run(lambda: getattr(wrapped, method.__name__)(*args, **kwargs))

    return run


def made_as(
    made: Callable[P, A],
) -> Callable[[Callable[[S, A], None]], Callable[Concatenate[S, P], None]]:
    """An `__init__` that is given what `made` makes of its arguments: they are the same ones."""

    def decorator(begin: Callable[[S, A], None]) -> Callable[Concatenate[S, P], None]:
        @wraps(made.__init__)
        def init(self: S, /, *args: P.args, **kwargs: P.kwargs) -> None:
            begin(self, made(*args, **kwargs))

        return init

    return decorator
