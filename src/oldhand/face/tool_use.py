"""An agent with tools, that learns from its evaluators."""

from collections.abc import Callable, Iterable
from inspect import signature
from pathlib import Path
from typing import Self, get_args

from oldhand.agent.acting import (
    Approve,
    GrowingRun,
    History,
    OutputType,
    ReActChat,
    messages_before,
)
from oldhand.agent.tools import Tool
from oldhand.bootstrap import BUILTIN, Home, LanguageModel, open_home
from oldhand.bootstrap.agent import AgentWanted, ToolCalls, agent_parts, sorted_evaluators
from oldhand.errors import UsageError
from oldhand.evaluators import VerbalEvaluator
from oldhand.face.feedback import feedback
from oldhand.face.given import text_given, whole_number
from oldhand.face.opened import Opened
from oldhand.models.blocking import blocking, made_blocking
from oldhand.record.base import checked_name
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.step import AgentState


class ToolUseAgent(ReActChat):
    """A `ReActChat` that works in a home folder; made by `create_tool_use_agent`.

    Its runs are episodes of that home: `state` takes feedback, and `oldhand history` finds it by `state.episode_id`. Once
    it is closed, and in a fork, each call raises `Closed` or `InOtherProcess`.
    """

    def __init__(self, home: Home, wanted: AgentWanted) -> None:
        policy, transition, learning, dependencies = agent_parts(home, wanted)
        super().__init__(policy, transition, learning=learning, dependencies=dependencies)
        self._opened = Opened(home, "create_tool_use_agent(…)")

    @property
    def path(self) -> Path:
        """The home folder."""
        return self._opened.path

    async def begin(
        self, query: str, query_idx: int | None = None, *, history: History | None = None
    ) -> GrowingRun:
        """As `ReActChat.begin`."""
        self._check_open()
        return await super().begin(query, query_idx, history=history)

    async def take_up(self, run_id: str) -> GrowingRun:
        """As `ReActChat.take_up`."""
        self._check_open()
        return await super().take_up(run_id)

    def unfinished(self) -> tuple[AgentState, ...]:
        """As `ReActChat.unfinished`."""
        self._check_open()
        return super().unfinished()

    def discard(self, run_id: str) -> None:
        """As `ReActChat.discard`."""
        self._check_open()
        super().discard(run_id)

    def _check_open(self) -> None:
        _ = self._opened.home

    afeedback = feedback
    feedback = made_blocking(feedback)

    async def aclose(self) -> None:
        """Close databases and store; safe to call twice."""
        await self._opened.close()

    def close(self) -> None:
        """`aclose`, for ordinary code."""
        blocking(self.aclose)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def create_tool_use_agent(  # noqa: PLR0913 - a published signature
    tools: Iterable[Tool | Callable[..., object]] | None = None,
    model_name: str | LanguageModel = BUILTIN,
    task_type: str = "default",
    evaluators: Iterable[VerbalEvaluator] | None = None,
    step_evaluators: Iterable[VerbalEvaluator] | None = None,
    trajectory_evaluators: Iterable[VerbalEvaluator] | None = None,
    *,
    home: str | Path | None = None,
    user: str = DEFAULT_USER,
    base_url: str | None = None,
    tool_calls: ToolCalls = "native",
    instructions: str = "",
    history: History = (),
    output_type: object = None,
    approve: Approve | None = None,
    max_steps: int | None = None,
    vetoes: int | None = None,
) -> ToolUseAgent:
    """An agent that calls tools and, with evaluators, learns from its mistakes.

    What evaluators found before stands in the prompt of each generation; each new step is judged before it is carried
    out; what is found is saved and stands in the next prompt.

    Args:
        tools: `Tool`s, functions with type hints and a docstring, or tools of LangChain or pydantic-ai; those over the home's
            databases when None.
        model_name: `builtin` for the built-in mind, a model's name such as `openai:gpt-4o`, or a model object.
        task_type: for what kind of task issues are kept and recalled, such as `spatial_qa`.
        evaluators: of steps and of whole runs; each is used for what it judges.
        step_evaluators: those that judge each step.
        trajectory_evaluators: those that judge whole runs.
        home: the folder, created if missing; else `OLDHAND_HOME`, else `~/.oldhand`.
        user: who asks; the episodes are kept under this name.
        base_url: address of an OpenAI-compatible server for the model.
        tool_calls: `text` for models that know no tool calls: they write `Action:` and `Action Input:`.
        instructions: what the system prompt says besides.
        history: what was said before every run: earlier states, messages, or dicts; `run(…, history=…)` takes its place.
        output_type: the form of the answer, such as a pydantic model; `state.output` then has the value.
        approve: is given each call of a tool and the state before it is made; True allows it, False or a text with the
            reason does not, a dict has other arguments. It may be asynchronous.
        max_steps: generations of the model in one run; as the settings say when None.
        vetoes: how often in a row a step that evaluators object to is given back to the model instead of being carried
            out; as the settings say when None.

    Raises:
        InvalidTool: something can't be a tool, or two have the same name.
        UsageError: something is no evaluator, or judges the other kind; `model_name` is no model, `task_type` no text,
            `tool_calls` neither of the two, a limit no number, or the built-in mind is to follow instructions or an
            `output_type`, which takes a language model.
        UnknownModel: no model goes by that name.
        StoreError: the home can't be used.

    >>> import sqlite3, tempfile
    >>> from oldhand.agent.tools import sql_tools
    >>> from oldhand.evaluators import SQLValidator
    >>> folder = tempfile.mkdtemp()
    >>> shop = sqlite3.connect(f"{folder}/shop.db")
    >>> _ = shop.executescript('''
    ...     CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
    ...     INSERT INTO customers (name, city) VALUES ('Ana', 'Berlin'), ('Bo', 'Oslo'), ('Cy', 'Berlin');
    ... ''')
    >>> shop.close()
    >>> tools = sql_tools(f"sqlite:///{folder}/shop.db")
    >>> agent = create_tool_use_agent(tools=tools, evaluators=[SQLValidator()], home=f"{folder}/home")
    >>> state = agent.run(query="How many customers live in Berlin?")
    >>> state.outcome, state.steps[0].observation.result.rows
    ('answered', ((2,),))
    >>> agent.close()
    """
    steps, runs = sorted_evaluators(evaluators, step_evaluators, trajectory_evaluators)
    if not text_given("task_type", task_type):
        raise UsageError("task_type is empty: nothing that evaluators find could be kept.")
    if not isinstance(model_name, str) and not hasattr(model_name, "complete"):
        raise UsageError(
            f"model_name={model_name!r}: write builtin or a name such as openai:gpt-4o, or give a model object."
        )
    if tool_calls not in get_args(ToolCalls):
        raise UsageError(f"tool_calls={tool_calls!r}: write {' or '.join(get_args(ToolCalls))}.")
    given = {
        "steps": whole_number("max_steps", max_steps, 1),
        "vetoes": whole_number("vetoes", vetoes),
    }
    _check_hook(approve)
    if model_name == BUILTIN and (
        text_given("instructions", instructions) or output_type is not None
    ):
        raise UsageError(
            "The built-in mind follows no instructions and gives no output_type: name a model, such as openai:gpt-4o."
        )
    before, output = (
        messages_before(history),
        None if output_type is None else OutputType(output_type),
    )
    opened = open_home(home, model=model_name, base_url=base_url)
    try:
        wanted = AgentWanted(
            tools=tools,
            lm=opened.lm if isinstance(model_name, str) else model_name,
            task_type=task_type,
            step_evaluators=steps,
            trajectory_evaluators=runs,
            user=checked_name(user),
            tool_calls=tool_calls,
            instructions=instructions,
            history=before,
            output=output,
            approve=approve,
            limits={name: most for name, most in given.items() if most is not None},
        )
        return ToolUseAgent(opened, wanted)
    except BaseException:
        blocking(opened.close)
        raise


def _check_hook(approve: object) -> None:
    if approve is None:
        return
    if not callable(approve):
        raise UsageError(f"approve is a function, not {type(approve).__name__}.")
    try:
        taken = signature(approve)
    except (TypeError, ValueError):  # of a function in C that tells nothing of itself
        return
    try:
        _ = taken.bind("action", "state")
    except TypeError as error:
        raise UsageError(
            f"approve is called with an action and the state before it: {error}."
        ) from error
