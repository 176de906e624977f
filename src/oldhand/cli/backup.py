"""`oldhand backup`: a home in one file."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from oldhand.cli import options
from oldhand.cli.opening import existing_home
from oldhand.cli.screen import make_console, some

EXAMPLES = options.examples("""
oldhand backup /srv/backups/oldhand-monday.tar.gz
oldhand backup monday.tar.gz --check
""")


def backup(
    file: Annotated[Path, Argument(metavar="FILE", help="The backup, such as monday.tar.gz.")],
    check: Annotated[bool, Option("--check", help="Only look whether FILE is whole.")] = False,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
) -> None:
    """Write all of this home into one file: store, all assistants, uploaded documents, settings and journal.

    Others may go on working meanwhile. The file is read back before it gets its name; one that was broken off is called
    FILE.partial. It holds what people asked: keep it as safe as the home. The databases themselves are not in it.
    """
    from oldhand.models.clock import SystemClock
    from oldhand.store.backup import back_up, checked_backup

    if check:
        made = checked_backup(file)
    else:
        made = back_up(existing_home(home), file, store=store, clock=SystemClock())
    size = f"{file.stat().st_size / 1_000_000:,.1f} MB"
    make_console().print(f"{file} is whole: {some(len(made.sums), 'file')}, {size}.")
