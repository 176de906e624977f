"""`oldhand restore`: a home out of a backup."""

from pathlib import Path
from typing import Annotated

from typer import Argument

from oldhand.cli import options
from oldhand.cli.screen import make_console, some

EXAMPLES = options.examples("""
oldhand restore monday.tar.gz --home /srv/oldhand-again
oldhand restore monday.tar.gz --home ./again --store postgresql://oldhand@db/again
""")


def restore(
    file: Annotated[Path, Argument(metavar="FILE", help="As oldhand backup has written it.")],
    home: options.HomeOption = None,
    store: options.StoreOption = None,
) -> None:
    """Make a home out of a backup. Nothing is overwritten: the folder and the store must be empty.

    A backup of a home whose store is Postgres goes into the database that its settings name, or --store.
    """
    from oldhand.settings import home_folder
    from oldhand.store.backup import restore as put_back

    path = home_folder(home)
    made = put_back(file, path, store=store)
    console = make_console()
    console.print(f"{path}: {some(len(made.sums), 'file')} of {made.made_at:%Y-%m-%d %H:%M} UTC.")
    if store is not None:
        console.print(f"Go on with --store, or name it as `store` in {path / 'settings.yaml'}.")
