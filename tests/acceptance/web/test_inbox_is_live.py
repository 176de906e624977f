"""The inbox tells news as it comes, to whom it belongs, and to no page of others."""

import json
import re
from collections.abc import Callable

import pytest
from tests.acceptance.web.conftest import Pages, Visit, sync_api
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from oldhand import Oldhand

expect = sync_api.expect


def test_a_question_comes_and_goes_by_itself(visit: Visit, pages: Pages) -> None:
    inbox = visit("/inbox")
    expect(inbox.get_by_role("heading", name="Waiting for you")).to_be_visible()
    with Oldhand(pages.home) as elsewhere:
        one = elsewhere.experts.ask("Who repairs tandems?", experts="ana", user="mo")
        card = inbox.locator("article", has_text="Who repairs tandems?")
        expect(card).to_be_visible()
        expect(inbox).to_have_title(re.compile(r"^\(\d+\) Inbox · Oldhand$"))
        card.get_by_label("Your answer").fill("a draft")
        elsewhere.experts.explain(one.id, "In Oslo.", user="mo")
        card.get_by_label("Your answer").press("End")
        expect(card.get_by_label("Your answer")).to_have_value("a draft")  # nothing is taken away
        card.get_by_label("Your answer").fill("")
        inbox.locator("h1").click()
        expect(card).to_contain_text("In Oslo.")
        elsewhere.experts.withdraw(one.id, user="mo")
        expect(card).to_have_count(0)


@pytest.fixture
def socket(pages: Pages) -> Callable[..., ClientConnection]:
    def opened(**headers: str) -> ClientConnection:
        url = pages.url.replace("http", "ws")
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return connect(f"{url}/api/clones/default/inbox/live", additional_headers=named)

    return opened


def test_only_who_is_signed_in_is_told_and_only_from_a_page_of_this_server(
    pages: Pages, visit: Visit, socket: Callable[..., ClientConnection]
) -> None:
    (cookie,) = visit().context.cookies()
    session = f"{cookie['name']}={cookie['value']}"
    for refused in (
        {},
        {"Cookie": session},
        {"Cookie": session, "Origin": "https://evil.example"},
        {"Authorization": "Bearer nonsense"},
        {"Authorization": f"Bearer {pages.keys['xi']}"},  # may ask, and no more
    ):
        with pytest.raises(InvalidStatus):
            socket(**refused)
    with socket(Cookie=session, Origin=pages.url) as mine:
        assert "waiting" in json.loads(mine.recv(10))
        mine.send("{")
        assert json.loads(mine.recv(10)) == {"problem": "This is no reply."}
        mine.send(json.dumps({"thread": "t1", "text": "x"}))
        assert "waits no longer" in json.loads(mine.recv(10))["problem"]


def test_nothing_is_told_once_a_key_is_withdrawn(
    pages: Pages, socket: Callable[..., ClientConnection]
) -> None:
    with Oldhand(pages.home) as old:
        issued = old.access.issue_key("mo")
        with socket(Authorization=f"Bearer {issued.token}") as mine:
            mine.recv(10)
            old.access.revoke(issued.credential.id)
            mine.send("{}")
            with pytest.raises(ConnectionClosed):
                mine.recv(10)
