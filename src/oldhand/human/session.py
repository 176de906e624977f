"""One connection to an XMPP server, from signing in until it is lost."""

# slixmpp tells little of its types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportAttributeAccessIssue=false

import asyncio
import ssl
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from datetime import datetime

from slixmpp import JID, ClientXMPP, Iq, Message
from slixmpp import Presence as PresenceStanza
from slixmpp.exceptions import IqError, IqTimeout
from slixmpp.xmlstream.handler import Callback
from slixmpp.xmlstream.matcher import MatchXPath
from slixmpp.xmlstream.stanzabase import StanzaBase

from oldhand.human.addresses import XmppAccount
from oldhand.human.message import AgentMessage, Incoming, read_stanza, write_message, write_receipt
from oldhand.record.expert import Presence

CONFIRM_AFTER = 0.05
"""Seconds after which the server is asked what it has of what was sent."""
SIGN_IN_WITHIN = 15.0
"""Seconds that signing in may take."""
PAGE = 100
"""Messages that are asked of an archive at once."""
ARCHIVE_WITHIN = 30
"""Seconds that an archive has to give a page."""
_AWAY = {"away", "xa", "dnd"}


@dataclass(frozen=True)
class SessionListener:
    """Who is told what happens in a session; on its event loop."""

    heard: Callable[[Incoming], None]
    confirmed: Callable[[str], None]
    """The server has the message of this id."""
    seen: Callable[[str, str, Presence], None]
    """Somebody's device has come or gone."""


class XmppSession:
    """One connection; once it is lost, another one is made."""

    def __init__(self, account: XmppAccount, listener: SessionListener) -> None:
        self.refused = False
        self._account = account
        self._listener = listener
        self._ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._bound = asyncio.Event()
        self._asking: asyncio.TimerHandle | None = None
        self._client = self._made()

    def _made(self) -> ClientXMPP:
        account = self._account
        client = ClientXMPP(account.jid, account.password)
        client.enable_direct_tls, client.enable_plaintext = account.host is None, False
        client.whitespace_keepalive = False
        client.auto_subscribe = False
        if account.ca_file is not None:
            client.ca_certs = account.ca_file
        if not account.verify_security:
            client.ssl_context.check_hostname = False
            client.ssl_context.verify_mode = ssl.CERT_NONE
        for plugin in ("xep_0030", "xep_0059", "xep_0199", "xep_0313"):
            client.register_plugin(plugin)
        client.register_plugin("xep_0198", {"allow_resume": False, "window": 1_000_000})
        for event, told in (
            ("session_start", lambda _: self._bound.set()),
            ("failed_all_auth", lambda _: self._refuse("wrong password, or no such account")),
            ("ssl_invalid_chain", self._refuse_certificate),
            ("connection_failed", self._end),
            ("disconnected", self._end),
            ("stanza_acked", self._confirm),
        ):
            client.add_event_handler(event, told)
        for tag, heard in (("message", self._message), ("presence", self._presence)):
            matcher = MatchXPath(f"{{jabber:client}}{tag}")
            client.register_handler(Callback(f"oldhand {tag}", matcher, heard))
        return client

    # --- coming and going

    async def begin(self) -> str | None:
        """Sign in; why it did not work, or None when it did."""
        self._client.connect(self._account.host, self._account.port)
        bound = asyncio.ensure_future(self._bound.wait())
        try:
            waited = (bound, self._ended)
            _ = await asyncio.wait(
                waited, timeout=SIGN_IN_WITHIN, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            bound.cancel()
        if self._ended.done():
            return self._ended.result() or "connection closed"
        return None if self._bound.is_set() else "no answer"

    async def over(self, seconds: float) -> bool:
        """Wait for the end, at most so long; whether it has come."""
        _ = await asyncio.wait((self._ended,), timeout=seconds)
        return self._ended.done()

    async def answers(self, seconds: float) -> bool:
        """Whether the server is there."""
        try:
            _ = await self._client.plugin["xep_0199"].send_ping(
                JID(self._client.boundjid.domain), timeout=seconds
            )
        except IqTimeout:
            return False
        except IqError:
            return True  # it knows no pings, but it speaks
        return True

    async def end(self) -> None:
        """Sign out, and leave nothing behind."""
        if self._asking is not None:
            self._asking.cancel()
        client = self._client
        client.cancel_connection_attempt()
        if client.transport is not None:
            _ = client.disconnect(wait=1.0)
            _ = await asyncio.wait((self._ended,), timeout=2.0)
            client.abort()
        # Nothing public ends this task before the garbage search comes.
        if (sending := client._run_out_filters) is not None:  # pyright: ignore[reportPrivateUsage]
            _ = sending.cancel()

    def _end(self, why: object) -> None:
        self._client.cancel_connection_attempt()
        if not self._ended.done():
            self._ended.set_result(str(why or ""))

    def _refuse(self, why: str) -> None:
        self.refused = True
        self._end(why)

    def _refuse_certificate(self, error: object) -> None:
        self._refuse(f"its certificate is not trusted ({error})")

    # --- sending

    def announce(self) -> None:
        """Be there: from now on the server sends what comes."""
        self._client.send_presence()
        self._client.get_roster()

    def send(self, message: AgentMessage) -> None:
        """Send a message, and soon ask whether the server has it; nothing is sent once the session is over."""
        if self._ended.done():
            return
        stanza = self._client.Message()
        write_message(message, stanza).send()
        if not self._client.plugin["xep_0198"].enabled_out:
            self._listener.confirmed(message.id)  # it can't tell
        elif self._asking is None:
            later = asyncio.get_running_loop().call_later
            self._asking = later(CONFIRM_AFTER, self._ask)

    def _ask(self) -> None:
        self._asking = None
        if self._client.transport is not None:
            self._client.plugin["xep_0198"].request_ack()

    def acknowledge(self, incoming: Incoming) -> None:
        """Give a receipt."""
        write_receipt(incoming, self._client.Message()).send()

    def subscribe(self, address: str) -> None:
        """Ask somebody to tell when they are there."""
        self._client.send_presence_subscription(pto=JID(address))

    async def archived(self, after: str | None, since: datetime) -> AsyncGenerator[Incoming, None]:
        """What the archive has, oldest first: after one message, or since a moment where that one is not known.

        Raises:
            IqError: it has none, or fails.
            IqTimeout: it does not answer.
        """
        is_complete, begun = False, after
        while not is_complete:
            try:
                page = await self._page(after, since)
            except IqError as error:
                if after is None or after != begun or error.condition != "item-not-found":
                    raise
                after = begun = None  # it has forgotten that one
                continue
            for found in page["mam"]["results"]:
                result = found["mam_result"]
                inner = result["forwarded"]["stanza"]
                one = read_stanza(inner, result["id"]) if isinstance(inner, Message) else None
                if one is not None:
                    yield one
            last = page["mam_fin"]["rsm"]["last"]
            is_complete = page["mam_fin"]["complete"] in {"true", "1"} or last in {"", after}
            after = last

    async def _page(self, after: str | None, since: datetime) -> Iq:
        # Not the library's own `iterate`: it takes an error for the end of the archive.
        rsm = {"max": PAGE} if after is None else {"max": PAGE, "after": after}
        return await self._client.plugin["xep_0313"].retrieve(
            start=since if after is None else None, rsm=rsm, timeout=ARCHIVE_WITHIN
        )

    # --- hearing

    def _message(self, stanza: StanzaBase) -> None:
        if isinstance(stanza, Message) and (incoming := read_stanza(stanza)) is not None:
            self._listener.heard(incoming)

    def _confirm(self, stanza: StanzaBase) -> None:
        if isinstance(stanza, Message):
            self._listener.confirmed(stanza["id"])

    def _presence(self, stanza: StanzaBase) -> None:
        if not isinstance(stanza, PresenceStanza):
            return
        kind, sender = stanza.xml.get("type"), stanza["from"]
        shown = stanza.xml.findtext("{jabber:client}show")
        if kind == "unavailable":
            self._listener.seen(str(sender.bare), sender.resource, Presence.OFFLINE)
        elif kind is None:
            found = Presence.AWAY if shown in _AWAY else Presence.AVAILABLE
            self._listener.seen(str(sender.bare), sender.resource, found)
