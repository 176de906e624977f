"""`oldhand init`: make a home."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument

from oldhand.cli import options
from oldhand.cli.opening import chosen_databases, open_home, run
from oldhand.cli.screen import home_option, make_console, program
from oldhand.errors import InvalidSetting

if TYPE_CHECKING:
    from oldhand.record.clone import DatabaseEntry

EXAMPLES = options.examples("""
oldhand init
oldhand init sqlite:///shop.db --home ./my-home
oldhand init --store postgresql://oldhand@db/oldhand
""")


def init(
    databases: Annotated[
        list[str] | None, Argument(metavar="URL", help="Databases to register.")
    ] = None,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
) -> None:
    """Make a home, register databases in it, and show the next steps."""
    from oldhand.cli.schemas import databases_table

    async def work() -> "tuple[Path, tuple[DatabaseEntry, ...]]":
        async with open_home(home, store=store, create=True) as old:
            if store is not None:
                remember_store(old.path, store)
            chosen_databases(old.databases, databases)
            return old.path, old.databases.list()

    path, entries = run(work())
    console = make_console()
    console.print(f"The home is {path}")
    console.print(databases_table(entries))
    option, called = home_option(home), program()
    console.print("Next:")
    if not entries:
        console.print(f"  {called} db add URL --name NAME{option}")
    console.print(f'  {called} ask "How many … are there?"{option}')
    console.print(f"  {called} doctor{option}")


def remember_store(home: Path, store: str) -> None:
    """Write the store's URL into the home's settings, so that every command uses it."""
    from oldhand.settings import SETTINGS_FILE, load_settings

    known = load_settings(home, environ={}).store
    if known not in (None, store):
        raise InvalidSetting(f"{home / SETTINGS_FILE} already names another store; edit it there.")
    if known is None:
        import yaml

        with (home / SETTINGS_FILE).open("a", encoding="utf-8") as settings:
            settings.write(yaml.safe_dump({"store": store}))
