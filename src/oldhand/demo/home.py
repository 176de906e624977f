"""A home with the demo company in it."""

import shutil
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from oldhand.demo.company import TODAY, Company, make_company
from oldhand.demo.describing import describe, descriptions
from oldhand.demo.files import Placed, places, write_company
from oldhand.demo.marks import begin, finish, is_demo, kept_in
from oldhand.errors import DatabaseUnreachable, MissingExtra, UsageError
from oldhand.errors.files import is_taken, written_to
from oldhand.sources.databases import Catalog
from oldhand.sources.databases.embedded import embedded_url


@dataclass(frozen=True)
class DemoHome:
    """The company and where it lies."""

    company: Company
    path: Path
    databases: tuple[Placed, ...]
    note: str | None = None
    """What is different from the usual, in a line; None when nothing is."""

    def register(self, catalog: Catalog) -> None:
        """Make the databases known, with what the company's people know about their tables; then the company is whole."""
        known = descriptions()
        urls = {entry.name: entry.url for entry in catalog.list()}
        for place in self.databases:
            if urls.get(place.name, place.url) != place.url:
                catalog.remove(place.name)
            catalog.add(place.url, name=place.name, description=known[place.name].description)
        for place in self.databases:
            catalog.write_schema(describe(catalog.schema(place.name), known[place.name]))
        finish(self.path, self.company.seed, self.company.today)


def make_home(
    home: Path, seed: int, postgres: str | None = None, *, today: date = TODAY
) -> DemoHome:
    """Invent the company of a seed and write its databases into a home, in place of an older company.

    Answers and feedback that lie in the home stay as they are. Where Postgres is not installed or does not start, a
    SQLite file stands in for it. The company is unfinished until it is registered.

    Args:
        home: A folder that is empty, not there yet, or a demo's; an absolute path.
        seed: Any whole number.
        postgres: `pgserver:` URL for the support database; by default one in the home.
        today: The last day in the company's books.

    Raises:
        UsageError: the folder holds something else.
    """
    _claim(home)
    begin(home)
    shutil.rmtree(home / "index", ignore_errors=True)  # of the values of an older company
    company = make_company(seed, today)
    url = postgres or embedded_url(home / "postgres", "support")
    try:
        return DemoHome(company, home, write_company(company, home / "data", url))
    except (MissingExtra, DatabaseUnreachable) as error:
        written = write_company(company, home / "data", None)
        return DemoHome(
            company, home, written, f"{str(error).rstrip('.')} (a SQLite file stands in for it)"
        )


def kept_home(home: Path, seed: int | None = None) -> DemoHome:
    """The company that lies in a home.

    Args:
        home: A demo's folder; an absolute path.
        seed: The seed that it must have; None takes any.

    Raises:
        UsageError: there is none, it was not written to its end, or it is of another seed.
    """
    kept, today = kept_in(home)
    if seed not in (None, kept):
        raise UsageError(f"The company in {home} is of seed {kept}: leave out --seed, or --keep.")
    company = make_company(kept, today)
    is_postgres = not (home / "data" / "support.db").is_file()
    url = embedded_url(home / "postgres", "support") if is_postgres else None
    return DemoHome(company, home, places(company, home / "data", url))


def _claim(home: Path) -> None:
    if is_taken(home) and not home.is_dir():
        raise UsageError(f"{home} is not a folder: give another one with --home.")
    if home.is_dir() and any(home.iterdir()) and not is_demo(home):
        raise UsageError(
            f"{home} holds something else than a demo company: give another folder with --home."
        )
    with written_to(home):
        home.mkdir(parents=True, exist_ok=True)
