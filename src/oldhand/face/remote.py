"""The same faces over the network: an assistant that a server holds."""

import json
import os
from collections.abc import Callable
from inspect import Signature, getmembers, iscoroutinefunction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast
from urllib.parse import quote

from pydantic import TypeAdapter

import oldhand.errors
from oldhand.errors import Closed, MissingExtra, OldhandError, ServerUnreachable, UsageError
from oldhand.face.async_face import AsyncOldhand
from oldhand.face.blocking import made_as
from oldhand.face.exposed import CONTEXT, EXPOSED, GROUPS, Exposed, class_of, parameters_of
from oldhand.face.given import episode_id_of, memory_id_of
from oldhand.face.sync_face import Oldhand
from oldhand.record.clone import DEFAULT_CLONE, DEFAULT_USER

if TYPE_CHECKING:
    import httpx2

KEY_VARIABLE = "OLDHAND_KEY"
_IDS: dict[str, Callable[[object], str]] = {"episode_id": episode_id_of, "memory_id": memory_id_of}
_ANYTHING: TypeAdapter[object] = TypeAdapter(object)


class ServerConnection:
    """Sends what is asked to a server, and reads what comes back."""

    def __init__(self, url: str, key: str | None, clone: str, seconds: float) -> None:
        try:
            import httpx2 as http
        except ImportError as error:
            raise MissingExtra("httpx2", "client") from error
        token = key or os.environ.get(KEY_VARIABLE)
        if not token:
            raise UsageError(f"A key is needed: Client(url, key=…), or {KEY_VARIABLE}.")
        self.address = f"{url.rstrip('/')}/api/clones/{clone}"
        given: dict[str, Any] = {
            "headers": {"Authorization": f"Bearer {token}"},
            "timeout": http.Timeout(seconds, connect=10.0),
        }
        self._http = http
        self._waiting = http.AsyncClient(**given)
        self._plain = http.Client(**given)

    async def call(self, one: Exposed, args: tuple[object, ...], named: dict[str, object]) -> object:  # fmt: skip
        """Call a method of the assistant on the server.

        Raises:
            ServerUnreachable: it does not answer.
            OldhandError: whatever the method raises there.
        """
        request = self._request(one, args, named)
        try:
            response = await self._waiting.request(*request[:2], **request[2])
        except self._http.TransportError as error:
            raise ServerUnreachable(f"{self.address}: {error}") from error
        return _read(one, response)

    def call_now(self, one: Exposed, args: tuple[object, ...], named: dict[str, object]) -> object:
        """As `call`, for methods that block."""
        request = self._request(one, args, named)
        try:
            response = self._plain.request(*request[:2], **request[2])
        except self._http.TransportError as error:
            raise ServerUnreachable(f"{self.address}: {error}") from error
        return _read(one, response)

    def _request(
        self, one: Exposed, args: tuple[object, ...], named: dict[str, object]
    ) -> tuple[str, str, dict[str, Any]]:
        asked = _asked(one, args, named)
        path = one.path
        for name in [*asked]:
            if f"{{{name}}}" in path:
                path = path.replace(f"{{{name}}}", _quoted(str(asked.pop(name))))
        sent: dict[str, Any] = {}
        if one.verb in {"GET", "DELETE"}:
            sent["params"] = {name: it for name, it in asked.items() if it is not None}
        elif one.takes_file:
            name, data = asked.pop("file_name"), asked.pop("data")
            sent |= {"files": {"file": (name, data)}, "data": {it: to for it, to in asked.items() if to is not None}}  # fmt: skip
        elif asked or one.verb == "POST":
            sent["json"] = asked
        return one.verb, f"{self.address}{path}", sent

    async def close(self) -> None:
        """Close the connections."""
        await self._waiting.aclose()
        self._plain.close()


def _quoted(text: str) -> str:
    return quote(text, safe="")


def _asked(one: Exposed, args: tuple[object, ...], named: dict[str, object]) -> dict[str, object]:
    """What is given to the method, as JSON.

    Raises:
        UsageError: the method does not take it, or it names somebody: who asks is who the key belongs to.
    """
    named = {name: it for name, it in named.items() if name not in one.as_caller or it != DEFAULT_USER}  # fmt: skip
    if others := [name for name in one.as_caller if name in named and name != CONTEXT]:
        raise UsageError(f"`{others[0]}` is who the key belongs to: leave it out.")
    try:
        bound = Signature(parameters_of(one)).bind(*args, **named).arguments
    except TypeError as error:
        raise UsageError(f"{one.method}: {error}.") from error
    given = {name: _IDS[name](it) if name in _IDS and it is not None else it for name, it in bound.items()}  # fmt: skip
    data = {"data": given.pop("data")} if one.takes_file else {}
    return cast("dict[str, object]", _ANYTHING.dump_python(given, mode="json")) | data


def _read(one: Exposed, response: "httpx2.Response") -> object:
    if response.is_success:
        return None if one.returns is None else TypeAdapter(one.returns).validate_json(response.content)  # fmt: skip
    raise _error_of(response)


def _error_of(response: "httpx2.Response") -> OldhandError:
    """The error that the server tells of, by its name."""
    try:
        told = json.loads(response.content)
        name, detail = str(told["type"]), str(told["detail"])
    except (ValueError, KeyError, TypeError):
        return ServerUnreachable(f"No server of Oldhand answered: HTTP {response.status_code}.")
    kind = getattr(oldhand.errors, name, None)
    if isinstance(kind, type) and issubclass(kind, OldhandError):
        error = OldhandError.__new__(kind)
        Exception.__init__(error, detail)
        return error
    return UsageError(detail)


class AsyncClient(AsyncOldhand):
    """An assistant that a server holds, for code that runs in an event loop: it has the methods of `AsyncOldhand`.

    Args:
        url: where the server is, such as `https://oldhand.example.org`.
        key: made by `oldhand people key NAME`; else `OLDHAND_KEY`.
        clone: which assistant of the server.
        seconds: how long to wait for one answer.

    What needs the files of the home, such as `memories.export`, raises `UsageError`.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        clone: str = DEFAULT_CLONE,
        seconds: float = 600.0,
    ) -> None:
        self._wire: ServerConnection | None = ServerConnection(url, key, clone, seconds)
        self._url = url
        for name in GROUPS:
            setattr(self, name, self._group(name))

    def __repr__(self) -> str:
        return f"AsyncClient({self._url!r})"

    @property
    def path(self) -> Path:
        """There is none: the home is the server's.

        Raises:
            UsageError: always.
        """
        raise UsageError("The home of this assistant lies on its server.")

    def _group(self, name: str) -> object:
        rows = [one for one in EXPOSED if one.group == name]
        kind = class_of(rows[0])
        group = type(f"Remote{kind.__name__}", (kind,), _methods(kind, rows, lambda _: self))
        return object.__new__(group)

    async def close(self) -> None:
        """Close the connections; safe to call twice."""
        wire, self._wire = self._wire, None
        if wire is not None:
            await wire.close()

    async def __aenter__(self) -> Self:
        return self

    @property
    def wire(self) -> ServerConnection:
        """The connection to the server.

        Raises:
            Closed: it was closed.
        """
        if self._wire is None:
            raise Closed("This was closed: make another one with AsyncClient(…).")
        return self._wire


def _methods(
    kind: type, rows: list[Exposed], client: Callable[[Any], AsyncClient]
) -> dict[str, object]:
    """A method for each of a class: those in the table are called on the server, the others say that they can't be."""
    by_name = {one.name: one for one in rows}
    return {
        name: _called(by_name[name], client, method) if name in by_name else _local(name)
        for name, method in getmembers(kind, callable)
        if not name.startswith("_")
    }


def _called(one: Exposed, client: Callable[[Any], AsyncClient], method: object) -> object:
    async def later(self: object, *args: object, **named: object) -> object:
        return await client(self).wire.call(one, args, named)

    def now(self: object, *args: object, **named: object) -> object:
        return client(self).wire.call_now(one, args, named)

    call = later if iscoroutinefunction(method) else now
    call.__name__, call.__doc__ = one.name, getattr(method, "__doc__", None)
    return call


def _local(name: str) -> object:
    def refused(*_: object, **__: object) -> object:
        raise UsageError(f"`{name}` works on the home itself: call it where the server runs.")

    return refused


for _one in EXPOSED:
    if not _one.group:
        setattr(AsyncClient, _one.name, _called(_one, lambda self: self, getattr(AsyncOldhand, _one.name)))  # fmt: skip


class Client(Oldhand):
    """An assistant that a server holds, for ordinary code: it has the methods of `Oldhand`; see `AsyncClient`."""

    @made_as(AsyncClient)
    def __init__(self, wrapped: AsyncClient) -> None:
        self._wrap(wrapped)

    def __repr__(self) -> str:
        return repr(self._async).removeprefix("Async")
