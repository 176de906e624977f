"""An agent that thinks: people and other agents talk to it, and it talks to people where it does not know."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, cast

from oldhand.agent.acting import LMPolicy, ReActChat, Transition
from oldhand.agent.tools import Tool, Tools
from oldhand.errors import OldhandError, UsageError
from oldhand.human.addresses import XmppAccount, bare
from oldhand.human.agent import Agent
from oldhand.human.behaviour import CyclicBehaviour
from oldhand.human.interaction import HumanInTheLoopTool
from oldhand.human.message import (
    INFORM,
    LLM,
    MESSAGE_TYPE,
    PERFORMATIVE,
    REQUEST,
    AgentMessage,
    MessageFilter,
    Template,
)
from oldhand.models.language_model import LanguageModel
from oldhand.record.episode import Message

_log = logging.getLogger("oldhand.human")
CONVERSATIONS = 1_000
"""Conversations whose course is remembered."""
TURNS = 20
"""Messages of one that are remembered."""


class Answered(Protocol):
    """An answer in words."""

    @property
    def text(self) -> str:
        """The words."""
        ...


class Assistant(Protocol):
    """Who answers single questions: an `Oldhand`, or a `Client` of a server."""

    def ask(self, question: str, /) -> Answered:
        """The answer."""
        ...


class LLMBehaviour(CyclicBehaviour):
    """Takes messages of `message_type: llm`, thinks, and replies; conversations go on side by side.

    What only informs is not replied to, or two agents would thank each other for ever.
    """

    def __init__(self, provider: ReActChat | Assistant, reply_to: str | None = None) -> None:
        super().__init__()
        self.provider = provider
        self.reply_to = reply_to
        self._courses: OrderedDict[str, list[Message]] = OrderedDict()
        self._turns: dict[str, asyncio.Lock] = {}
        self._thinking: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Take the next message."""
        message = await self.receive()
        if message is not None and message.get_metadata(PERFORMATIVE) != INFORM:
            task = asyncio.create_task(self._turn(message))
            self._thinking.add(task)
            task.add_done_callback(self._thought)

    async def on_end(self) -> None:
        """What is being thought about is given up."""
        for task in self._thinking:
            task.cancel()

    async def _turn(self, message: AgentMessage) -> None:
        key = message.thread or message.sender_address
        async with self._turns.setdefault(key, asyncio.Lock()):
            course = self._courses.setdefault(key, [])
            try:
                said = await self._think(message.body, course)
            except OldhandError as error:
                _log.warning("%s could not be answered: %s", message.sender, error)
                said = str(error)
            else:
                course += (
                    Message(role="user", content=message.body),
                    Message(role="assistant", content=said),
                )
                del course[:-TURNS]
        self._courses.move_to_end(key)
        while len(self._courses) > CONVERSATIONS:
            self._turns.pop(self._courses.popitem(last=False)[0], None)
        reply = message.make_reply(said)
        reply.to = self.reply_to or message.sender
        reply.set_metadata(MESSAGE_TYPE, LLM)
        reply.set_metadata(PERFORMATIVE, REQUEST if self.reply_to else INFORM)
        await self.send(reply)

    async def _think(self, said: str, course: Sequence[Message]) -> str:
        if isinstance(self.provider, ReActChat):
            state = await self.provider.arun(said, history=list(course))
            return state.answer or state.error or f"No answer: {state.outcome}."
        return (await asyncio.to_thread(self.provider.ask, said)).text

    def _thought(self, task: asyncio.Task[None]) -> None:
        self._thinking.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("A message could not be answered: %s", error, exc_info=error)


class LLMAgent(Agent):
    """Answers messages of `message_type: llm`, with a mind and tools; people's answers go to its tools, never to its mind.

    Args:
        jid: its address, or its account.
        password: of the address.
        provider: who thinks: a language model (`get_lm(…)`), an agent with its own tools (`create_tool_use_agent(…)`, also
            with the built-in mind), or an assistant (`Oldhand(…)`).
        reply_to: whom replies go to, if not to who wrote.
        system_prompt: what a language model is told besides.
        tools: what a language model may call. Tools that ask people, those of an agent too, ask in this agent's name.
        allowed: addresses elsewhere that are answered, too; without, only those of the same server.
    """

    def __init__(  # noqa: PLR0913 - a published signature
        self,
        jid: str | XmppAccount,
        password: str = "",
        provider: LanguageModel | ReActChat | Assistant | None = None,
        reply_to: str | None = None,
        system_prompt: str = "",
        tools: Iterable[Tool | Callable[..., object]] = (),
        *,
        allowed: Iterable[str] = (),
    ) -> None:
        super().__init__(jid, password)
        self.allowed = frozenset(map(bare, allowed))
        self.tools = Tools(tools)
        thinker = _thinker(provider, self.tools, system_prompt)
        own = thinker.transition.tools if isinstance(thinker, ReActChat) else Tools(())
        each = {id(one): one for one in (*self.tools, *own)}.values()
        self._asking = [one for one in each if isinstance(one, HumanInTheLoopTool)]
        for tool in each:
            if callable(set_agent := getattr(tool, "set_agent", None)):
                _ = set_agent(self)  # those that ask people learn in whose name
        self.llm_behaviour = LLMBehaviour(thinker, reply_to)

    async def setup(self) -> None:
        """Listen to what is said to a mind."""
        for_minds = Template(metadata={MESSAGE_TYPE: LLM})
        self.add_behaviour(self.llm_behaviour, for_minds & MessageFilter(self._is_allowed))

    async def start(self, seconds: float = 30.0) -> None:
        """As `Agent.start`; questions to people that wait in a store go on waiting."""
        for tool in self._asking:
            tool.prepare()
        await super().start(seconds)
        for tool in self._asking:
            await tool.open()

    async def stop(self) -> None:
        """As `Agent.stop`."""
        for tool in self._asking:
            await tool.close()
        await super().stop()

    def _is_allowed(self, message: AgentMessage) -> bool:
        sender, domain = message.sender_address, bare(self.jid).rpartition("@")[2]
        return sender.rpartition("@")[2] == domain or sender in self.allowed


def _thinker(
    provider: LanguageModel | ReActChat | Assistant | None, tools: Tools, system_prompt: str
) -> ReActChat | Assistant:
    if provider is not None and hasattr(provider, "complete"):
        policy = LMPolicy(cast("LanguageModel", provider), tools)
        policy.instructions = system_prompt
        return ReActChat(policy, Transition(tools))
    if tools.names or system_prompt:
        raise UsageError(
            "Give tools and instructions to the agent itself: create_tool_use_agent(tools, …)."
        )
    if isinstance(provider, ReActChat):
        return provider
    if provider is None or not hasattr(provider, "ask"):
        raise UsageError(
            "provider= says who thinks: get_lm('openai:gpt-4o'), create_tool_use_agent(tools) or Oldhand()."
        )
    return cast("Assistant", provider)
