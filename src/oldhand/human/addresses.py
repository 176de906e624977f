"""Addresses of XMPP: who somebody is, whatever device they write from."""

from dataclasses import dataclass, field
from pathlib import Path

from slixmpp import JID, InvalidJID

from oldhand.errors import InvalidAddress

_NO_ADDRESS = "{!r} is no XMPP address: write it as bo@example.org."


def bare(address: str) -> str:
    """The address without the device, as servers compare it.

    >>> bare("Bo@Example.org/phone")
    'bo@example.org'
    >>> bare("bo at example")
    Traceback (most recent call last):
    ...
    oldhand.errors.InvalidAddress: 'bo at example' is no XMPP address: write it as bo@example.org.
    """
    return str(checked_address(address).bare)


def checked_address(address: str) -> JID:
    """Return an address of a person or agent as a `JID`.

    Raises:
        InvalidAddress: it is none.
    """
    try:
        found = JID(address)
    except InvalidJID as error:
        raise InvalidAddress(_NO_ADDRESS.format(address)) from error
    if not found.user:
        raise InvalidAddress(_NO_ADDRESS.format(address))
    return found


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
