"""All that is needed to go on with a run after its process has died."""

import json
from collections.abc import Mapping
from datetime import datetime

from pydantic import Field

from oldhand.record.base import Record
from oldhand.record.lesson import Lesson
from oldhand.record.recollection import Recalled
from oldhand.record.step import Action, AgentState
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


class KeptRun(Record):
    """A run that is not answered, as people look at it."""

    checkpoint: Checkpoint
    saved_at: datetime
    """When somebody was at it last; somebody may still be."""
    user_id: str | None = None
    """Who asked; None in runs of old versions."""

    @property
    def state(self) -> AgentState:
        """How far it has come."""
        return self.checkpoint.state

    @property
    def models(self) -> tuple[str, ...]:
        """The language models that were asked, the last one last."""
        asked = [entry.model for entry in reversed(self.checkpoint.ledger)]
        return tuple(reversed(dict.fromkeys(asked)))

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools that were called."""
        return tuple(dict.fromkeys(one.tool for step in self.state.steps for one in step.actions))

    @property
    def doing(self) -> str:
        """What it was at, in one line.

        >>> from datetime import UTC
        >>> steps = [{"number": 1, "actions": [{"id": "a", "tool": "pay", "arguments": {"whom": "Ana"}}]}]
        >>> state = AgentState.model_validate({"run_id": "r1", "query": "Pay", "steps": steps})
        >>> KeptRun(checkpoint=Checkpoint(state=state), saved_at=datetime(2026, 1, 1, tzinfo=UTC)).doing
        'calling pay(whom="Ana")'
        """
        state = self.state
        if state.outcome != "running":
            return f"{state.outcome}: {state.error or state.answer or 'nobody knows why'}"
        if not state.steps:
            return "beginning"
        last = state.steps[-1]
        seen = {one.action_id for one in last.observations}
        under_way = [one for one in last.actions if one.id not in seen]
        if under_way:
            return f"calling {', '.join(map(called, under_way))}"
        return f"thinking about step {last.number + 1}"


def called(action: Action) -> str:
    """A call as it would be written in Python."""
    written = (
        f"{name}={json.dumps(value, ensure_ascii=False)}"
        for name, value in action.arguments.items()
    )
    return f"{action.tool}({', '.join(written)})"
