"""Policies that ask a language model: by its own tool calls, or in the textual ReAct form."""

import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace

from oldhand.agent.acting.bans import kept_to, offered
from oldhand.agent.acting.policy import Generation, Policy
from oldhand.agent.acting.react_text import FORM, read_react, written
from oldhand.agent.acting.transcript import (
    action_id,
    native_messages,
    shortened_steps,
    text_messages,
)
from oldhand.agent.analysis.lesson_text import lessons_text
from oldhand.agent.tools import Tools
from oldhand.agent.tools.tool import Tool
from oldhand.errors import ContextTooLong, MalformedAnswer, ModelRefused, UnreadableAction
from oldhand.models.language_model import Completion, LanguageModel, ModelTool, SpeakingModel
from oldhand.models.quoting import block, visible
from oldhand.models.templates import Prompts, instructed
from oldhand.record.episode import Message
from oldhand.record.step import Action, Step

logger = logging.getLogger(__name__)

STAGE = "act"
"""Under which calls of the model are booked."""
ACTING_PROMPTS = "oldhand.agent.acting"
"""The package in whose folder `prompts` the templates of the agent lie."""
ROLE = "use_tools"
"""Of both prompts, whichever way tools are called, as versions of prompts name it."""

ToolsGiven = Iterable[Tool | Callable[..., object]]


class ModelPolicy(Policy):
    """Asks a language model what to do next; subclasses say in which form it calls tools."""

    def __init__(
        self,
        lm: LanguageModel,
        tools: ToolsGiven,
        *,
        prompts: Prompts | None = None,
        callback_seconds: float = 150.0,
    ) -> None:
        super().__init__(callback_seconds=callback_seconds)
        self._lm = lm
        self._tools = tools if isinstance(tools, Tools) else Tools(tools)
        self._prompts = prompts or Prompts(package=ACTING_PROMPTS)

    @property
    def model_name(self) -> str:
        """The name by which the model was asked for."""
        return self._lm.name

    def opening(self, prompt: str, generation: Generation) -> list[Message]:
        """What stands before the steps: the system prompt, and the question with what was recalled.

        What versions of prompts add goes to the end of the system prompt, and into `system_prompt`.
        """
        values = {
            "notes": "",
            "tools": "",
            "hints": lessons_text(generation.brief.lessons),
            "question": block("question", visible(generation.query)),
        }
        asked = self._prompts[prompt].fill(values)[1]
        added = generation.brief.instructions.for_role(ROLE)
        self.system_prompt = told = instructed(generation.system_prompt, added)
        return [Message(role="system", content=told), *generation.state.history, asked]

    def filled(self, prompt: str, values: dict[str, str]) -> str:
        """The system prompt of a template; instructions stand before the notes."""
        notes = "\n\n".join(filter(None, (self.instructions, values["notes"])))
        message = self._prompts[prompt].fill(
            {"hints": "", "question": ""} | values | {"notes": notes}
        )
        return message[0].content.rstrip()

    async def completed(
        self, messages: Sequence[Message], generation: Generation, tools: Sequence[ModelTool] = ()
    ) -> Completion:
        """The model's answer; who listens is given its text, as it comes where the model can do that."""
        ledger, heard = generation.brief.ledger, generation.brief.heard
        if heard is not None and isinstance(self._lm, SpeakingModel):
            return await self._lm.complete_aloud(
                messages, heard, stage=STAGE, ledger=ledger, tools=tools
            )
        found = await self._lm.complete(messages, stage=STAGE, ledger=ledger, tools=tools)
        if heard is not None and found.text:
            heard(found.text)
        return found


class LMPolicy(ModelPolicy):
    """Asks a model that calls tools in its own way; falls back to `TextPolicy` when the model refuses tools.

    >>> import asyncio
    >>> from oldhand.models.language_model import ToolCall
    >>> from oldhand.record.step import AgentState
    >>> from oldhand.testing import ScriptedModel
    >>> def now() -> str:
    ...     '''The time of day.'''
    ...     return "noon"
    >>> model = ScriptedModel([[ToolCall(id="a", name="now", arguments={})]])
    >>> policy = LMPolicy(model, [now])
    >>> policy.get_actions(AgentState(run_id="r", query="What time is it?"), "What time is it?")[0].action
    Action(id='call_1_1', tool='now', arguments={})
    """

    _in_text: "TextPolicy | None" = None

    def system_text(self, notes: str) -> str:
        """The system prompt with these notes."""
        if self._in_text is not None:
            return self._in_text.system_text(notes)
        return self.filled("use_tools", {"notes": visible(notes)})

    async def generate(self, generation: Generation) -> Step:
        """Ask the model for tool calls or an answer."""
        if self._in_text is not None:
            return await self._written(self._in_text, generation)
        try:
            completion = await self._asked(generation)
        except MalformedAnswer as error:
            return Step(number=generation.number, fault=f"{error} Call a tool, or answer in words.")
        except ModelRefused as error:
            if "tool" not in str(error).lower():
                raise
            return await self._fall_back(generation, error)
        step = _native_step(completion, generation.number)
        return kept_to(step, self._tools, offered(self._tools, generation.brief.lessons))

    async def _asked(self, generation: Generation) -> Completion:
        opening = self.opening("use_tools", generation)

        async def ask(steps: Sequence[Step]) -> Completion:
            tools = offered(self._tools, generation.brief.lessons).model_tools()
            return await self.completed([*opening, *native_messages(steps)], generation, tools)

        return await _with_room(ask, generation)

    async def _fall_back(self, generation: Generation, error: ModelRefused) -> Step:
        logger.warning(
            "%s takes no tool calls, they are written as text from now on: %s",
            self.model_name,
            error,
        )
        self._in_text = policy = TextPolicy(self._lm, self._tools, prompts=self._prompts)
        policy.instructions = self.instructions
        prompt = policy.system_text(generation.notes)
        return await self._written(policy, replace(generation, system_prompt=prompt))

    async def _written(self, policy: "TextPolicy", generation: Generation) -> Step:
        step = await policy.generate(generation)
        self.system_prompt = policy.system_prompt
        return step


class TextPolicy(ModelPolicy):
    """Asks a model that has no tool calls of its own: thought, action and input as text."""

    def system_text(self, notes: str) -> str:
        """The system prompt with the tools and these notes."""
        return self._system_text(notes, self._tools)

    def _system_text(self, notes: str, tools: Tools) -> str:
        values = {"notes": visible(notes), "tools": tools_text(tools)}
        return self.filled("use_tools_in_text", values)

    async def generate(self, generation: Generation) -> Step:
        """Ask the model, and read what it wrote; when it can't be read, the step says why."""
        tools = offered(self._tools, generation.brief.lessons)
        if tools is not self._tools:
            prompt = self._system_text(generation.notes, tools)
            generation = replace(generation, system_prompt=prompt)
        opening = self.opening("use_tools_in_text", generation)

        async def ask(steps: Sequence[Step]) -> Completion:
            messages = [*opening, *text_messages(steps, written)]
            return await self.completed(messages, generation)

        number = generation.number
        try:
            completion = await _with_room(ask, generation)
        except MalformedAnswer as error:
            return Step(number=number, fault=f"{error} {FORM}")
        try:
            return kept_to(read_react(completion.text, number=number), self._tools, tools)
        except UnreadableAction as error:
            return Step(number=number, thought=completion.text, fault=str(error))


def tools_text(tools: Tools) -> str:
    """The tools with their schemas, for a model that is told of them in words."""
    return "\n\n".join(
        f"{tool.name}: {tool.description}\nInput: {json.dumps(tool.parameters, ensure_ascii=False)}"
        for tool in tools.model_tools()
    )


async def _with_room(
    ask: Callable[[Sequence[Step]], Awaitable[Completion]], generation: Generation
) -> Completion:
    """Ask with all steps; while that is too long for the model, again with less of what tools have said."""
    steps: Sequence[Step] = generation.state.steps
    shorter = shortened_steps(steps)
    while True:
        try:
            return await ask(steps)
        except ContextTooLong:
            found = next(shorter, None)
            if found is None:
                raise
            steps = found


def _native_step(completion: Completion, number: int) -> Step:
    actions = tuple(
        Action(id=action_id(number, place), tool=call.name, arguments=call.arguments)
        for place, call in enumerate(completion.tool_calls, start=1)
    )
    if actions:
        return Step(number=number, thought=completion.text, actions=actions)
    if completion.finish_reason == "length":
        fault = "That was cut at the limit of output tokens: say it in fewer words."
        return Step(number=number, thought=completion.text, fault=fault)
    if not completion.text.strip():
        return Step(number=number, fault="That was empty. Call a tool, or answer in words.")
    return Step(number=number, answer=completion.text)
