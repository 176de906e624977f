"""Which mind answers: the built-in one, one by a language model, or for each question the model that fits it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from oldhand.agent.analysis import PROMPTS_FOLDER, Mind
from oldhand.agent.analyst.linking.indexes import Indexes
from oldhand.agent.analyst.mind import BuiltinMind
from oldhand.errors import ModelRefused
from oldhand.learning.prompts import ANALYSIS_ROLES
from oldhand.loop.recalling import Fitting, all_of
from oldhand.loop.turn import Turn
from oldhand.models import LanguageModel, get_lm
from oldhand.models.unusable import UnusableModel
from oldhand.settings import BUILTIN, Settings

if TYPE_CHECKING:
    from oldhand.agent.deliberation.deliberating import Deliberation
    from oldhand.agent.reading.consulting import Consulting


@dataclass(frozen=True)
class ModelWithMind:
    """One model that answers, with its mind."""

    lm: LanguageModel | None
    """None for the built-in mind."""
    mind: Mind
    deliberation: "Deliberation | None" = None
    """How its voices come to one answer; None for the built-in mind, which answers alone."""
    consulting: "Callable[[], Consulting] | None" = None
    """How it answers from documents, made when there is something to read."""

    @property
    def roles(self) -> tuple[str, ...]:
        """Those of the prompts that it reads."""
        return () if self.lm is None else ANALYSIS_ROLES


def named_model(name: str, settings: Settings, base_url: str | None = None) -> LanguageModel | None:
    """The language model of that name, at the address when one is given; None for the built-in mind."""
    address = {} if base_url is None else {"base_url": base_url}
    models = settings.models.model_copy(update=address)
    return None if name == BUILTIN else get_lm(name, settings=models)


def thinking_of(
    lm: LanguageModel | None, indexes: Indexes, home: Path, settings: Settings
) -> ModelWithMind:
    """The mind around a language model, or the built-in one."""
    if lm is None:
        analyst = BuiltinMind(indexes)
        return ModelWithMind(None, analyst, None, cache(lambda: _extracting(analyst, indexes)))
    from oldhand.agent.analysis.direct import DirectMind, Manner
    from oldhand.agent.analysis.lm_mind import LanguageModelMind
    from oldhand.agent.deliberation.deciding import ModelDecider
    from oldhand.agent.deliberation.deliberating import Deliberation
    from oldhand.agent.deliberation.voices import Voices
    from oldhand.agent.reading.consulting import Consulting
    from oldhand.agent.reading.lm_reader import LanguageModelReader
    from oldhand.agent.viewing.viewer import LinkedViewer
    from oldhand.models.templates import Prompts

    prompts = Prompts(home / PROMPTS_FOLDER)
    viewer = LinkedViewer(indexes, settings.models.schema_tokens)
    mind = LanguageModelMind(lm, prompts, viewer)
    voices = Voices(
        stages=mind,
        analyst=BuiltinMind(indexes),
        direct=DirectMind(lm, prompts, viewer),
        plan_first=DirectMind(lm, prompts, viewer, Manner.PLAN_FIRST),
        by_examples=DirectMind(lm, prompts, viewer, Manner.BY_EXAMPLES),
        decider=ModelDecider(mind),
    )
    reader = LanguageModelReader.of(lm, home / PROMPTS_FOLDER)
    consulting = Consulting(reader, voices.analyst, indexes)
    return ModelWithMind(lm, mind, Deliberation(voices), lambda: consulting)


def _extracting(analyst: BuiltinMind, indexes: Indexes) -> "Consulting":
    from oldhand.agent.reading.answers import ExtractiveReader
    from oldhand.agent.reading.consulting import Consulting

    return Consulting(ExtractiveReader(), analyst, indexes)


def fitting_for(lm: LanguageModel | None, settings: Settings) -> Fitting:
    """What of the lessons a mind can take in: all for the built-in one, as many as a prompt has room for else."""
    if lm is None:
        return all_of
    from oldhand.agent.analysis.lesson_text import fitting

    return lambda lessons: fitting(lessons, settings.recall.prompt_tokens)


def routed_models(settings: Settings, indexes: Indexes, home: Path) -> dict[str, ModelWithMind]:
    """The models that questions may be given to, by name; one that has no key refuses only what it is asked.

    Raises:
        UnknownModel: no model goes by one of the names.
    """
    found: dict[str, ModelWithMind] = {}
    for one in settings.routing.models:
        try:
            lm = named_model(one.name, settings, one.base_url)
        except ModelRefused as error:
            lm = UnusableModel(one.name, error)
        found[one.name] = thinking_of(lm, indexes, home, settings)
    return found


def turn_with(turn: Turn, thinking: ModelWithMind) -> Turn:
    """The turn, taken by another mind."""
    return replace(
        turn,
        mind=thinking.mind,
        roles=thinking.roles,
        deliberation=thinking.deliberation,
        consulting=thinking.consulting,
        recalling=replace(turn.recalling, fitting=fitting_for(thinking.lm, turn.settings)),
        judging=replace(turn.judging, reads_notes=thinking.lm is not None),
    )
