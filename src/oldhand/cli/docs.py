"""`oldhand docs`: what is read besides databases."""

import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from oldhand.cli import docs_care, options
from oldhand.cli.commands import CommandResult, sure, with_assistant
from oldhand.cli.exits import Exit
from oldhand.cli.screen import Listing, make_console, one_line, program, some

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.face import AsyncOldhand
    from oldhand.loop.ingesting import IngestedDocument, IngestWatch
    from oldhand.record.document import Document

EXAMPLES = options.examples("""
oldhand docs add handbook.md
oldhand docs add ./contracts --for members
oldhand docs add https://kaya.example/sitemap.xml
oldhand docs list
oldhand docs show handbook
oldhand docs refresh
oldhand docs remove handbook
oldhand docs stats
""")

app = options.group("Add documents that questions are answered from.", EXAMPLES)

DocumentArgument = Annotated[
    str, Argument(metavar="NAME", help="Its name, file or id, or the first characters of the id.")
]


@app.command(
    epilog=options.examples("""
oldhand docs add handbook.md
oldhand docs add ./contracts ./minutes --for members
oldhand docs add salaries.md --for ana --for bo
oldhand docs add https://kaya.example/returns.html
""")
)
@with_assistant
async def add(
    old: "AsyncOldhand",
    sources: Annotated[
        list[str],
        Argument(metavar="PATH|URL", help="Files, folders of them, addresses, or sitemaps."),
    ],
    readers: Annotated[
        list[str] | None,
        Option(
            "--for",
            metavar="WHO",
            help="Who may see them: everyone (default for new ones), members (owner and experts), or a user's name; can be repeated.",
        ),
    ] = None,
    user: Annotated[
        str, Option("--user", "-u", metavar="NAME", help="Who adds them: the owner or an expert.")
    ] = "default",
    later: Annotated[
        bool,
        Option(
            "--later",
            help="Only note them down: they are read in the background of the next commands, and at night.",
        ),
    ] = False,
) -> CommandResult:
    """Add documents: Markdown, text, HTML, PDF, Word, PowerPoint, Excel, CSV and e-mail.

    They are cut into passages along their own headings. What was added before is read again if it changed. Folders and sitemaps are looked at for new documents each night, and by `oldhand docs refresh`.
    """
    with _progress() as watch:
        done = await old.documents.add(
            sources, readers=readers, user=user, later=later, watch=watch
        )
    return _told(done)


@app.command("list", epilog=options.examples("oldhand docs list\noldhand docs list --json"))
@with_assistant
async def list_documents(old: "AsyncOldhand") -> CommandResult:
    """List the documents."""
    found = await old.documents.list()
    rows = [
        (one.id[:8], one.name, _state(one), one.passages, ", ".join(one.readers)) for one in found
    ]
    nothing = f"No documents were added yet: {program()} docs add handbook.md"
    columns = ("id", "name", "state", "passages", "for")
    said = (await old.documents.found_by()).says if found else ""
    return CommandResult(found, [Listing(columns, rows, nothing), *filter(None, [said])])


@app.command(epilog=options.examples("oldhand docs show handbook"))
@with_assistant
async def show(old: "AsyncOldhand", name: DocumentArgument) -> CommandResult:
    """Show a document, passage by passage."""
    document = await old.documents.get(name)
    passages = await old.documents.passages(document.id)
    lines: list[RenderableType] = [
        one_line(f"{document.name} ({document.source})"),
        _state_line(document),
    ]
    for one in passages:
        lines += ["", one_line(f"[{one.chunk[:8]}] {one.anchor.says}"), *_safe_lines(one.text)]
    return CommandResult({**document.model_dump(mode="json"), "passages": passages}, lines)


@app.command(epilog=options.examples("oldhand docs refresh\noldhand docs refresh handbook --again"))
@with_assistant
async def refresh(
    old: "AsyncOldhand",
    names: Annotated[
        list[str] | None, Argument(metavar="NAME", help="Only these; all by default.")
    ] = None,
    again: Annotated[bool, Option("--again", help="Read them also where nothing changed.")] = False,
) -> CommandResult:
    """Look at the sources again, and read what changed.

    Passages that are as they were keep what was learned of them.
    """
    with _progress() as watch:
        return _told(await old.documents.refresh(*names or (), again=again, watch=watch))


@app.command(
    epilog=options.examples("oldhand docs remove handbook\noldhand docs remove handbook --yes")
)
@with_assistant
async def remove(
    old: "AsyncOldhand", name: DocumentArgument, yes: options.YesOption = False
) -> CommandResult:
    """Remove a document, or all that a folder or sitemap has brought, with what was derived from it.

    Files stay where they are.
    """
    gone = await old.documents.list(name)
    what = one_line(gone[0].name) if len(gone) == 1 else some(len(gone), "document")
    sure(f"Remove {what} with {some(sum(one.passages for one in gone), 'passage')}?", yes=yes)
    await old.documents.remove(name)
    return CommandResult(gone, [one_line(f"Removed {what}.")])


@contextmanager
def _progress() -> "Generator[IngestWatch | None]":
    """A bar where somebody sits before the screen."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    if not sys.stderr.isatty():
        yield None
        return
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=make_console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def watch(done: int, of: int, source: str) -> None:
            bar.update(task, completed=done, total=of, description=one_line(source, 60))

        yield watch


def _told(done: "Sequence[IngestedDocument]") -> CommandResult:
    """What became of documents: those with something to say, then how many there are of each kind."""
    failed = any(one.change.value in {"failed", "gone"} for one in done)
    return CommandResult(
        done, [*_lines(done)], Exit.USAGE if failed and len(done) == 1 else Exit.OK
    )


def _lines(done: "Sequence[IngestedDocument]") -> Iterator[str]:
    for one in done:
        document = one.document
        if len(done) == 1 or document.note:
            change = "" if one.change.value == document.state.value else f"{one.change.value}, "
            yield one_line(f"{document.name}: {change}{_state_line(document)}")
    if len(done) > 1:
        kinds = [one.change.value for one in done]
        counts = ", ".join(f"{kinds.count(kind):,} {kind}" for kind in dict.fromkeys(kinds))
        passages = sum(one.document.passages for one in done)
        yield f"{some(len(done), 'document')}: {counts}; {some(passages, 'passage')}"


def _state(document: "Document") -> str:
    return (
        f"{document.state.value}, with a note"
        if document.note and document.state.value == "ready"
        else document.state.value
    )


def _state_line(document: "Document") -> str:
    state = "" if document.state.value == "ready" else f"{document.state.value}, "
    return one_line(f"{state}{some(document.passages, 'passage')}. {document.note}".strip())


def _safe_lines(text: str) -> list[str]:
    return [one_line(line) for line in text.split("\n")]


docs_care.add_to(app)
