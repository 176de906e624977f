"""What the loop is given by others: who judges, who keeps records, where runs outlive their process."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, TypedDict

from oldhand.models.ledger import Ledger
from oldhand.record.episode import Recalled
from oldhand.record.instructions import NO_INSTRUCTIONS, Instructions
from oldhand.record.lesson import Lesson
from oldhand.record.step import AgentState, Checkpoint, Step


class GenerationContext(TypedDict):
    """What a callback after a generation is told besides the steps."""

    query: str
    query_idx: int | None
    policy_model_name: str
    task_type: str


@dataclass(frozen=True)
class Brief:
    """What a generation is made for, besides the question itself."""

    policy_model_name: str = ""
    """Under which name the model is judged; its own when empty."""
    task_type: str = "default"
    lessons: tuple[Lesson, ...] = ()
    """What was recalled for the question."""
    ledger: Ledger = field(default_factory=Ledger)
    """Where calls of the model are booked."""
    instructions: Instructions = NO_INSTRUCTIONS
    """What the chosen versions of prompts add to them."""
    heard: Callable[[str], None] | None = None
    """Is given text as the model writes it; None when nobody listens."""
    decided: Callable[[Step], None] | None = None
    """Is given each step before its tools are called."""


NotesFn: TypeAlias = Callable[[], str | list[str]]
"""Gives the notes of this moment for the next prompt, a list for bullets or a text; blocking, and it may fail."""
RunNotesFn: TypeAlias = Callable[[AgentState], str | list[str]]
"""As `NotesFn`, for those who want to know for which run."""
PostGenerationFn: TypeAlias = Callable[[list[Step], GenerationContext], object]
"""Judges each generation before its tools are called; the issues that it returns, as evaluators do, are kept with the step."""
RunPostGenerationFn: TypeAlias = Callable[[list[Step], GenerationContext, AgentState], object]
"""As `PostGenerationFn`, for those who want to know on which run the steps follow."""


class Evaluator(Protocol):
    """Judges steps, or whole runs, and keeps what it found."""

    def evaluate(
        self, judged: Any, /, *, query_idx: int | None, policy_model_name: str, task_type: str
    ) -> object:
        """Judge a `Step`, or an `AgentState`: an issue, several, a record with `issues`, or None."""
        ...

    def load_eval_as_prompt(
        self, policy_model_name: str, task_type: str, max_items: int = 5
    ) -> str:
        """Past issues, worst first, under a header; empty when there are none."""
        ...


@dataclass(frozen=True)
class Subject:
    """Which run evaluators are asked about, and under which names its issues are kept."""

    state: AgentState
    policy_model_name: str
    task_type: str


Judge: TypeAlias = Callable[[Sequence[Evaluator], Step | AgentState, Subject], Sequence[str]]
"""Lets evaluators judge a step, or a whole run: the issues that they find; blocking."""
RecallNotes: TypeAlias = Callable[[Sequence[Evaluator], Subject], str]
"""Asks evaluators what they have found before: the notes for the next generation; blocking."""


@dataclass(frozen=True)
class Beginning:
    """What a keeper says when a run begins, or goes on."""

    run_id: str
    lessons: tuple[Lesson, ...] = ()
    """What was recalled for the question, most useful first."""
    instructions: Instructions = NO_INSTRUCTIONS
    """What the chosen versions of prompts add to them."""
    recalled: Callable[[], tuple[Recalled, ...]] = tuple
    """Gives what was considered for the run so far, for its checkpoints; quick, and it never fails."""


class Keeper(Protocol):
    """Keeps records of runs; the calls may block, and what they raise ends the run."""

    def begin(self, query: str, query_idx: int | None) -> Beginning:
        """A run begins: name it, and recall what helps."""
        ...

    def take_up(self, checkpoint: Checkpoint) -> Beginning:
        """A run goes on that was begun before, perhaps by another process: with what was recalled for it then."""
        ...

    def end(self, checkpoint: Checkpoint) -> str | None:
        """A run has ended, in whatever way: record it; told again of the same run, it records it once.

        Returns:
            The id of the episode.
        """
        ...


class Checkpoints(Protocol):
    """Where runs lie that are not answered yet; calls may block."""

    def begin(self, checkpoint: Checkpoint) -> None:
        """Keep a run from now on; one of the same name is forgotten."""
        ...

    def save(self, checkpoint: Checkpoint, *, durable: bool = False) -> None:
        """Keep the run as it is now, in place of what was kept of it; steps before the last one don't change.

        Args:
            checkpoint: the run.
            durable: True when it must not be lost even if the power fails now: a tool is about to be called that must
                not be called twice.

        Raises:
            RunTakenOver: somebody has taken it up since, or it is kept no longer.
        """
        ...

    def load(self, run_id: str) -> Checkpoint | None:
        """The run as it was saved last; None when there is none."""
        ...

    def take_up(self, run_id: str) -> Checkpoint | None:
        """As `load`, to go on with it: whoever did so before can change it no more."""
        ...

    def drop(self, run_id: str) -> None:
        """Forget a run; one that is not there is no error."""
        ...

    def unfinished(self) -> tuple[str, ...]:
        """Ids of the runs that are kept, the one that was saved last first."""
        ...
