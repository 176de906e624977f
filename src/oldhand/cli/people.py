"""`oldhand people`: whose words teach, and who is erased."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, sure, with_assistant
from oldhand.cli.screen import Listing, make_table, one_line
from oldhand.errors import UsageError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.face import AsyncOldhand
    from oldhand.record.clone import Clone
    from oldhand.store import ErasedCounts


EXAMPLES = options.examples("""
oldhand people list
oldhand people owner ana
oldhand people add bo cy
oldhand people remove cy
oldhand people erase bo
oldhand people invite dee --address https://oldhand.example.org
oldhand people key ana --label reports
""")

app = options.group(
    "Say who owns this assistant and who its experts are: their words teach.", EXAMPLES
)

PeopleArgument = Annotated[list[str], Argument(metavar="NAME", help="Their names.")]


@app.command("list", epilog=options.examples("oldhand people list\noldhand people list --json"))
@with_assistant
async def list_people(old: "AsyncOldhand") -> CommandResult:
    """List the owner and the experts.

    What they confirm, correct and define is learned. What all others say is kept and teaches nothing. A role counts
    from the next word on: what somebody has taught before stays.
    """
    return _told(await old.people.get())


@app.command("owner", epilog=options.examples("oldhand people owner ana"))
@with_assistant
async def name_owner(
    old: "AsyncOldhand", name: Annotated[str, Argument(metavar="NAME", help="Their name.")]
) -> CommandResult:
    """Name the owner; until then it is `default`, under whose name commands speak that name nobody."""
    known = await old.people.get()
    return _told(await old.people.name(owner=name, experts=_without(known, [name])))


@app.command("add", epilog=options.examples("oldhand people add bo cy"))
@with_assistant
async def add_experts(old: "AsyncOldhand", names: PeopleArgument) -> CommandResult:
    """Name experts, beside those there are."""
    known = await old.people.get()
    new = [name for name in names if name != known.owner]
    return _told(await old.people.name(experts=tuple(dict.fromkeys((*known.experts, *new)))))


@app.command("remove", epilog=options.examples("oldhand people remove cy"))
@with_assistant
async def remove_experts(old: "AsyncOldhand", names: PeopleArgument) -> CommandResult:
    """Let experts be experts no more; what they have taught stays.

    `oldhand people erase NAME` takes it back, too.
    """
    known = await old.people.get()
    if strangers := [name for name in names if name not in known.experts]:
        raise UsageError(f"{strangers[0]!r} is no expert here; `oldhand people list` names them.")
    return _told(await old.people.name(experts=_without(known, names)))


@app.command(
    "erase",
    epilog=options.examples("oldhand people erase bo --dry-run\noldhand people erase bo --yes"),
)
@with_assistant
async def erase(
    old: "AsyncOldhand",
    user: Annotated[str, Argument(metavar="NAME", help="Who is erased.")],
    dry_run: Annotated[bool, Option("--dry-run", help="Only say how much it would be.")] = False,
    yes: options.YesOption = False,
) -> CommandResult:
    """Erase a user: all that they asked and said, and all that was learned from it.

    It leaves the store, the readable files, the search and the specs; what rests on the words of others, too, is
    learned again from these. It can't be undone. Backups, and files that you exported yourself, stay as they are.
    """
    counts = await old.people.erase(user, dry_run=True)
    if not dry_run:
        sure(f"Erase {user} for good: {shown(counts)}?", yes=yes)
        counts = await old.people.erase(user)
    return CommandResult(counts, [f"{'It would erase' if dry_run else 'Erased'}: {shown(counts)}."])


@app.command(
    "invite",
    epilog=options.examples("oldhand people invite dee\noldhand people invite eve --admin"),
)
@with_assistant
async def invite(
    old: "AsyncOldhand",
    name: Annotated[str, Argument(metavar="NAME", help="Who may come.")],
    address: Annotated[
        str, Option("--address", metavar="URL", help="Where the server is reached.")
    ] = "http://127.0.0.1:8421",
    admin: Annotated[
        bool, Option("--admin", help="Let them make assistants and accounts.")
    ] = False,
) -> CommandResult:
    """Let somebody use this assistant over the network; prints a link that signs them in once, within a week."""
    await old.access.add_account(name, admin=admin)
    if name not in await old.access.members():
        await old.access.let_in(name)
    link = f"{address}/#sign-in={(await old.access.invite(name)).token}"
    return CommandResult({"user": name, "link": link}, [one_line(f"For {name}, good once: {link}")])


@app.command("key", epilog=options.examples("oldhand people key ana --label reports"))
@with_assistant
async def key(
    old: "AsyncOldhand",
    name: Annotated[str, Argument(metavar="NAME", help="In whose name the program acts.")],
    label: Annotated[str, Option("--label", metavar="TEXT", help="What it is for.")] = "",
) -> CommandResult:
    """Make a key for a program that uses this assistant over the network; it is shown this once."""
    if name not in await old.access.members():
        raise UsageError(f"{name} has no role here: oldhand people invite {name}, or people add.")
    issued = await old.access.issue_key(name, label=label)
    found = {"id": issued.credential.id, "user": name, "key": issued.token}
    return CommandResult(found, [one_line(f"Key of {name}, shown this once: {issued.token}")])


@app.command("keys", epilog=options.examples("oldhand people keys"))
@with_assistant
async def keys(old: "AsyncOldhand") -> CommandResult:
    """List keys and share links, without their secrets."""
    found = await old.access.keys()
    rows = [(one.id, one.kind.value, one.user_id, one.label, f"{one.created_at:%Y-%m-%d}") for one in found]  # fmt: skip
    nothing = "There are no keys: oldhand people key NAME makes one."
    return CommandResult(found, [Listing(("id", "kind", "user", "label", "since"), rows, nothing)])


@app.command("revoke", epilog=options.examples("oldhand people revoke 3fa9c1d2e4b5"))
@with_assistant
async def revoke(
    old: "AsyncOldhand",
    key_id: Annotated[str, Argument(metavar="ID", help="As `oldhand people keys` shows it.")],
) -> CommandResult:
    """Let a key or share link be good no more."""
    await old.access.revoke(key_id)
    return CommandResult({"revoked": key_id}, [one_line(f"{key_id} is good no more.")])


def shown(counts: "ErasedCounts") -> str:
    """How much it is, in words.

    >>> from oldhand.store import ErasedCounts
    >>> shown(ErasedCounts(episodes=2, feedback=1))
    '2 answers, 1 feedback, 0 evaluations, 0 runs, 0 memories'
    """
    unknown = counts.runs_of_nobody
    runs = f"{counts.runs} runs" + (f" ({unknown} of nobody knows whom)" if unknown else "")
    return (
        f"{counts.episodes} answers, {counts.feedback} feedback, {counts.evaluations} evaluations, "
        f"{runs}, {counts.memories} memories"
    )


def _without(known: "Clone", names: Collection[str]) -> tuple[str, ...]:
    return tuple(expert for expert in known.experts if expert not in names)


def _told(clone: "Clone") -> CommandResult:
    """Who there is."""
    from oldhand.record.clone import DEFAULT_USER

    rows = ((clone.owner, "owner"), *((expert, "expert") for expert in clone.experts))
    lines: list[RenderableType] = [make_table(("name", "role"), rows)]
    if DEFAULT_USER not in (clone.owner, *clone.experts):
        teach = (
            f"feedback and alias teach with --rater {clone.owner}, chat with --user {clone.owner}."
        )
        lines.append(one_line(f"Commands that name nobody speak as a stranger: {teach}"))
    return CommandResult(clone.model_dump(include={"owner", "experts"}), lines)
