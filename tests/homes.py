"""Homes with a part exchanged."""

from copy import copy

from oldhand.bootstrap import Home
from oldhand.loop.turn import Turn


def with_turn(home: Home, turn: Turn) -> Home:
    """The home with another turn; what was wired to the one before is wired anew."""
    other = copy(home)
    vars(other).pop("answering", None)
    other.turn = turn
    return other
