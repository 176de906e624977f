"""Blocking code of others, run beside the loop."""

import asyncio
import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import TypeVar

T = TypeVar("T")


async def in_own_thread(work: Callable[[], T], *, name: str) -> T:
    """Run `work` in a thread of its own; who is cancelled no longer waits for it.

    The thread is a daemon and belongs to no pool: a function that never ends holds up neither other tools nor the
    end of the program.

    >>> asyncio.run(in_own_thread(lambda: 6 * 7, name="multiply"))
    42
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()
    context = copy_context()

    def settle(result: T | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # pyright: ignore[reportArgumentType]  # a T when there is no error

    def tell(result: T | None, error: BaseException | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, result, error)

    def run() -> None:
        try:
            result = context.run(work)
        except BaseException as error:  # noqa: BLE001  # the caller gets it, whatever it is
            tell(None, error)
        else:
            tell(result, None)

    threading.Thread(target=run, name=f"oldhand-tool-{name}", daemon=True).start()
    return await done
