"""`oldhand memory export` and `import`: what was learned, as lines that belong to the user."""

import sys
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from oldhand.cli import options
from oldhand.cli.opening import opened_home
from oldhand.cli.screen import one_line, some
from oldhand.errors import UsageError

if TYPE_CHECKING:
    from oldhand.record.memory import MemoryType
    from oldhand.store import Store

EXPORT_EXAMPLES = options.examples("""
oldhand memory export memories.jsonl
oldhand memory export --user ana --type preference
""")


def export_memory(
    file: Annotated[Path | None, Argument(help="Standard output when left out.")] = None,
    *,
    user: options.OfUserOption = None,
    kind: options.KindOption = None,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
) -> None:
    """Write memories as JSON Lines.

    One stands on each line, oldest first.
    """
    from oldhand.store import export_memories

    wanted = memory_type(kind)
    target = file.open("w", encoding="utf-8", newline="") if file else nullcontext(sys.stdout)
    with opened_store(home, store) as kept, target as lines:
        number = export_memories(kept, lines, user_id=user, type=wanted)
    if file:
        print(f"{some(number, 'memory', 'memories')} written to {file}")


IMPORT_EXAMPLES = options.examples("""
oldhand memory import memories.jsonl
oldhand memory import ~/.oldhand/memory
oldhand memory import memories.jsonl --trust
""")


def import_memory(
    source: Annotated[
        Path, Argument(help="A file of lines, or a folder as the journal lays it out.")
    ],
    *,
    user: Annotated[
        str | None,
        Option("--user", "-u", metavar="NAME", help="Whose they are when the lines don't say."),
    ] = None,
    trust: Annotated[
        bool,
        Option(
            "--trust",
            help="Believe what the lines say about who taught them; for files of your own.",
        ),
    ] = False,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Read memories back in.

    This is how edits of the journal's files take effect. Everything is checked before anything is changed. What the owner or an expert taught, says the file, but this
    home has never known, is kept without being used for answers. With --trust it is used.
    """
    from oldhand.store import import_memories

    with opened_store(home, store) as kept:
        report = import_memories(kept, source, user_id=user, trust=trust)
    if as_json:
        print(report.model_dump_json())
        return
    print(
        f"{report.new} new, {report.changed} changed, {report.unchanged} unchanged, "
        f"{report.skipped} skipped"
    )
    for reason in report.reasons:
        print(f"  {one_line(reason)}")
    if report.untrusted:
        print(
            f"{report.untrusted} of them say that the owner or an expert taught them. Nobody vouches for that, so no "
            "answer will use them. If the file is yours, import it once more with --trust."
        )


@contextmanager
def opened_store(home: Path | None, store: str | None) -> "Generator[Store]":
    """The store of a home, without a mind."""
    with opened_home(home, store=store) as opened:
        yield opened.store


def memory_type(name: str | None) -> "MemoryType | None":
    """The type of that name; None means all."""
    from oldhand.record.memory import MemoryType

    if name is None:
        return None
    try:
        return MemoryType(name)
    except ValueError as error:
        raise UsageError(
            f"There is no memory type {name!r}: use {', '.join(MemoryType)}."
        ) from error
