"""Traces by OpenTelemetry: on where the standard variables name a collector, and the extra is installed."""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from oldhand import __version__
from oldhand.errors import MissingExtra
from oldhand.record.tracing import Fact, OpenSpan, trace_with

if TYPE_CHECKING:
    from opentelemetry import trace

_COLLECTORS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


class CollectedSpan:
    """A span of OpenTelemetry, current for as long as it lasts."""

    def __init__(self, one: "trace.Span", leave: Callable[[], None]) -> None:
        self._one = one
        self._leave = leave

    def note(self, facts: Mapping[str, Fact]) -> None:
        """Add what is known by now."""
        self._one.set_attributes(dict(facts))

    def end(self, error: BaseException | None = None) -> None:
        """It is done, or has failed; what an error says may hold data, so that only its name is kept."""
        from opentelemetry.trace import StatusCode  # noqa: PLC0415 - an extra

        if error is not None:
            self._one.set_attribute("error.type", type(error).__name__)
            self._one.set_status(StatusCode.ERROR)
        self._leave()
        self._one.end()


class Collecting:
    """Gives spans to a tracer of OpenTelemetry.

    Args:
        tracer: takes them.
        says: whether questions and statements may be kept with them.
    """

    def __init__(self, tracer: "trace.Tracer", *, says: bool) -> None:
        self._tracer = tracer
        self._says = says

    def begin(self, name: str, facts: Mapping[str, Fact], said: Mapping[str, str]) -> OpenSpan:
        """Begin a span within the current one."""
        from opentelemetry import context, trace  # noqa: PLC0415 - an extra

        one = self._tracer.start_span(name, attributes={**facts, **(said if self._says else {})})
        token = context.attach(trace.set_span_in_context(one))
        return CollectedSpan(one, lambda: context.detach(token))


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
    trace_with(Collecting(provider.get_tracer("oldhand", __version__), says=says))

    def end() -> None:
        trace_with(None)
        provider.shutdown()

    return end
