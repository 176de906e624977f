"""What is being judged at the moment: an evaluator of anybody's writing need not know of it.

Kept in a context variable and not in arguments: `evaluate` of other people's evaluators takes what the published signature says,
and one evaluator may serve several runs at once.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from oldhand.record.episode import Recalled
from oldhand.record.evaluation import Evaluation, Granularity


@dataclass(frozen=True)
class JudgedRun:
    """A run of an agent, as far as evaluators and notes are concerned."""

    policy_model_name: str
    task_type: str
    query: str = ""
    query_idx: int | None = None
    episode_id: str | None = None
    """The run's own name; None outside of any, where nothing is drawn and nothing counts as a run."""
    by_stranger: bool = False
    """Whether somebody asks who has no say: what is found wrong is told without their words."""


@dataclass
class EvaluatorCall:
    """One call of an evaluator within a run; what it saves and shows is collected here."""

    run: JudgedRun
    step_number: int | None = None
    granularity: Granularity = "step"
    results: tuple[str, ...] = ()
    """What the tools returned in what is judged; no issue repeats it."""
    written: frozenset[str] = frozenset()
    """Words of a stranger in what is judged: no issue repeats them."""
    asked: frozenset[str] = frozenset()
    """Words of their question: no issue repeats them that is in an evaluator's own words."""
    tokens: int | None = None
    """What is left of a prompt for notes; None for all that the settings allow."""
    saved: list[Evaluation] = field(default_factory=list[Evaluation])
    shown: list[Recalled] = field(default_factory=list[Recalled])
    left: bool = False
    """True once nobody waits for it any more."""


_judging: ContextVar[EvaluatorCall | None] = ContextVar("oldhand_judging", default=None)


def under_way() -> EvaluatorCall | None:
    """What this thread or task is judging; None when an evaluator stands alone."""
    return _judging.get()


@contextmanager
def judging(one: EvaluatorCall) -> Generator[EvaluatorCall]:
    """Let `one` be what is judged inside the block.

    >>> with judging(EvaluatorCall(JudgedRun("gpt-4", "spatial_qa", query="How far?"))):
    ...     under_way().run.query
    'How far?'
    """
    token = _judging.set(one)
    try:
        yield one
    finally:
        _judging.reset(token)
