"""A question from an agent to a person: the behaviour that asks and waits, and the tool that a mind calls."""

import asyncio
from collections.abc import Mapping
from typing import cast

from pydantic import JsonValue

from oldhand.agent.tools import ToolOutput
from oldhand.errors import InvalidArguments, MessagingError, ToolFailed, UsageError
from oldhand.human.addresses import bare
from oldhand.human.agent import Agent
from oldhand.human.behaviour import OneShotBehaviour
from oldhand.human.mailroom import Awaited
from oldhand.human.message import MESSAGE_TYPE, NOTICE, AgentMessage
from oldhand.human.replies import HOW_TO_REPLY, read_reply
from oldhand.human.stanzas import Incoming, StanzaKind
from oldhand.record.consultation import VISIBLE, ConsultationState
from oldhand.record.expert_transport import SignalKind
from oldhand.record.ids import random_id

TIMEOUT = 300.0
"""Seconds that a person has to answer."""
_GRACE = 5.0
_DESCRIPTION = (
    "Ask a human expert for help when you need clarification, additional information, or human judgment. "
    "Use this when you're unsure about something or need real-world context."
)


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
        metadata = {"type": "human_query", "query_id": self.query_id}
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

    What is no answer (nobody replied in time, the person declined, it could not be delivered) is an error of the tool, so that
    a mind can tell it from an answer whatever people write.

    Args:
        human_expert_jid: whom to ask.
        timeout: seconds that the person has.
        name: how the mind calls it.
        description: when to ask.
    """

    def __init__(
        self,
        human_expert_jid: str,
        timeout: float = TIMEOUT,
        name: str = "ask_human_expert",
        description: str | None = None,
    ) -> None:
        self.human_jid = bare(human_expert_jid)
        self.timeout = timeout
        self.seconds = timeout + _GRACE
        """How long a call may take."""
        self.name = name
        self.description = description or _DESCRIPTION
        self.idempotent = False
        self.parameters: dict[str, JsonValue] = {
            "type": "object",
            "properties": {
                "question": {
                    "type": "string",
                    "description": "The specific question to ask the human expert",
                },
                "context": {
                    "type": "string",
                    "description": "Additional context to help the human understand the question better",
                },
            },
            "required": ["question"],
        }
        self._agent: Agent | None = None

    def set_agent(self, agent: Agent) -> None:
        """Ask in this agent's name; called when an agent gets the tool."""
        self._agent = agent

    async def call(self, arguments: Mapping[str, JsonValue]) -> ToolOutput:
        """Ask, and wait for the answer.

        Raises:
            InvalidArguments: there is no question.
            ToolFailed: there is no answer; the message says why.
        """
        question, context = arguments.get("question"), arguments.get("context")
        if not isinstance(question, str) or not question.strip():
            raise InvalidArguments("`question` is missing: say what to ask the human expert.")
        outcome, text = await self._asked(question, context if isinstance(context, str) else None)
        if outcome is not ConsultationState.ANSWERED:
            raise ToolFailed(text)
        return ToolOutput(text)

    async def _asked(self, question: str, context: str | None) -> tuple[ConsultationState, str]:
        if self._agent is None:
            said = "Error: This tool is not properly configured. No agent assigned."
            return ConsultationState.FAILED, said
        asking = HumanInteractionBehaviour(self.human_jid, question, context, self.timeout)
        self._agent.add_behaviour(asking)
        try:
            await asking.join()
        finally:
            asking.kill()  # when whoever waits is cancelled
        return asking.outcome, self._says(asking)

    def _says(self, asked: HumanInteractionBehaviour) -> str:
        match asked.outcome:
            case ConsultationState.ANSWERED if asked.response:
                return asked.response
            case ConsultationState.TIMED_OUT:
                return (
                    f"Timeout: The human expert did not respond within {self.timeout} seconds. "
                    "Please try again later or proceed without human input."
                )
            case ConsultationState.DECLINED:
                return f"Declined: The human expert does not want to answer. {asked.note}".strip()
            case ConsultationState.FAILED:
                return f"Error consulting human expert: {asked.note}"
            case _:
                return "The human expert did not provide a response."
