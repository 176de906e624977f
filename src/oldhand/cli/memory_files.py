"""`oldhand memory export` and `import`: what was learned, as lines that belong to the user."""

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option, Typer

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, with_home
from oldhand.cli.screen import one_line, some

if TYPE_CHECKING:
    from oldhand.bootstrap import Home
    from oldhand.store import ImportReport

EXPORT_EXAMPLES = options.examples("""
oldhand memory export memories.jsonl
oldhand memory export --user ana --type preference
""")


def export_memory(
    opened: "Home",
    file: Annotated[Path | None, Argument(help="Standard output when left out.")] = None,
    user: options.OfUserOption = None,
    kind: options.KindOption = None,
) -> Iterator[str]:
    """Write memories as JSON Lines.

    One stands on each line, oldest first.
    """
    from oldhand.face.given import memory_type
    from oldhand.sources.databases.files import replacing
    from oldhand.store import export_memories

    wanted = memory_type(kind)
    with replacing(file) if file else nullcontext(sys.stdout) as lines:
        number = export_memories(opened.store, lines, user_id=user, type=wanted)
    if file:
        yield f"{some(number, 'memory', 'memories')} written to {file}"


IMPORT_EXAMPLES = options.examples("""
oldhand memory import memories.jsonl
oldhand memory import ~/.oldhand/memory
oldhand memory import memories.jsonl --trust
""")


def import_memory(
    opened: "Home",
    source: Annotated[
        Path, Argument(help="A file of lines, or a folder as the journal lays it out.")
    ],
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
) -> CommandResult:
    """Read memories back in.

    This is how edits of the journal's files take effect. Everything is checked before anything is changed. What the owner or an expert taught, says the file, but this
    home has never known, is kept without being used for answers. With --trust it is used.
    """
    from oldhand.store import import_memories

    report = import_memories(opened.store, source, user_id=user, trust=trust)
    return CommandResult(report, _report_lines(report))


def _report_lines(report: "ImportReport") -> Iterator[str]:
    yield (
        f"{report.new} new, {report.changed} changed, {report.unchanged} unchanged, "
        f"{report.skipped} skipped"
    )
    for reason in report.reasons:
        yield f"  {one_line(reason)}"
    if report.untrusted:
        yield (
            f"{report.untrusted} of them say that the owner or an expert taught them. Nobody vouches for that, so no "
            "answer will use them. If the file is yours, import it once more with --trust."
        )


def add_to(app: Typer) -> None:
    """Make them commands of `oldhand memory`."""
    app.command("export", epilog=EXPORT_EXAMPLES)(with_home(export_memory))
    app.command("import", epilog=IMPORT_EXAMPLES)(with_home(import_memory))
