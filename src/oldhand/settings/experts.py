"""How long people are asked, and when others are."""

from enum import StrEnum
from pathlib import Path

from pydantic import Field

from oldhand.settings.acting import SettingsGroup


class AsksPeople(StrEnum):
    """When people are asked of the assistant's own accord."""

    NEVER = "never"
    ABSTAINED = "abstained"
    """Where it has no answer."""
    UNSURE = "unsure"
    """Also where it would only propose one, or ask back."""


class ExpertSettings(SettingsGroup):
    """How long people are asked, and when others are."""

    asks: AsksPeople = AsksPeople.NEVER
    """When people are asked of its own accord: `never`, `abstained` or `unsure`; agents get a tool for it, unless never."""
    questions_per_day: int = Field(default=5, ge=0)
    """Questions that one expert gets within 24 hours before nothing more is asked of its own accord."""
    days: float = Field(default=3.0, gt=0)
    """How long a question stays open, where nothing else is said."""
    remind_after: float = Field(default=0.5, gt=0, le=1)
    """Share of that time after which a person is reminded."""
    escalate_after: float = Field(default=0.75, gt=0, le=1)
    """Share of that time after which somebody else is asked, too; the owner in the end."""
    watch_seconds: float = Field(default=0.5, gt=0)
    """How often it is looked whether another process has heard something, while anything waits here."""
    most_characters: int = Field(default=20_000, ge=1)
    """Length of a reply."""


# Where the XMPP server is that people are asked over.
class XmppSettings(SettingsGroup):
    """The account with which people are asked; its password is in `OLDHAND_XMPP_PASSWORD`."""

    jid: str | None = None
    """Its address on a server of yours, such as `oldhand@example.org`; None for that of `oldhand experts serve`."""
    host: str | None = None
    """Address of that server; the domain's own when None."""
    port: int = Field(default=5222, ge=1, le=65535)
    ca_file: Path | None = None
    """The server's certificate, when no authority has signed it."""
