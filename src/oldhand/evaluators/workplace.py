"""Where an evaluator works at the moment: one evaluator may serve several agents, each with its databases and its home.

Kept in a context variable for the reason that `running` gives: `evaluate` takes what the published signature says.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from oldhand.evaluators.results import Results
from oldhand.record.schema import DatabaseSchema

Schemas: TypeAlias = Sequence[DatabaseSchema] | Callable[[], Sequence[DatabaseSchema]]
"""The databases that queries may be for; a function when they may change."""


@dataclass(frozen=True)
class Workplace:
    """What belongs to the agent that is judged."""

    results: Results
    schemas: Schemas = ()
    home: Path | None = None


_at: ContextVar[Workplace | None] = ContextVar("oldhand_workplace", default=None)


def at_work() -> Workplace | None:
    """The workplace of this thread or task; None when an evaluator stands alone."""
    return _at.get()


@contextmanager
def working_at(place: Workplace | None) -> Generator[None]:
    """Let evaluators inside the block judge with what belongs to this agent, and save there."""
    token = _at.set(place)
    try:
        yield
    finally:
        _at.reset(token)
