"""Shadows: what an answer would have been with the opposite draw of each lesson on trial.

A mind that foresees reads the question once more for each of them. Where the query comes out the same, the lesson had no
effect, and its draw is no trial. Where it does not, the other query runs as well, and a digest of its rows is kept: so
every later signal on the answer that is shown says something of both.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from oldhand.agent.analysis import Analysis, Inquiry, Mind
from oldhand.agent.analysis.mind import RUNNING, Validation
from oldhand.errors import OldhandError
from oldhand.loop.recalling import Considered
from oldhand.record.answer import Outcome
from oldhand.record.episode import SAME
from oldhand.record.lesson import Lesson
from oldhand.record.row_digest import rows_digest

MOST = 3
"""Shadows of one answer that are run at most; lessons beyond it are as if nobody had looked."""


@dataclass(frozen=True)
class Shadowing:
    """Works out shadows, beside the answer itself."""

    mind: Mind
    analysed: Callable[[Inquiry], Awaitable[Analysis]]
    """Answers a question without a trace."""
    seconds: float
    """Time that all shadows of an answer have together."""

    async def foreseen(self, inquiry: Inquiry, considered: Considered) -> dict[str, Inquiry | None]:
        """By lesson on trial, the question as the opposite draw would put it; None where that changes nothing."""
        drawn = [one for one in considered.drawn if one.chance < 1]
        if not drawn or not self.mind.foresees or not self.seconds:
            return {}
        try:
            shown = await self._read(inquiry)
        except OldhandError:
            return {}  # the answer itself will tell what is wrong
        found: dict[str, Inquiry | None] = {}
        for one in drawn:
            other = replace(inquiry, lessons=_flipped(considered, one.lesson))
            try:
                found[one.lesson.id] = None if await self._read(other) == shown else other
            except OldhandError:
                continue
        return found

    async def looked_at(self, others: dict[str, Inquiry | None]) -> dict[str, str]:
        """By lesson, a digest of what its shadow gives; `SAME` where nobody has to look."""
        found = {name: SAME for name, other in others.items() if other is None}
        asked = [(name, other) for name, other in others.items() if other is not None][:MOST]
        try:
            async with asyncio.timeout(self.seconds):
                for name, other in asked:
                    if (digest := await self._digest(other)) is not None:
                        found[name] = digest
        except TimeoutError:
            pass  # a shadow must not keep anybody waiting
        return found

    async def _read(self, inquiry: Inquiry) -> tuple[object, ...]:
        return _asked((await self.mind.read(inquiry)).validation)

    async def _digest(self, inquiry: Inquiry) -> str | None:
        try:
            return digest_of(await self.analysed(inquiry))
        except OldhandError:
            return None


def digest_of(analysis: Analysis) -> str | None:
    """What an answer says, as a digest: its rows, or that there is none; None where rows were cut."""
    if analysis.outcome is not Outcome.ANSWERED:
        return analysis.outcome.value
    return None if analysis.truncated else rows_digest(analysis.rows)


def with_shadows(considered: Considered, shown: Analysis, shadows: dict[str, str]) -> Considered:
    """What was recalled, with what the opposite draws would have answered."""
    own = digest_of(shown)
    told = {name: SAME if digest == own else digest for name, digest in shadows.items()}
    return replace(considered, shadows=told)


def _asked(told: Validation) -> tuple[object, ...]:
    """What will be done: the query, or what is asked back."""
    if told.verdict in RUNNING:
        return (told.verdict, told.query)
    return (told.verdict, told.options)


def _flipped(considered: Considered, lesson: Lesson) -> tuple[Lesson, ...]:
    """The lessons that are shown, with one more or less, in their order."""
    return tuple(
        one.lesson for one in considered.drawn if one.shown is not (one.lesson.id == lesson.id)
    )
