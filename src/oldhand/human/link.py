"""The connection to an XMPP server: kept up, and nothing sent or said on it is lost or told twice."""

import asyncio
import logging
import random
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from html import escape

from slixmpp.exceptions import IqError, IqTimeout

from oldhand.errors import ChatServerUnreachable, ChatSignInRefused, MessageTooLarge
from oldhand.human.addresses import XmppAccount, checked_address
from oldhand.human.message import MOST_BYTES, AgentMessage, Incoming, StanzaKind
from oldhand.human.position import ArchivePosition, KnownMessages, remember
from oldhand.human.session import SessionListener, XmppSession
from oldhand.models.clock import SystemClock
from oldhand.record.expert import Presence
from oldhand.record.ports import Clock, random_id

_NO_ARCHIVE = {"feature-not-implemented", "forbidden", "not-allowed", "service-unavailable"}
_log = logging.getLogger("oldhand.human")

FIRST_PAUSE = 0.25
"""Seconds until a lost connection is tried again; twice as long each time."""
LONGEST_PAUSE = 4.0
"""Seconds between two tries at most, so that a server that is back is found within ten seconds."""
ALIVE_EVERY = 30.0
"""Seconds after which a silent server is asked whether it is there."""
ALIVE_WITHIN = 10.0
"""Seconds that it has to answer."""
MOST_TRIES = 5
"""Connections on which the same message is sent before it is given up."""
LONGEST_ARCHIVE_PAUSE = 60.0
"""Seconds between two tries to read an archive that fails."""
LOOKED_BACK = timedelta(days=30)
"""How far back the archive is read when it is not known what was heard last."""


class XmppLink:
    """Signs in, stays signed in, sends and hears.

    What is sent waits until the server has it, and is sent again, with the same id, after the connection was lost. What is
    heard is told once, however often it comes; `settled` says that it is in safe hands: only then its sender gets a receipt,
    and what was not is told again by the archive after a crash.

    Args:
        account: who signs in.
        hear: takes what comes; on the event loop, in order.
        position: what of the archive was heard last.
        reads_back: whether what came before this link was made is heard, too.
        hears_own: whether what was said from this address, by whatever client, is heard as far as the archive has it.
    """

    def __init__(
        self,
        account: XmppAccount,
        hear: Callable[[Incoming], None],
        *,
        position: ArchivePosition | None = None,
        reads_back: bool = False,
        hears_own: bool = False,
        clock: Clock | None = None,
    ) -> None:
        self.account = account
        self.address = str(checked_address(account.jid).bare)
        self.connected = asyncio.Event()
        self._hear = hear
        self._position = position or ArchivePosition()
        self._reads_back = reads_back
        self._hears_own = hears_own
        self._clock = clock or SystemClock()
        self._outbox: OrderedDict[str, AgentMessage] = OrderedDict()
        self._empty = asyncio.Event()
        self._tries: Counter[str] = Counter()
        self._watched: set[str] = set()
        self._known = KnownMessages()
        self._sent: OrderedDict[str, str] = OrderedDict()
        self._held: list[Incoming] | None = None
        self._is_caught_up = False
        self._there: dict[str, dict[str, Presence]] = {}
        self._session: XmppSession | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._refused: asyncio.Event = asyncio.Event()
        self._why = ""

    # --- coming and going

    def start(self) -> None:
        """Begin to sign in, and return at once; it goes on trying until `close`."""
        if self._keeping is None:
            self._keeping = asyncio.create_task(self._keep(), name="xmpp link")

    async def open(self, seconds: float = 30.0) -> None:
        """Sign in.

        Raises:
            ChatSignInRefused: the server knows no such address and password, or shows a certificate that is not trusted.
            ChatServerUnreachable: it did not answer within `seconds`.
        """
        self.start()
        refused = asyncio.create_task(self._refused.wait())
        connected = asyncio.create_task(self.connected.wait())
        try:
            async with asyncio.timeout(seconds):
                await asyncio.wait((refused, connected), return_when=asyncio.FIRST_COMPLETED)
        except TimeoutError as error:
            await self.close()
            raise ChatServerUnreachable(self.says("does not answer")) from error
        finally:
            refused.cancel()
            connected.cancel()
        if not self.connected.is_set():
            await self.close()
            raise ChatSignInRefused(self.says("refused to sign in"))

    def says(self, what: str) -> str:
        """What is wrong with the connection, for a person to read."""
        where = f"{self.account.host or checked_address(self.address).domain}:{self.account.port}"
        return f"The XMPP server at {where} {what} {self.address}: {self._why or 'no answer'}."

    async def close(self) -> None:
        """Sign out; safe to call twice."""
        keeping, self._keeping = self._keeping, None
        if keeping is not None:
            keeping.cancel()
            await asyncio.wait((keeping,))
        self.connected.clear()

    async def _keep(self) -> None:
        pause = FIRST_PAUSE
        listener = SessionListener(self._take, self._confirm, self._see)
        while True:
            session = self._session = XmppSession(self.account, listener)
            try:
                self._why = await session.begin() or ""
                if not self._why:
                    pause = FIRST_PAUSE
                    await self._while_up(session)
                elif session.refused:
                    self._refused.set()
            finally:
                self.connected.clear()
                self._session = None
                self._there.clear()
                await asyncio.shield(session.end())
            _log.info("XMPP %s: %s; trying again.", self.address, self._why or "connection lost")
            await asyncio.sleep(pause * random.uniform(0.8, 1.2))  # noqa: S311 - no secret
            pause = min(pause * 2, LONGEST_PAUSE)

    async def _while_up(self, session: XmppSession) -> None:
        self._held, self._is_caught_up = [], False
        session.announce()
        catching_up = asyncio.create_task(self._catch_up(session))
        self.connected.set()
        for message in list(self._outbox.values()):
            self._send_again(session, message)
        try:
            while not await session.over(ALIVE_EVERY):
                if not await session.answers(ALIVE_WITHIN):
                    return
        finally:
            catching_up.cancel()
            await asyncio.wait((catching_up,))

    def _send_again(self, session: XmppSession, message: AgentMessage) -> None:
        """A message at which the server hangs up again and again would keep all others from being sent."""
        self._tries[message.id] += 1
        if self._tries[message.id] <= MOST_TRIES:
            session.send(message)
            return
        self._confirm(message.id)
        refused = AgentMessage(self.address, message.to)
        why = "the server does not take it"
        self._hear(Incoming(StanzaKind.BOUNCED, refused, message.id, why))

    async def _catch_up(self, session: XmppSession) -> None:
        """Hear what the archive has since the last time; what comes meanwhile waits its turn, but for no archive that fails."""
        pause = FIRST_PAUSE
        try:
            while not await self._has_read(session):
                self._let_go()
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_ARCHIVE_PAUSE)
            self._is_caught_up = True
        finally:
            self._let_go()

    async def _has_read(self, session: XmppSession) -> bool:
        """Read the archive; False where it failed and is to be asked again."""
        last = self._position.last()
        if last is None and not self._reads_back:
            return True
        try:
            async for incoming in session.archived(last, self._clock.now() - LOOKED_BACK):
                self._tell(incoming, in_order=True)
        except (IqError, IqTimeout) as error:
            if error.condition not in _NO_ARCHIVE:
                _log.warning("XMPP %s: the archive fails: %s", self.address, error.condition)
                return False
            _log.info("XMPP %s: there is no archive: %s", self.address, error.condition)
        return True

    def _let_go(self) -> None:
        held, self._held = self._held or [], None
        for incoming in held:
            self._tell(incoming, in_order=self._is_caught_up)

    # --- sending

    async def send(self, message: AgentMessage) -> None:
        """Send a message as soon as there is a connection; it gets an id if it has none.

        Raises:
            InvalidAddress: it has no address to go to.
            MessageTooLarge: no server would take it.
        """
        checked_address(message.to)
        message.id = message.id or random_id()
        message.sender = self.address
        written = escape("".join((message.body, *message.metadata.values())))
        if len(written.encode("utf-8", "replace")) > MOST_BYTES:
            raise MessageTooLarge(
                f"The message to {message.to} has over {MOST_BYTES:,} bytes, which no server takes: shorten it."
            )
        self._outbox[message.id] = message
        self._empty.clear()
        remember(self._sent, message.id, message.to.partition("/")[0].lower())
        if self.connected.is_set() and self._session is not None:
            self._session.send(message)

    async def flushed(self, seconds: float) -> bool:
        """Wait until the server has all that was sent; False when it has not within `seconds`."""
        try:
            async with asyncio.timeout(seconds):
                await self._empty.wait()
        except TimeoutError:
            return False
        return True

    def settled(self, incoming: Incoming) -> None:
        """What was heard is in safe hands."""
        self._acknowledge(incoming)
        self._known.note(incoming, settled=True)
        if incoming.archive_id:
            self._position.keep(incoming.archive_id)

    def _acknowledge(self, incoming: Incoming) -> None:
        if incoming.wants_receipt and self._session is not None and self.connected.is_set():
            self._session.acknowledge(incoming)

    # --- hearing

    def _take(self, incoming: Incoming) -> None:
        if self._held is not None:
            self._held.append(incoming)
        else:
            self._tell(incoming, in_order=self._is_caught_up)

    def _tell(self, incoming: Incoming, *, in_order: bool) -> None:
        """Hand on what was not heard before; bounces and receipts only of what was sent there.

        Unless it comes `in_order`, something older may still be unread: it is not kept as what was heard last.
        """
        message = incoming.message
        is_own = incoming.kind is StanzaKind.SAID and message.sender_address == self.address
        if is_own and not self._hears_own:
            return
        if incoming.kind is not StanzaKind.SAID:
            if self._sent.get(incoming.about, message.sender_address) != message.sender_address:
                return
            self._confirm(incoming.about)
        if incoming in self._known:
            if self._known.is_settled(incoming):
                self._acknowledge(incoming)  # its sender may have missed the receipt
                self._position.meet(incoming.archive_id if in_order else "")
            return
        self._known.note(incoming, settled=False)
        self._position.tell(incoming.archive_id if in_order else "")
        self._hear(incoming if in_order else replace(incoming, archive_id=""))

    def _confirm(self, message_id: str) -> None:
        self._outbox.pop(message_id, None)
        self._tries.pop(message_id, None)
        if not self._outbox:
            self._empty.set()

    # --- presence

    def _see(self, address: str, device: str, presence: Presence) -> None:
        devices = self._there.setdefault(address, {})
        if presence is Presence.OFFLINE:
            devices.pop(device, None)
        else:
            devices[device] = presence

    def presence(self, address: str) -> Presence:
        """Whether somebody is there, as far as they let us know."""
        found = self._there.get(str(checked_address(address).bare))
        if found is None or not self.connected.is_set():
            return Presence.UNKNOWN
        if Presence.AVAILABLE in found.values():
            return Presence.AVAILABLE
        return Presence.AWAY if found else Presence.OFFLINE

    def watch(self, address: str) -> None:
        """Ask somebody, once, to let us know when they are there."""
        address = str(checked_address(address).bare)
        if address in self._watched or address in self._there:
            return
        if self._session is not None and self.connected.is_set():
            self._watched.add(address)
            self._session.subscribe(address)
