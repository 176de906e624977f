"""What a tool-use agent did: thought, action, observation; and the run that the steps belong to."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from pydantic import Field, JsonValue

from oldhand.record.base import Record, Row
from oldhand.record.episode import Message, Recalled
from oldhand.record.lesson import Lesson
from oldhand.record.usage import LedgerEntry, Usage


class Action(Record):
    """A tool that is to be called."""

    id: str
    """Ties the observation to it; unique within a run."""
    tool: str
    arguments: dict[str, JsonValue] = Field(default_factory=dict)


class ResultRows(Record):
    """What a query gave back, for parts of a program that don't read text."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    row_count: int = Field(ge=0)
    """How many there were; `rows` may hold fewer."""
    truncated: bool = False
    """True when a limit cut the result itself."""


Ending = Literal["answered", "proposed", "clarify", "abstained", "failed"]
"""How a run can end by itself: with an answer, a reading to be agreed to, a question back, an honest no, or after all attempts failed."""


class Conclusion(Record):
    """What a tool says that answers whole questions, as it would say it to a person."""

    text: str
    ending: Ending
    confidence: float | None = None
    """How sure it is; None when it does not say."""


class Observation(Record):
    """What a tool gave back."""

    action_id: str
    text: str
    """As the model reads it: already cut to what a prompt can take."""
    is_error: bool = False
    """True when the tool failed; the text then says what to do next."""
    not_called: bool = False
    """True when nothing was done: there is no such tool, the arguments don't fit, or it was a useless repetition."""
    truncated: bool = False
    """True when `text` is only a part of what the tool said."""
    seconds: float = 0.0
    result: ResultRows | None = None
    """The rows of a query; None for other tools."""
    conclusion: Conclusion | None = None
    """The answer to a whole question; None for other tools."""


class Step(Record):
    """One generation of the model, with the tools it called; the last one of a run has the answer."""

    number: int = Field(ge=1)
    thought: str = ""
    actions: tuple[Action, ...] = ()
    """Several are carried out side by side."""
    observations: tuple[Observation, ...] = ()
    """In the order of `actions`; empty until they were carried out, some of them while they are."""
    answer: str | None = None
    """The answer; the question back, or why there is none, as `ending` says."""
    ending: Ending = "answered"
    """What `answer` is, when there is one."""
    fault: str | None = None
    """Why nothing could be made of what the model said, and what it may say instead; it is shown this."""
    issues: tuple[str, ...] = ()
    """What evaluators found wrong with it."""
    confidence: float | None = None
    """How sure the mind is of it, from 0 to 1; None when it does not say."""

    @property
    def action(self) -> Action | None:
        """The first one; most steps have no other."""
        return self.actions[0] if self.actions else None

    @property
    def observation(self) -> Observation | None:
        """What the first action brought."""
        return self.observations[0] if self.observations else None


RunOutcome = Literal[
    "running",
    "answered",
    "proposed",
    "clarify",
    "abstained",
    "limit",
    "repeated",
    "failed",
    "cancelled",
]
"""`proposed`: it asked whether a reading is meant; `clarify`: it asked back; `abstained`: it can't be answered with these tools; `limit`: steps, tokens, cost or time ran
out; `repeated`: it did the same again and again; `failed`: every attempt failed, or the model did not do its part."""


class AgentState(Record):
    """A run of a tool-use agent as far as it has come."""

    run_id: str
    query: str
    query_idx: int | None = None
    """Number of the question in a series; None for a single one."""
    history: tuple[Message, ...] = ()
    """What was said before, oldest first; a model reads it between its instructions and the question."""
    steps: tuple[Step, ...] = ()
    outcome: RunOutcome = "running"
    answer: str | None = None
    """The answer or the question back; when a limit ended the run, the last thing that the model said, if anything."""
    error: str | None = None
    """Why there is no answer, or no whole one, for people to read."""
    output: object = Field(default=None, exclude=True)
    """The answer as a value of the agent's `output_type`; None without one. It is not kept: `answer` is, as JSON."""
    usage: Usage = Usage()
    seconds: float = 0.0
    episode_id: str | None = None
    """Where it is recorded; None when the agent keeps no records."""


# All that is needed to go on with a run after its process has died.
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
