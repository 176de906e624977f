"""Oldhand: an agent that learns on the job.

    from oldhand import Oldhand

    with Oldhand("my-home") as old:
        old.databases.add("sqlite:///shop.db", name="shop")
        print(old.ask("How many customers live in Berlin?").text)

Names are loaded when they are first used, so that importing the package is quick.
"""

import gc
from contextlib import contextmanager
from importlib import import_module

TYPE_CHECKING = False  # importing it from typing takes longer than everything else here
if TYPE_CHECKING:
    from collections.abc import Generator

    from oldhand.agent.tools import tool
    from oldhand.errors import OldhandError
    from oldhand.evaluators import SQLErrorProfiler, SQLValidator, VerbalEvaluator, results_path
    from oldhand.face import AsyncOldhand, Oldhand
    from oldhand.face.remembering import Remembering
    from oldhand.face.remote import AsyncClient, Client
    from oldhand.face.tool_use import create_tool_use_agent
    from oldhand.models import get_clean_model_name, get_lm
    from oldhand.record.answer import Answer, Outcome, QueryStep
    from oldhand.record.usage import Usage

    __version__: str

__all__ = [
    "Answer",
    "AsyncClient",
    "AsyncOldhand",
    "Client",
    "Oldhand",
    "OldhandError",
    "Outcome",
    "QueryStep",
    "Remembering",
    "SQLErrorProfiler",
    "SQLValidator",
    "Usage",
    "VerbalEvaluator",
    "__version__",
    "create_tool_use_agent",
    "get_clean_model_name",
    "get_lm",
    "results_path",
    "tool",
]

_ROOMS = {
    "oldhand.agent.tools": "tool",
    "oldhand.errors": "OldhandError",
    "oldhand.evaluators": "SQLErrorProfiler SQLValidator VerbalEvaluator results_path",
    "oldhand.face": "AsyncOldhand Oldhand",
    "oldhand.face.notebook": "load_ipython_extension unload_ipython_extension",
    "oldhand.face.remembering": "Remembering",
    "oldhand.face.remote": "AsyncClient Client",
    "oldhand.face.tool_use": "create_tool_use_agent",
    "oldhand.models": "get_clean_model_name get_lm",
    "oldhand.record.answer": "Answer Outcome QueryStep",
    "oldhand.record.usage": "Usage",
}
"""The names that each module has for this one."""


@contextmanager
def without_garbage_search() -> "Generator[None]":
    """What is imported stays, so that searching it for garbage only takes time: a sixth of an import."""
    searches = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searches:
            gc.enable()


def __getattr__(name: str) -> object:
    if name == "__version__":  # the tag that it was built from
        return import_module("importlib.metadata").version("oldhand")
    for room, names in _ROOMS.items():
        if name in names.split():
            with without_garbage_search():
                return getattr(import_module(room), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
