"""Judging what a turn does: its statements one by one, then the whole; and what was found wrong before, as notes.

Whatever an evaluator does, the turn goes on: see `evaluators.judging`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from oldhand.errors.mishaps import Mishaps
from oldhand.evaluators import JudgedRun, VerbalEvaluator, judge, recall_notes
from oldhand.record.answer import WORKSPACE, QueryStep
from oldhand.record.episode import Recalled
from oldhand.record.step import Action, AgentState, Observation, Step
from oldhand.settings import EvaluationSettings

TASK = "questions"
"""The kind of task under which the statements of answers are judged."""
TOOL = "sql_db_query"
"""The tool as whose calls evaluators see them."""


@dataclass
class TurnWatch:
    """Judges one turn; methods block."""

    by: "TurnJudges"
    run: JudgedRun
    steps: Callable[[], Sequence[QueryStep]]
    """What was done so far."""
    notes_shown: dict[str, Recalled] = field(default_factory=dict[str, Recalled])
    """By id."""
    judged: int = 0
    """Statements that were judged."""

    def notes(self) -> str:
        """What was found wrong in earlier turns, for the prompts of this one; nothing for a mind that can't read."""
        if not self.by.reads_notes:
            return ""
        found = self.by.mishaps.spared("judging", self._notes)
        return found if isinstance(found, str) else ""

    def finish(self) -> None:
        """Judge what was not judged yet, and the turn as a whole."""
        self.by.mishaps.spared("judging", self._finish)

    def _notes(self) -> str:
        notes = recall_notes(self.by.evaluators, self.run, self.by.settings)
        for item in notes.items:
            self.notes_shown.setdefault(item.item_id, item)
        return notes.text

    def _finish(self) -> None:
        steps = tuple(statements(self.steps()))
        for step in steps[self.judged :]:
            self._judge("step", step)
        self.judged = len(steps)
        if steps:
            state = AgentState(run_id=self.run.episode_id or "", query=self.run.query, steps=steps)
            self._judge("trajectory", state)

    def _judge(self, granularity: str, judged: Step | AgentState) -> None:
        those = [one for one in self.by.evaluators if one.granularity == granularity]
        judge(those, judged, self.run, self.by.settings)


@dataclass(frozen=True)
class TurnJudges:
    """Who judges the turns of a clone."""

    evaluators: tuple[VerbalEvaluator, ...]
    settings: EvaluationSettings
    mishaps: Mishaps
    reads_notes: bool = False
    """Whether the mind can read: notes for one that can't are not recalled."""

    def watch(self, run: JudgedRun, steps: Callable[[], Sequence[QueryStep]]) -> TurnWatch:
        """Somebody who judges one turn."""
        return TurnWatch(self, run, steps)


def statements(done: Sequence[QueryStep]) -> list[Step]:
    """Each statement that was tried, in the form in which evaluators know the steps of agents.

    >>> from oldhand.record.answer import FailedAttempt
    >>> failed = FailedAttempt(sql="SELECT nam FROM towns", error="no such column: nam")
    >>> query = QueryStep(number=1, purpose="names", database="shop", sql="SELECT name FROM towns", failures=(failed,))
    >>> [step.observation.text for step in statements([query])]
    ['no such column: nam', '0 rows']
    """
    steps: list[Step] = []
    for query in done:
        if query.database == WORKSPACE:
            continue  # over the rows of earlier steps, which no schema describes
        for sql, error in _tried(query):
            steps.append(_step(len(steps) + 1, query, sql, error))
    return steps


def _tried(query: QueryStep) -> Iterator[tuple[str, str | None]]:
    """Each statement, and why it did not run."""
    for failed in query.failures:
        yield failed.sql, failed.error
    if query.succeeded:
        yield query.sql, None


def _step(number: int, query: QueryStep, sql: str, error: str | None) -> Step:
    action = Action(id=str(number), tool=TOOL, arguments={"query": sql, "database": query.database})
    seen = Observation(
        action_id=action.id,
        text=f"{query.row_count} rows" if error is None else error,
        is_error=error is not None,
    )
    return Step(number=number, thought=query.purpose, actions=(action,), observations=(seen,))
