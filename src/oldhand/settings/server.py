"""How the server treats those who come over the network."""

from pydantic import Field

from oldhand.settings.acting import SettingsGroup


class ServerSettings(SettingsGroup):
    """What the server allows, and whom it lets in; the settings of the first assistant hold for all of a home."""

    requests_per_second: float = Field(default=20.0, gt=0)
    """Requests of one caller, on average; more are told to wait."""
    burst: int = Field(default=200, ge=1)
    """Requests of one caller at once."""
    megabytes: float = Field(default=20.0, gt=0)
    """Size of one request."""
    database_kinds: tuple[str, ...] = ("postgres", "mysql", "mssql", "snowflake", "bigquery")
    """Kinds of databases on servers that owners may add by their address."""
    folders: tuple[str, ...] = ()
    """Folders whose files owners may add as databases; others are uploaded."""
    grace_seconds: float = Field(default=30.0, ge=0)
    """Time for what is under way when the server is told to end."""
