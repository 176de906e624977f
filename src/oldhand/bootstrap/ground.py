"""What everything that works in a home stands on."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from oldhand.agent.analyst.linking.indexes import Indexes
from oldhand.bootstrap.minds import ModelWithMind
from oldhand.errors.mishaps import Mishaps
from oldhand.models import LanguageModel
from oldhand.record.ports import Clock, NewId
from oldhand.settings import Settings
from oldhand.sources.databases import Catalog
from oldhand.store import Store


@dataclass(frozen=True)
class Ground:
    """What everything that works in a home stands on."""

    clone_id: str
    """Which assistant it is."""
    path: Path
    """The folder of it."""
    settings: Settings
    catalog: Catalog
    store: Store
    thinking: ModelWithMind
    """Who answers where no model is chosen for a question."""
    models: Mapping[str, ModelWithMind]
    """Those that are chosen from, by name."""
    indexes: Indexes
    clock: Clock
    new_id: NewId
    mishaps: Mishaps
    root: Path
    """The folder of the first assistant, whose settings hold where an assistant has none."""

    @property
    def lms(self) -> tuple[LanguageModel, ...]:
        """All language models that may be asked."""
        everyone = (self.thinking, *self.models.values())
        return tuple(one.lm for one in everyone if one.lm is not None)
