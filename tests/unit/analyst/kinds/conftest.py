"""Companies to ask about: the demo company, a chain of bicycle workshops, and others."""

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from tests.unit.analyst.worlds import World, world_of

from oldhand.demo.company import TODAY, make_company
from oldhand.demo.home import write_sqlite

SCRIPTS = {path.stem: path for path in Path(__file__).parent.glob("*.sql")}


@pytest.fixture(scope="session")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, World]:
    """The worlds by name."""
    folder = tmp_path_factory.mktemp("worlds")
    for name, tables in make_company(7).databases.items():
        write_sqlite(folder / f"{name}.db", name, tables)
    shop = {name: folder / f"{name}.db" for name in ("shop", "warehouse", "support")}
    made = {"demo": world_of(shop, TODAY, described=True)}
    for name, script in SCRIPTS.items():
        file = folder / f"{name}.db"
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript(script.read_text("utf-8"))
        made[name] = world_of({name: file}, date(2025, 6, 15), described=False)
    return made
