"""Addresses: only public ones are reached, whatever leads to them, within bounds."""

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import ClassVar

import pytest

from oldhand import Oldhand
from oldhand.errors import (
    AddressRefused,
    DocumentError,
    DocumentGone,
    DocumentTooLarge,
    FetchFailed,
)
from oldhand.sources.documents.fetching import Fetching, is_public

HERE = "127.0.0.1"


class Site(BaseHTTPRequestHandler):
    """Pages by their path: status, headers and body."""

    pages: ClassVar[dict[str, tuple[int, dict[str, str], bytes]]] = {}
    endless: ClassVar[threading.Event] = threading.Event()

    def do_GET(self) -> None:
        if self.path == "/drip":
            self.send_response(200)
            self.end_headers()
            while not self.endless.wait(0.05):
                try:
                    self.wfile.write(b"x")
                except OSError:
                    return
        status, headers, body = self.pages.get(self.path, (404, {}, b""))
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    """The address of a site, whose pages are those of `Site.pages`."""
    Site.pages = {}
    Site.endless = threading.Event()
    server = ThreadingHTTPServer((HERE, 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://{HERE}:{server.server_port}"
    Site.endless.set()
    server.shutdown()
    server.server_close()


def fetching(*inside: str, megabytes: float = 1.0, seconds: float = 10.0) -> Fetching:
    return Fetching(megabytes, seconds, inside)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
        *("0.0.0.0", "255.255.255.255", "224.0.0.1", "192.0.2.1", "198.18.0.1", "240.0.0.1"),
        *(
            "::1",
            "::",
            "fe80::1",
            "fc00::1",
            "fd12::1",
            "ff02::1",
            "::ffff:10.0.0.1",
            "::ffff:7f00:1",
        ),
        *(
            "64:ff9b::10.0.0.1",
            "2002:7f00:1::",
            "2002:a00:1::1",
            "2001:0:4136:e378::1",
            "fec0::1",
            "::127.0.0.1",
        ),
    ],
)
def test_addresses_inside_of_a_network_are_told(address: str):
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "64:ff9b::8.8.8.8"]
)
def test_public_addresses_are_told(address: str):
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/x",
        "http://localhost/x",
        "http://LOCALHOST:8080/x",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://0/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://user:word@8.8.8.8/",
        "https://127.0.0.1/",
        "ftp://8.8.8.8/x",
        "file:///etc/passwd",
        "gopher://8.8.8.8/",
        "http:///x",
        "http://[::1/",
        "http://8.8.8.8:99999/",
    ],
)
def test_what_leads_inside_is_refused(url: str):
    with pytest.raises(AddressRefused):
        fetching().fetch(url)


@pytest.mark.parametrize(
    "place",
    [
        "http://localhost:{port}/secret",
        "//localhost:{port}/secret",
        "file:///etc/passwd",
        "http://[::1]:{port}/",
    ],
)
def test_a_redirection_inside_of_the_network_is_refused(site: str, place: str):
    port = site.rpartition(":")[2]
    Site.pages = {
        "/moved": (302, {"Location": place.format(port=port)}, b""),
        "/secret": (200, {}, b"secret"),
    }
    with pytest.raises(AddressRefused):
        fetching(HERE).fetch(f"{site}/moved")


def test_a_page_is_fetched_with_what_the_server_says_of_it_and_redirections_are_followed(site: str):
    Site.pages = {
        "/old": (301, {"Location": "new?x=1"}, b""),
        "/new?x=1": (200, {"Content-Type": "text/HTML; charset=utf-8"}, b"<p>Hello"),
        "/packed": (200, {}, gzip.compress(b"Hello")),
    }
    assert fetching(HERE).fetch(f"{site}/old") == (b"<p>Hello", "text/html")
    assert fetching(HERE).fetch(f"{site}/packed").data == b"Hello"


BAD = {
    "/gone": (DocumentGone, (404, {}, b"")),
    "/login": (FetchFailed, (401, {}, b"")),
    "/failing": (FetchFailed, (500, {}, b"")),
    "/round": (FetchFailed, (302, {"Location": "/round"}, b"")),
    "/nowhere": (FetchFailed, (302, {}, b"")),
    "/large": (DocumentTooLarge, (200, {}, b"x" * 1_100_000)),
    "/bomb": (DocumentTooLarge, (200, {}, gzip.compress(bytes(50_000_000)))),
    "/cut": (FetchFailed, (200, {"Content-Length": "100"}, b"x")),
}


@pytest.mark.parametrize("path", BAD)
def test_answers_that_are_none_have_a_name(site: str, path: str):
    error, Site.pages[path] = BAD[path]
    with pytest.raises(error) as raised:
        fetching(HERE, seconds=60).fetch(site + path)
    assert type(raised.value) is error


def test_an_answer_that_never_ends_is_ended(site: str):
    with pytest.raises(DocumentError):
        fetching(HERE, seconds=1).fetch(f"{site}/drip")


def test_nobody_at_an_address_is_told():
    for url in (f"http://{HERE}:9/", "http://nobody.invalid/"):
        with pytest.raises(FetchFailed):
            fetching(HERE, seconds=60).fetch(url)


@pytest.mark.parametrize(
    "filling",
    [
        b"<loc>https://[</loc>" + b"<loc>" * 200_000,
        (b"<loc>" + b" " * 2_000) * 400,
        b"<loc><![CDATA[" * 60_000,
    ],
)
def test_a_sitemap_that_is_made_to_take_for_ever_is_read_in_one_go(site: str, filling: bytes):
    page = f"<loc> <![CDATA[ {site}/a.html?x[]=1&amp;y=2 ]]> </loc>".encode()
    Site.pages = {"/sitemap.xml": (200, {}, b"<urlset>" + page + filling + b"</urlset>")}
    found = [*fetching(HERE, megabytes=2).pages_of(f"{site}/sitemap.xml", 10)]
    assert found == [f"{site}/a.html?x[]=1&y=2"]


def test_a_page_that_is_said_to_be_plain_text_is_what_its_name_says(site: str, tmp_path: Path):
    plain = {"Content-Type": "text/plain; charset=utf-8"}
    Site.pages = {"/rules.md": (200, plain, b"# Returns\n\nWithin 30 days.\n")}
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.yaml").write_text(f"documents: {{inside: ['{HERE}']}}\n")
    with Oldhand(home) as old:
        (done,) = old.documents.add(f"{site}/rules.md")
    assert (done.document.name, done.document.media) == ("Returns", "text/markdown")


def put_site(site: str) -> None:
    places = "".join(f"<url><loc>{site}/{name}.html</loc></url>" for name in ("a", "b"))
    others = "<url><loc>http://localhost/secret</loc></url><url><loc>file:///etc/passwd</loc></url>"
    Site.pages = {
        "/sitemap.xml": (
            200,
            {},
            f"<sitemapindex><sitemap><loc>{site}/more.xml</loc></sitemap></sitemapindex>".encode(),
        ),
        "/more.xml": (200, {}, f"<?xml version='1.0'?><urlset>{places}{others}</urlset>".encode()),
        "/a.html": (200, {"Content-Type": "text/html"}, b"<h1>Returns</h1><p>Within 30 days.</p>"),
        "/b.html": (200, {"Content-Type": "text/html"}, b"<h1>Repairs</h1><p>Two weeks.</p>"),
    }


def test_a_sitemap_brings_its_pages_and_what_is_new_in_it(site: str, tmp_path: Path):
    put_site(site)
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.yaml").write_text(f"documents: {{inside: ['{HERE}'], fetch_seconds: 60}}\n")
    with Oldhand(home) as old:
        done = old.documents.add(f"{site}/sitemap.xml")
        assert [(one.document.name, one.change.value) for one in done] == [
            ("Returns", "read"),
            ("Repairs", "read"),
        ]
        more = Site.pages["/more.xml"][2].replace(
            b"</urlset>", f"<url><loc>{site}/c.html</loc></url></urlset>".encode()
        )
        Site.pages |= {"/more.xml": (200, {}, more), "/c.html": (200, {}, b"<html><p>New.</p>")}
        del Site.pages["/a.html"]
        changes = {
            one.document.source.rpartition("/")[2]: one.change.value
            for one in old.documents.refresh()
        }
        assert changes == {"a.html": "gone", "b.html": "unchanged", "c.html": "read"}
        Site.pages["/b.html"] = (500, {}, b"")
        assert "failed" in {one.change.value for one in old.documents.refresh()}
        assert old.documents.get("Repairs").passages == 1  # what cannot be looked at now stays
        assert len(old.documents.remove(f"{site}/sitemap.xml")) == 3
        assert old.documents.list() == ()
