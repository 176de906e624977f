"""Where the XMPP server is that people are asked over."""

from pathlib import Path

from pydantic import Field

from oldhand.settings.acting import SettingsGroup


class XmppSettings(SettingsGroup):
    """The account with which people are asked; its password is in `OLDHAND_XMPP_PASSWORD`."""

    jid: str | None = None
    """Its address on a server of yours, such as `oldhand@example.org`; None for that of `oldhand experts serve`."""
    host: str | None = None
    """Address of that server; the domain's own when None."""
    port: int = Field(default=5222, ge=1, le=65535)
    ca_file: Path | None = None
    """The server's certificate, when no authority has signed it."""
