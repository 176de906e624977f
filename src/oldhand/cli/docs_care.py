"""`oldhand docs stats`, `votes` and `reset`: how documents fare, and taking back what votes have taught about them."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option, Typer

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, sure, with_assistant
from oldhand.cli.screen import Listing, one_line, program
from oldhand.record.document import place_in

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.face import AsyncOldhand
    from oldhand.record.monitoring import DocumentStats, FeedbackSpan, PassageStanding

_SHOWN_HASH = 8
_SHOWN_TEXT = 60
_RANGES = ("below -0.3", "below 0", "below 0.3", "0.3 and more")


def add_to(app: Typer) -> None:
    """Let these be commands of that group."""
    for command, examples in _COMMANDS:
        app.command(epilog=options.examples(examples))(command)


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
        return CommandResult(found, [_listing(found, f"{name} has no passages.")])
    told = await old.documents.stats()
    return CommandResult(told, _told(told))


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


_COMMANDS = (
    (stats, "oldhand docs stats\noldhand docs stats handbook\noldhand docs stats --json"),
    (votes, "oldhand docs votes 3f9c2a1b"),
    (reset, "oldhand docs reset handbook\noldhand docs reset --passage 3f9c2a1b\noldhand docs reset --all --yes"),
)  # fmt: skip


def _told(stats: "DocumentStats") -> "Iterator[RenderableType]":
    columns = ("answers out of documents", "answers", "rated", "liked", "changed by feedback")
    yield Listing(columns, [_span(one) for one in stats.spans])
    yield ""
    scores = zip(stats.scores.values(), _RANGES, strict=True)
    yield f"Scores of passages: {', '.join(f'{count:,} {named}' for count, named in scores)}."
    yield one_line(f"Rule in force: {stats.rule}. {stats.safeguard}")
    if stats.misleading:
        yield "\nPassages that votes speak against:"
        yield _listing(stats.misleading)
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


def _listing(found: "Iterable[PassageStanding]", nothing: str = "") -> Listing:
    rows = [
        (one.chunk[:_SHOWN_HASH], one_line(place_in(one.document, one.place)),
         one_line(one.text, _SHOWN_TEXT), one.shown, f"{one.ups} up, {one.downs} down",
         f"{one.credit:+.2f}" if one.ups or one.downs else "", "" if one.score is None else f"{one.score:+.2f}")
        for one in found
    ]  # fmt: skip
    columns = ("passage", "place", "text", "shown", "votes", "credit", "score")
    return Listing(columns, rows, nothing)
