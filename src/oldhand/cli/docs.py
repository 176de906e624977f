"""`oldhand docs`: what is read besides databases."""

import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, sure, with_assistant
from oldhand.cli.exits import Exit
from oldhand.cli.screen import Listing, make_console, one_line, program, some
from oldhand.record.document import place_in

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.face import AsyncOldhand
    from oldhand.loop.ingesting import IngestedDocument, IngestWatch
    from oldhand.record.document import Document
    from oldhand.record.monitoring import DocumentStats, FeedbackSpan, PassageStanding

_SHOWN_TEXT = 60
_RANGES = ("below -0.3", "below 0", "below 0.3", "0.3 and more")

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
        lines += [
            "",
            one_line(f"[{one.chunk[:8]}] {one.anchor.says}"),
            *map(one_line, one.text.split("\n")),
        ]
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


@app.command(
    epilog=options.examples(
        "oldhand docs stats\noldhand docs stats handbook\noldhand docs stats --json"
    )
)
@with_assistant
async def stats(
    old: "AsyncOldhand",
    name: Annotated[
        str | None, Argument(metavar="[NAME]", help="Only the passages of this document.")
    ] = None,
) -> CommandResult:
    """Show how documents fare: feedback, what it changes, passages that mislead, and what to write next.

    With a document, each of its passages: how often it was seen, and what votes say of it.
    """
    if name is not None:
        found = await old.documents.standing(name)
        return CommandResult(found, [_standing(found, f"{name} has no passages.")])
    told = await old.documents.stats()
    return CommandResult(told, _fared(told))


@app.command(epilog=options.examples("oldhand docs votes 3f9c2a1b"))
@with_assistant
async def votes(
    old: "AsyncOldhand",
    passage: Annotated[
        str, Argument(metavar="PASSAGE", help="Its hash, or the first characters of it.")
    ],
) -> CommandResult:
    """Show vote by vote what a passage was credited with.

    `oldhand docs show NAME` and `oldhand docs stats` name the hashes. Credit is for questions like the one that was asked; the score is a moving average over all.
    """
    from oldhand.cli.learned import shown_moment

    found = await old.documents.votes(passage)
    rows = [
        (shown_moment(one.at), one.rater, f"{one.rating:+d}", one_line(one.question, _SHOWN_TEXT),
         f"{one.credit:+.2f}", f"{one.credit_after:+.2f}", f"{one.score_after:+.2f}")
        for one in found
    ]  # fmt: skip
    columns = ("at", "by", "vote", "question", "credit", "credit so far", "score so far")
    return CommandResult(found, [Listing(columns, rows, "Nobody has voted on it yet.")])


@app.command(
    epilog=options.examples(
        "oldhand docs reset handbook\noldhand docs reset --passage 3f9c2a1b\noldhand docs reset --all --yes"
    )
)
@with_assistant
async def reset(
    old: "AsyncOldhand",
    name: Annotated[
        str | None, Argument(metavar="[NAME]", help="The document whose passages are meant.")
    ] = None,
    passage: Annotated[
        str | None, Option("--passage", metavar="HASH", help="Instead of it, one passage.")
    ] = None,
    everything: Annotated[bool, Option("--all", help="Instead of either, all passages.")] = False,
    user: Annotated[
        str, Option("--user", "-u", metavar="NAME", help="Who resets it: the owner.")
    ] = "default",
    yes: options.YesOption = False,
) -> CommandResult:
    """Let what votes have taught so far about passages not count any longer.

    The votes stay on record, and later ones count. `oldhand memory undo` takes the reset back.
    """
    what = passage or name or "all passages"
    sure(f"Reset what votes have taught about {one_line(what)}?", yes=yes)
    note = await old.documents.reset(name, chunk=passage, everything=everything, rater=user)
    return CommandResult(
        note, [one_line(f"{note.summary}. Take it back: {program()} memory undo {note.id}")]
    )


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
    code = Exit.USAGE if failed and len(done) == 1 else Exit.OK
    return CommandResult(done, [*_lines(done)], code)


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
    has_note = document.note and document.state.value == "ready"
    return f"{document.state.value}, with a note" if has_note else document.state.value


def _state_line(document: "Document") -> str:
    state = "" if document.state.value == "ready" else f"{document.state.value}, "
    return one_line(f"{state}{some(document.passages, 'passage')}. {document.note}".strip())


def _fared(stats: "DocumentStats") -> "Iterator[RenderableType]":
    columns = ("answers out of documents", "answers", "rated", "liked", "changed by feedback")
    yield Listing(columns, [_span(one) for one in stats.spans])
    yield ""
    scores = zip(stats.scores.values(), _RANGES, strict=True)
    yield f"Scores of passages: {', '.join(f'{count:,} {named}' for count, named in scores)}."
    yield one_line(f"Rule in force: {stats.rule}. {stats.safeguard}")
    if stats.misleading:
        yield "\nPassages that votes speak against:"
        yield _standing(stats.misleading)
    if stats.open_questions:
        yield "\nQuestions to write something about:"
        rows = [
            (one_line(one.question, _SHOWN_TEXT), one.times, f"{one.last:%Y-%m-%d}",
             "the answer was called wrong" if one.rated_down else "no passage answers it")
            for one in stats.open_questions
        ]  # fmt: skip
        yield Listing(("question", "times", "last", "why"), rows)


def _span(span: "FeedbackSpan") -> tuple[str, int, str, str, str]:
    named = "all" if span.days is None else f"last {span.days} days"
    shares = (span.feedback_rate, span.positive_ratio, span.impact)
    rate, ratio, impact = ("" if one is None else f"{one:.0%}" for one in shares)
    return named, span.answers, rate, ratio, impact


def _standing(found: "Iterable[PassageStanding]", nothing: str = "") -> Listing:
    rows = [
        (one.chunk[:8], one_line(place_in(one.document, one.place)),
         one_line(one.text, _SHOWN_TEXT), one.shown, f"{one.ups} up, {one.downs} down",
         f"{one.credit:+.2f}" if one.ups or one.downs else "", "" if one.score is None else f"{one.score:+.2f}")
        for one in found
    ]  # fmt: skip
    columns = ("passage", "place", "text", "shown", "votes", "credit", "score")
    return Listing(columns, rows, nothing)
