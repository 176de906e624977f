"""`oldhand saved`: questions under a name, asked again, on time, and on boards."""

from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, sure, with_assistant
from oldhand.cli.exits import Exit, exit_code
from oldhand.cli.feedback import LAST
from oldhand.cli.screen import MAX_ROWS, Listing, make_table, one_line, short_id, shown_minute, some
from oldhand.errors import OldhandError
from oldhand.record.clone import DEFAULT_USER

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.face import AsyncOldhand
    from oldhand.record.saved import SavedAnswer, SavedQuestion

EXAMPLES = options.examples("""
oldhand ask "How many orders were there last month?"
oldhand saved add "Orders last month" last
oldhand saved run "Orders last month"
oldhand saved schedule "Orders last month" "weekly on monday at 08:00" --zone Europe/Berlin --to bo@example.org
oldhand saved board Sales "Orders last month" "Best customers"
oldhand saved due
""")
app = options.group(
    "Keep questions under a name, and ask them again on the rows of today.", EXAMPLES
)

NameArgument = Annotated[str, Argument(metavar="NAME", help="Its name, or the first characters of its id.")]  # fmt: skip
UserOption = Annotated[str, Option("--user", "-u", metavar="NAME", help="Who you are.")]
OffOption = Annotated[bool, Option("--off", help="End it.")]
ReadersOption = Annotated[list[str] | None, Option("--for", metavar="NAME", help="Who may see it: a name, or everyone; can be repeated.")]  # fmt: skip
_LATEST = 10


@app.command("add", epilog=options.examples('oldhand saved add "Orders last month" last\noldhand saved add "Open bills" 9b4ff923 --for bo'))  # fmt: skip
@with_assistant
async def add(
    old: "AsyncOldhand",
    name: Annotated[str, Argument(metavar="NAME", help="What it is called.")],
    answer: options.AnswerArgument = LAST,
    readers: ReadersOption = None,
    replace: Annotated[bool, Option("--replace", help="In place of the one of that name, which keeps all else.")] = False,
    user: UserOption = DEFAULT_USER,
) -> CommandResult:  # fmt: skip
    """Save an answered question under a name, with what it was read as."""
    latest = await old.episodes.list(user=user, limit=1) if answer == LAST else ()
    given = latest[0].id if latest else answer
    found = await old.saved.add(name, given, readers=readers, replace=replace, user=user)
    again = f"Ask it again: oldhand saved run '{one_line(found.name)}'"
    return CommandResult(found, [*_shown(found), again])


@app.command("list", epilog=options.examples("oldhand saved list"))
@with_assistant
async def list_saved(old: "AsyncOldhand", user: UserOption = DEFAULT_USER) -> CommandResult:
    """List the saved questions, pinned ones first."""
    found = await old.saved.list(user=user)
    rows = [
        (short_id(it.id), f"{'* ' if it.pinned else ''}{it.name}", shown_minute(it.latest.at), one_line(it.latest.text, 60),
         it.latest.change, str(it.schedule or ""))
        for it in found if it.latest
    ]  # fmt: skip
    nothing = "Nothing is saved yet: oldhand saved add NAME keeps the question of the last answer."
    heads = ("id", "name", "asked (UTC)", "answer", "changed", "schedule")
    return CommandResult(found, [Listing(heads, rows, nothing)])


@app.command("show", epilog=options.examples('oldhand saved show "Orders last month"'))
@with_assistant
async def show(old: "AsyncOldhand", name: NameArgument, user: UserOption = DEFAULT_USER) -> CommandResult:  # fmt: skip
    """Show a saved question: its answer, what it was answered before, and what was sent."""
    found = await old.saved.get(name, user=user)
    answers = await old.saved.answers(name, limit=_LATEST, user=user)
    sent = await old.saved.deliveries(name, limit=_LATEST, user=user) if found.targets else ()
    past = [(shown_minute(it.at), one_line(it.change if it.change and _is_good(it) else it.text, 200)) for it in answers]  # fmt: skip
    lines = [*_shown(found), *_plan(found), "", Listing(("asked (UTC)", "answer, or what had changed"), past)]  # fmt: skip
    if sent:
        rows = [(it.target, it.state.value, it.tries, shown_minute(it.sent_at or it.due_at), it.error) for it in sent]  # fmt: skip
        lines += ["", Listing(("sent to", "state", "tries", "at (UTC)", "what went wrong"), rows)]
    return CommandResult({"saved": found, "answers": answers, "deliveries": sent}, lines)


@app.command("run", epilog=options.examples('oldhand saved run "Orders last month"\noldhand saved run "Orders last month" --send'))  # fmt: skip
@with_assistant
async def run(
    old: "AsyncOldhand",
    name: NameArgument,
    send: Annotated[bool, Option("--send", help="Send the answer as its schedule would.")] = False,
    user: UserOption = DEFAULT_USER,
) -> CommandResult:
    """Ask a saved question on the rows of today, and say what is otherwise."""
    found = await old.saved.run(name, send=send, user=user)
    sent = await old.saved.deliveries(name, limit=len(found.targets) or 1, user=user) if send else ()  # fmt: skip
    lines = [*_shown(found), *(one_line(f"{it.target}: {it.error or it.state.value}") for it in sent)]  # fmt: skip
    return CommandResult(found, lines, Exit.OK if _is_good(found.latest) else Exit.NO_ANSWER)


@app.command("pin", epilog=options.examples('oldhand saved pin "Orders last month"'))
@with_assistant
async def pin(old: "AsyncOldhand", name: NameArgument, off: OffOption = False, user: UserOption = DEFAULT_USER) -> CommandResult:  # fmt: skip
    """Have a saved question come first."""
    found = await old.saved.change(name, pinned=not off, user=user)
    return CommandResult(found, [one_line(f"{found.name} is {'no longer ' if off else ''}pinned.")])


@app.command("change", epilog=options.examples('oldhand saved change "Orders last month" --name "Orders by month" --for everyone'))  # fmt: skip
@with_assistant
async def change(
    old: "AsyncOldhand",
    name: NameArgument,
    new_name: Annotated[str | None, Option("--name", metavar="NAME", help="Its new name.")] = None,
    readers: ReadersOption = None,
    user: UserOption = DEFAULT_USER,
) -> CommandResult:
    """Rename a saved question, or say who may see it."""
    found = await old.saved.change(name, new_name=new_name, readers=readers, user=user)
    return CommandResult(found, [one_line(f"{found.name}, seen by {', '.join(found.readers)}.")])


@app.command("schedule", epilog=options.examples('oldhand saved schedule "Open bills" "daily at 08:00" --zone Europe/Berlin --to bo@example.org\noldhand saved schedule "Open bills" --off'))  # fmt: skip
@with_assistant
async def schedule(  # noqa: PLR0917 (each is an option)
    old: "AsyncOldhand",
    name: NameArgument,
    when: Annotated[str | None, Argument(metavar="WHEN", help="`daily at 08:00`, or `weekly on monday at 08:00`.")] = None,
    zone: Annotated[str, Option("--zone", metavar="NAME", help="Time zone of that time.")] = "UTC",
    to: Annotated[list[str] | None, Option("--to", metavar="TARGET", help="An e-mail address, or https://… of a program; can be repeated.")] = None,
    off: OffOption = False,
    user: UserOption = DEFAULT_USER,
) -> CommandResult:  # fmt: skip
    """Have a saved question asked by itself, while `oldhand serve` runs or by `oldhand saved due`.

    Without WHEN it shows the schedule, and what messages to programs are signed with.
    """
    if when is None and not off:
        found = await old.saved.get(name, user=user)
        secret = await old.saved.secret(name, user=user) if found.schedule else ""
        signed = [f"signed with {secret}"] if secret else []
        return CommandResult({"saved": found, "secret": secret}, [*_plan(found), *signed])
    plan = None if off else when
    found = await old.saved.schedule(name, plan, zone=zone, targets=to or (), user=user)
    return CommandResult(found, _plan(found))


@app.command("share", epilog=options.examples('oldhand saved share "Open bills" --days 30\noldhand saved share "Open bills" --off'))  # fmt: skip
@with_assistant
async def share(
    old: "AsyncOldhand",
    name: NameArgument,
    address: Annotated[str | None, Option("--address", metavar="URL", help="Where the server is reached; `server.public_url` by default.")] = None,
    days: Annotated[int | None, Option("--days", min=1, metavar="N", help="How long it is good.")] = None,
    off: OffOption = False,
    user: UserOption = DEFAULT_USER,
) -> CommandResult:  # fmt: skip
    """Make a link by which anybody sees the latest answer of a saved question, and nothing else."""
    if off:
        await old.saved.unshare(name, user=user)
        return CommandResult({"shared": False}, ["No link leads to it any longer."])
    issued = await old.saved.share(name, lasts=timedelta(days=days) if days else None, user=user)
    where = address or (await old.settings.get()).server.public_url or "http://127.0.0.1:8421"
    return CommandResult(issued, [f"{where.rstrip('/')}/shared/{issued.token}"])


@app.command("remove", epilog=options.examples('oldhand saved remove "Open bills" --yes'))
@with_assistant
async def remove(old: "AsyncOldhand", name: NameArgument, yes: options.YesOption = False, user: UserOption = DEFAULT_USER) -> CommandResult:  # fmt: skip
    """Remove a saved question with all its answers."""
    found = await old.saved.get(name, user=user)
    sure(f"Remove {one_line(found.name)} with all its answers?", yes=yes)
    await old.saved.remove(found.id, user=user)
    return CommandResult({"removed": found.name}, [one_line(f"{found.name} is removed.")])


@app.command("due", epilog=options.examples("oldhand saved due\n*/5 * * * * oldhand saved due"))
@with_assistant
async def due(old: "AsyncOldhand") -> CommandResult:
    """Ask the saved questions that are due, of all assistants, and send what is to be sent: for cron, where no server runs."""
    from oldhand.loop.saved.appointments import Fired

    fired, failed = Fired(), dict[str, OldhandError]()
    for name in await old.saved.due_clones():
        try:
            async with old.beside(clone=name) as assistant:
                fired += await assistant.saved.due()
        except OldhandError as error:  # the others are served all the same
            failed[name] = error
    errors = {name: str(error) for name, error in failed.items()}
    lines = [str(fired), *(one_line(f"{name}: {why}") for name, why in errors.items())]
    code = next(map(exit_code, failed.values()), Exit.OK)
    return CommandResult({**fired.model_dump(), "errors": errors}, lines, code)


@app.command("boards", epilog=options.examples("oldhand saved boards"))
@with_assistant
async def boards(old: "AsyncOldhand") -> CommandResult:
    """List the boards."""
    found = await old.boards.list()
    rows = [(it.name, it.user_id, len(it.questions)) for it in found]
    nothing = "There is no board yet: oldhand saved board BOARD NAME …"
    return CommandResult(found, [Listing(("board", "made by", "questions"), rows, nothing)])


@app.command("board", epilog=options.examples('oldhand saved board Sales "Orders last month" "Best customers"\noldhand saved board Sales --run'))  # fmt: skip
@with_assistant
async def board(
    old: "AsyncOldhand",
    board: Annotated[str, Argument(metavar="BOARD", help="The board's name.")],
    names: Annotated[list[str] | None, Argument(metavar="NAME…", help="Its questions from now on, in this order.")] = None,
    run: Annotated[bool, Option("--run", help="Ask all of them on the rows of today.")] = False,
    remove: Annotated[bool, Option("--remove", help="Remove the board; its questions stay.")] = False,
    user: UserOption = DEFAULT_USER,
) -> CommandResult:  # fmt: skip
    """Show a board of saved questions; with names it is made, or put in order."""
    if remove:
        await old.boards.remove(board, user=user)
        return CommandResult({"removed": board}, [one_line(f"The board {board} is removed.")])
    if names:
        await old.boards.put(board, names, user=user)
    found = await (old.boards.run if run else old.boards.get)(board, user=user)
    lines = [line for one in found.questions for line in (*_shown(one), "")]
    return CommandResult(found, lines[:-1] or ["There is nothing on this board that you may see."])


def _shown(saved: "SavedQuestion") -> "Iterator[RenderableType]":
    """A saved question with its latest answer."""
    from rich.text import Text

    yield Text(one_line(saved.name), "bold")
    if one_line(saved.question) != one_line(saved.name):
        yield Text(one_line(saved.question), "dim")
    if (latest := saved.latest) is None:
        return
    yield Text(one_line(latest.text), "" if _is_good(latest) else "yellow")
    if len(latest.rows) > 1 or len(latest.columns) > 1:
        yield make_table(latest.columns, latest.rows)
        if (left := len(latest.rows) - MAX_ROWS) > 0 or latest.truncated:
            cut = ", and the row limit has cut it" if latest.truncated else ""
            yield Text(f"… and {some(max(left, 0), 'more row')} (--json shows them){cut}", "yellow")
    yield from (Text(one_line(note), "dim") for note in latest.notes)
    changed = f" · changed: {one_line(latest.change)}" if latest.change else ""
    yield Text(f"{short_id(saved.id)} · {shown_minute(latest.at)} UTC{changed}", "dim")


def _plan(saved: "SavedQuestion") -> list[str]:
    if saved.schedule is None:
        return ["asked by people only: oldhand saved schedule NAME WHEN makes a schedule"]
    where = ", ".join(saved.targets) or "nobody: the answers are kept"
    next_at = f"asked {saved.schedule}, next at {shown_minute(saved.due_at)} UTC"
    return [one_line(next_at), one_line(f"sent to {where}")]


def _is_good(answer: "SavedAnswer | None") -> bool:
    from oldhand.record.answer import Outcome

    return answer is not None and answer.outcome is Outcome.ANSWERED
