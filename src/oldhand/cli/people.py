"""`oldhand people`: whose words teach."""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Annotated

from typer import Argument

from oldhand.cli import options
from oldhand.cli.opening import open_home, run
from oldhand.cli.screen import make_console, make_table, one_line
from oldhand.errors import UsageError

if TYPE_CHECKING:
    from oldhand.record.clone import Clone


EXAMPLES = options.examples("""
oldhand people list
oldhand people owner ana
oldhand people add bo cy
oldhand people remove cy
""")

app = options.group(
    "Say who owns this assistant and who its experts are: their words teach.", EXAMPLES
)

PersonArgument = Annotated[str, Argument(metavar="NAME", help="Their name.")]
PeopleArgument = Annotated[list[str], Argument(metavar="NAME", help="Their names.")]


@app.command("list", epilog=options.examples("oldhand people list\noldhand people list --json"))
def list_people(
    *,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """List the owner and the experts.

    What they confirm, correct and define is learned. What all others say is kept and teaches nothing. A role counts
    from the next word on: what somebody has taught before stays.
    """
    _change(None, home=home, store=store, as_json=as_json)


@app.command("owner", epilog=options.examples("oldhand people owner ana"))
def name_owner(
    name: PersonArgument,
    *,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Name the owner; until then it is `default`, under whose name commands speak that name nobody."""
    _change(lambda known: (name, _without(known, [name])), home=home, store=store, as_json=as_json)


@app.command("add", epilog=options.examples("oldhand people add bo cy"))
def add_experts(
    names: PeopleArgument,
    *,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Name experts, beside those there are."""

    def added(known: "Clone") -> tuple[str, tuple[str, ...]]:
        new = tuple(name for name in names if name != known.owner)
        return known.owner, tuple(dict.fromkeys((*known.experts, *new)))

    _change(added, home=home, store=store, as_json=as_json)


@app.command("remove", epilog=options.examples("oldhand people remove cy"))
def remove_experts(
    names: PeopleArgument,
    *,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Let experts be experts no more; what they have taught stays.

    `oldhand memory erase --user NAME` takes it back, too.
    """

    def left(known: "Clone") -> tuple[str, tuple[str, ...]]:
        if strangers := [name for name in names if name not in known.experts]:
            raise UsageError(
                f"{strangers[0]!r} is no expert here; `oldhand people list` names them."
            )
        return known.owner, _without(known, names)

    _change(left, home=home, store=store, as_json=as_json)


def _without(known: "Clone", names: Collection[str]) -> tuple[str, ...]:
    return tuple(expert for expert in known.experts if expert not in names)


def _change(
    change: "Callable[[Clone], tuple[str, tuple[str, ...]]] | None",
    *,
    home: options.HomeOption,
    store: options.StoreOption,
    as_json: bool,
) -> None:
    """Name the people that `change` says, if any, and show who there is."""
    from oldhand.record.clone import DEFAULT_USER

    async def work() -> "Clone":
        async with open_home(home, store=store) as old:
            known = await old.people()
            if change is None:
                return known
            owner, experts = change(known)
            return await old.people(owner=owner, experts=experts)

    clone = run(work())
    if as_json:
        print(clone.model_dump_json(include={"owner", "experts"}))
        return
    rows = ((clone.owner, "owner"), *((expert, "expert") for expert in clone.experts))
    console = make_console()
    console.print(make_table(("name", "role"), rows))
    if DEFAULT_USER not in (clone.owner, *clone.experts):
        teach = (
            f"feedback and alias teach with --rater {clone.owner}, chat with --user {clone.owner}."
        )
        console.print(
            one_line(f"Commands that name nobody speak as a stranger: {teach}"), markup=False
        )
