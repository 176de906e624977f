"""Every request has an id, is counted and timed, and is told of in the log and in traces."""

import logging
import re
from collections.abc import Callable, Mapping
from secrets import token_hex

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from oldhand.record.tracing import span
from oldhand.server.logs import REQUEST
from oldhand.server.metrics import RequestMetrics

logger = logging.getLogger(__name__)

_ID = re.compile(r"[\w.-]{1,64}")
_FAILED = 500


class Observing:
    """The first thing that a request meets."""

    def __init__(
        self, app: ASGIApp, *, metrics: RequestMetrics, monotonic: Callable[[], float]
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._monotonic = monotonic

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, and take note of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        given = headers.get(b"x-request-id", b"").decode("latin-1")
        request_id = given if _ID.fullmatch(given) else token_hex(8)
        token = REQUEST.set({"request_id": request_id})
        try:
            await self._watched(scope, receive, send, request_id)
        finally:
            REQUEST.reset(token)

    async def _watched(self, scope: Scope, receive: Receive, send: Send, request_id: str) -> None:
        began, status = self._monotonic(), _FAILED

        async def counted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                named = (b"x-request-id", request_id.encode())
                message = {**message, "headers": [*message.get("headers", []), named]}
            await send(message)

        method = scope["method"]
        underway = self._metrics.open.labels(method, _family(scope["path"]))
        underway.inc()
        try:
            with span(method, {"http.request.method": method}) as note:
                await self._app(scope, receive, counted)
                note({"http.route": _route(scope), "http.response.status_code": status})
        finally:
            underway.dec()
            self._tell(scope, status, self._monotonic() - began)

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        method, route = scope["method"], _route(scope)
        self._metrics.seconds.labels(method, route).observe(seconds)
        self._metrics.requests.labels(method, route, f"{status}").inc()
        known: Mapping[str, str] = scope.get("path_params", {})
        facts = {"method": method, "route": route, "status": status, "seconds": round(seconds, 4)}
        if "clone" in known:
            facts["clone"] = known["clone"]
        logger.info("request", extra={"facts": facts})


def _route(scope: Scope) -> str:
    """The path with its parameters by name, so that there are not endlessly many; empty for what is nowhere."""
    known = scope.get("oldhand.route") or getattr(scope.get("route"), "path", None)
    return known if known is not None else scope.get("root_path", "") or ""


def _family(path: str) -> str:
    """What kind of request is under way, before it is known who answers it."""
    return "stream" if path.endswith("/ask/stream") else "other"
