"""Public fakes for tests of agents that use Oldhand: no mocks, the same protocols as the real parts."""

from oldhand.testing.acting import HeedingModel, MemoryCheckpoints, MemoryKeeper
from oldhand.testing.clock import CountingIds, FixedClock
from oldhand.testing.model_server import FakeServer
from oldhand.testing.recalling import MemoryCredit, MemoryIndex
from oldhand.testing.replay import RecordingModel, ReplayModel
from oldhand.testing.scripted import ScriptedModel

__all__ = [
    "CountingIds",
    "FakeServer",
    "FixedClock",
    "HeedingModel",
    "MemoryCheckpoints",
    "MemoryCredit",
    "MemoryIndex",
    "MemoryKeeper",
    "RecordingModel",
    "ReplayModel",
    "ScriptedModel",
]
