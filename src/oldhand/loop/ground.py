"""What all parts stand on that work for one assistant."""

from dataclasses import dataclass
from functools import cached_property

from oldhand.errors.mishaps import Mishaps
from oldhand.loop.people import CloneRoles
from oldhand.record.ports import Clock, NewId
from oldhand.sources.databases import Catalog
from oldhand.store import Store


@dataclass(frozen=True, eq=False, kw_only=True)
class LoopGround:
    """What all parts of one assistant share."""

    clone_id: str
    """Which assistant it is."""
    catalog: Catalog
    store: Store
    clock: Clock
    new_id: NewId
    mishaps: Mishaps

    @cached_property
    def people(self) -> CloneRoles:
        """Who has a say."""
        return CloneRoles(self.clone_id, self.store, self.clock)


@dataclass(frozen=True)
class LoopPart:
    """A part of one assistant."""

    ground: LoopGround

    @property
    def clone_id(self) -> str:
        """Which assistant it is."""
        return self.ground.clone_id

    @property
    def catalog(self) -> Catalog:
        """Its databases."""
        return self.ground.catalog

    @property
    def store(self) -> Store:
        """What it keeps."""
        return self.ground.store

    @property
    def people(self) -> CloneRoles:
        """Who has a say."""
        return self.ground.people

    @property
    def clock(self) -> Clock:
        """By which it goes."""
        return self.ground.clock

    @property
    def new_id(self) -> NewId:
        """Names what has no name."""
        return self.ground.new_id

    @property
    def mishaps(self) -> Mishaps:
        """Where what goes wrong is told, and costs nothing else."""
        return self.ground.mishaps
