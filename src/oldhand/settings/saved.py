"""How saved questions are asked again, and how their answers are sent."""

import os
from pathlib import Path
from typing import Literal

from pydantic import Field

from oldhand.settings.acting import SettingsGroup

PASSWORD_VARIABLE = "OLDHAND_SMTP_PASSWORD"  # noqa: S105 (its name)


class MailSettings(SettingsGroup):
    """The server that sends e-mail; its password is in `OLDHAND_SMTP_PASSWORD`."""

    host: str | None = None
    """Such as `smtp.example.org`; without it no e-mail is sent."""
    port: int = Field(default=587, ge=1, le=65535)
    security: Literal["starttls", "tls", "none"] = "starttls"
    """`tls` from the first byte on, mostly at port 465; `none` for a server on the same machine."""
    ca_file: Path | None = None
    """The server's certificate, when no authority has signed it."""
    user: str | None = None
    """The account; None for a server that asks for none."""
    sender: str | None = None
    """What stands under From, such as `Oldhand <reports@example.org>`; the account when None."""
    domains: tuple[str, ...] = ()
    """Where e-mail may go, such as `example.org`; anywhere when none is named."""
    seconds: float = Field(default=30.0, gt=0)
    """Time in which the server has to answer."""

    def password(self) -> str | None:
        """What proves to the server who we are."""
        return os.environ.get(PASSWORD_VARIABLE)


class SavedSettings(SettingsGroup):
    """How saved questions are asked again, and how their answers are sent."""

    kept: int = Field(default=100, ge=2)
    """Answers of one question that are kept; older ones are dropped."""
    tries: int = Field(default=5, ge=1)
    """How often a question that fails is asked, or an answer sent, before it is given up until the next time."""
    retry_seconds: float = Field(default=60.0, gt=0)
    """Wait before it is tried again; four times as long each time."""
    look_seconds: float = Field(default=15.0, gt=0)
    """How often a server looks for what is due."""
    post_seconds: float = Field(default=15.0, gt=0)
    """Time in which an address of the web has to answer."""
    inside: tuple[str, ...] = ()
    """Hosts of your own network to which answers may be sent; without them only public addresses are."""
    mail: MailSettings = MailSettings()
