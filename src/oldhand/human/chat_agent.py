"""A person's or program's side of a conversation with an agent that thinks."""

import asyncio
from collections.abc import Callable

from oldhand.human.account import XmppAccount
from oldhand.human.addresses import bare
from oldhand.human.agent import Agent
from oldhand.human.behaviour import CyclicBehaviour
from oldhand.human.message import LLM, MESSAGE_TYPE, PERFORMATIVE, REQUEST, AgentMessage
from oldhand.human.template import Template
from oldhand.record.ids import random_id


class ChatAgent(Agent):
    """Says things to another agent, and hears what it replies.

    Args:
        jid: its address, or its account.
        password: of the address.
        target_agent_jid: whom it talks to; only this one is heard.
        display_callback: is given the text of a reply and who it is from; it is printed when None.
    """

    class ReceiveBehaviour(CyclicBehaviour):
        """Shows what is replied."""

        async def run(self) -> None:
            """The next reply."""
            message, agent = await self.receive(), self.owner
            if message is not None and isinstance(agent, ChatAgent):
                agent.display_callback(message.body, message.sender)
                agent.replied.set()

    def __init__(
        self,
        jid: str | XmppAccount,
        password: str = "",
        target_agent_jid: str = "",
        display_callback: Callable[[str, str], None] | None = None,
    ) -> None:
        super().__init__(jid, password)
        self.target_agent_jid = bare(target_agent_jid)
        self.display_callback = display_callback or _printed
        self.replied = asyncio.Event()
        """Whether what was said last has a reply."""
        self._thread = random_id()

    async def setup(self) -> None:
        """Listen to the other agent."""
        template = Template(sender=self.target_agent_jid, metadata={MESSAGE_TYPE: LLM})
        self.add_behaviour(self.ReceiveBehaviour(), template)

    async def send_message_async(self, message: str) -> None:
        """Say something."""
        self.replied.clear()
        metadata = {PERFORMATIVE: REQUEST, MESSAGE_TYPE: LLM}
        await self.send(
            AgentMessage(
                self.target_agent_jid, body=message, thread=self._thread, metadata=metadata
            )
        )

    def send_message(self, message: str) -> None:
        """`send_message_async`, for ordinary code on the agent's event loop."""
        self.later(self.send_message_async(message))

    async def wait_for_response(self, timeout: float = 10.0) -> bool:  # noqa: ASYNC109 - SPADE's signature
        """Wait for a reply to what was said last; False when none came within `timeout` seconds."""
        try:
            async with asyncio.timeout(timeout):
                return await self.replied.wait()
        except TimeoutError:
            return False

    def is_waiting_response(self) -> bool:
        """Whether what was said last has no reply yet."""
        return not self.replied.is_set()


def _printed(text: str, sender: str) -> None:
    print(f"{sender}: {text}")  # noqa: T201 - SPADE's default
