"""Archives that no longer know where to go on, and such as fail while something is heard live."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import cast

import pytest
from slixmpp import Iq
from slixmpp.exceptions import IqError

from oldhand.human.addresses import XmppAccount
from oldhand.human.link import XmppLink
from oldhand.human.message import AgentMessage, Incoming, StanzaKind
from oldhand.human.position import ArchivePosition
from oldhand.human.session import SessionListener, XmppSession

SINCE = datetime(2026, 1, 1, tzinfo=UTC)


ACCOUNT = XmppAccount(jid="shop@localhost", password="secret")


def failure(condition: str) -> IqError:
    iq = Iq()
    iq["type"], iq["error"]["condition"] = "error", condition
    return IqError(iq)


class Forgetful(XmppSession):
    """Its archive gives a first page, and knows no message behind which another one begins."""

    def __init__(self) -> None:
        listener = SessionListener(lambda _: None, lambda _: None, lambda *_: None)
        super().__init__(ACCOUNT, listener)
        self.asked: list[str | None] = []

    async def _page(self, after: str | None, since: datetime) -> Iq:
        self.asked.append(after)
        if after is not None:
            raise failure("item-not-found")
        page = {"mam": {"results": []}, "mam_fin": {"rsm": {"last": "b"}, "complete": "false"}}
        return cast("Iq", page)


async def test_an_archive_that_knows_none_of_its_own_messages_is_begun_anew_once():
    session = Forgetful()
    with pytest.raises(IqError):
        _ = [one async for one in session.archived("a", SINCE)]
    assert session.asked == ["a", None, "b"]


def said(text: str) -> Incoming:
    message = AgentMessage("shop@localhost", "bo@localhost", text, id=text)
    return Incoming(StanzaKind.SAID, message, archive_id=f"place of {text}")


class Recovering(XmppSession):
    """Its archive fails once, while a second message comes in; then it gives both."""

    def __init__(self, take: SessionListener) -> None:
        super().__init__(ACCOUNT, take)
        self.fails = True

    def announce(self) -> None:
        """It tells nobody that it is there."""

    async def archived(self, after: str | None, since: datetime) -> AsyncIterator[Incoming]:
        if self.fails:
            self.fails = False
            self._listener.heard(said("two"))
            raise failure("internal-server-error")
        for one in ("one", "two"):
            yield said(one)
        self._ended.set_result("read")


@pytest.mark.parametrize("late", [False, True])
async def test_what_was_heard_live_while_the_archive_failed_is_not_heard_again_after_a_restart(
    late,
):
    """Neither where all before it was settled at once, nor where that took longer than the archive."""
    position, heard = ArchivePosition(), list[Incoming]()

    def hear(incoming: Incoming) -> None:
        heard.append(incoming)
        if not late or incoming.message.body == "two":
            link.settled(incoming)

    link = XmppLink(ACCOUNT, hear, position=position, reads_back=True)
    session = Recovering(SessionListener(link._take, link._confirm, link._see))
    async with asyncio.timeout(30):
        await link._while_up(session)
    assert [one.message.body for one in heard] == ["two", "one"]
    if late:
        assert position.last() is None
        link.settled(heard[1])
    assert position.last() == "place of two"
