"""A home with the demo company in it."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from oldhand.demo.company import Company, make_company
from oldhand.demo.describing import describe, descriptions
from oldhand.demo.files import Placed, places, write_company
from oldhand.errors import MissingExtra, UsageError
from oldhand.sources.databases import Catalog
from oldhand.sources.databases.embedded import embedded_url

MARKER = "demo_company.txt"
"""Holds the seed; only a folder with this file, or an empty one, is ever written to."""


@dataclass(frozen=True)
class DemoHome:
    """The company and where it lies."""

    company: Company
    path: Path
    databases: tuple[Placed, ...]
    note: str | None = None
    """What is different from the usual, in a line; None when nothing is."""

    def register(self, catalog: Catalog) -> None:
        """Make the databases known, with what the company's people know about their tables."""
        known = descriptions()
        urls = {entry.name: entry.url for entry in catalog.entries()}
        for place in self.databases:
            if urls.get(place.name, place.url) != place.url:
                catalog.remove(place.name)
            catalog.add(place.url, name=place.name, description=known[place.name].description)
        for place in self.databases:
            catalog.write_schema(describe(catalog.schema(place.name), known[place.name]))


def make_home(home: Path, seed: int, postgres: str | None = None) -> DemoHome:
    """Invent the company of a seed and write its databases into a home, in place of an older company.

    Answers and feedback that lie in the home stay as they are. Where Postgres is not installed, a SQLite file stands in
    for it.

    Args:
        home: A folder that is empty, not there yet, or a demo's; an absolute path.
        seed: Any whole number.
        postgres: `pgserver:` URL for the support database; by default one in the home.

    Raises:
        UsageError: the folder holds something else.
        DatabaseUnreachable: Postgres does not start.
    """
    _claim(home)
    (home / MARKER).write_text(f"The demo company of seed {seed}\n", "utf-8")
    shutil.rmtree(home / "index", ignore_errors=True)  # of the values of an older company
    company = make_company(seed)
    url = postgres or embedded_url(home / "postgres", "support")
    try:
        return DemoHome(company, home, write_company(company, home / "data", url))
    except MissingExtra as error:
        written = write_company(company, home / "data", None)
        return DemoHome(company, home, written, f"{error} (a SQLite file stands in for it)")


def kept_home(home: Path) -> DemoHome:
    """The company that lies in a home.

    Raises:
        UsageError: there is none.
    """
    try:
        seed = int((home / MARKER).read_text("utf-8").split()[-1])
    except (OSError, ValueError, IndexError) as error:
        raise UsageError(f"There is no demo company in {home}: leave out --keep.") from error
    company = make_company(seed)
    is_postgres = not (home / "data" / "support.db").is_file()
    url = embedded_url(home / "postgres", "support") if is_postgres else None
    return DemoHome(company, home, places(company, home / "data", url))


def _claim(home: Path) -> None:
    if home.exists() and not home.is_dir():
        raise UsageError(f"{home} is not a folder.")
    if home.is_dir() and any(home.iterdir()) and not (home / MARKER).is_file():
        raise UsageError(
            f"{home} holds something else than a demo company: give another folder with --home."
        )
    home.mkdir(parents=True, exist_ok=True)
