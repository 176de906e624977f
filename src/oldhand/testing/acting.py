"""Test doubles for agents that use tools: a model that heeds its prompt, checkpoints and records in memory."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from oldhand.agent.acting.ports import Beginning
from oldhand.errors import RunTakenOver
from oldhand.record.instructions import Instructions
from oldhand.record.lesson import Lesson
from oldhand.record.ports import NewId
from oldhand.record.step import Checkpoint
from oldhand.testing.clock import CountingIds
from oldhand.testing.prompts import Prompt
from oldhand.testing.scripted import Scripted, ScriptedModel

Reaction: TypeAlias = Scripted | Callable[[Prompt], Scripted]
"""What a `HeedingModel` says; or a function of its prompt that gives that."""


class HeedingModel(ScriptedModel):
    """A `ScriptedModel` whose answer depends on what its prompt says: it shows that a note changes the next action.

    The first words that occur in the prompt decide, letter case aside; put the rarest first. System prompt, question,
    and all that tools said count as the prompt.

    >>> import asyncio
    >>> from oldhand.models import Ledger
    >>> from oldhand.record.episode import Message
    >>> model = HeedingModel({"use metres": "ST_Transform"}, otherwise="ST_DWithin")
    >>> def say(text: str) -> str:
    ...     prompt = [Message(role="system", content=text)]
    ...     return asyncio.run(model.complete(prompt, stage="act", ledger=Ledger())).text
    >>> say("You write SQL."), say("You write SQL. Note: use metres!")
    ('ST_DWithin', 'ST_Transform')
    """

    def __init__(
        self, heeds: Mapping[str, Reaction], *, otherwise: Reaction, name: str = "heeding"
    ) -> None:
        self._heeds = {words.casefold(): reaction for words, reaction in heeds.items()}
        self._otherwise = otherwise
        super().__init__(self._react, name=name)

    def _react(self, prompt: Prompt) -> Scripted:
        text = prompt.text.casefold()
        found = (reaction for words, reaction in self._heeds.items() if words in text)
        reaction = next(found, self._otherwise)
        return reaction(prompt) if callable(reaction) else reaction


class MemoryCheckpoints:
    """Keeps runs in memory: the twin of the store's checkpoints.

    It keeps every checkpoint it was given in `saved`.

    >>> from oldhand.record.step import AgentState
    >>> kept = MemoryCheckpoints()
    >>> kept.begin(Checkpoint(state=AgentState(run_id="r1", query="How many?")))
    >>> kept.load("r1").state.query, kept.unfinished()
    ('How many?', ('r1',))
    """

    def __init__(self) -> None:
        self.saved: list[Checkpoint] = []
        self._runs: dict[str, Checkpoint] = {}

    def begin(self, checkpoint: Checkpoint) -> None:
        """Keep a run from now on."""
        self._put(checkpoint)

    def save(self, checkpoint: Checkpoint, *, durable: bool = False) -> None:  # noqa: ARG002 - memory is not
        """Keep a run as it is now.

        Raises:
            RunTakenOver: somebody has taken it up since, or it is kept no longer.
        """
        kept = self._runs.get(checkpoint.run_id)
        if kept is None or kept.taken_up != checkpoint.taken_up:
            raise RunTakenOver
        self._put(checkpoint)

    def _put(self, checkpoint: Checkpoint) -> None:
        self.saved.append(checkpoint)
        self._runs.pop(checkpoint.run_id, None)
        self._runs[checkpoint.run_id] = checkpoint

    def load(self, run_id: str) -> Checkpoint | None:
        """The run as it was saved last; None when there is none."""
        return self._runs.get(run_id)

    def take_up(self, run_id: str) -> Checkpoint | None:
        """As `load`, to go on with it."""
        kept = self._runs.get(run_id)
        if kept is not None:
            kept = self._runs[run_id] = kept.model_copy(update={"taken_up": kept.taken_up + 1})
        return kept

    def drop(self, run_id: str) -> None:
        """Forget a run."""
        self._runs.pop(run_id, None)

    def unfinished(self) -> tuple[str, ...]:
        """Ids of the runs that are kept, the one that was saved last first."""
        return tuple(reversed(self._runs))


class MemoryKeeper:
    """Names runs, gives lessons, and keeps what it is told at their end in `ended`."""

    def __init__(self, lessons: Iterable[Lesson] = (), new_id: NewId | None = None) -> None:
        self.ended: list[Checkpoint] = []
        self._lessons = tuple(lessons)
        self._new_id = new_id or CountingIds("run")

    def begin(self, query: str, query_idx: int | None) -> Beginning:  # noqa: ARG002 - the same for all
        """A run begins."""
        return Beginning(run_id=self._new_id(), lessons=self._lessons)

    def take_up(self, checkpoint: Checkpoint) -> Beginning:
        """A run goes on, with the lessons that it began with."""
        told = Instructions(checkpoint.instructions)
        return Beginning(checkpoint.run_id, checkpoint.lessons, told, lambda: checkpoint.recalled)

    def end(self, checkpoint: Checkpoint) -> str:
        """A run has ended; its episode has the id of the run."""
        self.ended.append(checkpoint)
        return checkpoint.run_id
