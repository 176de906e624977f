"""Runs of a tool-use agent: recalled for, judged, and recorded as episodes like any other question.

Invariant: a run that has ended is in the store before its state is returned, so that feedback on it finds its episode.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import cast

from oldhand.agent.acting import Beginning, Evaluator, Subject
from oldhand.agent.acting.judging import issues_in
from oldhand.evaluators import JudgedRun, VerbalEvaluator, judge, recall_notes
from oldhand.evaluators.sql_evaluator import SqlCall, calls_of_run
from oldhand.evaluators.workplace import Workplace, working_at
from oldhand.learning.prompts import AGENT_ROLES, roles_asked
from oldhand.loop.ground import LoopPart
from oldhand.loop.people import CloneRoles
from oldhand.loop.prompting import Prompting
from oldhand.loop.recalling import Recalling, in_order
from oldhand.record.answer import Answer, Outcome, QueryStep
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.episode import Episode, Recalled, Recollection
from oldhand.record.evaluation import Evaluation
from oldhand.record.feedback import TRUSTED
from oldhand.record.instructions import Instructions
from oldhand.record.step import AgentState, Checkpoint, Observation, ResultRows, Step
from oldhand.settings import EvaluationSettings

_OUTCOMES = {
    "answered": Outcome.ANSWERED,
    "proposed": Outcome.PROPOSED,
    "clarify": Outcome.CLARIFY,
    "abstained": Outcome.ABSTAINED,
}


def _nothing() -> None:
    """Nobody wants to know."""


@dataclass
class ConsideredForRun:
    """What was considered for a run so far."""

    begun_with: tuple[Recalled, ...] = ()
    """Lessons and versions of prompts."""
    notes: dict[str, Recalled] = field(default_factory=dict[str, Recalled])
    """By id; shown or held out is drawn once for a run."""
    lock: Lock = field(default_factory=Lock)

    def note(self, items: Iterable[Recalled]) -> None:
        """Add notes of evaluators; what is known stays as it is."""
        with self.lock:
            for item in items:
                self.notes.setdefault(item.item_id, item)

    def recalled(self) -> tuple[Recalled, ...]:
        """All of it, in order."""
        with self.lock:
            return in_order(self.begun_with, self.notes.values())


@dataclass(frozen=True)
class AgentRuns(LoopPart):
    """Keeps the records of an agent's runs, and lets its evaluators judge them; methods block."""

    recalling: Recalling
    settings: EvaluationSettings
    prompting: Prompting
    model: str
    """Who answers, as the episode says it."""
    workplace: Workplace | None = None
    """Where its evaluators find and save what belongs to this agent, whoever else they serve."""
    databases: tuple[str, ...] = ()
    """Those that the tools can ask."""
    addresses: Mapping[str, str] = field(default_factory=dict[str, str])
    """Where those of them are that the home has not registered, as it may be written down."""
    tools: tuple[str, ...] = ()
    """Names of the tools."""
    user: str = DEFAULT_USER
    roles: tuple[str, ...] = ()
    """Those of the prompts that the policy reads; none for one that reads no prompt."""
    recorded: Callable[[], None] = _nothing
    """Is told of each run that was recorded; must be quick."""
    known: dict[str, ConsideredForRun] = field(default_factory=dict[str, ConsideredForRun])
    """By run, until it has ended."""

    def begin(self, query: str, query_idx: int | None) -> Beginning:  # noqa: ARG002
        """Recall what fits the question, and name the run."""
        considered = self.recalling.consider(query, self.user, set(self.databases), self.tools)
        prompts = self.prompting.draw(self.roles)
        known = ConsideredForRun(in_order(considered.recalled(), prompts.recalled()))
        run_id = self.new_id()
        self.known[run_id] = known
        return Beginning(run_id, considered.shown, prompts.instructions, known.recalled)

    def take_up(self, checkpoint: Checkpoint) -> Beginning:
        """Go on with what was recalled when the run began: what is drawn is drawn once for a run."""
        of_notes = [one for one in checkpoint.recalled if one.kind == "evaluation"]
        known = ConsideredForRun(tuple(one for one in checkpoint.recalled if one not in of_notes))
        known.note(of_notes)
        self.known[checkpoint.run_id] = known
        told = Instructions(checkpoint.instructions)
        return Beginning(checkpoint.run_id, checkpoint.lessons, told, known.recalled)

    def end(self, checkpoint: Checkpoint) -> str:
        """Record the run as it ended; one that was taken up again and went further becomes a further episode."""
        state = checkpoint.state
        self.known.pop(state.run_id, None)
        judged = self.store.evaluations(self.clone_id, state.run_id)
        answer = answer_of(state, state.run_id, self.model, self.databases, judged)
        earlier = self._recorded(state.run_id)
        if earlier is not None:
            if (earlier.outcome, earlier.seconds) == (answer.outcome, answer.seconds):
                return state.run_id
            further = f"{state.run_id}.{len(state.steps)}"
            if self._recorded(further) is not None:
                return further
            answer = answer.model_copy(update={"episode_id": further})
        called = (one.tool for step in state.steps for one in step.actions)
        now = self.clock.now()
        episode = Episode.of(answer, self.clone_id, self.user, now, called, checkpoint.ledger)
        episode = episode.model_copy(update={"addresses": self.addresses})
        recollection = Recollection(episode_id=episode.id, items=tuple(_with_use(checkpoint)))
        self.store.record_episode(episode, recollection)
        self.recorded()
        return episode.id

    def judge(
        self, evaluators: Sequence[Evaluator], judged: Step | AgentState, subject: Subject
    ) -> list[str]:
        """What evaluators find wrong; what they say is saved, and none of them can break the run."""
        with working_at(self.workplace):
            found = judge(_verbal(evaluators), judged, self._run(subject), self.settings)
        unsaved = (one.answer for one in found.outcomes if not one.evaluations)
        said = [issue for answer in unsaved for issue in issues_in(answer)]
        return list(dict.fromkeys((*found.issues, *said)))

    def recall(self, evaluators: Sequence[Evaluator], subject: Subject) -> str:
        """The notes for the next generation; what was shown and held out belongs to the run's recollection."""
        with working_at(self.workplace):
            notes = recall_notes(_verbal(evaluators), self._run(subject), self.settings)
        if (known := self.known.get(subject.state.run_id)) is not None:
            known.note(notes.items)
        return notes.text

    def _run(self, subject: Subject) -> JudgedRun:
        state, people = subject.state, CloneRoles(self.clone_id, self.store, self.clock)
        return JudgedRun(
            subject.policy_model_name,
            subject.task_type,
            state.query,
            state.query_idx,
            state.run_id,
            by_stranger=people.role(self.user) not in TRUSTED,
        )

    def _recorded(self, episode_id: str) -> Answer | None:
        """The answer of the episode of exactly that id; None when there is none."""
        found = self.store.episodes_called(self.clone_id, [episode_id]).get(episode_id)
        return None if found is None else found.answer


def _with_use(checkpoint: Checkpoint) -> Iterator[Recalled]:
    """What was recalled, with what can be told of its use: not what a language model made of a lesson."""
    asked = roles_asked(frozenset(entry.stage for entry in checkpoint.ledger))
    is_asked = asked.issuperset(AGENT_ROLES)
    for one in checkpoint.recalled:
        used = one.shown and is_asked if one.kind == "prompt" else one.used
        yield one.model_copy(update={"used": used})


def _verbal(evaluators: Sequence[Evaluator]) -> Sequence[VerbalEvaluator]:
    return cast("Sequence[VerbalEvaluator]", evaluators)


# What a run of a tool-use agent came to, in the form of every other answer.
def answer_of(
    state: AgentState,
    episode_id: str,
    model: str,
    databases: Sequence[str],
    judged: Sequence[Evaluation] = (),
) -> Answer:
    """The answer of a run that has ended, with the queries that led to it.

    Where the tools can ask one database only, queries that name none are on it.

    >>> state = AgentState(run_id="r1", query="How many?", outcome="answered", answer="Three.")
    >>> answer_of(state, "r1", "gpt-4", []).outcome.value
    'answered'
    """
    outcome = _OUTCOMES.get(state.outcome, Outcome.FAILED)
    rows = _rows(state) if outcome is Outcome.ANSWERED else None
    return Answer(
        episode_id=episode_id,
        question=state.query,
        outcome=outcome,
        text=state.answer or state.error or "",
        columns=rows.columns if rows else (),
        rows=rows.rows if rows else (),
        truncated=bool(rows and (rows.truncated or rows.row_count > len(rows.rows))),
        confidence=confidence_of(state, judged),
        notes=(state.error,) if state.answer and state.error else (),
        steps=_queries_of(state, databases),
        usage=state.usage,
        model=model,
        seconds=state.seconds,
        session_id=state.run_id,
    )


def confidence_of(state: AgentState, judged: Sequence[Evaluation] = ()) -> float | None:
    """How sure the answer of a run is: no surer than the mind was of any step that it rests on.

    What evaluators doubt of these steps, or of the whole run, lowers it. That they find nothing says little, so it raises
    nothing: where the mind does not say how sure it is, and nobody doubts, it is not known.

    >>> said = Step(number=1, answer="Three.", confidence=0.9)
    >>> state = AgentState(run_id="r1", query="How many?", outcome="answered", steps=(said,))
    >>> confidence_of(state), confidence_of(state.model_copy(update={"outcome": "limit"}))
    (0.9, 0.0)
    """
    if state.outcome not in _OUTCOMES:
        return 0.0
    used = {step.number: step for step in state.steps if _counts(step)}
    stated = [one.confidence for one in used.values() if one.confidence is not None]
    doubts = [
        one.score
        for one in judged
        if one.score is not None
        and one.score < 1
        and (one.granularity == "trajectory" or one.step_number in used)
    ]
    return min((*stated, *doubts), default=None)


def _counts(step: Step) -> bool:
    """Whether an answer rests on a step: it is the answer, or a tool has brought something."""
    return step.answer is not None or any(not seen.is_error for seen in step.observations)


def _queries_of(state: AgentState, databases: Sequence[str]) -> tuple[QueryStep, ...]:
    """Each SQL statement that a tool ran, in the order of the run."""
    called = (one.tool for step in state.steps for one in step.actions)
    calls = calls_of_run(state.steps, {tool for tool in called if tool.startswith("sql")})
    only = databases[0] if len(databases) == 1 else ""
    thoughts = {step.number: step.thought for step in state.steps}
    ran = [
        (call, call.observation)
        for call in calls
        if call.observation is not None and not call.observation.not_called
    ]
    return tuple(
        _query(number, call, seen, thoughts.get(call.step_number or 0, ""), only)
        for number, (call, seen) in enumerate(ran, 1)
    )


def _query(number: int, call: SqlCall, seen: Observation, thought: str, only: str) -> QueryStep:
    rows = seen.result
    return QueryStep(
        number=number,
        purpose=thought,
        database=call.database or only,
        sql=call.sql,
        succeeded=not seen.is_error,
        columns=rows.columns if rows else (),
        row_count=rows.row_count if rows else 0,
        truncated=bool(rows and rows.truncated),
        seconds=seen.seconds,
    )


def _rows(state: AgentState) -> ResultRows | None:
    """Those of the last query that brought some."""
    seen = (one.result for step in reversed(state.steps) for one in reversed(step.observations))
    return next((rows for rows in seen if rows is not None), None)
