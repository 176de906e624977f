"""Which versions of prompts an answer is made with."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from random import Random

from oldhand.errors.mishaps import Mishap, Mishaps
from oldhand.learning.prompts import DrawnPrompts, PromptShelf, Version, draw_prompts
from oldhand.record.instructions import Instructions
from oldhand.record.memory import Memory


@dataclass(frozen=True)
class Prompting:
    """Chooses versions of prompts for the answers of one clone. Methods block."""

    shelf: PromptShelf
    mishaps: Mishaps
    random: Random

    def draw(self, roles: Sequence[str]) -> DrawnPrompts:
        """The versions for one answer; when they can't be read, prompts are as they are shipped."""
        if not roles:
            return DrawnPrompts()
        drawn = self.mishaps.spared("prompts", lambda: draw_prompts(self.shelf, roles, self.random))
        return DrawnPrompts() if isinstance(drawn, Mishap) else drawn

    def instructions(
        self, roles: Sequence[str], *, shown: Iterable[Memory] = (), hidden: Collection[str] = ()
    ) -> Instructions:
        """What prompts say without any draw: the active versions, as if others were shown or hidden."""
        standings = self.shelf.standings(roles, without=hidden)
        used = {one.role: one.active.payload.text for one in standings if one.active is not None}
        wanted = (Version.of(memory) for memory in shown)
        used |= {one.role: one.payload.text for one in wanted if one is not None}
        return Instructions({role: text for role, text in used.items() if role in roles})
