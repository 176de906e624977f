"""A person's or program's side of a conversation with an agent that thinks."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from oldhand.human.account import XmppAccount
from oldhand.human.addresses import bare
from oldhand.human.agent import Agent
from oldhand.human.behaviour import CyclicBehaviour
from oldhand.human.message import LLM, MESSAGE_TYPE, PERFORMATIVE, REQUEST, AgentMessage
from oldhand.human.template import Template
from oldhand.record.ids import random_id

Told = Callable[[str, str], None]
"""Is given the text of a message, and the address that it comes from or goes to."""


class ChatAgent(Agent):
    """Says things to another agent, and hears what it replies.

    Args:
        jid: its address, or its account.
        password: of the account.
        target_agent_jid: whom it talks to; only this one is heard.
        display_callback: shows a reply; printed when None.
        on_message_sent: is told of each message.
        on_message_received: is told of each reply.
        host: address of the server; the domain's own when None.
        port: where the server listens.
        ca_file: the server's certificate, when no authority has signed it.
        verify_security: whether the server has to prove who it is.
    """

    class ReceiveBehaviour(CyclicBehaviour):
        """Shows what is replied."""

        def __init__(self, show: Callable[[AgentMessage], None]) -> None:
            super().__init__()
            self._show = show

        async def run(self) -> None:
            """The next reply."""
            message = await self.receive()
            if message is not None:
                self._show(message)

    def __init__(  # noqa: PLR0913 - a published signature
        self,
        jid: str | XmppAccount,
        password: str = "",
        target_agent_jid: str = "",
        display_callback: Told | None = None,
        on_message_sent: Told | None = None,
        on_message_received: Told | None = None,
        *,
        host: str | None = None,
        port: int = 5222,
        ca_file: Path | None = None,
        verify_security: bool = True,
    ) -> None:
        super().__init__(
            jid,
            password,
            host=host,
            port=port,
            ca_file=ca_file,
            verify_security=verify_security,
        )
        self.target_agent_jid = bare(target_agent_jid)
        self.display_callback = display_callback
        self.on_message_sent = on_message_sent
        self.on_message_received = on_message_received
        self._replied = asyncio.Event()
        self._thread = random_id()

    async def setup(self) -> None:
        """Listen to the other agent."""
        template = Template(sender=self.target_agent_jid, metadata={MESSAGE_TYPE: LLM})
        self.add_behaviour(self.ReceiveBehaviour(self._show), template)

    async def send_message_async(self, message: str) -> None:
        """Say something."""
        metadata = {PERFORMATIVE: REQUEST, MESSAGE_TYPE: LLM}
        self._replied.clear()
        await self.send(
            AgentMessage(
                self.target_agent_jid, body=message, thread=self._thread, metadata=metadata
            )
        )
        if self.on_message_sent is not None:
            self.on_message_sent(message, self.target_agent_jid)

    def send_message(self, message: str) -> None:
        """`send_message_async`, for ordinary code on the agent's event loop."""
        self._later(self.send_message_async(message))

    async def wait_for_response(self, timeout: float = 10.0) -> bool:  # noqa: ASYNC109 - SPADE's signature
        """Wait for a reply to what was said last; False when none came within `timeout` seconds."""
        try:
            async with asyncio.timeout(timeout):
                await self._replied.wait()
        except TimeoutError:
            return False
        return True

    def is_waiting_response(self) -> bool:
        """Whether what was said last has no reply yet."""
        return not self._replied.is_set()

    def _show(self, message: AgentMessage) -> None:
        if self.display_callback is not None:
            self.display_callback(message.body, message.sender)
        else:
            print(f"{message.sender}: {message.body}")  # noqa: T201 - SPADE's default
        self._replied.set()
        if self.on_message_received is not None:
            self.on_message_received(message.body, message.sender)
