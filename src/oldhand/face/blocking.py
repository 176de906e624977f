"""Coroutines as ordinary methods, with the same arguments and documentation."""

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Concatenate, Generic, ParamSpec, TypeVar

from oldhand.face.opened import closed
from oldhand.face.own_loop import OwnLoop

A = TypeVar("A")
P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")


class FaceLoop:
    """The event loop of a face, for as long as that is open."""

    def __init__(self) -> None:
        self._loop: OwnLoop | None = OwnLoop()

    def run(self, work: Callable[[], Coroutine[object, object, T]]) -> T:
        """Run one coroutine to its end.

        Raises:
            Closed: the face was closed.
        """
        if self._loop is None:
            raise closed("Oldhand(…)")
        return self._loop.run(work)

    def stop(self, work: Callable[[], Coroutine[object, object, None]]) -> None:
        """Run the last coroutine, and end the loop; safe to call twice."""
        loop, self._loop = self._loop, None
        if loop is not None and loop.is_here:
            try:
                loop.run(work)
            finally:
                loop.stop()


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
