"""All that is needed to go on with a run after its process has died."""

from collections.abc import Mapping

from pydantic import Field

from oldhand.record.base import Record
from oldhand.record.lesson import Lesson
from oldhand.record.recollection import Recalled
from oldhand.record.step import AgentState
from oldhand.record.usage import LedgerEntry


class Checkpoint(Record):
    """A run as far as it has come; the actions of its last step that have no observation may have begun."""

    state: AgentState
    lessons: tuple[Lesson, ...] = ()
    """What was recalled when it began."""
    instructions: Mapping[str, str] = Field(default_factory=dict[str, str])
    """What the versions of prompts that were drawn for it add to them, by role."""
    recalled: tuple[Recalled, ...] = ()
    """What was considered for it so far, shown or not: lessons, versions of prompts, notes of evaluators."""
    ledger: tuple[LedgerEntry, ...] = ()
    """Calls to language models so far."""
    taken_up: int = Field(default=0, ge=0)
    """How often somebody has gone on with it; who holds an older number has lost the run."""

    @property
    def run_id(self) -> str:
        """Names the run."""
        return self.state.run_id
