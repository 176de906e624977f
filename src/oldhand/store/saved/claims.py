"""Claims on what is due: each is somebody's for a while, and its end tells whose."""

from datetime import datetime, timedelta
from typing import NamedTuple, TypeVar

import sqlalchemy as sa

from oldhand.record.saved import Delivery, SavedAnswer, SavedQuestion

CLAIMED = timedelta(minutes=1)
"""How long whoever claims something has to hold it anew, before others take it for dead."""


class ClaimedQuestion(NamedTuple):
    """A saved question that nobody else asks meanwhile."""

    saved: SavedQuestion
    tries: int
    until: datetime
    """When the claim ends, unless it is made longer."""


class ClaimedDelivery(NamedTuple):
    """An answer to be sent, which nobody else sends meanwhile."""

    delivery: Delivery
    saved: SavedQuestion
    answer: SavedAnswer
    secret: str
    until: datetime
    """When the claim ends, unless it is made longer."""


Claimed = TypeVar("Claimed", bound=ClaimedQuestion | ClaimedDelivery)


def is_due(table: sa.Table, now: datetime) -> sa.ColumnElement[bool]:
    """What is due, and nobody's at that time."""
    claimed = table.c.claimed_until
    # One that ends later than any could was made before the clock was set back.
    free = sa.or_(claimed.is_(None), claimed <= now, claimed > now + 2 * CLAIMED)
    return sa.and_(table.c.due_at <= now, free)
