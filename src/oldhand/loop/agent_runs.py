"""Runs of a tool-use agent: recalled for, judged, and recorded as episodes like any other question.

Invariant: a run that has ended is in the store before its state is returned, so that feedback on it finds its episode.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import cast

from oldhand.agent.acting import Beginning, Evaluator, Subject
from oldhand.agent.acting.judging import issues_in
from oldhand.errors import UnknownEpisode
from oldhand.evaluators import Run, VerbalEvaluator, judge, recall_notes
from oldhand.learning.prompts import DrawnPrompts
from oldhand.loop.agent_answer import answer_of
from oldhand.loop.prompting import Prompting
from oldhand.loop.recalling import Considered, Recalling
from oldhand.record.checkpoint import Checkpoint
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.episode import Episode, Message
from oldhand.record.ports import Clock, NewId
from oldhand.record.recollection import Recalled
from oldhand.record.step import AgentState, Step
from oldhand.settings import EvaluationSettings
from oldhand.store import Store


def _nothing() -> None:
    """Nobody wants to know."""


@dataclass
class Known:
    """What was recalled for a run so far."""

    considered: Considered = field(default_factory=Considered)
    prompts: DrawnPrompts = field(default_factory=DrawnPrompts)
    notes: dict[str, Recalled] = field(default_factory=dict[str, Recalled])
    """By id; shown or held out is drawn once for a run."""


@dataclass(frozen=True)
class AgentRuns:
    """Keeps the records of an agent's runs, and lets its evaluators judge them; methods block."""

    clone_id: str
    store: Store
    recalling: Recalling
    settings: EvaluationSettings
    clock: Clock
    new_id: NewId
    prompting: Prompting
    model: str
    """Who answers, as the episode says it."""
    databases: tuple[str, ...] = ()
    """Those that the tools can ask."""
    tools: tuple[str, ...] = ()
    """Names of the tools."""
    user: str = DEFAULT_USER
    roles: tuple[str, ...] = ()
    """Those of the prompts that the policy reads; none for one that reads no prompt."""
    recorded: Callable[[], None] = _nothing
    """Is told of each run that was recorded; must be quick."""
    known: dict[str, Known] = field(default_factory=dict[str, Known])
    """By run, until it has ended."""
    lock: Lock = field(default_factory=Lock)

    def begin(self, query: str, query_idx: int | None) -> Beginning:  # noqa: ARG002
        """Recall what fits the question, and name the run."""
        considered = self.recalling.consider(query, self.user, set(self.databases), self.tools)
        prompts = self.prompting.draw(self.roles)
        run_id = self.new_id()
        self.known[run_id] = Known(considered, prompts)
        return Beginning(run_id, considered.shown, prompts.instructions)

    def end(self, checkpoint: Checkpoint) -> str:
        """Record the run as it ended; one that was taken up again and went further becomes a further episode."""
        state = checkpoint.state
        known = self.known.pop(state.run_id, Known())
        episode_id = self._episode_id(state)
        if self._is_recorded(episode_id):
            return episode_id
        answer = answer_of(state, episode_id, self.model, self.databases)
        episode = Episode(
            id=episode_id,
            clone_id=self.clone_id,
            user_id=self.user,
            session_id=state.run_id,
            created_at=self.clock.now(),
            messages=(
                Message(role="user", content=state.query),
                Message(role="assistant", content=answer.text),
            ),
            tools_used=tuple(
                dict.fromkeys(one.tool for step in state.steps for one in step.actions)
            ),
            answer=answer,
            ledger=checkpoint.ledger,
        )
        # What a language model made of a lesson can't be told.
        prompts = known.prompts.recalled({entry.stage for entry in checkpoint.ledger})
        besides = (*prompts, *known.notes.values())
        recollection = known.considered.recollection(episode_id, None, besides)
        self.store.record_episode(episode, recollection)
        self.recorded()
        return episode_id

    def judge(
        self, evaluators: Sequence[Evaluator], judged: Step | AgentState, subject: Subject
    ) -> list[str]:
        """What evaluators find wrong; what they say is saved, and none of them can break the run."""
        found = judge(_verbal(evaluators), judged, _run(subject), self.settings)
        unsaved = (one.answer for one in found.outcomes if not one.evaluations)
        said = [issue for answer in unsaved for issue in issues_in(answer)]
        return list(dict.fromkeys((*found.issues, *said)))

    def recall(self, evaluators: Sequence[Evaluator], subject: Subject) -> str:
        """The notes for the next generation; what was shown and held out belongs to the run's recollection."""
        notes = recall_notes(_verbal(evaluators), _run(subject), self.settings)
        with self.lock:
            known = self.known.setdefault(subject.state.run_id, Known())
            for item in notes.items:
                known.notes.setdefault(item.item_id, item)
        return notes.text

    def _episode_id(self, state: AgentState) -> str:
        """The run's own id; when that is taken by an earlier end of it, the id with the number of steps."""
        further = f"{state.run_id}.{len(state.steps)}"
        if not self._is_recorded(state.run_id):
            return state.run_id
        recorded = self.store.episode(self.clone_id, state.run_id)
        same = recorded.answer.outcome == answer_of(state, "", self.model, ()).outcome
        return state.run_id if same and recorded.answer.seconds == state.seconds else further

    def _is_recorded(self, episode_id: str) -> bool:
        try:
            return self.store.episode(self.clone_id, episode_id).id == episode_id
        except UnknownEpisode:
            return False


def _verbal(evaluators: Sequence[Evaluator]) -> Sequence[VerbalEvaluator]:
    return cast("Sequence[VerbalEvaluator]", evaluators)


def _run(subject: Subject) -> Run:
    state = subject.state
    return Run(
        subject.policy_model_name, subject.task_type, state.query, state.query_idx, state.run_id
    )
