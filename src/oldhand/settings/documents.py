"""How documents are read."""

from pydantic import Field

from oldhand.settings.acting import SettingsGroup


class DocumentSettings(SettingsGroup):
    """How large documents may be, and how many of them are taken at once."""

    megabytes: float = Field(default=50.0, gt=0)
    """Size of a file that is read."""
    seconds: float = Field(default=60.0, gt=0)
    """Time that reading one document may take."""
    most: int = Field(default=20_000, ge=1)
    """Documents that one folder or sitemap may bring; the rest is left out and said to be."""
