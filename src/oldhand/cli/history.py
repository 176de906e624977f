"""`oldhand history`: what was asked before."""

from typing import TYPE_CHECKING, Annotated

from typer import Option

from oldhand.cli import options
from oldhand.cli.opening import at_home
from oldhand.cli.screen import fitted, make_console, one_line, print_json, short_id

if TYPE_CHECKING:
    from oldhand.record.base import Row
    from oldhand.record.episode import Episode

EXAMPLES = options.examples("""
oldhand history
oldhand history --user ana --limit 5 --json
""")

_SHOWN = 70
"""Characters of a question or answer."""


def history(
    *,
    limit: options.LimitOption = 20,
    user: Annotated[
        str | None, Option("--user", "-u", metavar="NAME", help="Only what this user asked.")
    ] = None,
    session: Annotated[
        str | None, Option("--session", "-s", metavar="ID", help="Only this conversation.")
    ] = None,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """List the latest questions, newest first.

    With --json, one object on each line.
    """
    from oldhand.cli.answering import shown_refusals

    episodes = at_home(
        home, store, lambda old: old.episodes(user=user, session_id=session, limit=limit)
    )
    if as_json:
        for episode in episodes:
            print_json(episode)
    elif episodes:
        columns = ("id", "when", "user", "outcome", "question", "answer")
        console = make_console()
        console.print(*fitted(console, columns, [_row(it) for it in episodes]), sep="\n")
        if refused := sum(step.refused for it in episodes for step in it.answer.steps):
            console.print(shown_refusals(refused))
    else:
        make_console().print("Nothing was asked yet.")


def _row(episode: "Episode") -> "Row":

    when = episode.created_at.strftime("%Y-%m-%d %H:%M")
    answer = episode.answer
    said = (one_line(text, _SHOWN) for text in (answer.question, answer.text))
    return (short_id(episode.id), when, episode.user_id, answer.outcome.value, *said)
