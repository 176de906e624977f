"""`oldhand history`: what was asked before."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from typer import Option

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, with_assistant
from oldhand.cli.screen import Listing, one_line, short_id, shown_minute

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.face import AsyncOldhand
    from oldhand.record.base import Row
    from oldhand.record.episode import Episode

EXAMPLES = options.examples("""
oldhand history
oldhand history --user ana --limit 5 --json
""")

_SHOWN = 70
"""Characters of a question or answer."""


@with_assistant
async def history(
    old: "AsyncOldhand",
    limit: options.LimitOption = 20,
    user: Annotated[
        str | None, Option("--user", "-u", metavar="NAME", help="Only what this user asked.")
    ] = None,
    session: Annotated[
        str | None, Option("--session", "-s", metavar="ID", help="Only this conversation.")
    ] = None,
) -> CommandResult:
    """List the latest questions, newest first.

    With --json, one object on each line.
    """
    episodes = await old.episodes.list(user=user, session_id=session, limit=limit)
    return CommandResult(episodes, _lines(episodes), one_each=True)


def _lines(episodes: "Sequence[Episode]") -> "Iterator[RenderableType]":
    from oldhand.cli.answering import shown_refusals

    columns = ("id", "when", "user", "outcome", "question", "answer")
    yield Listing(columns, [_row(it) for it in episodes], "Nothing was asked yet.")
    if refused := sum(step.refused for it in episodes for step in it.answer.steps):
        yield shown_refusals(refused)


def _row(episode: "Episode") -> "Row":
    answer = episode.answer
    said = (one_line(text, _SHOWN) for text in (answer.question, answer.text))
    return (
        short_id(episode.id),
        shown_minute(episode.created_at),
        episode.user_id,
        answer.outcome.value,
        *said,
    )
