"""Which versions of prompts an answer is made with, and the record of the draw."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from oldhand.learning.prompts.roles import roles_asked
from oldhand.learning.prompts.shelf import PromptShelf
from oldhand.learning.prompts.versions import Version
from oldhand.record.episode import Recalled
from oldhand.record.instructions import NO_INSTRUCTIONS, Instructions


class DrawnVersion(NamedTuple):
    """One version that might have been used."""

    version: Version
    shown: bool
    chance: float
    """The probability with which it was to be used, fixed before the draw."""


class DrawnPrompts(NamedTuple):
    """The versions of one answer."""

    drawn: tuple[DrawnVersion, ...] = ()

    @property
    def instructions(self) -> Instructions:
        """What they add to the prompts."""
        chosen = {one.version.role: one.version.payload.text for one in self.drawn if one.shown}
        return Instructions(chosen) if chosen else NO_INSTRUCTIONS

    def recalled(self, stages: Iterable[str] | None = None) -> tuple[Recalled, ...]:
        """The record of them.

        Args:
            stages: those under which calls of a model were booked; a version whose prompt was not asked has not been
                used. None while nobody can tell.
        """
        asked = None if stages is None else roles_asked(frozenset(stages))
        return tuple(
            Recalled(
                kind="prompt",
                item_id=one.version.id,
                rank=rank,
                score=one.version.memory.confidence,
                shown=one.shown,
                chance=one.chance,
                used=None if asked is None else one.shown and one.version.role in asked,
            )
            for rank, one in enumerate(self.drawn, 1)
        )


def draw_prompts(shelf: PromptShelf, roles: Sequence[str], random: Random) -> DrawnPrompts:
    """Draw a version for each role, where one is on trial; else the active one is used. Blocks."""
    drawn: list[DrawnVersion] = []
    for standing in shelf.standings(roles):
        active, candidate = standing.active, standing.candidate
        if active is None:
            continue
        chance = shelf.chance(standing)
        if candidate is None or chance is None:
            drawn.append(DrawnVersion(active, shown=True, chance=1.0))
            continue
        tried = random.random() < chance
        drawn += [
            DrawnVersion(candidate, tried, chance),
            DrawnVersion(active, not tried, round(1 - chance, 4)),
        ]
    return DrawnPrompts(tuple(drawn))
