"""An archive that is read page by page, and no longer knows the message behind which it is to go on."""

from datetime import UTC, datetime
from typing import cast

import pytest
from slixmpp import Iq
from slixmpp.exceptions import IqError

from oldhand.human.account import XmppAccount
from oldhand.human.session import SessionListener, XmppSession

SINCE = datetime(2026, 1, 1, tzinfo=UTC)


def forgotten() -> IqError:
    iq = Iq()
    iq["type"], iq["error"]["condition"] = "error", "item-not-found"
    return IqError(iq)


class Forgetful(XmppSession):
    """Its archive gives a first page, and knows no message behind which another one begins."""

    def __init__(self) -> None:
        listener = SessionListener(lambda _: None, lambda _: None, lambda *_: None)
        super().__init__(XmppAccount(jid="shop@localhost", password="secret"), listener)
        self.asked: list[str | None] = []

    async def _page(self, after: str | None, since: datetime) -> Iq:
        self.asked.append(after)
        if after is not None:
            raise forgotten()
        page = {"mam": {"results": []}, "mam_fin": {"rsm": {"last": "b"}, "complete": "false"}}
        return cast("Iq", page)


async def test_an_archive_that_knows_none_of_its_own_messages_is_begun_anew_once():
    session = Forgetful()
    with pytest.raises(IqError):
        _ = [one async for one in session.archived("a", SINCE)]
    assert session.asked == ["a", None, "b"]
