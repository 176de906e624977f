"""Spans: what an answer spends its time on, for whoever collects traces. Nothing happens while nobody does."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeAlias

Fact: TypeAlias = str | int | float | bool | Sequence[str]


class OpenSpan(Protocol):
    """Work under way."""

    def note(self, facts: Mapping[str, Fact]) -> None:
        """Add what is known by now."""
        ...

    def end(self, error: BaseException | None = None) -> None:
        """It is done, or has failed."""
        ...


class Tracer(Protocol):
    """Takes note of spans; must be quick and must not raise."""

    def begin(self, name: str, facts: Mapping[str, Fact], said: Mapping[str, str]) -> OpenSpan:
        """Work begins; `said` are words of people and statements, which are kept only where that is allowed."""
        ...


class NoSpan:
    """Of which nobody takes note."""

    def note(self, facts: Mapping[str, Fact]) -> None:
        """Nothing."""

    def end(self, error: BaseException | None = None) -> None:
        """Nothing."""


_tracers: list[Tracer] = []
_NOT_TRACED = NoSpan()


def trace_with(tracer: Tracer | None) -> None:
    """Let spans of this process go to a tracer, or to nobody."""
    _tracers[:] = [] if tracer is None else [tracer]


def begun(name: str, facts: Mapping[str, Fact], said: Mapping[str, str] | None = None) -> OpenSpan:
    """A span that begins now; `end` it.

    Names and facts follow the semantic conventions of OpenTelemetry.
    """
    return _tracers[0].begin(name, facts, said or {}) if _tracers else _NOT_TRACED


@contextmanager
def span(
    name: str, facts: Mapping[str, Fact], said: Mapping[str, str] | None = None
) -> Generator[OpenSpan]:
    """A span around a block.

    >>> with span("invoke_agent oldhand", {"gen_ai.operation.name": "invoke_agent"}) as one:
    ...     one.note({"gen_ai.conversation.id": "7"})
    """
    one, failed = begun(name, facts, said), None
    try:
        yield one
    except BaseException as error:
        failed = error
        raise
    finally:
        one.end(failed)
