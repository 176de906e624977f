"""`oldhand memory erase`: take out all that is of a user, and all that was learned from it."""

from typing import TYPE_CHECKING, Annotated

from typer import Option

from oldhand.cli import options
from oldhand.cli.memory import sure
from oldhand.cli.opening import open_home, run
from oldhand.cli.screen import make_console

if TYPE_CHECKING:
    from oldhand.store import ErasedCounts

EXAMPLES = options.examples("""
oldhand memory erase --user bo --dry-run
oldhand memory erase --user bo --yes
""")


def erase(
    *,
    user: Annotated[str, Option("--user", "-u", metavar="NAME", help="Who is erased.")],
    dry_run: Annotated[bool, Option("--dry-run", help="Only say how much it would be.")] = False,
    yes: options.YesOption = False,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Erase a user: all that they asked and said, and all that was learned from it.

    It leaves the store, the readable files, the search and the specs; what rests on the words of others, too, is
    learned again from these. It can't be undone. Backups, and files that you exported yourself, stay as they are.
    """

    async def work() -> "ErasedCounts":
        async with open_home(home, store=store) as old:
            planned = await old.erase_user(user, dry_run=True)
            if dry_run:
                return planned
            sure(f"Erase {user} for good: {shown(planned)}?", yes=yes)
            return await old.erase_user(user)

    counts = run(work())
    if as_json:
        print(counts.model_dump_json())
    else:
        verb = "It would erase" if dry_run else "Erased"
        make_console().print(f"{verb}: {shown(counts)}.")


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
