"""`oldhand experts`: people who are asked."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option, echo

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, with_assistant
from oldhand.cli.opening import open_home, run
from oldhand.cli.screen import Listing, one_line, shown_minute
from oldhand.errors import MissingExtra, ProsodyFailed, UsageError
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.consultation import AnswerRule, Priority, ReplyKind

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Coroutine

    from rich.console import RenderableType

    from oldhand.face import AsyncOldhand
    from oldhand.human.prosody import ProsodyServer
    from oldhand.record.consultation import Consultation

EXAMPLES = options.examples("""
oldhand experts add bo --skill invoices --hours "mon-fri 09:00-17:00" --zone Europe/Berlin
oldhand experts ask "Which discount do resellers get?" --user ana
oldhand experts inbox --as bo
oldhand experts answer 3fa9c1d2 "12 percent" --as bo
oldhand experts show 3fa9c1d2
oldhand experts serve
""")
app = options.group("Ask people where neither databases nor documents hold an answer.", EXAMPLES)

IdArgument = Annotated[str, Argument(metavar="ID", help="The id, or the first characters of it.")]
AsOption = Annotated[str, Option("--as", metavar="NAME", help="Which expert you are.")]
UserOption = Annotated[str, Option("--user", metavar="NAME", help="On whose behalf.")]
NameArgument = Annotated[str, Argument(metavar="NAME", help="Their name.")]
TextArgument = Annotated[str, Argument(metavar="TEXT", help="In plain words.")]


@app.command(epilog=options.examples("oldhand experts serve\noldhand experts serve --port 5333"))
def serve(
    port: Annotated[
        int | None,
        Option(metavar="N", min=1, max=65535, help="The port; as the last time, else 5222."),
    ] = None,
    domain: Annotated[
        str | None,
        Option(metavar="NAME", help="What stands behind the @; as the last time, else localhost."),
    ] = None,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
) -> None:
    """Run an XMPP server on this machine (Prosody), with an account for each expert.

    It writes Prosody's configuration, a certificate and the accounts into the folder `xmpp` of the home, and listens on loopback
    only. As long as it runs, questions to people go over it, whoever asks them. Ctrl-C ends it.
    """
    run(_serve(home, store, domain, port))


@app.command("list", epilog=options.examples("oldhand experts list"))
@with_assistant
async def list_experts(old: "AsyncOldhand") -> CommandResult:
    """List everybody who may be asked, with what they know and when."""
    found = await old.experts.list()
    rows = [
        (it.expert, ", ".join(it.skills), it.hours or "always", ", ".join(it.addresses) or "inbox")
        for it in found
    ]
    nothing = "There is nobody to ask: oldhand experts add NAME names somebody."
    return CommandResult(found, [Listing(("name", "skills", "hours", "reached by"), rows, nothing)])


@app.command("add", epilog=options.examples("oldhand experts add bo --skill invoices --at xmpp=bo@example.org"))  # fmt: skip
@with_assistant
async def add(  # noqa: PLR0917 (each is an option)
    old: "AsyncOldhand",
    name: NameArgument,
    skill: Annotated[list[str] | None, Option("--skill", metavar="WORD", help="What they know.")] = None,
    language: Annotated[list[str] | None, Option("--language", metavar="CODE", help="Such as en.")] = None,
    hours: Annotated[str, Option("--hours", metavar="HOURS", help="When they may be asked.")] = "",
    zone: Annotated[str, Option("--zone", metavar="NAME", help="Time zone of the hours.")] = "UTC",
    at: Annotated[list[str] | None, Option("--at", metavar="WAY=ADDRESS", help="Where they are reached.")] = None,
) -> CommandResult:  # fmt: skip
    """Name an expert, or change what is known of one; their words teach."""
    addresses: dict[str, str] = {}
    for one in at or ():
        way, is_way, address = one.partition("=")
        if not (is_way and address):
            raise UsageError(f"--at {one}: write it as xmpp=bo@example.org.")
        addresses[way] = address
    found = await old.experts.add(
        name, skills=skill or (), languages=language or (), hours=hours, time_zone=zone, addresses=addresses
    )  # fmt: skip
    return CommandResult(found, [one_line(f"{name} may be asked: oldhand experts inbox --as {name} shows what waits.")])  # fmt: skip


@app.command("remove", epilog=options.examples("oldhand experts remove bo"))
@with_assistant
async def remove(old: "AsyncOldhand", name: NameArgument) -> CommandResult:
    """Let somebody be asked no more; what they have taught stays."""
    await old.experts.remove(name)
    return CommandResult({"removed": name}, [one_line(f"{name} is asked no more.")])


@app.command("ask", epilog=options.examples('oldhand experts ask "Which discount do resellers get?" --kind number'))  # fmt: skip
@with_assistant
async def ask(  # noqa: PLR0917 (each is an option)
    old: "AsyncOldhand",
    question: TextArgument,
    details: Annotated[str, Option("--details", metavar="TEXT", help="What helps to answer it.")] = "",
    kind: Annotated[ReplyKind, Option("--kind", help="What form the reply has to have.")] = ReplyKind.TEXT,
    choice: Annotated[list[str] | None, Option("--choice", metavar="TEXT", help="One that can be chosen.")] = None,
    expert: Annotated[list[str] | None, Option("--expert", metavar="NAME", help="Whom; who fits best otherwise.")] = None,
    rule: Annotated[AnswerRule, Option("--rule", help="How many replies make an answer.")] = AnswerRule.FIRST,
    needed: Annotated[int, Option("--needed", min=1, help="Of a quorum: how many have to agree.")] = 1,
    priority: Annotated[Priority, Option("--priority", help="Its place in the inbox.")] = Priority.NORMAL,
    seconds: Annotated[float | None, Option("--seconds", help="How long it stays open; days otherwise.")] = None,
    user: UserOption = DEFAULT_USER,
    wait: Annotated[bool, Option("--wait", help="Wait for the answer.")] = False,
) -> CommandResult:  # fmt: skip
    """Ask people; it comes back at once, and the next command of the same user tells the answer."""
    one = await old.experts.ask(
        question, details=details, kind=kind, choices=choice or (), experts=expert or (),
        rule=rule, needed=needed, priority=priority, seconds=seconds, user=user,
    )  # fmt: skip
    if wait:
        one = await old.experts.wait(one.id)
    return CommandResult(one, lines_of(one))


@app.command("inbox", epilog=options.examples("oldhand experts inbox --as bo"))
@with_assistant
async def inbox(old: "AsyncOldhand", name: AsOption = DEFAULT_USER) -> CommandResult:
    """List the questions that wait for you, the most urgent first."""
    found = await old.experts.inbox(name)
    rows = [(it.visible_id, it.priority.value, shown_minute(it.deadline), it.asked_by, it.question) for it in found]  # fmt: skip
    nothing = f"No question waits for {name}."
    heads = ("id", "priority", "until (UTC)", "asked by", "question")
    lines: list[RenderableType] = [Listing(heads, rows, nothing)]
    if rows:
        lines.append("oldhand experts show ID shows all of one; answer ID TEXT, decline or ask-back replies.")  # fmt: skip
    return CommandResult(found, lines)


def _replies(does: str, example: str, told: str) -> None:
    """A command with which an expert says something to a question: they differ in what is done with it."""

    @app.command(
        does,
        epilog=options.examples(f"oldhand experts {does} 3fa9c1d2 {example} --as bo"),
        help=told,
    )
    @with_assistant
    async def reply(
        old: "AsyncOldhand",
        one: IdArgument,
        text: TextArgument = "",
        name: AsOption = DEFAULT_USER,
    ) -> CommandResult:
        taken = await getattr(old.experts, does.replace("-", "_"))(one, text, expert=name)
        return CommandResult(taken, [one_line(taken.says)])


_replies("answer", '"12 percent"', "Answer a question that waits for you; what you say is learned.")
_replies(
    "decline",
    '"Ask sales."',
    "Say that you can't or won't answer; somebody else is asked then.",
)
_replies("ask-back", '"Net or gross?"', "Ask whoever asked for what you need to know.")


@app.command("explain", epilog=options.examples('oldhand experts explain 3fa9c1d2 "Net." --user ana'))  # fmt: skip
@with_assistant
async def explain(old: "AsyncOldhand", one: IdArgument, text: TextArgument, user: UserOption = DEFAULT_USER) -> CommandResult:  # fmt: skip
    """Say more on a question that you asked."""
    found = await old.experts.explain(one, text, user=user)
    return CommandResult(found, lines_of(found))


@app.command("withdraw", epilog=options.examples("oldhand experts withdraw 3fa9c1d2 --user ana"))
@with_assistant
async def withdraw(old: "AsyncOldhand", one: IdArgument, user: UserOption = DEFAULT_USER) -> CommandResult:  # fmt: skip
    """Take a question back that you asked."""
    found = await old.experts.withdraw(one, user=user)
    return CommandResult(found, lines_of(found))


@app.command("questions", epilog=options.examples("oldhand experts questions"))
@with_assistant
async def questions(old: "AsyncOldhand") -> CommandResult:
    """List the latest questions to people, newest first."""
    found = await old.experts.questions()
    rows = [(it.visible_id, it.state.value, it.asked_by, it.question, it.answer or "") for it in found]  # fmt: skip
    nothing = "Nobody was asked yet: oldhand experts ask QUESTION."
    return CommandResult(found, [Listing(("id", "state", "asked by", "question", "answer"), rows, nothing)])  # fmt: skip


@app.command("show", epilog=options.examples("oldhand experts show 3fa9c1d2"))
@with_assistant
async def show(old: "AsyncOldhand", one: IdArgument) -> CommandResult:
    """Show one question to people with all that happened to it."""
    found, events = await old.experts.get(one), await old.experts.events(one)
    rows = [(f"{it.at:%Y-%m-%d %H:%M:%S}", it.actor, it.what, it.expert or "", it.detail) for it in events]  # fmt: skip
    trail = Listing(("at (UTC)", "by", "what", "whose part", ""), rows, "")
    return CommandResult({"consultation": found, "events": events}, [*lines_of(found), trail])


@app.command("stats", epilog=options.examples("oldhand experts stats"))
@with_assistant
async def stats(old: "AsyncOldhand") -> CommandResult:
    """Say how each expert does: what they answered, how quickly, and how answers fared that rest on it."""
    found = await old.experts.stats()
    rows = [
        (it.expert, str(it.asked), str(it.answered), str(it.late), str(it.declined), str(it.waiting),
         "" if it.median_seconds is None else f"{it.median_seconds:,.0f} s", f"{it.ups}/{it.downs}")
        for it in found
    ]  # fmt: skip
    heads = (
        "name",
        "asked",
        "answered",
        "late",
        "declined",
        "waiting",
        "median time",
        "liked/disliked",
    )
    return CommandResult(found, [Listing(heads, rows, "There is nobody to ask.")])


def lines_of(one: "Consultation") -> Sequence[str]:
    """How a question to people stands, in words."""
    who = ", ".join(it.expert for it in one.asks)
    lines = [f"{one.visible_id} · {one.state.value} · asked {who}: {one.question}"]
    lines += [f"Context: {one.context}"] if one.context else []
    lines += (f"{at}. {choice}" for at, choice in enumerate(one.wanted.choices, start=1))
    lines += (f"{', '.join(experts)}: {text}" for text, experts in one.opinions)
    lines += (f"{it.by}: {it.text}" for it in one.remarks)
    lines += [one.note] if one.note else []
    return [one_line(line) for line in lines]  # pyright: ignore[reportReturnType]


async def _serve(home: Path | None, store: str | None, domain: str | None, port: int | None) -> None:  # fmt: skip
    try:
        from oldhand.human.own_server import ASKER, addresses, own_server
    except ImportError as error:
        raise MissingExtra(error.name or "slixmpp", "xmpp") from error
    async with open_home(home, store=store) as old:
        people = await old.people.get()
        server = own_server(old.path, domain=domain, port=port)
        found = addresses(server, [ASKER, people.owner, *people.experts])
        told = _told_to_end()
        try:
            await server.start()
            _tell(server, found)
            await _until(told, server, old.experts.attend(found))
        finally:
            await server.stop()


def _tell(server: "ProsodyServer", found: dict[str, str]) -> None:
    echo(f"XMPP answers at 127.0.0.1:{server.port}. Ctrl-C ends it.")
    for expert, address in found.items():
        echo(f"  {expert}: {address}")
    echo(f"Passwords: {server.accounts}")
    echo(f"Certificate that clients trust: {server.certificate}")


def _told_to_end() -> "asyncio.Event":
    """Is set by Ctrl-C or SIGTERM; from now on they end it in order."""
    import asyncio
    import signal

    told, loop = asyncio.Event(), asyncio.get_running_loop()
    for one in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(one, told.set)
    return told


async def _until(
    told: "asyncio.Event", server: "ProsodyServer", carrying: "Coroutine[object, object, None]"
) -> None:
    """Carry questions until it is told to end; an end of the server itself is an error."""
    import asyncio

    tasks = [asyncio.create_task(one) for one in (server.ended(), told.wait(), carrying)]
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for one in tasks:
        one.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    if told.is_set():
        return
    if tasks[2] in done:
        tasks[2].result()
    raise ProsodyFailed(f"Prosody has ended. {server.said()}")
