"""Questions of the ledger over XMPP: delivers them, and reports what comes back."""

import asyncio
import hashlib
import logging
from contextlib import suppress
from pathlib import Path

from oldhand.errors import DeliveryFailed, InvalidAddress, MessageTooLarge, OldhandError
from oldhand.human.addresses import XmppAccount, bare
from oldhand.human.agent import Agent
from oldhand.human.link import XmppLink
from oldhand.human.mailroom import Awaited
from oldhand.human.message import (
    MESSAGE_TYPE,
    NOTICE,
    QUERY_TYPE,
    AgentMessage,
    Incoming,
    StanzaKind,
)
from oldhand.human.position import ArchivePosition, KeptPosition
from oldhand.human.replies import read_reply
from oldhand.record.expert import (
    ExpertMessage,
    ExpertSignal,
    Hear,
    MessagePurpose,
    Presence,
    Reception,
    ReceptionKind,
    SignalKind,
)

XMPP = "xmpp"
"""The name of this way to people."""
WAITS = 10.0
"""Seconds that a message waits for a lost connection before another way is tried."""
AGAIN_AFTER = 1.0
"""Seconds after which what could not be taken is offered again."""
SILENT_FOR = 60.0
"""Seconds for which somebody is not told the same twice."""
_log = logging.getLogger("oldhand.human")
_KINDS = {
    StanzaKind.RECEIVED: SignalKind.DELIVERED,
    StanzaKind.DISPLAYED: SignalKind.SEEN,
    StanzaKind.BOUNCED: SignalKind.BOUNCED,
}


class XmppTransport:
    """Reaches experts at their addresses of XMPP, with whatever client they use.

    Args:
        account: who asks.
        position: what of its archive was heard last; what came since is heard at the start.
    """

    def __init__(self, account: XmppAccount, position: ArchivePosition | None = None) -> None:
        self._account = account
        self._position = position
        self._link: XmppLink | None = None
        self._heard: asyncio.Queue[Incoming] = asyncio.Queue()
        self._listening: asyncio.Task[None] | None = None
        self._told: dict[str, float] = {}

    @property
    def name(self) -> str:
        """As in the directory of experts."""
        return XMPP

    async def start(self, hear: Hear) -> None:
        """Begin to listen; a server that is down is found as soon as it is back."""
        if self._link is not None:
            return
        self._link = XmppLink(
            self._account, self._heard.put_nowait, position=self._position, reads_back=True
        )
        self._link.start()
        self._begin(hear, self._link)

    def _begin(self, hear: Hear, link: XmppLink) -> None:
        self._listening = asyncio.create_task(self._listen(hear, link), name="xmpp transport")
        self._listening.add_done_callback(_told_of)

    async def deliver(self, message: ExpertMessage) -> bool:
        """Send something; receipts tell when it has arrived.

        Raises:
            DeliveryFailed: the address is none, the text too long, or there is no connection.
        """
        link = self._link
        if link is None:
            raise DeliveryFailed("XMPP is not running here.")
        try:
            async with asyncio.timeout(WAITS):
                await link.connected.wait()
            link.watch(message.address)
            await link.send(_written(message))
        except TimeoutError as error:
            raise DeliveryFailed(link.says("can't be reached for")) from error
        except (InvalidAddress, MessageTooLarge) as error:
            raise DeliveryFailed(str(error)) from error
        return False

    async def presence(self, address: str) -> Presence:
        """Whether somebody is there, as far as they let us know."""
        return Presence.UNKNOWN if self._link is None else self._link.presence(address)

    async def close(self) -> None:
        """Listen no more; safe to call twice."""
        link = await self._end()
        if link is not None:
            await link.flushed(1.0)
            await link.close()
        if self._position is not None:
            self._position.close()

    async def _end(self) -> XmppLink | None:
        link, self._link = self._link, None
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.wait((self._listening,))
            self._listening = None
        return link

    async def _listen(self, hear: Hear, link: XmppLink) -> None:
        """Report one after the other; what is in the store is settled, the rest comes again."""
        while True:
            incoming = await self._heard.get()
            signal = _signal(incoming, self.name)
            if signal is not None:
                reception = await self._reported(hear, signal)
                self._note(signal, reception)
                is_said = incoming.kind is StanzaKind.SAID
                if is_said and self._is_new(signal.address, reception):
                    await link.send(_notice(incoming, reception))
            link.settled(incoming)

    def _is_new(self, address: str, received: Reception) -> bool:
        """Whether to say something: the same again only after a while, or a program that answers all would be answered for ever."""
        now, key = asyncio.get_running_loop().time(), f"{address} {received.model_dump_json()}"
        self._told = {told: at for told, at in self._told.items() if now < at + SILENT_FOR}
        is_new = bool(received.says) and key not in self._told
        self._told.setdefault(key, now)
        return is_new

    def _note(self, signal: ExpertSignal, reception: Reception) -> None:
        """Something was heard, and lies in the store."""

    async def _reported(self, hear: Hear, signal: ExpertSignal) -> Reception:
        while True:
            try:
                return await hear(signal)
            except OldhandError as error:  # such as a store that is locked
                _log.warning("A reply of %s waits: %s", signal.address, error)
                await asyncio.sleep(AGAIN_AFTER)


class AgentTransport(XmppTransport):
    """The questions of an agent's own tools, over its own connection.

    Args:
        agent: who asks; it has not signed in yet.
        folder: where it is kept what of its archive was heard last.
    """

    def __init__(self, agent: Agent, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with suppress(BlockingIOError):  # another process has this address, too: it hears for both
            agent.position = KeptPosition(folder / f"heard-{bare(agent.jid)}")
        super().__init__(agent.account, agent.position)
        agent.take_kept = self._heard.put_nowait
        self._agent = agent

    @property
    def name(self) -> str:
        """Another agent, and the assistant itself, leave its questions alone."""
        return f"{XMPP}:{bare(self._agent.jid)}"

    async def start(self, hear: Hear) -> None:
        """Begin to listen, once the agent has signed in."""
        if self._link is None:
            self._link = self._agent.link
            self._begin(hear, self._link)

    async def deliver(self, message: ExpertMessage) -> bool:
        """Send something; what comes back in its thread is for the store, whatever behaviours the agent has."""
        one = message.consultation
        if message.purpose is MessagePurpose.CLOSED:
            self._agent.mailroom.forget(one.id)
        else:
            take = self._heard.put_nowait
            self._agent.expect(
                Awaited(one.id, bare(message.address), one.question, take, kept=True)
            )
        return await super().deliver(message)

    def _note(self, signal: ExpertSignal, reception: Reception) -> None:
        is_over = signal.kind in {SignalKind.REPLY, SignalKind.DECLINE, SignalKind.BOUNCED}
        if is_over and reception.consultation_id and reception.kind is not ReceptionKind.INVALID:
            self._agent.mailroom.forget(reception.consultation_id)

    async def close(self) -> None:
        """Listen no more; the connection is the agent's."""
        self._agent.take_kept = None
        await self._end()
        if self._position is not None:
            self._position.close()


def _told_of(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("XMPP is no longer heard: %s", error, exc_info=error)


def _written(message: ExpertMessage) -> AgentMessage:
    """The same message has the same id, however often it is sent."""
    asked = message.consultation
    digest = hashlib.sha256(f"{message.expert}\n{message.text}".encode()).hexdigest()[:12]
    written = AgentMessage(
        message.address,
        body=message.text,
        thread=asked.id,
        id=f"{asked.id}.{message.purpose}.{digest}",
    )
    if message.purpose is MessagePurpose.QUESTION:
        written.metadata = {"type": QUERY_TYPE, "query_id": asked.visible_id}
    return written


def _signal(incoming: Incoming, name: str) -> ExpertSignal | None:
    """What is reported; None of what minds say to each other."""
    message = incoming.message
    address = message.sender_address
    if incoming.kind is not StanzaKind.SAID:
        asked = incoming.about.partition(".")[0]
        return ExpertSignal(
            transport=name,
            address=address,
            kind=_KINDS[incoming.kind],
            consultation_id=asked,
            text=incoming.why,
            message_id=f"{incoming.kind} {incoming.about}",
        )
    if message.get_metadata(MESSAGE_TYPE) is not None:
        return None
    reply = read_reply(message)
    return ExpertSignal(
        transport=name,
        address=address,
        kind=reply.kind,
        consultation_id=reply.named,
        text=reply.text,
        message_id=message.id or incoming.archive_id,
    )


def _notice(incoming: Incoming, reception: Reception) -> AgentMessage:
    told = AgentMessage(incoming.message.sender, body=reception.says)
    told.thread = reception.consultation_id or incoming.message.thread
    told.set_metadata(MESSAGE_TYPE, NOTICE)
    return told
