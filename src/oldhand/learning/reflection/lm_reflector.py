"""The language model as the mind that reflects; where it fails, the rules' findings stand and say so."""

import asyncio
import logging
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from oldhand.errors import ModelError, ModelTimedOut, PromptError
from oldhand.learning.reflection.prompt_values import reflection_values
from oldhand.learning.reflection.reflector import Reflected, Reflection, told
from oldhand.learning.reflection.rules import RulesReflector, told_once
from oldhand.models import LanguageModel, Ledger
from oldhand.models.quoting import one_line
from oldhand.models.templates import Prompts
from oldhand.record.memory import Depth, Learnings
from oldhand.record.proposal import LessonProposal, ProposedType
from oldhand.settings import ReflectionSettings

logger = logging.getLogger(__name__)

PACKAGE = "oldhand.learning.reflection"
"""In whose folder `prompts` the template lies."""
STAGE = "reflect"
_MOST = 5
"""Learnings of one kind that are taken from one answer."""
_CHARS = 400


class ReflectionForm(BaseModel):
    """What the model fills in."""

    model_config = ConfigDict(extra="forbid")

    reflection: str = Field(min_length=1, max_length=4_000)
    what_went_well: list[str] = []
    improvements: list[str] = []
    root_cause: str | None = None
    rules: list[str] = []
    prompt_suggestions: list[str] = []
    checklist: list[str] = []


class LMReflector:
    """Lets a language model look at what the rules may have missed.

    What the rules found stays: only they can tell the difference of two queries as an effect.
    """

    def __init__(
        self,
        lm: LanguageModel,
        limits: ReflectionSettings | None = None,
        prompts: Path | None = None,
    ) -> None:
        self._lm = lm
        self._limits = limits or ReflectionSettings()
        self._prompts = Prompts(prompts, PACKAGE)
        self._rules = RulesReflector(self._limits)
        self.failures = 0
        """How often the rules had to stand in."""

    async def reflect(self, reflected: Reflected, depth: Depth) -> Reflection:
        """What the rules find, and what the model adds."""
        found, ledger = await self._rules.reflect(reflected, depth), Ledger()
        try:
            form = await self._asked(reflected, found, ledger)
        except (ModelError, PromptError) as error:
            self.failures += 1
            said = one_line(f"{type(error).__name__}: {error}", 300)
            logger.info(  # the reflection says so where it is shown
                "reflection_failed: %s, %s so far: %s", self._lm.name, self.failures, said
            )
            note = f"The model {self._lm.name} could not reflect, so that rules did: {said}"
            return found.model_copy(update={"note": note, "ledger": ledger.entries})
        joined = self._joined(reflected, found, form)
        return joined.model_copy(update={"ledger": ledger.entries})

    async def _asked(
        self, reflected: Reflected, found: Reflection, ledger: Ledger
    ) -> ReflectionForm:
        messages = self._prompts["reflect"].fill(reflection_values(reflected, found))
        seconds = self._limits.model_seconds
        try:
            async with asyncio.timeout(seconds):
                return await self._lm.structured(
                    messages, ReflectionForm, stage=STAGE, ledger=ledger
                )
        except TimeoutError as error:
            raise ModelTimedOut(f"No reflection within {seconds:g} seconds.") from error

    def _joined(self, reflected: Reflected, found: Reflection, form: ReflectionForm) -> Reflection:
        known, own = found.learnings, _bounded(form)
        root_cause = one_line(form.root_cause or "", _CHARS)
        return Reflection(
            text=one_line(form.reflection, 2_000),
            learnings=Learnings(
                what_went_well=told([*known.what_went_well, *own["what_went_well"]]),
                improvements=told([*known.improvements, *own["improvements"]]),
                rules=told([*known.rules, *own["rules"], *own["checklist"]]),
                prompt_suggestions=told([*known.prompt_suggestions, *own["prompt_suggestions"]]),
            ),
            root_cause=found.root_cause or root_cause or None,
            proposals=told_once([*found.proposals, *_proposed(reflected, own)]),
            depth=found.depth,
            mind=self._lm.name,
        )


_KINDS: tuple[tuple[str, ProposedType], ...] = (
    ("rules", "semantic"),
    ("checklist", "checklist"),
    ("prompt_suggestions", "prompt"),
)


def _bounded(form: ReflectionForm) -> dict[str, tuple[str, ...]]:
    """The lists of the form, each text on a line and not too long."""
    lists = form.model_dump(exclude={"reflection", "root_cause"})
    return {
        name: told([one_line(text, _CHARS) for text in texts])[:_MOST]
        for name, texts in lists.items()
    }


def _proposed(reflected: Reflected, own: dict[str, tuple[str, ...]]) -> list[LessonProposal]:
    """What the model would learn; it is believed as much as the least trusted of those whose words it has read."""
    return [
        reflected.proposal(kind, text, reflected.least_trusted, "answers")
        for name, kind in _KINDS
        for text in own[name]
    ]
