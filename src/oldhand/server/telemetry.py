"""Traces by OpenTelemetry: on where the standard variables name a collector, and the extra is installed."""

import os
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from oldhand import __version__
from oldhand.errors import MissingExtra
from oldhand.record.tracing import Facts, Tracer, trace_with

if TYPE_CHECKING:
    from opentelemetry import trace

_COLLECTORS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


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
