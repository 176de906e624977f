"""Asynchronous code for ordinary code, also where an event loop runs already, as in a notebook."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

P = ParamSpec("P")
T = TypeVar("T")


def blocking(work: Callable[[], Coroutine[object, object, T]]) -> T:
    """Run one coroutine to its end; an interrupt cancels it.

    >>> async def two() -> int:
    ...     return 2
    >>> async def outer() -> int:
    ...     return blocking(two)
    >>> blocking(two), asyncio.run(outer())
    (2, 2)
    """
    if not _in_a_loop():
        return asyncio.run(work())
    from anyio.from_thread import start_blocking_portal  # noqa: PLC0415 (most programs need none)

    with start_blocking_portal("asyncio") as portal:
        return _result(portal, work)


def made_blocking(method: Callable[P, Coroutine[object, object, T]]) -> Callable[P, T]:
    """The same method for ordinary code, with the same arguments."""

    @wraps(method)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        return blocking(lambda: method(*args, **kwargs))

    return run


def blocking_items(items: Callable[[], AsyncGenerator[T]]) -> Generator[T]:
    """The items of an asynchronous generator, each as soon as it is there; closing this closes it.

    >>> async def numbers():
    ...     yield 1
    ...     yield 2
    >>> list(blocking_items(numbers))
    [1, 2]
    """
    from anyio.from_thread import start_blocking_portal  # noqa: PLC0415 (as above)

    with start_blocking_portal("asyncio") as portal:
        source = items()

        async def following() -> tuple[T, ...]:
            async for item in source:
                return (item,)
            return ()

        try:
            while found := _result(portal, following):
                yield found[0]
        finally:
            portal.call(source.aclose)


def _result(portal: "BlockingPortal", work: Callable[[], Coroutine[object, object, T]]) -> T:
    future = portal.start_task_soon(work)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
