"""Spans: what an answer spends its time on, for whoever collects traces. Nothing happens while nobody does."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TypeAlias

Fact: TypeAlias = str | int | float | bool | Sequence[str]
Facts: TypeAlias = Mapping[str, Fact]
Span: TypeAlias = AbstractContextManager[Callable[[Facts], object]]
"""A span around a block; what it gives adds what is known by then."""
Tracer: TypeAlias = Callable[[str, Facts, Mapping[str, str]], Span]
"""Gives a span of a name and facts; words of people and statements are kept only where that is allowed. Must not raise."""

_tracers: list[Tracer] = []


def trace_with(tracer: Tracer | None) -> None:
    """Let spans of this process go to a tracer, or to nobody."""
    _tracers[:] = [] if tracer is None else [tracer]


def span(name: str, facts: Facts, said: Mapping[str, str] | None = None) -> Span:
    """A span around a block; names and facts follow the semantic conventions of OpenTelemetry.

    >>> with span("invoke_agent oldhand", {"gen_ai.operation.name": "invoke_agent"}) as note:
    ...     note({"gen_ai.conversation.id": "7"})
    """
    return _tracers[0](name, facts, said or {}) if _tracers else nullcontext(lambda _: None)
