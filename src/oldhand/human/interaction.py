"""A question from an agent to a person: the behaviour that asks and waits, and the tool that a mind calls."""

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from pydantic import JsonValue

from oldhand.agent.tools import ToolOutput
from oldhand.errors import MessagingError, ToolFailed, UsageError
from oldhand.human.addresses import bare
from oldhand.human.agent import Agent
from oldhand.human.behaviour import OneShotBehaviour
from oldhand.human.mailroom import Awaited
from oldhand.human.message import (
    MESSAGE_TYPE,
    NOTICE,
    QUERY_TYPE,
    AgentMessage,
    Incoming,
    StanzaKind,
)
from oldhand.human.replies import HOW_TO_REPLY, read_reply
from oldhand.human.transport import XMPP, AgentTransport
from oldhand.loop.consultations.desk import ExpertDesk
from oldhand.loop.consultations.tool import (
    EXPERT_TOOL,
    EXPERT_TOOL_SAYS,
    EXPERT_TOOL_TAKES,
    GRACE,
    TIMEOUT,
    ExpertTool,
    question_in,
)
from oldhand.record.consultation import VISIBLE, ConsultationState
from oldhand.record.expert import ExpertProfile, SignalKind
from oldhand.record.ports import random_id
from oldhand.sources.experts.letters import no_answer

_WAY = "questions in a store"
"""Tools of one agent share its connection under this name."""
_log = logging.getLogger("oldhand.human")
_IN_MEMORY = "%s asks people without a home: what waits is lost when this process ends. An agent of create_tool_use_agent(tools=[…]) keeps it."


class HumanInteractionBehaviour(OneShotBehaviour):
    """Asks a person one question and waits for the answer; `outcome` says how it ended.

    Only the person asked can answer, in the thread of the question; `query_id` is what people see of it.
    """

    def __init__(
        self, human_jid: str, question: str, context: str | None = None, timeout: float = TIMEOUT
    ) -> None:
        super().__init__()
        self.human_jid = bare(human_jid)
        self.question = question
        self.context = context
        self.timeout = timeout
        self.thread = random_id()
        self.response: str | None = None
        self.outcome = ConsultationState.ASKED
        self.note = ""
        """Why it failed, or was declined."""
        self._heard: asyncio.Queue[Incoming] = asyncio.Queue()

    @property
    def query_id(self) -> str:
        """The first characters of the thread."""
        return self.thread[:VISIBLE]

    async def run(self) -> None:
        """Send the question, and wait until it is answered or can't be."""
        agent = cast("Agent", self.owner)
        while agent.mailroom.is_visible(self.query_id):
            self.thread = random_id()
        agent.expect(Awaited(self.thread, self.human_jid, self.question, self._heard.put_nowait))
        try:
            async with asyncio.timeout(self.timeout):
                await self.send(self._message())
                while not self.outcome.is_final:
                    self._note(await self._heard.get())
        except TimeoutError:
            self.outcome = ConsultationState.TIMED_OUT
        except (MessagingError, UsageError) as error:
            self.outcome, self.note = ConsultationState.FAILED, str(error)
        except asyncio.CancelledError:
            self.outcome = ConsultationState.WITHDRAWN
            await self._withdraw(agent)
            raise
        finally:
            agent.mailroom.expect_no_more(self.thread)

    def _message(self) -> AgentMessage:
        metadata = {"type": QUERY_TYPE, "query_id": self.query_id}
        body = self.format_question()
        return AgentMessage(self.human_jid, body=body, thread=self.thread, metadata=metadata, id=self.thread)  # fmt: skip

    def format_question(self) -> str:
        """What the person reads."""
        context = f"\n\nContext: {self.context}" if self.context else ""
        return f"[Query {self.query_id}] {self.question}{context}\n\n{HOW_TO_REPLY}"

    def _note(self, incoming: Incoming) -> None:
        if incoming.kind is StanzaKind.BOUNCED:
            self.outcome, self.note = ConsultationState.FAILED, incoming.why
        elif incoming.kind is StanzaKind.RECEIVED:
            self._come_to(ConsultationState.DELIVERED)
        elif incoming.kind is StanzaKind.DISPLAYED:
            self._come_to(ConsultationState.SEEN)
        else:
            reply = read_reply(incoming.message)
            if reply.kind is SignalKind.DECLINE:
                self.outcome, self.note = ConsultationState.DECLINED, reply.text
                return
            asks = reply.kind is SignalKind.ASK_BACK
            self.response = f"The human expert asks back: {reply.text}" if asks else reply.text
            self.outcome = ConsultationState.ANSWERED

    def _come_to(self, state: ConsultationState) -> None:
        if state.follows(self.outcome):
            self.outcome = state

    async def _withdraw(self, agent: Agent) -> None:
        """Tell the person that the answer is no longer needed."""
        if agent.is_alive():
            text = f"[Query {self.query_id}] No answer is needed any more. Thank you."
            metadata = {MESSAGE_TYPE: NOTICE}
            await self.send(AgentMessage(self.human_jid, body=text, thread=self.thread, metadata=metadata))  # fmt: skip


class HumanInTheLoopTool:
    """Lets an agent ask a person while it works.

    In an agent that has a home (`create_tool_use_agent`), questions lie in its store: whoever goes on with a run that was interrupted
    gets the reply, and a late one is learned from. What is no answer is an error of the tool, so that a mind can tell it from an
    answer whatever people write.

    Args:
        human_expert_jid: whom to ask.
        timeout: seconds that are waited for the person.
        name: how the mind calls it.
        description: when to ask.
    """

    def __init__(
        self,
        human_expert_jid: str,
        timeout: float = TIMEOUT,
        name: str = EXPERT_TOOL,
        description: str | None = None,
    ) -> None:
        self.human_jid = bare(human_expert_jid)
        self.timeout = timeout
        self.seconds = timeout + GRACE
        """How long a call may take."""
        self.name = name
        self.description = description or EXPERT_TOOL_SAYS
        self.parameters = EXPERT_TOOL_TAKES
        self._agent: Agent | None = None
        self._desk: ExpertDesk | None = None
        self._user = ""
        self._way: AgentTransport | None = None

    @property
    def idempotent(self) -> bool:
        """Whether a call may be made again after a crash: what lies in a store is not asked twice."""
        return self._desk is not None

    def set_agent(self, agent: Agent) -> None:
        """Ask in this agent's name; called when an agent gets the tool."""
        self._agent = agent

    def set_desk(self, desk: ExpertDesk, user: str, folder: Path) -> None:
        """Keep questions in the store of a home; called when an agent with a home gets the tool."""
        self._desk, self._user = desk, user
        self._folder = folder

    def prepare(self) -> None:
        """The agent is about to sign in: what comes then is taken for the store."""
        if self._desk is None:
            _log.warning(_IN_MEMORY, self.name)
        if self._desk is not None and self._agent is not None:
            shared = self._agent.get(_WAY)
            self._way = (
                shared
                if isinstance(shared, AgentTransport)
                else AgentTransport(self._agent, self._folder)
            )
            self._agent.set(_WAY, self._way)

    async def open(self) -> None:
        """The agent has signed in: carry questions over its connection."""
        if (
            self._desk is not None
            and self._way is not None
            and self._way.name not in self._desk.transports
        ):
            await self._desk.add_transport(self._way)

    async def close(self) -> None:
        """The agent signs out; what waits goes on waiting in the store."""
        if self._desk is not None and self._agent is not None and self._way is not None:
            self._desk.transports.pop(self._way.name, None)
            self._agent.set(_WAY, None)
            await self._way.close()
        self._way = None

    async def call(self, arguments: Mapping[str, JsonValue]) -> ToolOutput:
        """Ask, and wait for the answer.

        Raises:
            InvalidArguments: there is no question.
            ToolFailed: there is no answer; the message says why.
        """
        if self._desk is not None:
            person = await asyncio.to_thread(self._person, self._desk)
            return await ExpertTool(self._desk, self._user, person, self.timeout).call(arguments)
        question, context = question_in(arguments)
        if self._agent is None:
            raise ToolFailed("Error: This tool is not properly configured. No agent assigned.")
        asking = HumanInteractionBehaviour(self.human_jid, question, context, self.timeout)
        self._agent.add_behaviour(asking)
        try:
            await asking.join()
        finally:
            asking.kill()  # when whoever waits is cancelled
        if asking.outcome is not ConsultationState.ANSWERED or not asking.response:
            raise ToolFailed(no_answer(asking.outcome, asking.note, self.timeout))
        return ToolOutput(asking.response)

    def _person(self, desk: ExpertDesk) -> ExpertProfile:
        """Who is asked, by which way first; somebody who is no expert of the home has the address as name. Blocks."""
        known = (it for it in desk.choice.profiles() if self.human_jid in it.addresses.values())
        person = next(known, None) or ExpertProfile(expert=self.human_jid)
        way = XMPP if self._way is None else self._way.name
        return person.model_copy(update={"addresses": {way: self.human_jid, **person.addresses}})
