"""One assistant: the unit of tenancy."""

from datetime import datetime

from pydantic import Field

from oldhand.record.base import Record, SafeName

DEFAULT_CLONE = "default"
DEFAULT_USER = "default"
"""The user under which a clone's own memories lie."""


class Clone(Record):
    """One assistant with its owner and experts; everything learned belongs to one clone."""

    id: SafeName = DEFAULT_CLONE
    owner: SafeName = DEFAULT_USER
    experts: tuple[SafeName, ...] = ()
    created_at: datetime


class DatabaseEntry(Record):
    """A database that a clone may ask."""

    name: SafeName
    url: str = Field(repr=False)
    """SQLAlchemy-style URL. A password may be written as `${ENV_NAME}`, so that it is not stored."""
    description: str = ""
