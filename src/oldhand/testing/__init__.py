"""Public fakes for tests of agents that use Oldhand: no mocks, the same protocols as the real parts.

Names are loaded when they are first used: pytest imports this package in every run, for its plugin.
"""

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oldhand.learning.regression import has_sql, same_rows, same_sql
    from oldhand.testing.acting import HeedingModel, MemoryCheckpoints, MemoryKeeper
    from oldhand.testing.clock import CountingIds, FixedClock
    from oldhand.testing.model_server import FakeServer
    from oldhand.testing.recalling import MemoryCredit, MemoryIndex
    from oldhand.testing.replay import RecordingModel, ReplayModel
    from oldhand.testing.scripted import ScriptedModel
    from oldhand.testing.skipping_loop import SkippingLoop

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
    "SkippingLoop",
    "has_sql",
    "same_rows",
    "same_sql",
]

_ROOMS = {
    "CountingIds": "oldhand.testing.clock",
    "FakeServer": "oldhand.testing.model_server",
    "FixedClock": "oldhand.testing.clock",
    "HeedingModel": "oldhand.testing.acting",
    "MemoryCheckpoints": "oldhand.testing.acting",
    "MemoryCredit": "oldhand.testing.recalling",
    "MemoryIndex": "oldhand.testing.recalling",
    "MemoryKeeper": "oldhand.testing.acting",
    "RecordingModel": "oldhand.testing.replay",
    "ReplayModel": "oldhand.testing.replay",
    "ScriptedModel": "oldhand.testing.scripted",
    "SkippingLoop": "oldhand.testing.skipping_loop",
    "has_sql": "oldhand.learning.regression",
    "same_rows": "oldhand.learning.regression",
    "same_sql": "oldhand.learning.regression",
}


def __getattr__(name: str) -> object:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_ROOMS[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
