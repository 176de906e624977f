"""Who signs in to an XMPP server, and where."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class XmppAccount:
    """Who signs in, and where."""

    jid: str
    """Such as `shop@example.org`."""
    password: str = field(repr=False)
    host: str | None = None
    """Address of the server; the domain's own when None."""
    port: int = 5222
    ca_file: Path | None = None
    """The certificate that the server shows, when no authority has signed it."""
    verify_security: bool = True
    """Whether the server has to prove who it is; without it nobody else can read along, but who it is remains open."""
