"""The one boundary behind which evaluators run: whatever they do, the agent's run goes on.

A crash is logged, counted on the evaluator and named; it never becomes an issue. An evaluator that does not end is left behind, and what
it says later is not saved.
"""

import asyncio
import inspect
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextvars import copy_context
from copy import deepcopy
from functools import lru_cache
from queue import SimpleQueue
from threading import Event, Thread
from typing import Generic, NamedTuple, Self, TypeVar

from oldhand.errors import InvalidEvaluation
from oldhand.evaluators.base import VerbalEvaluator
from oldhand.evaluators.notes import Notes
from oldhand.evaluators.running import EvaluatorCall, JudgedRun, judging, under_way
from oldhand.evaluators.sql_evaluator import SqlEvaluator
from oldhand.evaluators.strangers import asked_in, names_in, results_of, written_in
from oldhand.evaluators.verdicts import checked_answer
from oldhand.models.tokens import estimate_tokens
from oldhand.record.episode import Recalled
from oldhand.record.evaluation import Evaluation
from oldhand.record.step import AgentState, Step
from oldhand.settings import EvaluationSettings

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Workers:
    """Runs work beside the caller, who need not wait for its end; whatever hangs keeps its thread, and no other.

    >>> workers = Workers()
    >>> workers.start(lambda: print("judged"), name="evaluator-rules").wait()
    judged
    True
    """

    def __init__(self) -> None:
        self._idle: deque[_Worker] = deque()

    def start(self, work: Callable[[], None], *, name: str) -> Event:
        """Let a thread do `work`.

        Args:
            work: must not raise.
            name: of the thread meanwhile.

        Returns:
            what is set as soon as it has ended.
        """
        ended = Event()
        self._worker().begin(work, name, ended)
        return ended

    def _worker(self) -> "_Worker":
        while True:
            try:
                worker = self._idle.pop()
            except IndexError:
                return _Worker(self._idle)
            if worker.is_alive():  # not in a process that was forked
                return worker


class _Worker:
    """One thread; it puts itself among the idle ones before anybody hears that its work has ended."""

    def __init__(self, idle: "deque[_Worker]") -> None:
        self._idle = idle
        self._given = SimpleQueue[tuple[Callable[[], None], str, Event]]()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def begin(self, work: Callable[[], None], name: str, ended: Event) -> None:
        self._given.put((work, name, ended))

    def _run(self) -> None:
        while True:
            work, name, ended = self._given.get()
            self._thread.name = name
            work()
            del work  # what it holds is not kept until the next one
            self._idle.append(self)
            ended.set()


_workers = Workers()


class CallOutcome(NamedTuple):
    """What became of one call of an evaluator."""

    evaluator: str
    """Its class."""
    answer: object = None
    """What `evaluate` returned."""
    error: str | None = None
    """The error's name and what it says; None when all went well."""
    seconds: float = 0.0
    evaluations: tuple[Evaluation, ...] = ()
    """What it saved, also before it failed."""


class Judged(NamedTuple):
    """What all evaluators say of a step or a run."""

    outcomes: tuple[CallOutcome, ...] = ()

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """All that was saved."""
        return tuple(one for outcome in self.outcomes for one in outcome.evaluations)

    @property
    def issues(self) -> tuple[str, ...]:
        """All issues that were saved, each once."""
        return tuple(dict.fromkeys(text for one in self.evaluations for text in one.issues))

    @property
    def failures(self) -> tuple[str, ...]:
        """Which evaluators failed, and why; for people to read."""
        return tuple(f"{one.evaluator}: {one.error}" for one in self.outcomes if one.error)


def judge(
    evaluators: Sequence[VerbalEvaluator],
    judged: Step | AgentState,
    run: JudgedRun,
    settings: EvaluationSettings,
) -> Judged:
    """Let evaluators judge a step, or a whole run, side by side."""
    calls = [
        _Call[object](one, _judging_of(run, judged, one)).begin(_evaluating(one, judged, run))
        for one in evaluators
    ]
    return Judged(tuple(_outcome(call, settings.seconds) for call in calls))


def _judging_of(
    run: JudgedRun, judged: Step | AgentState, evaluator: VerbalEvaluator
) -> EvaluatorCall:
    now = EvaluatorCall(run, results=results_of(judged))
    if isinstance(judged, Step):
        now.step_number = judged.number
    else:
        now.granularity = "trajectory"
    if run.by_stranger:
        known = names_in(evaluator.schemas_for("") if isinstance(evaluator, SqlEvaluator) else ())
        now.written, now.asked = written_in(judged) - known, asked_in(run.query) - known
    return now


def _evaluating(
    evaluator: VerbalEvaluator, judged: Step | AgentState, run: JudgedRun
) -> Callable[[], object]:
    given: dict[str, object] = {
        "query_idx": run.query_idx,
        "policy_model_name": run.policy_model_name,
        "task_type": run.task_type,
        "query": run.query,
    }
    accepted = _accepted(type(evaluator))
    chosen = {name: value for name, value in given.items() if accepted is None or name in accepted}

    def evaluated() -> object:
        answer = _settled(evaluator.evaluate(_own(judged), **chosen))
        now = under_way()
        return answer if now and now.saved else checked_answer(answer)

    return evaluated


def _settled(given: object) -> object:
    """What an evaluator gave, awaited where it is asynchronous; this thread has no loop of its own."""
    return asyncio.run(_awaited(given)) if inspect.isawaitable(given) else given


async def _awaited(answer: Awaitable[object]) -> object:
    return await answer


def _own(judged: Step | AgentState) -> Step | AgentState:
    """A copy for one evaluator: the tools are called with the arguments as they were, whatever it does to its own."""
    if isinstance(judged, Step):
        return _own_step(judged)
    return judged.model_copy(update={"steps": tuple(map(_own_step, judged.steps))})


def _own_step(step: Step) -> Step:
    actions = tuple(
        one.model_copy(update={"arguments": deepcopy(one.arguments)}) for one in step.actions
    )
    return step.model_copy(update={"actions": actions})


@lru_cache(maxsize=256)
def _accepted(kind: type[VerbalEvaluator]) -> frozenset[str] | None:
    """The arguments that its `evaluate` takes; None for any."""
    parameters = inspect.signature(kind.evaluate).parameters.values()
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters):
        return None
    return frozenset(one.name for one in parameters)


def _outcome(call: "_Call[object]", seconds: float) -> CallOutcome:
    answer, error = call.ended(seconds)
    name = type(call.evaluator).__name__
    return CallOutcome(name, answer, error, call.seconds, tuple(call.now.saved))


class _Call(Generic[T]):
    """One call of an evaluator in a thread, which nobody has to wait for."""

    def __init__(self, evaluator: VerbalEvaluator, now: EvaluatorCall) -> None:
        self.evaluator = evaluator
        self.now = now
        self._began = time.monotonic()
        self.seconds = 0.0
        self._answer: T | None = None
        self._error: BaseException | None = None
        self._ended: Event | None = None

    def begin(self, work: Callable[[], T]) -> Self:
        """Do it in a thread."""
        context = copy_context()
        name = f"evaluator-{self.evaluator.evaluator_type}"
        self._ended = _workers.start(lambda: context.run(self._run, work), name=name)
        return self

    def do(self, work: Callable[[], T]) -> Self:
        """Do it here, where it is known to end soon."""
        self._run(work)
        if isinstance(self._error, KeyboardInterrupt):
            raise self._error  # meant for the caller
        return self

    def _run(self, work: Callable[[], T]) -> None:
        try:
            with judging(self.now):
                self._answer = work()
        except BaseException as error:  # noqa: BLE001 - the boundary: other people's code may raise anything
            self._error = error
        self.seconds = time.monotonic() - self._began

    def ended(self, seconds: float) -> tuple[T | None, str | None]:
        """What it returned, or why it failed."""
        left = max(0.0, self._began + seconds - time.monotonic())
        if self._ended is not None and not self._ended.wait(left):
            self.now.left = True
            self.seconds = seconds
            return None, self._failed(None, f"TimeoutError: no end after {seconds:g} seconds")
        if self._error is not None:
            said = " ".join(str(self._error).split())[:300]
            return None, self._failed(self._error, f"{type(self._error).__name__}: {said}")
        return self._answer, None

    def _failed(self, error: BaseException | None, said: str) -> str:
        self.evaluator.failures += 1
        kind, count = type(self.evaluator).__name__, self.evaluator.failures
        logger.error("evaluator_failed: %s, %s so far: %s", kind, count, said, exc_info=error)
        return said


def recall_notes(
    evaluators: Sequence[VerbalEvaluator], run: JudgedRun, settings: EvaluationSettings
) -> Notes:
    """The notes of all evaluators for the next generation, a section for each; one that fails has none."""
    left = settings.prompt_tokens
    sections: list[str] = []
    items: list[Recalled] = []
    for evaluator in evaluators:
        now = EvaluatorCall(run, granularity=evaluator.granularity, tokens=left)
        call, work = _Call[str](evaluator, now), _recalling(evaluator, run, settings.notes)
        # Ours asks the store only, which answers or raises an error soon, and keeps to the limit.
        is_ours = type(evaluator).load_eval_as_prompt is VerbalEvaluator.load_eval_as_prompt
        answer, _ = (call.do(work) if is_ours else call.begin(work)).ended(settings.seconds)
        said = answer or ""
        if text := said if is_ours else _cut(said, left):
            sections.append(text)
            left -= estimate_tokens(text)
        items += now.shown
    ranked = (one.model_copy(update={"rank": n}) for n, one in enumerate(items, 1))
    return Notes("\n\n".join(sections), tuple(ranked))


def _recalling(evaluator: VerbalEvaluator, run: JudgedRun, most: int) -> Callable[[], str]:
    def recalled() -> str:
        model, task = run.policy_model_name, run.task_type
        said = _settled(evaluator.load_eval_as_prompt(model, task, max_items=most))
        if not isinstance(said, str | None):
            kind = type(said).__name__
            raise InvalidEvaluation(f"load_eval_as_prompt returned {kind}: a text is expected.")
        return said or ""

    return recalled


def _cut(text: str, tokens: int) -> str:
    """As many whole lines as there is room for; evaluators of other people may know no limit."""
    kept: list[str] = []
    for line in text[: 40 * max(tokens, 0)].strip().splitlines():
        tokens -= estimate_tokens(line) + 1
        if tokens < -1:
            break
        kept.append(line)
    return "\n".join(kept)
