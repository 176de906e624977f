"""The pytest plugin: `pytest tests/ai/` runs behaviour specs, and tests get the fixtures `orchestrator` and `sql_rows`.

pytest imports this module in every run where Oldhand is installed, so nothing else of Oldhand is imported until there is
a spec, or a test that asks for a fixture.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from oldhand.record.base import Row
    from oldhand.record.route import Router
    from oldhand.testing.spec_items import SpecFile, SpecStage

_SUFFIXES = {".yaml", ".yml"}


class OldhandHooks:
    """What a `conftest.py` may say about the specs of its project."""

    @pytest.hookspec(firstresult=True)
    def pytest_oldhand_router(self, config: pytest.Config) -> Router | None:
        """Return the router that answers the specs, in place of the home's own assistant."""


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Make the hook known."""
    pluginmanager.add_hookspecs(OldhandHooks)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, and the setting for the folders."""
    group = parser.getgroup("oldhand", "behaviour specs of Oldhand")
    group.addoption(
        "--oldhand-home",
        metavar="DIR",
        default=None,
        help="The home whose assistant is tested; else OLDHAND_HOME, else ~/.oldhand.",
    )
    group.addoption(
        "--oldhand-model",
        metavar="NAME",
        default=None,
        help="The mind that answers: builtin, openai:gpt-4o, …; that of the home's settings by default.",
    )
    parser.addini(
        "oldhand_specs",
        "Folders whose YAML files are looked through for behaviour specs.",
        type="linelist",
        default=["tests/ai"],
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SpecFile | None:
    """Collect a file when it is a behaviour spec; other YAML files are left alone."""
    if file_path.suffix not in _SUFFIXES or not _is_looked_through(file_path, parent):
        return None
    from oldhand.record.spec_marks import is_spec

    if not is_spec(file_path):
        return None
    from oldhand.testing.spec_items import SpecFile

    return SpecFile.from_parent(parent, path=file_path)  # pyright: ignore[reportUnknownMemberType]


def _is_looked_through(path: Path, parent: pytest.Collector) -> bool:
    """Whether a file, or its folder, was named, or lies in one of the folders of specs."""
    session = parent.session
    if session.isinitpath(path) or session.isinitpath(path.parent):
        return True
    folders = parent.config.getini("oldhand_specs")
    return any(_lies_in(path.parent, Path(folder), parent.config.rootpath) for folder in folders)


def _lies_in(folder: Path, wanted: Path, root: Path) -> bool:
    """Whether a folder is the wanted one or below it; a relative one may stand in any project below the root."""
    if wanted.is_absolute():
        return folder.is_relative_to(wanted)
    if folder.is_relative_to(root / wanted):
        return True
    parts, ending = folder.parts, wanted.parts
    starts = range(len(parts) - len(ending) + 1)
    return any(parts[at : at + len(ending)] == ending for at in starts)


@pytest.fixture(scope="session")
def oldhand_stage(pytestconfig: pytest.Config) -> SpecStage:
    """The assistant under test; skips when there is no home."""
    from oldhand.testing.spec_items import stage_of

    return stage_of(pytestconfig)


@pytest.fixture(scope="session")
def orchestrator(oldhand_stage: SpecStage) -> Router:
    """What answers: `orchestrator.route(messages=[…], context={…})`; it records nothing."""
    return oldhand_stage.router


@pytest.fixture(scope="session")
def sql_rows(oldhand_stage: SpecStage) -> Callable[[str, str], tuple[Row, ...]]:
    """Runs a query on a database of the home: `sql_rows("shop", "SELECT …")`; it can only read."""
    return oldhand_stage.rows_of


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    """Let go of the assistant, if one was needed."""
    try:
        yield
    finally:
        if "oldhand.testing.spec_items" in sys.modules:
            from oldhand.testing.spec_items import close_stage

            close_stage(session.config)
