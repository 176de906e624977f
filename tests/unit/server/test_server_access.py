"""Who gets in where: every route, every role, the other tenant, and pages of other sites."""

from pathlib import Path

import httpx2 as http
import pytest
from starlette.types import Message, Receive, Scope, Send
from tests.patience import PATIENCE
from tests.unit.server.conftest import Served

from oldhand import Oldhand
from oldhand.face.exposed import EXPOSED
from oldhand.record.access import Role
from oldhand.server.limits import Limits
from oldhand.server.next_steps import FACES
from oldhand.server.web.routes import PAGES
from oldhand.settings import ServerSettings
from oldhand.testing import FixedClock

PUBLIC = {"/api/health", "/api/sign-in", "/api/shared/{token}"} | {
    f"/api/sign-in/{{provider}}{it}" for it in ("", "/done", "/sign-out")
}
"""Nobody has to be signed in for these."""
CALLER = http.Client(timeout=PATIENCE)
"""Calls each route in turn over one connection; a busy machine answers late."""


def filled(path: str) -> str:
    names = (
        "episode_id",
        "memory_id",
        "name",
        "user",
        "credential_id",
        "message_id",
        "role",
        "version",
        "board",
    )
    for name in names:
        path = path.replace(f"{{{name}}}", "nothing-of-that-name")
    return path


def routes(served: Served) -> list[tuple[str, str]]:
    spec = CALLER.get(f"{served.url}/api/openapi.json").json()
    found = [
        (verb.upper(), path)
        for path, verbs in spec["paths"].items()
        for verb in verbs
        if path not in PUBLIC
    ]
    assert len(found) > 50
    return found


def status(served: Served, verb: str, path: str, key: str | None, clone: str = "default") -> int:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    where = served.url + filled(path.replace("{clone}", clone))
    body = {"json": {}} if verb == "POST" else {}
    return CALLER.request(verb, where, headers=headers, **body).status_code


def test_nobody_gets_in_without_a_key(served: Served):
    for verb, path in routes(served):
        for key in (None, "oldhand_key_000000000000_wrong", served.share, "x" * 5000):
            assert status(served, verb, path, key) == 401, (verb, path, key)


def test_another_tenant_finds_no_such_assistant(served: Served):
    tenants = [(verb, path) for verb, path in routes(served) if "{clone}" in path]
    assert len(tenants) >= len(EXPOSED)
    for verb, path in tenants:
        assert status(served, verb, path, served.other_key) == 404, (verb, path)
        assert status(served, verb, path, served.keys["owner"], "other") == 404, (verb, path)


def test_each_role_may_do_what_the_table_says_and_no_more(served: Served):
    for one in EXPOSED:
        for role in Role:
            if role.may(one.least):
                continue
            path = "/api/clones/{clone}" + one.path
            assert status(served, one.verb, path, served.keys[role]) == 403, (one.method, role)


def test_a_refusal_is_noted(served: Served):
    own = {"Authorization": f"Bearer {served.keys['member']}"}
    http.get(f"{served.url}/api/clones/default/audit", headers=own)
    owner = {"Authorization": f"Bearer {served.keys['owner']}"}
    found = http.get(f"{served.url}/api/clones/default/audit", headers=owner).json()
    refused = [one for one in found if not one["allowed"] and one["actor"] == "mo"]
    assert refused
    assert refused[0]["action"] == "GET /api/clones/default/audit"


def test_a_guest_sees_only_what_the_guest_asked(served: Served):
    owner = {"Authorization": f"Bearer {served.keys['owner']}"}
    place = f"{served.url}/api/clones/default"
    of_owner = http.post(f"{place}/ask", json={"question": "How many customers are there?"}, headers=owner).json()  # fmt: skip
    with http.Client(base_url=served.url, headers={"Sec-Fetch-Site": "same-origin"}) as guest:
        assert guest.post("/api/sign-in", json={"token": served.share}).json()["clones"] == {"default": "external"}  # fmt: skip
        asked = guest.post("/api/clones/default/ask", json={"question": "How many customers are there?"}).json()  # fmt: skip
        assert [one["id"] for one in guest.get("/api/clones/default/answers").json()] == [asked["episode_id"]]  # fmt: skip
        assert guest.get(f"/api/clones/default/answers/{of_owner['episode_id']}").status_code == 404
        vote = {"contentRating": 1}
        rated = guest.post(f"/public/chat/message/{asked['episode_id']}/feedback", json=vote).json()
        assert (rated["source"], rated["learned"]) == ("external", [])
        theirs = guest.post(f"/chat/message/{of_owner['episode_id']}/feedback", json=vote)
        assert theirs.status_code == 404
        style = vote | {"styleRating": 1}
        assert guest.post(f"/chat/message/{asked['episode_id']}/feedback", json=style).status_code == 403  # fmt: skip


def test_nobody_speaks_in_another_name(served: Served):
    member = {"Authorization": f"Bearer {served.keys['member']}"}
    place = f"{served.url}/api/clones/default"
    asked = {"question": "How many customers are there?", "user": "ana"}
    assert http.post(f"{place}/ask", json=asked, headers=member).status_code == 422
    said = {"messages": [{"role": "user", "content": "How many customers?"}], "context": {"user": "ana"}}  # fmt: skip
    episode = http.post(f"{place}/route", json=said, headers=member).json()["episode_id"]
    found = http.get(f"{place}/answers/{episode}", headers=member).json()
    assert found["user_id"] == "mo"


@pytest.mark.parametrize("headers", [{}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}])  # fmt: skip
def test_a_page_of_another_site_cannot_ride_on_a_cookie(served: Served, headers: dict[str, str]):
    with http.Client(base_url=served.url) as guest:
        guest.post("/api/sign-in", json={"token": served.share})
        question = {"question": "How many customers are there?"}
        assert guest.post("/api/clones/default/ask", json=question, headers=headers).status_code == 403  # fmt: skip
        assert guest.get("/api/me", headers=headers).status_code == 200


def test_an_invite_signs_in_once(served: Served):
    owner = {"Authorization": f"Bearer {served.keys['admin']}"}
    made = http.post(f"{served.url}/api/clones/default/invites/mo", headers=owner).json()
    first, second = (
        http.post(f"{served.url}/api/sign-in", json={"token": made["token"]}) for _ in range(2)
    )
    assert (first.status_code, second.status_code) == (200, 401)
    assert "HttpOnly" in first.headers["set-cookie"]


def test_secrets_of_databases_do_not_leave(served: Served):
    owner = {"Authorization": f"Bearer {served.keys['owner']}"}
    found = http.get(f"{served.url}/api/clones/default/databases", headers=owner).text
    assert str(served.home.parent) not in found
    assert "sqlite://" in found


def test_a_revoked_key_is_good_no_more(served: Served):
    owner = {"Authorization": f"Bearer {served.keys['owner']}"}
    place = f"{served.url}/api/clones/default"
    made = http.post(f"{place}/keys", json={"label": "short"}, headers=owner).json()
    own = {"Authorization": f"Bearer {made['token']}"}
    assert http.get(f"{place}/people", headers=own).status_code == 200
    http.delete(f"{place}/keys/{made['credential']['id']}", headers=owner)
    assert http.get(f"{place}/people", headers=own).status_code == 401


def test_too_much_is_refused(served: Served):
    owner = {"Authorization": f"Bearer {served.keys['owner']}"}
    big = http.post(f"{served.url}/api/clones/default/ask", content=b"x" * 20_000_001, headers=owner)  # fmt: skip
    assert big.status_code == 413


async def test_who_asks_too_often_waits():
    clock = FixedClock()
    said: list[int] = []

    async def app(_: Scope, __: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            said.append(message["status"])

    async def receive() -> Message:
        return {"type": "http.request"}

    settings = ServerSettings(requests_per_second=1, burst=2)
    limits = Limits(app, settings=settings, monotonic=clock.monotonic)
    for address in ("a", "a", "a", "b"):
        scope = {"type": "http", "headers": [], "client": (address, 1)}
        await limits(scope, receive, send)
    assert said == [200, 200, 429, 200]
    clock.advance(1)
    await limits({"type": "http", "headers": [], "client": ("a", 1)}, receive, send)
    assert said[-1] == 200


def test_members_read_what_is_for_members(served: Served, tmp_path: Path):
    paper = tmp_path / "leave.md"
    paper.write_text(
        "# Leave\n\nHolidays are requested from the office at least two weeks before.\n"
    )
    with Oldhand(served.home) as old:
        old.documents.add(paper, readers="members", user="ana")
    question = {"question": "When do I have to request holidays?"}
    for role, told in (("owner", True), ("member", True), ("external", False)):
        own = {"Authorization": f"Bearer {served.keys[role]}"}
        answer = http.post(f"{served.url}/api/clones/default/ask", json=question, headers=own).json()  # fmt: skip
        assert ("two weeks" in answer["text"]) is told, (role, answer["text"])
        assert bool(answer["citations"]) is told


def test_what_to_do_next_is_a_page_in_the_browser_and_a_method_for_programs(served: Served):
    where = f"{served.url}/api/clones/default/saved/nothing"
    key = {"Authorization": f"Bearer {served.keys['owner']}"}
    assert http.get(where, headers=key).json()["detail"].endswith("`saved.list` names all.")
    with http.Client(base_url=served.url, headers={"Origin": served.url}) as browser:
        browser.post("/api/sign-in", json={"token": served.keys["owner"]})
        assert browser.get(where).json()["detail"].endswith("the page Saved names all.")
        page = browser.get("/clones/default/saved/nothing", headers={"Accept": "text/html"})
        assert "the page Saved names all." in page.text
    titles = {one.title for one in PAGES}
    named = {face.browser.removeprefix("the page ") for face in FACES.values()}
    assert {one for one in named if one[0].isupper()} <= titles
