"""Public fakes for tests of agents that use Oldhand: no mocks, the same protocols as the real parts.

Names are loaded when they are first used: pytest imports this package in every run, for its plugin.
"""

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from oldhand.learning.regression import has_sql, same_rows, same_sql
    from oldhand.testing.acting import HeedingModel, MemoryCheckpoints, MemoryKeeper
    from oldhand.testing.clock import CountingIds, FixedClock, SkippingLoop
    from oldhand.testing.embedding import HashingEmbedder
    from oldhand.testing.expert_suite import ExpertTransportSuite, ReachedExperts, WritingExpert
    from oldhand.testing.fake_experts import ExpertLetter, FakeExpert, MemoryTransport
    from oldhand.testing.model_server import FakeServer
    from oldhand.testing.prompt_reader import Gold, PromptReader, ReaderHabit, Reading
    from oldhand.testing.recalling import MemoryCredit, MemoryIndex
    from oldhand.testing.replay import RecordingModel, ReplayModel
    from oldhand.testing.scripted import ScriptedModel

__all__ = [
    "CountingIds",
    "ExpertLetter",
    "ExpertTransportSuite",
    "FakeExpert",
    "FakeServer",
    "FixedClock",
    "Gold",
    "HashingEmbedder",
    "HeedingModel",
    "MemoryCheckpoints",
    "MemoryCredit",
    "MemoryIndex",
    "MemoryKeeper",
    "MemoryTransport",
    "PromptReader",
    "ReachedExperts",
    "ReaderHabit",
    "Reading",
    "RecordingModel",
    "ReplayModel",
    "ScriptedModel",
    "SkippingLoop",
    "WritingExpert",
    "has_sql",
    "same_rows",
    "same_sql",
]

_ROOMS = {
    "oldhand.learning.regression": "has_sql same_rows same_sql",
    "oldhand.testing.acting": "HeedingModel MemoryCheckpoints MemoryKeeper",
    "oldhand.testing.clock": "CountingIds FixedClock SkippingLoop",
    "oldhand.testing.embedding": "HashingEmbedder",
    "oldhand.testing.expert_suite": "ExpertTransportSuite ReachedExperts WritingExpert",
    "oldhand.testing.fake_experts": "ExpertLetter FakeExpert MemoryTransport",
    "oldhand.testing.model_server": "FakeServer",
    "oldhand.testing.prompt_reader": "Gold ReaderHabit PromptReader Reading",
    "oldhand.testing.recalling": "MemoryCredit MemoryIndex",
    "oldhand.testing.replay": "RecordingModel ReplayModel",
    "oldhand.testing.scripted": "ScriptedModel",
}
"""The names that each module has for this one."""


def __getattr__(name: str) -> object:
    for room, names in _ROOMS.items():
        if name in names.split():
            return getattr(import_module(room), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
