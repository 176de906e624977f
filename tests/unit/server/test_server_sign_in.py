"""Signing in with an account of elsewhere, against a real provider that runs beside the test."""

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2 as http
import pytest
import yaml
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey
from tests.unit.server.conftest import running

from oldhand import Oldhand
from oldhand.errors import IdentityRefused
from oldhand.server.oidc import BegunSignIn, OpenIDProvider
from oldhand.settings import IdentityProvider
from oldhand.testing import FixedClock

mock = pytest.importorskip("oidc_provider_mock", reason="install it with: make dev")

SECRET = "not-to-be-printed"


@dataclass(frozen=True)
class Company:
    """A server, and the provider whose people sign in."""

    url: str
    issuer: str
    home: Path


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Company]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    home = tmp_path_factory.mktemp("company")
    with mock.run_server_in_thread() as server:
        issuer = f"http://localhost:{server.server_port}"
        one = {"issuer": issuer, "client_id": "oldhand", "client_secret": SECRET}
        providers = [
            {"name": "acme", "domains": ["acme.example"], **one},
            {"name": "gone", **one, "issuer": "http://localhost:9"},
        ]
        (home / "settings.yaml").write_text(yaml.safe_dump({"server": {"sign_in": providers}}))
        with Oldhand(home) as old:
            old.people.name(owner="ana@else.example")
            assert SECRET not in repr(old.settings.get()) + old.settings.get().model_dump_json()
        with running(home) as url:
            yield Company(url, issuer, home)


def vouched(company: Company, subject: str, email: str, *, verified: bool = True) -> None:
    claims = {"email": email, "email_verified": verified}
    http.put(f"{company.issuer}/users/{subject}", json=claims).raise_for_status()


def sent_back(company: Company, browser: http.Client, subject: str, **query: str) -> str:
    """Where the provider sends the browser after somebody has signed in there."""
    begun = browser.get("/api/sign-in/acme", params=query)
    assert begun.status_code == 303
    asked = parse_qs(urlsplit(begun.headers["location"]).query)
    assert asked["code_challenge_method"] == ["S256"]
    done = http.post(begun.headers["location"], data={"sub": subject})
    return done.headers["location"]


def signed_in(company: Company, browser: http.Client, subject: str, **query: str) -> http.Response:
    return browser.get(sent_back(company, browser, subject, **query))


@pytest.fixture
def browser(company: Company) -> Iterator[http.Client]:
    own = {"Sec-Fetch-Site": "same-origin"}
    with http.Client(base_url=company.url, headers=own) as opened:
        yield opened


def test_providers_are_listed_for_the_page(company: Company, browser: http.Client):
    listed = browser.get("/api/sign-in").json()
    assert [one["address"] for one in listed] == ["/api/sign-in/acme", "/api/sign-in/gone"]


def test_the_owner_comes_in_by_a_verified_address_and_then_by_the_subject(company: Company, browser: http.Client):  # fmt: skip
    vouched(company, "s1", "Ana@Else.Example")
    back = signed_in(company, browser, "s1", after="/people")
    assert back.headers["location"] == f"{company.url}/people"
    assert browser.get("/api/me").json() == {"user": "ana@else.example", "clones": {"default": "owner"}}  # fmt: skip
    assert browser.post("/api/sign-out").status_code == 204
    assert browser.get("/api/me").status_code == 401
    vouched(company, "s1", "renamed@nowhere.example")
    signed_in(company, browser, "s1")
    assert browser.get("/api/me").json()["user"] == "ana@else.example"
    # Another subject with her address is somebody else.
    vouched(company, "s2", "ana@else.example")
    assert "already" in signed_in(company, http.Client(base_url=company.url), "s2").json()["detail"]


def test_people_of_the_domain_are_let_in_and_no_others(company: Company, browser: http.Client):
    vouched(company, "n1", "new@acme.example")
    signed_in(company, browser, "n1")
    assert browser.get("/api/me").json()["clones"] == {"default": "member"}
    stranger = http.Client(base_url=company.url)
    for email, verified in (("x@evil.example", True), ("y@acme.example", False), ("z@notacme.example", True)):  # fmt: skip
        vouched(company, "x1", email, verified=verified)
        refused = signed_in(company, stranger, "x1")
        assert (refused.status_code, refused.json()["type"]) == (401, "IdentityRefused")
        assert stranger.get("/api/me").status_code == 401


def test_whose_account_was_closed_stays_out(company: Company, browser: http.Client):
    vouched(company, "c1", "cy@acme.example")
    signed_in(company, browser, "c1")
    with Oldhand(company.home) as old:
        old.access.close_account("cy@acme.example")
    assert "closed" in signed_in(company, browser, "c1").json()["detail"]


def test_a_code_is_good_once_and_only_in_the_browser_that_asked(company: Company, browser: http.Client):  # fmt: skip
    vouched(company, "r1", "ro@acme.example")
    back = sent_back(company, browser, "r1")
    stranger = http.Client(base_url=company.url)
    assert "began no sign-in" in stranger.get(back).json()["detail"]
    forged = back.replace("state=", "state=x")
    assert "another sign-in" in browser.get(forged).json()["detail"]
    cookies = dict(browser.cookies)
    assert browser.get(back).status_code == 303
    again = http.Client(base_url=company.url, cookies=cookies).get(back)
    assert "invalid_grant" in again.json()["detail"]
    assert browser.get("/api/sign-in/acme/done?error=access_denied").status_code == 401


def test_a_page_of_elsewhere_is_never_come_back_to(company: Company, browser: http.Client):
    vouched(company, "n1", "new@acme.example")
    for after in ("//evil.example", "https://evil.example", "/\\evil.example"):
        assert (
            signed_in(company, browser, "n1", after=after).headers["location"] == f"{company.url}/"
        )


def test_a_provider_that_is_down_is_named_and_browsers_see_a_page(company: Company, browser: http.Client):  # fmt: skip
    down = browser.get("/api/sign-in/gone")
    assert (down.status_code, down.json()["type"]) == (502, "ProviderUnreachable")
    page = browser.get("/api/sign-in/gone", headers={"Accept": "text/html"})
    assert "gone cannot sign anybody in just now" in page.text
    assert 'href="/api/sign-in/acme?after=' in browser.get("/").text
    assert browser.get("/api/sign-in/none").status_code == 400


def test_signing_out_goes_on_to_the_provider(company: Company, browser: http.Client):
    place = browser.get("/api/sign-in/acme/sign-out").headers["location"]
    assert place.startswith(f"{company.issuer}/oauth2/end_session?client_id=oldhand")


class Signing:
    """A provider whose tokens say what a test wants, with keys that change."""

    def __init__(self) -> None:
        self.issuer = "https://id.example"
        self.clock = FixedClock()
        self.key = RSAKey.generate_key(2048, {"kid": "1"})
        self.claims: dict[str, object] = {}
        self.asked: list[str] = []
        wire = http.AsyncClient(transport=http.MockTransport(self.answer))
        settings = IdentityProvider(name="id", issuer=self.issuer, client_id="oldhand")
        self.provider = OpenIDProvider(settings, wire, self.clock.monotonic)

    def answer(self, request: http.Request) -> http.Response:
        place = request.url.path.rpartition("/")[2]
        self.asked.append(place)
        if place == "openid-configuration":
            ends = ("authorization_endpoint", "token_endpoint", "jwks_uri")
            return http.Response(200, json={"issuer": self.issuer, **{one: f"{self.issuer}/{one}" for one in ends}})  # fmt: skip
        if place == "jwks_uri":
            return http.Response(200, json=KeySet([self.key]).as_dict(private=False))
        header = {"alg": "RS256", "kid": self.key.kid}
        return http.Response(200, json={"id_token": jwt.encode(header, self.claims, self.key)})

    async def says(self, **claims: object) -> str:
        now = int(time.time())
        good = {"iss": self.issuer, "aud": "oldhand", "sub": "1", "iat": now, "exp": now + 60, "nonce": "n"}  # fmt: skip
        self.claims = {name: it for name, it in {**good, **claims}.items() if it is not None}
        return (await self.provider.identity("c", BegunSignIn("s", "n", "v", "https://us/done"))).subject  # fmt: skip


async def test_only_a_word_that_is_for_us_and_now_is_believed():
    signing = Signing()
    assert await signing.says() == "1"
    others = (
        {"aud": "another"},
        {"aud": ["oldhand", "another"]},
        {"aud": ["oldhand", "another"], "azp": "another"},
        {"iss": "https://evil.example"},
        {"nonce": "old"},
        {"nonce": None},
        {"exp": 1},
        {"sub": None},
    )
    for claims in others:
        with pytest.raises(IdentityRefused):
            await signing.says(**claims)
    assert await signing.says(aud=["oldhand", "another"], azp="oldhand") == "1"


async def test_keys_may_change_and_made_up_tokens_do_not_make_us_ask_all_the_time():
    signing = Signing()
    assert await signing.says() == "1"
    signing.key = RSAKey.generate_key(2048, {"kid": "2"})
    with pytest.raises(IdentityRefused, match="not signed"):
        await signing.says()
    assert signing.asked.count("jwks_uri") == 1
    signing.clock.advance(31)
    assert await signing.says() == "1"
    assert signing.asked.count("jwks_uri") == 2
