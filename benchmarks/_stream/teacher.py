"""What the owner says to an answer: on which questions, in which form, and how often wrongly."""

from dataclasses import dataclass
from random import Random

from benchmarks._stream.conditions import Form, Manner
from benchmarks._stream.turns import Turn


@dataclass(frozen=True)
class Said:
    """The owner's feedback to one answer."""

    rating: int
    """+1 or -1."""
    correction: str | None = None
    """The right SQL, in the database's own dialect."""


def said_to(turn: Turn, right: bool, manner: Manner) -> Said | None:
    """What the owner says to the answer to `turn`; None when nothing.

    Whether there is feedback, and whether a thumb is flipped, is drawn for each question and order
    alone: the same draws serve all conditions, and who speaks at a low rate speaks at a higher one too.
    """
    drawn = Random(f"{turn.order}/{turn.number}")
    speaks, flips = drawn.random() < manner.rate, drawn.random() < manner.flipped
    if not speaks:
        return None
    if manner.form is Form.GOLD:
        return Said(1 if right else -1, turn.question.gold)
    return Said(1 if right != flips else -1)
