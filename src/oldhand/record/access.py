"""Who may do what over the network."""

from datetime import datetime
from enum import StrEnum

from oldhand.record.base import Record, SafeName


class Role(StrEnum):
    """What a person is to a clone, from the most to the least; each may do what those after it may."""

    ADMIN = "admin"
    """Runs the server: makes clones and accounts. An admin's words teach only where the admin is owner or expert, too."""
    OWNER = "owner"
    EXPERT = "expert"
    MEMBER = "member"
    """A colleague who asks."""
    EXTERNAL = "external"
    """Somebody who came by a share link."""

    def may(self, least: "Role") -> bool:
        """Whether this role is enough where `least` is asked for.

        >>> Role.OWNER.may(Role.MEMBER), Role.EXTERNAL.may(Role.MEMBER)
        (True, False)
        """
        return _RANKS.index(self) <= _RANKS.index(least)


_RANKS = tuple(Role)


class CredentialKind(StrEnum):
    """What a secret is good for."""

    KEY = "key"
    """A program's; it lasts until it is revoked, or expires."""
    SESSION = "session"
    """A browser's, after signing in."""
    INVITE = "invite"
    """A link that signs in once."""
    SHARE = "share"
    """A link by which anybody may ask one clone, as an external person."""
    VIEW = "view"
    """A link by which anybody may see the latest answer of the saved question whose id is the label."""


class Credential(Record):
    """A secret that lets somebody in, without the secret."""

    id: str
    kind: CredentialKind
    user_id: SafeName
    clone_id: SafeName | None = None
    """The only clone that it is good for; None for all of the user's."""
    label: str = ""
    created_at: datetime
    expires_at: datetime | None = None
    used_at: datetime | None = None
    revoked_at: datetime | None = None


class Issued(Record):
    """A credential with its secret, which is shown this once."""

    credential: Credential
    token: str


class Account(Record):
    """A person who may sign in."""

    user_id: SafeName
    is_admin: bool = False
    created_at: datetime
    closed_at: datetime | None = None


class AuditEntry(Record):
    """Something that somebody did, or was refused."""

    at: datetime
    actor: str
    """Who; empty for somebody who is not signed in."""
    action: str
    subject: str = ""
    clone_id: str | None = None
    allowed: bool = True
