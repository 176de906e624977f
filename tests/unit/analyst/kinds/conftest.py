"""Companies to ask about: the demo company, a chain of bicycle workshops, and others."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from tests.unit.analyst.worlds import World, world_of

from oldhand.demo.company import TODAY, make_company
from oldhand.demo.home import write_sqlite

SCRIPTS = {path.stem: path for path in Path(__file__).parent.glob("*.sql")}


class _Worlds(dict[str, World]):
    """Made when they are asked for first: a worker asks only some of them."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def __missing__(self, name: str) -> World:
        self[name] = self._demo() if name == "demo" else self._of_script(name)
        return self[name]

    def _demo(self) -> World:
        for name, tables in make_company(7).databases.items():
            write_sqlite(self._folder / f"{name}.db", name, tables)
        shop = {name: self._folder / f"{name}.db" for name in ("shop", "warehouse", "support")}
        return world_of(shop, TODAY, described=True)

    def _of_script(self, name: str) -> World:
        file = self._folder / f"{name}.db"
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript(SCRIPTS[name].read_text("utf-8"))
        return world_of({name: file}, date(2025, 6, 15), described=False)


@pytest.fixture(scope="session")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, World]:
    """The worlds by name."""
    return _Worlds(tmp_path_factory.mktemp("worlds"))
