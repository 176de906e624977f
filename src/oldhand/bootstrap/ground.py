"""What everything that works in a home stands on, and how its parts come to be."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import Generic, TypeVar

from oldhand.agent.analyst.linking.indexes import Indexes
from oldhand.bootstrap.minds import ModelWithMind
from oldhand.loop.ground import LoopGround
from oldhand.models import LanguageModel
from oldhand.settings import Settings

T = TypeVar("T")
_WIRING = RLock()


class WiredPart(Generic[T]):
    """A part of a home, wired when it is first asked for, by a function of a module of this room; that is imported then."""

    def __init__(self, wired_by: str) -> None:
        self._module, _, self._function = wired_by.partition(".")

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name

    def __get__(self, home: "Ground", _: object = None) -> T:
        with _WIRING:  # two threads may ask at once
            if self._name not in home.__dict__:
                module = import_module(f"oldhand.bootstrap.{self._module}")
                home.__dict__[self._name] = getattr(module, self._function)(home)
            return home.__dict__[self._name]


@dataclass(frozen=True, eq=False, kw_only=True)
class Ground(LoopGround):
    """What everything that works in a home stands on."""

    path: Path
    """The folder of it."""
    settings: Settings
    thinking: ModelWithMind
    """Who answers where no model is chosen for a question."""
    models: Mapping[str, ModelWithMind]
    """The models that questions are given to, by name; none where one mind answers all."""
    indexes: Indexes
    root: Path
    """The folder of the first assistant, whose settings hold where an assistant has none."""
    lm: LanguageModel | None
    """The language model, when this home made it and so has to close it."""

    @property
    def lms(self) -> tuple[LanguageModel, ...]:
        """All language models that may be asked."""
        everyone = (self.thinking, *self.models.values())
        return tuple(one.lm for one in everyone if one.lm is not None)
