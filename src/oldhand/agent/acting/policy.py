"""The policy: what the agent does next, with notes before each generation and a callback after it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from oldhand.agent.acting.callbacks import Callbacks
from oldhand.agent.acting.judging import issues_in
from oldhand.agent.acting.output_type import OutputType
from oldhand.agent.acting.ports import (
    Brief,
    GenerationContext,
    NotesFn,
    PostGenerationFn,
    RunNotesFn,
    RunPostGenerationFn,
)
from oldhand.errors import InvalidNotes, UsageError
from oldhand.errors.mishaps import Mishap
from oldhand.models.blocking import blocking
from oldhand.models.ledger import booked_to
from oldhand.record.shortening import shortened
from oldhand.record.step import AgentState, Step

F = TypeVar("F")

_MOST_ISSUES = 50
_ISSUE_CHARACTERS = 2_000
"""Of one issue that is kept with a step."""


@dataclass(frozen=True)
class Generation:
    """One generation that is wanted."""

    state: AgentState
    query: str
    system_prompt: str
    """With the notes of this moment."""
    notes: str
    """The notes alone."""
    brief: Brief

    @property
    def number(self) -> int:
        """The number of the step that it becomes."""
        return len(self.state.steps) + 1


class Policy(ABC):
    """Decides on the next step. Subclasses say how: `system_text` and `generate`.

    Before each generation the notes are asked for anew, so that an issue found in one step is in the next prompt.
    After each generation the callback gets to see it, before any tool is called. Whatever the two raise is logged,
    counted in `callbacks.failures`, and costs nothing else.
    """

    def __init__(self, *, callback_seconds: float = 150.0) -> None:
        self.system_prompt = ""
        """The one that was made last; each generation uses its own."""
        self.callbacks = Callbacks(seconds=callback_seconds)
        self.instructions = ""
        """What the system prompt says besides; policies without a model read none."""
        self.output: OutputType | None = None
        """The form of answers; None for any text."""
        self._notes: RunNotesFn | None = None
        self._post: RunPostGenerationFn | None = None

    @property
    @abstractmethod
    def model_name(self) -> str:
        """The name of the model that decides; `builtin` for the one without a model."""

    @abstractmethod
    def system_text(self, notes: str) -> str:
        """The system prompt with these notes, which may be empty."""

    @abstractmethod
    async def generate(self, generation: Generation) -> Step:
        """Make the next step.

        Raises:
            ModelError: the language model did not do its part.
        """

    def set_dynamic_notes_fn(self, fn: NotesFn | None) -> None:
        """Ask `fn` for notes before each generation, in place of whoever was asked before; None asks nobody.

        Raises:
            UsageError: `fn` is no function.
        """
        fn = _checked_function(fn)
        self._notes = None if fn is None else lambda _state: fn()

    def set_run_notes_fn(self, fn: RunNotesFn | None) -> None:
        """As `set_dynamic_notes_fn`, for a function that wants to know for which run."""
        self._notes = fn

    def set_post_generation_fn(self, fn: PostGenerationFn | None) -> None:
        """Show each generation to `fn` before its tools are called, in place of the one before; None shows nobody.

        Raises:
            UsageError: `fn` is no function.
        """
        fn = _checked_function(fn)
        self._post = None if fn is None else lambda steps, context, _state: fn(steps, context)

    def set_run_post_generation_fn(self, fn: RunPostGenerationFn | None) -> None:
        """As `set_post_generation_fn`, for a function that wants to know for which run."""
        self._post = fn

    def set_system_prompt(self, state: AgentState | None = None) -> str:
        """Make the system prompt anew, with the notes of this moment."""
        return blocking(lambda: self._prepare(state or AgentState(run_id="", query="")))[0]

    def get_actions(
        self,
        state: AgentState,
        query: str,
        query_idx: int | None = None,
        *,
        policy_model_name: str = "",
        task_type: str = "default",
    ) -> list[Step]:
        """`aget_actions`, for ordinary code."""
        brief = Brief(policy_model_name=policy_model_name, task_type=task_type)
        return blocking(lambda: self.aget_actions(state, query, query_idx, brief=brief))

    async def aget_actions(
        self,
        state: AgentState,
        query: str,
        query_idx: int | None = None,
        *,
        brief: Brief | None = None,
    ) -> list[Step]:
        """Notes, generation, callback: the next step, as the only one of a list.

        Raises:
            ModelError: the language model did not do its part.
        """
        brief = brief or Brief()
        prompt, notes = await self._prepare(state)
        step = await self.generate(Generation(state, query, prompt, notes, brief))
        step = step if self.output is None else self.output.concluded(step)
        context = GenerationContext(
            query=query,
            query_idx=query_idx,
            policy_model_name=brief.policy_model_name or self.model_name,
            task_type=brief.task_type,
        )
        with booked_to(brief.ledger):
            return [await self._judged(step, context, state)]

    def partial_answer(self, state: AgentState) -> str | None:
        """What can be said when a limit ends a run: the last thing that the model said."""
        said = (step.thought for step in reversed(state.steps) if step.fault is None)
        return next((text for text in said if text.strip()), None)

    async def _prepare(self, state: AgentState) -> tuple[str, str]:
        """The system prompt and the notes in it."""
        notes = await self._notes_of(state)
        self.system_prompt = prompt = self.system_text(notes)
        return prompt, notes

    async def _notes_of(self, state: AgentState) -> str:
        if (fn := self._notes) is None:
            return ""
        said = await self.callbacks.run("notes", lambda: fn(state))
        if isinstance(said, Mishap):
            return ""
        read = self.callbacks.spared("notes", lambda: notes_text(said))
        return "" if isinstance(read, Mishap) else read

    async def _judged(self, step: Step, context: GenerationContext, state: AgentState) -> Step:
        if (fn := self._post) is None:
            return step
        found = await self.callbacks.run("post_generation", lambda: fn([step], context, state))
        said = [] if isinstance(found, Mishap) else issues_in(found)
        issues = tuple(shortened(one, _ISSUE_CHARACTERS) for one in said[:_MOST_ISSUES])
        return step.model_copy(update={"issues": issues}) if issues else step


def _checked_function(fn: F) -> F:
    if fn is not None and not callable(fn):
        raise UsageError(f"A function is expected, not {type(fn).__name__}.")
    return fn


def notes_text(notes: object) -> str:
    """Notes as they stand in a prompt: a list as bullets, a text as it is, nothing for None.

    >>> print(notes_text(["Use metres.", "", "No LIMIT."]))
    - Use metres.
    - No LIMIT.
    >>> notes_text(["Use metres.", 7])
    Traceback (most recent call last):
    ...
    oldhand.errors.InvalidNotes: notes[1]: a text is expected, not int.

    Raises:
        InvalidNotes: they are something else.
    """
    if notes is None or isinstance(notes, str):
        return (notes or "").strip()
    if not isinstance(notes, list | tuple):
        raise InvalidNotes(f"Notes are a text or a list of texts, not {type(notes).__name__}.")
    lines: list[str] = []
    for place, note in enumerate(cast("Sequence[object]", notes)):
        if not isinstance(note, str):
            raise InvalidNotes(f"notes[{place}]: a text is expected, not {type(note).__name__}.")
        lines.append(note.strip())
    return "\n".join(f"- {line}" for line in lines if line)
