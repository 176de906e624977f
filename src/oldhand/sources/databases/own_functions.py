"""Functions that a database's owner wrote: no syntax tree tells what they do, so they are refused unless settings list them."""

import re
from collections.abc import Callable, Iterable

from oldhand.errors import FunctionRefused

_CALL = re.compile(r'(?:"((?:[^"]|"")+)"|`((?:[^`]|``)+)`|([\w$]+))\s*\(')
"""What stands before a bracket."""


class OwnFunctions:
    """Those of one database; they are asked for when a statement first calls one."""

    def __init__(self, database: str, allowed: Iterable[str]) -> None:
        self._database = database
        self._allowed = {name.casefold() for name in allowed}
        self._known: set[str] | None = None

    def check(self, sql: str, written: Callable[[], set[str]]) -> None:
        """Raise if the statement calls one that is not allowed.

        Raises:
            FunctionRefused: it does.

        >>> OwnFunctions("shop", ()).check("SELECT pay_all(1)", lambda: {"pay_all"})
        Traceback (most recent call last):
        ...
        oldhand.errors.FunctionRefused: pay_all() is a function that somebody wrote in shop, and what it does cannot be seen. If it only reads, list it in settings.yaml under query.functions.
        """
        called = {name.casefold() for found in _CALL.findall(sql) for name in found if name}
        if not called:
            return
        if self._known is None:
            self._known = {name.casefold() for name in written()} - self._allowed
        for name in sorted(called & self._known):
            raise FunctionRefused(
                f"{name}() is a function that somebody wrote in {self._database}, and what it does cannot be seen. "
                "If it only reads, list it in settings.yaml under query.functions."
            )
