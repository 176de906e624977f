"""Documents from the web: public addresses only, whatever name or redirection leads to them, within bounds of size and time.

The name is looked up first, all its addresses are checked, and the connection goes to the very address that was checked: so no
second answer of a name server leads elsewhere. Proxies are not asked.
"""

import html
import re
import socket
import ssl
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Timer
from typing import NamedTuple, TypeVar
from urllib.parse import SplitResult, urljoin, urlsplit, urlunsplit

from oldhand.errors import AddressRefused, DocumentGone, DocumentTooLarge, FetchFailed

T = TypeVar("T")

_REDIRECTIONS = 5
_SITEMAPS = 50
"""Files that one index of sitemaps may lead to."""
_GONE, _MOVED = (404, 410), (301, 302, 303, 307, 308)
_PLACE = re.compile(rb"<loc>(?:\s*<!\[CDATA\[)?((?:[^<>\]]|\](?!\]>)){1,3000})(?:\]\]>\s*)?</loc>")
"""Says of each character what it may be, so that a hostile text is passed over in one go."""
_INDEX = re.compile(rb"<(?:\w+:)?sitemapindex\b")
_URLS = re.compile(rb"<(?:\w+:)?(?:urlset|sitemapindex)\b")
_TRANSLATED = ip_network("64:ff9b::/96")
"""Where IPv6 stands for the addresses of IPv4."""
_GZIP = b"\x1f\x8b"


class Fetched(NamedTuple):
    """What an address gave."""

    data: bytes
    said: str
    """The kind that the server says it is of."""


def is_url(source: str) -> bool:
    """Whether a source is an address of the web.

    >>> is_url("https://kaya.example/returns"), is_url("returns.md")
    (True, False)
    """
    return source.lower().startswith(("http://", "https://"))


def names_sitemap(url: str) -> bool:
    """Whether an address is one of a sitemap, by its name.

    >>> names_sitemap("https://kaya.example/sitemap.xml"), names_sitemap("https://kaya.example/")
    (True, False)
    """
    return urlsplit(url).path.lower().endswith((".xml", ".xml.gz"))


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the open net: not of this machine, of a network of one's own, or a way around that.

    >>> [is_public(ip_address(one)) for one in ("8.8.8.8", "10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::7f00:1")]
    [True, False, False, False]
    """
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in _TRANSLATED:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        if address.teredo or address.scope_id or address.is_site_local:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


@dataclass(frozen=True)
class Fetching:
    """Fetches documents.

    Args:
        megabytes: size of an answer that is taken.
        seconds: time for one document, redirections included each anew.
        inside: names of hosts that may be reached although they are no public ones.
        setting: what names these.
    """

    megabytes: float
    seconds: float
    inside: Collection[str] = ()
    setting: str = "documents.inside"

    def fetch(self, url: str) -> Fetched:
        """What an address gives.

        Raises:
            AddressRefused: it leads inside of a network, or is none of http or https.
            DocumentGone: there is nothing any longer.
            DocumentTooLarge: it is larger than it may be.
            FetchFailed: it does not answer, or not with a document.
        """
        for _ in range(_REDIRECTIONS + 1):
            found = self._asked(url, self._taken)
            if isinstance(found, Fetched):
                return found
            url = urljoin(url, found)
        raise FetchFailed(f"It is redirected more than {_REDIRECTIONS} times.")

    def check(self, url: str) -> None:
        """Refuse an address that may not be reached.

        Raises:
            AddressRefused: as `fetch`.
            FetchFailed: there is no such host.
        """
        self._address(_parts(url))

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> None:
        """Send something to an address; it has to say that it took it, and not to look elsewhere.

        Raises:
            AddressRefused: as `fetch`.
            FetchFailed: it does not answer, or not with a status from 200 to 299.
        """
        self._asked(url, _taken_by, body, headers)

    def pages_of(self, sitemap: str, most: int) -> Iterator[str]:
        """The addresses of a sitemap, and of those it leads to; only of its own host, as sitemaps are made.

        Raises:
            DocumentError: as `fetch`; one that an index leads to is passed over.
        """
        left, seen, host = [sitemap], {sitemap}, urlsplit(sitemap).hostname
        while left and most > 0:
            found = self.fetch(left.pop(0))
            if not _URLS.search(found.data):
                raise FetchFailed(f"{sitemap} is no sitemap.")
            for place in _PLACE.findall(found.data):
                url = html.unescape(place.decode("utf-8", "replace")).strip()
                if url in seen or _host_of(url) != host or not is_url(url):
                    continue
                seen.add(url)
                if _INDEX.search(found.data) and len(seen) <= _SITEMAPS:
                    left.append(url)
                elif not _INDEX.search(found.data) and most > 0:
                    most -= 1
                    yield url

    def _asked(
        self,
        url: str,
        take: Callable[[HTTPResponse], T],
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> T:
        """What is taken of what an address says."""
        parts = _parts(url)
        connection = _Checked(parts, self._address(parts), self.seconds)
        watch = Timer(self.seconds, connection.sever)
        watch.start()
        try:
            path = urlunsplit(("", "", parts.path or "/", parts.query, ""))
            # Compressed answers may grow without end.
            given = {"User-Agent": "oldhand", "Accept-Encoding": "identity", **(headers or {})}
            connection.request("GET" if body is None else "POST", path, body, given)
            taken = take(connection.getresponse())
        except (OSError, HTTPException, UnicodeError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise FetchFailed(f"{parts.hostname} does not answer in order: {why}.") from error
        finally:
            watch.cancel()
            connection.close()
        if connection.severed:
            raise FetchFailed(f"{parts.hostname} takes more than {self.seconds:g} s.")
        return taken

    def _taken(self, answer: HTTPResponse) -> Fetched | str:
        if answer.status in _MOVED:
            if place := answer.getheader("Location"):
                return place
            raise FetchFailed("It is redirected to nowhere.")
        if answer.status in _GONE:
            raise DocumentGone
        if answer.status != 200:
            raise FetchFailed(
                f"The server says {answer.status} {answer.reason}.".replace(" .", ".")
            )
        most = round(self.megabytes * 1_000_000)
        data = answer.read(most + 1)
        if data.startswith(_GZIP):
            with suppress(zlib.error):
                data = zlib.decompressobj(31).decompress(data, most + 1)
        if len(data) > most:
            raise DocumentTooLarge(f"It is larger than {self.megabytes:g} MB.")
        if answer.length:  # it was cut off
            raise FetchFailed("The answer ended before it was complete.")
        return Fetched(
            data, (answer.getheader("Content-Type") or "").partition(";")[0].strip().lower()
        )

    def _address(self, parts: SplitResult) -> tuple[str, int]:
        """Where a host is.

        Raises:
            AddressRefused: at an address that is not public; also when only one of several is.
        """
        host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise FetchFailed(f"There is no host {host}.") from error
        addresses = [str(one[4][0]) for one in found]
        if host not in self.inside and not all(is_public(ip_address(one)) for one in addresses):
            raise AddressRefused(
                f"{host} is inside of a network: `{self.setting}` in the settings names hosts that may be reached."
            )
        return addresses[0], port


def _taken_by(answer: HTTPResponse) -> None:
    if not 200 <= answer.status < 300:
        raise FetchFailed(f"The server says {answer.status} {answer.reason}.".replace(" .", "."))


def _host_of(url: str) -> str | None:
    """The host of an address; None where it has none or does not parse."""
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError as error:
        raise AddressRefused(f"The address does not parse: {error}.") from error
    if not usable:
        raise AddressRefused("Only addresses of http and https are read.")
    if parts.username or parts.password:
        raise AddressRefused("An address with a password in it is not read.")
    return parts


class _Checked(HTTPConnection):
    """A connection to an address that was checked, under the name of its host."""

    def __init__(self, parts: SplitResult, address: tuple[str, int], seconds: float) -> None:
        super().__init__(parts.hostname or "", address[1], timeout=seconds)
        self._address = address
        self._line: socket.socket | None = None
        self.severed = False
        self._is_secret = parts.scheme == "https"
        self.default_port = 443 if self._is_secret else 80

    def connect(self) -> None:
        """Connect to the address, and to no other one."""
        self.sock = self._line = socket.create_connection(self._address, self.timeout)
        if self._is_secret:
            context = ssl.create_default_context()
            self.sock = self._line = context.wrap_socket(self.sock, server_hostname=self.host)

    def sever(self) -> None:
        """End it, whatever it waits for."""
        self.severed = True
        if self._line is not None:  # the answer may have taken it over
            with suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)
