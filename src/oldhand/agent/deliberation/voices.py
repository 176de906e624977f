"""Who is asked about one question, and what each of them worked out."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from oldhand.agent.analysis.analysis import WorkedOut, work_out
from oldhand.agent.analysis.attempts import AnalysisWorkplace
from oldhand.agent.analysis.direct import has_examples
from oldhand.agent.analysis.mind import Inquiry, Mind
from oldhand.errors import OldhandError
from oldhand.record.progress import Progress
from oldhand.settings import Effort

ANALYST = "analyst"
STAGES = "stages"
DECIDING = "deciding"


class Decides(Protocol):
    """Whoever decides between two answers."""

    async def decide(
        self, inquiry: Inquiry, first: "VoiceHeard", second: "VoiceHeard"
    ) -> "ModelDecision":
        """Which one answers the question.

        Raises:
            ModelError: the language model did not do its part.
            PromptError: a prompt of the user's own is broken.
        """
        ...


@dataclass(frozen=True)
class ModelDecision:
    """Which of two answers is right."""

    choice: str
    """`first`, `second` or `open`."""
    question: str = ""
    """What the person has to decide, where it is open."""


@dataclass(frozen=True)
class Voices:
    """Minds around one language model, and the built-in analyst beside them."""

    stages: Mind
    analyst: Mind
    direct: Mind
    plan_first: Mind
    by_examples: Mind
    decider: Decides

    def asked(self, inquiry: Inquiry) -> list[tuple[str, Mind]]:
        """The language model's voices for this question, the first one first; the analyst is always asked."""
        if inquiry.effort is Effort.QUICK:
            return [("direct", self.direct)]
        if inquiry.effort is not Effort.THOROUGH:
            return [(STAGES, self.stages)]
        several = [(STAGES, self.stages), ("direct", self.direct), ("plan first", self.plan_first)]
        with_examples = [("by examples", self.by_examples)] if has_examples(inquiry) else []
        return several + with_examples


@dataclass(frozen=True)
class VoiceHeard:
    """What one voice worked out, or why it did not."""

    voice: str
    worked_out: WorkedOut | None = None
    error: OldhandError | None = None
    events: Sequence[Progress] = field(default=())
    """What happened meanwhile, where nobody was told yet."""

    @property
    def has_rows(self) -> bool:
        """Whether it brought rows."""
        return self.worked_out is not None and self.worked_out.has_rows

    @property
    def found(self) -> WorkedOut:
        """What it worked out; only where it did."""
        assert self.worked_out is not None, "a voice with rows has worked something out"
        return self.worked_out


async def hear(
    voice: str, mind: Mind, inquiry: Inquiry, workplace: AnalysisWorkplace
) -> VoiceHeard:
    """What a voice makes of the question; its events are told at once."""
    try:
        return VoiceHeard(voice, await work_out(inquiry, mind, workplace))
    except OldhandError as error:
        return VoiceHeard(voice, error=error)


async def hear_aside(
    voice: str, mind: Mind, inquiry: Inquiry, workplace: AnalysisWorkplace
) -> VoiceHeard:
    """The same, with the events kept for later."""
    events: list[Progress] = []
    heard = await hear(voice, mind, inquiry, replace(workplace, observe=events.append))
    return replace(heard, events=events)


async def all_heard(
    minds: Sequence[tuple[str, Mind]], inquiry: Inquiry, workplace: AnalysisWorkplace
) -> list[VoiceHeard]:
    """What several voices make of the question, side by side; the events of the first one are told."""
    (first, mind), *others = minds
    aside = [hear_aside(*other, inquiry, workplace) for other in others]
    tasks: Iterable[asyncio.Task[VoiceHeard]] = [
        asyncio.create_task(one) for one in (hear(first, mind, inquiry, workplace), *aside)
    ]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
