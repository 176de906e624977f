"""When people are asked, and for how long."""

from typing import Literal

from pydantic import Field

from oldhand.settings.acting import SettingsGroup


class ExpertSettings(SettingsGroup):
    """When people are asked, and how much of their time it may take."""

    ask: Literal["never", "abstained", "unsure"] = "never"
    """When the experts are asked by itself: `never`; `abstained`, where a question can't be answered; or `unsure`, also where
    an answer is only proposed or asked back about."""
    minutes_a_day: float = Field(default=60.0, ge=0)
    """Time of people that may be taken in a day without a person wanting it."""
    minutes_each: float = Field(default=5.0, gt=0)
    """What one question is taken to cost one person."""
    wait_seconds: float = Field(default=300.0, gt=0)
    """How long a call waits for an answer, such as that of an agent."""
    days: float = Field(default=3.0, gt=0)
    """How long a question stays open for which nothing waits."""
    remind_after: float = Field(default=0.5, gt=0, le=1)
    """Share of that time after which a person is reminded."""
    escalate_after: float = Field(default=0.75, gt=0, le=1)
    """Share of that time after which somebody else is asked, too; the owner in the end."""
    watch_seconds: float = Field(default=0.5, gt=0)
    """How often it is looked whether another process has heard something, while anything waits here."""
    most_characters: int = Field(default=20_000, ge=1)
    """Length of a reply."""
