"""What answers others: whole conversations, and agents that are not ours."""

from typing import TYPE_CHECKING

from oldhand.loop.serving import OutsideAgents, Serving

if TYPE_CHECKING:
    from oldhand.bootstrap.home import Home


def serving_of(home: "Home") -> Serving:
    """What answers whole conversations."""
    return Serving(home, home.answering, home.critique)


def outside_of(home: "Home") -> OutsideAgents:
    """What recalls and records for agents that are not ours."""
    return OutsideAgents(home, home.turn.recalling)
