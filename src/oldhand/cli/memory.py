"""`oldhand memory`: look at what was learned, forget it, go back."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from typer import Option

from oldhand.cli import memory_care, memory_files, options
from oldhand.cli.memory_files import opened_store
from oldhand.cli.opening import at_home, open_home, run
from oldhand.cli.screen import make_console, one_line, print_json, some
from oldhand.errors import UsageError

if TYPE_CHECKING:
    from oldhand.loop.memories import Remembered
    from oldhand.record.memory import Memory


EXAMPLES = options.examples("""
oldhand memory list
oldhand memory show example-3f9c2a
oldhand memory rollback --to "2026-03-01 09:00"
""")

app = options.group("Look at what was learned, forget it, go back; export and import.", EXAMPLES)


@app.command(
    "list",
    epilog=options.examples("""
oldhand memory list
oldhand memory list --type example --text Berlin
oldhand memory list --all
"""),
)
def list_memories(
    *,
    kind: options.KindOption = None,
    user: options.OfUserOption = None,
    text: Annotated[
        str | None,
        Option("--text", "-t", metavar="TEXT", help="Only those with all of these words."),
    ] = None,
    limit: options.LimitOption = 50,
    every: Annotated[
        bool, Option("--all", help="Also what is not believed at all any more.")
    ] = False,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """List what was learned, newest first.

    It says how each memory fared. Words that were taken back are shown with --all only, answers with --type episodic only.
    """
    from oldhand.cli.learned import memory_table

    async def work() -> "list[Remembered]":
        async with open_home(home, store=store) as old:
            cut = limit if every else None
            found = await old.memories(type=kind, user=user, text=text, limit=cut)
            shown = [memory for memory in found if every or memory.confidence > 0]
            return [await old.memory(memory.id) for memory in shown[:limit]]

    found = run(work())
    if as_json:
        print_json([as_object(one) for one in found])
    else:
        console = make_console()
        console.print(*memory_table(console, found), sep="\n")


@app.command(epilog=options.examples("oldhand memory show example-3f9c2a"))
def show(
    memory: options.MemoryArgument,
    *,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Show one memory with its evidence, its history and how it fared."""
    from oldhand.cli.learned import memory_lines, said_for

    found = at_home(home, store, lambda old: old.memory(memory))
    if as_json:
        print(found.model_dump_json())
        return
    with opened_store(home, store) as kept:
        evidence = said_for(found.memory, kept)
    make_console().print(*memory_lines(found, evidence), sep="\n")


@app.command(epilog=options.examples("oldhand memory forget example-3f9c2a --yes"))
def forget(
    memory: options.MemoryArgument,
    *,
    yes: options.YesOption = False,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Forget one memory.

    All that was said for it so far no longer counts; people can teach it again.
    """
    from oldhand.learning.learner import said

    async def work() -> "Memory":
        async with open_home(home, store=store) as old:
            found = (await old.memory(memory)).memory
            sure(f"Forget {one_line(said(found))}?", yes=yes)
            return await old.forget(found.id)

    gone = run(work())
    if as_json:
        print(gone.model_dump_json())
    else:
        make_console().print(one_line(f"Forgotten: {gone.id}"))


@app.command(
    epilog=options.examples("""
oldhand memory rollback --to "2026-03-01 09:00"
oldhand memory rollback --before-feedback 5b1d7c90-2f4e-4c57-9f6a-0c8a2f1b7a11
""")
)
def rollback(
    *,
    to: Annotated[
        str | None,
        Option(
            "--to", metavar="MOMENT", help="Local time, such as 2026-03-01 or 2026-03-01 09:00."
        ),
    ] = None,
    before_feedback: Annotated[
        str | None, Option("--before-feedback", metavar="ID", help="Right before this.")
    ] = None,
    yes: options.YesOption = False,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Go back to an earlier moment.

    Everything learned is as it was then; what people said since then no longer counts. Answers and feedback stay on record. A roll-back is a memory too: forget it, and all is learned again.
    """
    from oldhand.cli.learned import shown_moment

    moment = moment_of(to) if to is not None else None
    if (to is None) == (before_feedback is None):
        raise UsageError("Say where to go back to: --to or --before-feedback.")

    where = (
        f"right before the feedback {before_feedback}" if moment is None else shown_moment(moment)
    )
    sure(f"Go back to {where}?", yes=yes)
    done = at_home(home, store, lambda old: old.roll_back(moment, before_feedback=before_feedback))
    if as_json:
        print_json({"restored": done.restored, "removed": done.removed})
    else:
        back, gone = len(done.restored), len(done.removed)
        verb = "is" if gone == 1 else "are"
        print(f"{some(back, 'memory', 'memories')} came back, {gone:,} {verb} gone")


@app.command(epilog=options.examples("oldhand memory rebuild"))
def rebuild(
    *,
    drop: Annotated[
        bool, Option("--drop", help="First let go of all that will be derived.")
    ] = False,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Derive all that was learned anew from what is on record.

    Changes nothing unless something was lost. What people stated, approved, pinned or imported stays as it is.
    """
    from oldhand.loop.rebuilding import changes

    rebuilt = at_home(home, store, lambda old: old.rebuild(drop=drop))
    if as_json:
        print(rebuilt.model_dump_json())
    else:
        print(*changes(rebuilt), *filter(None, [rebuilt.note]), sep="\n")


def moment_of(text: str) -> datetime:
    """A day, or a day with a time, on the clock of this machine.

    Raises:
        UsageError: it is none.

    >>> moment_of("2026-03-01 09:00"), moment_of("2026-03-01")
    (datetime.datetime(2026, 3, 1, 9, 0), datetime.datetime(2026, 3, 1, 0, 0))
    """
    try:
        return datetime.fromisoformat(" ".join(text.split()))
    except ValueError as error:
        raise UsageError(
            f"{text!r} is no moment: write a day, such as 2026-03-01, or a day with a time, such as '2026-03-01 09:00'."
        ) from error


def sure(question: str, *, yes: bool) -> None:
    """Ask before something is changed for good, unless told not to.

    Raises:
        Abort: the answer is no, or nobody is there to answer.
    """
    from typer import confirm

    if not yes:
        confirm(question, abort=True, err=True)


def as_object(found: "Remembered") -> dict[str, object]:
    """A memory as `--json` prints it: its fields, and how it fared."""
    fared = {"uses": found.uses, "ups": found.ups, "downs": found.downs}
    return {**found.memory.model_dump(mode="json"), **fared}


app.command("export", epilog=memory_files.EXPORT_EXAMPLES)(memory_files.export_memory)
app.command("import", epilog=memory_files.IMPORT_EXAMPLES)(memory_files.import_memory)
memory_care.add_to(app)
