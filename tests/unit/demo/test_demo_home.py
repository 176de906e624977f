"""The home of a demo: whole, unfinished, or somebody else's."""

from pathlib import Path

import pytest

from oldhand.demo.home import kept_home, make_home
from oldhand.demo.marks import MARKER, UNFINISHED
from oldhand.errors import UsageError
from oldhand.sources.databases import Catalog
from oldhand.sources.databases.embedded import embedded_url


def test_a_company_is_unfinished_until_it_is_registered(tmp_path: Path, cluster: Path) -> None:
    home = tmp_path / "demo"
    made = make_home(home, 5, embedded_url(cluster, "demo_home"))
    with pytest.raises(UsageError, match="is unfinished: run oldhand demo"):
        kept_home(home)
    catalog = Catalog(home)
    made.register(catalog)
    catalog.close()
    assert kept_home(home).company == made.company
    assert kept_home(home, 5).company == made.company
    with pytest.raises(UsageError, match="is of seed 5"):
        kept_home(home, 9)


def test_a_company_that_is_made_anew_is_unfinished_again(tmp_path: Path, cluster: Path) -> None:
    (tmp_path / MARKER).write_text("The demo company of seed 1\n")
    make_home(tmp_path, 2, embedded_url(cluster, "demo_anew"))
    assert not (tmp_path / MARKER).exists()
    assert (tmp_path / UNFINISHED).exists()


def test_where_postgres_does_not_start_sqlite_stands_in_and_says_so(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "PG_VERSION").write_text("9\n")
    made = make_home(tmp_path / "demo", 1, embedded_url(broken, "support"))
    assert made.note == f"The Postgres in {broken} does not start (a SQLite file stands in for it)"
    assert (tmp_path / "demo" / "data" / "support.db").is_file()


def test_postgres_runs_in_a_folder_whose_name_a_shell_would_take_apart(tmp_path: Path) -> None:
    folder = tmp_path / "a b; $(c) 'ä'"
    folder.mkdir()
    made = make_home(folder, 1)
    assert made.note is None
    catalog = Catalog(folder)
    made.register(catalog)
    assert len(catalog.open("support").introspect().tables) == 2
    catalog.close()
