"""An agent: an address of XMPP with behaviours."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Self

from oldhand.errors import UsageError
from oldhand.human.addresses import XmppAccount, bare
from oldhand.human.behaviour import Behaviour, CyclicBehaviour
from oldhand.human.link import XmppLink
from oldhand.human.mailroom import Awaited, Handed, Mailroom, notice
from oldhand.human.message import (
    LLM,
    MESSAGE_TYPE,
    PERFORMATIVE,
    REQUEST,
    AgentMessage,
    Incoming,
    MessageFilter,
    Template,
)
from oldhand.human.position import ArchivePosition
from oldhand.record.ports import random_id


class Agent:
    """Signs in to an XMPP server, and does what its behaviours say.

    Args:
        jid: its address; or its account, which also says where the server is and which certificate it shows.
        password: of the address.
    """

    def __init__(self, jid: str | XmppAccount, password: str = "") -> None:
        self.account = XmppAccount(jid, password) if isinstance(jid, str) else jid
        self.behaviours: list[Behaviour] = []
        self.mailroom = Mailroom()
        self.position: ArchivePosition | None = None
        """What of its archive was heard last, where that outlives it."""
        self.take_kept: Callable[[Incoming], None] | None = None
        """Gets what people say that nobody waits for, where it may be for a question in a store."""
        self._values: dict[str, object] = {}
        self._link: XmppLink | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def jid(self) -> str:
        """Its address."""
        return self.account.jid

    @property
    def link(self) -> XmppLink:
        """Its connection.

        Raises:
            UsageError: it was not started.
        """
        if self._link is None:
            raise UsageError(f"The agent {self.jid} is not running: await agent.start().")
        return self._link

    async def setup(self) -> None:
        """Is called before it signs in: the place to add behaviours."""

    async def start(self, seconds: float = 30.0) -> None:
        """Sign in and begin.

        Raises:
            ChatSignInRefused: the server refuses the address or its password.
            ChatServerUnreachable: it does not answer within `seconds`.
        """
        if self._link is not None:
            return
        await self.setup()
        self._link = XmppLink(self.account, self._hear, position=self.position)
        try:
            await self._link.open(seconds)
        except BaseException:
            self._link = None
            raise
        for behaviour in list(self.behaviours):
            behaviour.start()

    async def stop(self) -> None:
        """End all behaviours and sign out; safe to call twice."""
        behaviours = list(self.behaviours)
        for behaviour in behaviours:
            behaviour.kill()
        for behaviour in behaviours:
            await behaviour.join()
        link, self._link = self._link, None
        if link is not None:
            await link.flushed(1.0)
            await link.close()

    def is_alive(self) -> bool:
        """Whether it is running."""
        return self._link is not None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    def add_behaviour(self, behaviour: Behaviour, template: MessageFilter | None = None) -> None:
        """Do something more, at once if it is running; messages that fit `template` are for it."""
        if behaviour.agent is not None:
            raise UsageError(f"This {type(behaviour).__name__} belongs to an agent already.")
        behaviour.agent = self
        if template is not None:
            behaviour.template = template
        self.behaviours.append(behaviour)
        if self.is_alive():
            behaviour.start()

    def remove_behaviour(self, behaviour: Behaviour) -> None:
        """End something.

        Raises:
            UsageError: it does no such thing.
        """
        if behaviour not in self.behaviours:
            raise UsageError(f"The agent {self.jid} has no such {type(behaviour).__name__}.")
        behaviour.kill()
        self.forget(behaviour)

    def has_behaviour(self, behaviour: Behaviour) -> bool:
        """Whether it does this."""
        return behaviour in self.behaviours

    def forget(self, behaviour: Behaviour) -> None:
        """A behaviour has ended."""
        if behaviour in self.behaviours:
            self.behaviours.remove(behaviour)

    def get(self, name: str) -> object:
        """A value that behaviours share; None when there is none of that name."""
        return self._values.get(name)

    def set(self, name: str, value: object) -> None:
        """Keep a value that behaviours share."""
        self._values[name] = value

    async def send(self, message: AgentMessage) -> None:
        """Send a message; while there is no connection, as soon as there is one.

        Raises:
            UsageError: it was not started, or the address is none.
            MessageTooLarge: no server would take it.
        """
        await self.link.send(message)

    def expect(self, awaited: Awaited) -> None:
        """From now on answers to a question are its own."""
        self.mailroom.expect(awaited)

    def _hear(self, incoming: Incoming) -> None:
        handed = self.mailroom.hand_out(incoming, self.behaviours)
        if self._link is None or handed is Handed.KEPT:
            return
        is_of_minds = incoming.message.get_metadata(MESSAGE_TYPE) is not None
        if handed is Handed.UNCLAIMED and self.take_kept is not None and not is_of_minds:
            self.take_kept(incoming)
            return
        if handed is not Handed.FORGED:
            self._link.settled(incoming)
        waiting = self.mailroom.waiting_for(incoming.message.sender_address)
        if (told := notice(handed, incoming.message, waiting)) is not None:
            self.later(self.send(told))

    def later(self, work: Coroutine[None, None, None]) -> None:
        """Do something from where nothing can wait."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


# A person's or program's side of a conversation with an agent that thinks.
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
