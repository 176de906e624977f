"""The XMPP of one home: its own server on this machine, and what goes over it."""

import os
from collections.abc import Iterable
from pathlib import Path

from oldhand.errors import InvalidSetting
from oldhand.human.addresses import XmppAccount
from oldhand.human.position import KeptPosition
from oldhand.human.prosody import ACCOUNTS, ProsodyServer
from oldhand.human.transport import XmppTransport
from oldhand.settings import XmppSettings

FOLDER = "xmpp"
"""Where it lies in a home."""
PASSWORD = "OLDHAND_XMPP_PASSWORD"  # noqa: S105 - the name of a variable
ASKER = "oldhand"
"""The account that asks."""


def own_server(home: Path, *, domain: str | None = None, port: int | None = None) -> ProsodyServer:
    """The server of a home, which `oldhand experts serve` runs."""
    return ProsodyServer(home / FOLDER, domain=domain, port=port)


def xmpp_transport(home: Path, settings: XmppSettings) -> XmppTransport | None:
    """The transport over the server that the settings name, else over the home's own.

    None where neither was set up, and where another transport speaks for the account, until that one is closed.

    Raises:
        InvalidSetting: the password is not there.
    """
    folder = home / FOLDER
    if settings.jid is not None:
        password = os.environ.get(PASSWORD)
        if not password:
            raise InvalidSetting(f"xmpp.jid is {settings.jid}: set {PASSWORD} to its password.")
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        jid, host = settings.jid, settings.host
        account = XmppAccount(jid, password, host, settings.port, settings.ca_file)
    elif (folder / ACCOUNTS).is_file():
        account = ProsodyServer(folder).account(ASKER)
    else:
        return None
    try:
        return XmppTransport(account, KeptPosition(folder / f"heard-{account.jid}"))
    except BlockingIOError:
        return None


def local_name(expert: str) -> str:
    r"""The name of an expert as the first part of an address: an @ is escaped as XEP-0106 does.

    >>> local_name("Ana@corp.example")
    'ana\\40corp.example'
    """
    return expert.lower().replace("@", "\\40")


def addresses(server: ProsodyServer, experts: Iterable[str]) -> dict[str, str]:
    """The address of each expert; accounts are made for those who have none."""
    return {expert: server.account(local_name(expert)).jid for expert in experts}


def expert_account(home: Path, settings: XmppSettings, expert: str) -> XmppAccount | None:
    """How an expert signs in to the home's own server; None on others, whose passwords only they know, and without an account."""
    folder, name = home / FOLDER, local_name(expert)
    if settings.jid is not None or name == ASKER or not (folder / ACCOUNTS).is_file():
        return None
    server = ProsodyServer(folder)
    return server.account(name) if f"{name}@{server.domain}" in server.addresses() else None
