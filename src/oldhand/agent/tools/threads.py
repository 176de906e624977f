"""Blocking code of others, run beside the loop."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import copy_context
from inspect import isawaitable
from typing import TypeVar, cast

T = TypeVar("T")


async def in_own_thread(work: Callable[[], T], *, name: str) -> T:
    """Run `work` in a thread of its own; who is cancelled no longer waits for it.

    The thread is a daemon and belongs to no pool: a function that never ends holds up neither other tools nor the
    end of the program.

    >>> asyncio.run(in_own_thread(lambda: 6 * 7, name="multiply"))
    42
    """
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    results: list[T] = []
    errors: list[BaseException] = []
    context = copy_context()

    def run() -> None:
        try:
            results.append(context.run(work))
        except BaseException as error:  # noqa: BLE001  # the caller gets it, whatever it is
            errors.append(error)
        with suppress(RuntimeError):  # the loop was closed: nobody waits any longer
            loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=run, name=f"oldhand-tool-{name}", daemon=True).start()
    await ended.wait()
    if errors:
        raise errors[0]
    return results[0]


async def done_beside(work: Callable[[], T | Awaitable[T]], *, name: str) -> T:
    """As `in_own_thread`, for `work` that may be asynchronous: what it gives is awaited here then.

    >>> asyncio.run(done_beside(lambda: asyncio.sleep(0, 42), name="multiply"))
    42
    """
    given = await in_own_thread(work, name=name)
    return await cast("Awaitable[T]", given) if isawaitable(given) else cast("T", given)
