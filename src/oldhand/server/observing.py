"""Every request has an id, is counted and timed, and is told of in the log and in traces."""

import json
import logging
import os
import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from secrets import token_hex
from typing import TYPE_CHECKING

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from oldhand import __version__
from oldhand.errors import MissingExtra
from oldhand.record.tracing import Facts, Tracer, span, trace_with
from oldhand.server.metrics import RequestMetrics

if TYPE_CHECKING:
    from opentelemetry import trace

logger = logging.getLogger(__name__)

_ID = re.compile(r"[\w.-]{1,64}")
_FAILED = 500
REQUEST: ContextVar[dict[str, str] | None] = ContextVar("oldhand_request", default=None)
"""The request under way: its `request_id`, and its `clone` and `route` once they are known."""
_MARKER = re.compile(r'"(\w+)": (-?[\d.]+)')
"""How markers are logged, such as `"boost_applied": 0.15`."""
_SECRET = re.compile(r"oldhand_(key|session|invite|share)_\w+|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)|(?i:bearer )\S+")  # fmt: skip
_LONGEST = 4_000
_COLLECTORS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


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


# Logs as lines of JSON, each with the request that it belongs to; never with secrets.
class JSONLines(logging.Formatter):
    r"""Each record as one line of JSON; a marker becomes a field of its own.

    >>> record = logging.LogRecord("oldhand.x", 20, "", 0, 'at %s: "boost_applied": 0.15', ("oldhand_key_1_2",), None)
    >>> {name: it for name, it in json.loads(JSONLines().format(record)).items() if name != "time"}
    {'level': 'info', 'logger': 'oldhand.x', 'message': 'at (hidden): "boost_applied": 0.15', 'boost_applied': 0.15}
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        message = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            message += f"\n{self.formatException(record.exc_info)}"
        told: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            **(REQUEST.get() or {}),
            "message": without_secrets(message)[:_LONGEST],
            **{name: float(number) for name, number in _MARKER.findall(record.getMessage())},
            **getattr(record, "facts", {}),
        }
        return json.dumps(told, ensure_ascii=False, default=str)


def without_secrets(text: str) -> str:
    """The text with keys, passwords in addresses and tokens hidden.

    >>> without_secrets("postgresql://ana:secret@db/shop, Authorization: Bearer abc")
    'postgresql://(hidden)@db/shop, Authorization: (hidden)'
    """
    return _SECRET.sub("(hidden)", text)


def log_json() -> None:
    """Let all that we log go to standard error as lines of JSON, from INFO on."""
    handler = logging.StreamHandler()
    handler.setFormatter(JSONLines())
    for name in ("oldhand", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.propagate = False
        logger.setLevel(logging.INFO)


# Traces by OpenTelemetry: on where the standard variables name a collector, and the extra is installed.
def collecting(tracer: "trace.Tracer", *, says: bool) -> Tracer:
    """Gives spans to a tracer of OpenTelemetry.

    Args:
        tracer: takes them.
        says: whether questions and statements may be kept with them.
    """

    @contextmanager
    def collected(
        name: str, facts: Facts, said: Mapping[str, str]
    ) -> Generator[Callable[[Facts], object]]:
        """A span within the current one; what an error says may hold data, so that only its name is kept."""
        from opentelemetry.trace import StatusCode  # noqa: PLC0415 - an extra

        known = {**facts, **(said if says else {})}
        with tracer.start_as_current_span(
            name, attributes=known, record_exception=False, set_status_on_exception=False
        ) as one:
            try:
                yield lambda more: one.set_attributes(dict(more))
            except BaseException as error:
                one.set_attribute("error.type", type(error).__name__)
                one.set_status(StatusCode.ERROR)
                raise

    return collected


def collect_traces(*, says: bool) -> Callable[[], None]:
    """Send spans to the collector that the variables name; what comes back sends the last ones.

    Args:
        says: whether questions and statements may be sent.

    Raises:
        MissingExtra: a collector is named, but the extra is not installed.
    """
    named = any(os.environ.get(name) for name in _COLLECTORS)
    off = os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
    if off or not named:
        return lambda: None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra(error.name or "opentelemetry", "telemetry") from error
    name = os.environ.get("OTEL_SERVICE_NAME", "oldhand")
    provider = TracerProvider(resource=Resource.create({"service.name": name, "service.version": __version__}))  # fmt: skip
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace_with(collecting(provider.get_tracer("oldhand", __version__), says=says))

    def end() -> None:
        trace_with(None)
        provider.shutdown()

    return end
