"""How the server treats those who come over the network."""

import os
from typing import Annotated, Literal

from pydantic import Field, SecretStr, StringConstraints

from oldhand.settings.acting import SettingsGroup

_Address = Annotated[str, StringConstraints(pattern=r"^(https://|http://(localhost|127\.0\.0\.1)(:|/|$))")]  # fmt: skip
"""Over TLS, but for providers on the same machine."""


class IdentityProvider(SettingsGroup):
    """A provider of OpenID Connect by which people sign in."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,40}$")
    """Part of addresses: the provider sends browsers back to `/api/sign-in/NAME/done`."""
    title: str = ""
    """As people call it, such as `Acme account`."""
    issuer: _Address
    client_id: str = Field(min_length=1)
    client_secret: SecretStr | None = None
    """Or the variable `OLDHAND_SECRET_NAME`; never shown."""
    scopes: tuple[str, ...] = ("openid", "email", "profile")
    domains: tuple[str, ...] = ()
    """Who has an e-mail address there may enter uninvited, such as `acme.example`; else only who has an account or a role."""
    newcomers: Literal["member", "external"] = "member"
    """What these may do in the first assistant."""
    trusts_email: bool = False
    """Whether e-mail addresses count that the provider does not call verified."""

    def secret(self) -> str | None:
        """What proves to the provider who we are; None for a public client."""
        variable = f"OLDHAND_SECRET_{self.name.upper().replace('-', '_')}"
        given = self.client_secret
        return os.environ.get(variable) or (given.get_secret_value() if given else None)


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
    metrics: Literal["admin", "local", "open"] = "admin"
    """Who may read `/metrics`: an admin's key, whoever is on the same machine, too, or anybody."""
    logs: Literal["text", "json"] = "text"
    """How the log is written; as JSON it tells of each request."""
    records_questions: bool = False
    """Whether questions and statements may stand in logs and traces."""
    public_url: str | None = None
    """The address by which people come, such as `https://oldhand.example.org`; as the request says when None."""
    sign_in: tuple[IdentityProvider, ...] = ()
    """Providers of identities by which people sign in, beside links."""
