"""Who gets answers in tests: a mail server and a program behind an address, both real and on loopback."""

import asyncio
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from tests.patience import PATIENCE


@dataclass
class MailServer:
    """What came, and whether it takes anything."""

    port: int = 0
    mails: list[EmailMessage] = field(default_factory=list[EmailMessage])
    refuses: bool = False
    security: str = "none"
    certificate: Path | None = None

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.refuses:
            return "451 Try again later"
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"


def _is_ours(server: SMTP, session: Session, envelope: Envelope, way: str, data: LoginPassword) -> AuthResult:  # fmt: skip
    is_known = (data.login, data.password) == (b"oldhand", b"s3cret")
    return AuthResult(success=is_known, handled=is_known)


@contextmanager
def mail_server(security: str = "none", folder: Path | None = None) -> Iterator[MailServer]:
    """A mail server; one that speaks TLS makes itself a certificate in a folder, and wants a password."""
    found, loop, tls = MailServer(security=security), asyncio.new_event_loop(), None
    if folder is not None:
        found.certificate, key = folder / "cert.pem", folder / "key.pem"
        made = f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout {key} -out {found.certificate}"
        subprocess.run(made.split(), check=True, capture_output=True)
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(found.certificate, key)

    def opened() -> SMTP:
        if tls is None:
            return SMTP(found, loop=loop)
        starts = security == "starttls"
        given = {"tls_context": tls, "require_starttls": True} if starts else {"auth_require_tls": False}  # fmt: skip
        return SMTP(found, loop=loop, authenticator=_is_ours, auth_required=True, **given)

    listening = loop.create_server(opened, "127.0.0.1", 0, ssl=tls if security == "tls" else None)
    server = loop.run_until_complete(listening)
    found.port = server.sockets[0].getsockname()[1]
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@dataclass
class Program:
    """What was posted to it, and how it answers."""

    url: str = ""
    status: int = 200
    posted: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    came: threading.Event = field(default_factory=threading.Event)
    answers: threading.Event = field(default_factory=threading.Event)
    """Set while it does, and does not let wait."""

    def __post_init__(self) -> None:
        self.answers.set()


@contextmanager
def program() -> Iterator[Program]:
    found = Program()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.posted.append(({k.lower(): v for k, v in self.headers.items()}, body))
            found.came.set()
            found.answers.wait(PATIENCE)
            self.send_response(found.status)
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_port}/hook"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
