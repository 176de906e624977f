"""How long people are asked, and when others are."""

from pydantic import Field

from oldhand.settings.acting import SettingsGroup


class ExpertSettings(SettingsGroup):
    """How long people are asked, and when others are."""

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
