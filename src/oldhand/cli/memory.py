"""`oldhand memory`: look at what was learned, forget it, go back."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from typer import Option

from oldhand.cli import memory_care, memory_files, options
from oldhand.cli.commands import Told, sure, with_assistant, with_home
from oldhand.cli.screen import one_line, some
from oldhand.errors import UsageError

if TYPE_CHECKING:
    from oldhand.bootstrap import Home
    from oldhand.face import AsyncOldhand
    from oldhand.loop.memories import Remembered
    from oldhand.store import ErasedCounts


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
@with_assistant
async def list_memories(
    old: "AsyncOldhand",
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
) -> Told:
    """List what was learned, newest first.

    It says how each memory fared. Words that were taken back are shown with --all only, answers with --type episodic only.
    """
    from oldhand.cli.learned import memory_table

    cut = limit if every else None
    known = await old.memories(type=kind, user=user, text=text, limit=cut)
    shown = [memory for memory in known if every or memory.confidence > 0]
    found = [await old.memory(memory.id) for memory in shown[:limit]]
    return Told([as_object(one) for one in found], [memory_table(found)])


@app.command(epilog=options.examples("oldhand memory show example-3f9c2a"))
@with_home
def show(opened: "Home", memory: options.MemoryArgument) -> Told:
    """Show one memory with its evidence, its history and how it fared."""
    from oldhand.cli.learned import memory_lines, said_for

    found = opened.memories.one(memory)
    return Told(found, memory_lines(found, said_for(found.memory, opened.store)))


@app.command(epilog=options.examples("oldhand memory forget example-3f9c2a --yes"))
@with_home
def forget(opened: "Home", memory: options.MemoryArgument, yes: options.YesOption = False) -> Told:
    """Forget one memory.

    All that was said for it so far no longer counts; people can teach it again.
    """
    from oldhand.learning.learner import said

    found = opened.memories.one(memory).memory
    sure(f"Forget {one_line(said(found))}?", yes=yes)
    gone = opened.memories.forget(found.id)
    return Told(gone, [one_line(f"Forgotten: {gone.id}")])


@app.command(
    epilog=options.examples("""
oldhand memory rollback --to "2026-03-01 09:00"
oldhand memory rollback --before-feedback 5b1d7c90-2f4e-4c57-9f6a-0c8a2f1b7a11
""")
)
@with_home
def rollback(
    opened: "Home",
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
) -> Told:
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
    done = opened.memories.roll_back(moment, before_feedback)
    back, gone = len(done.restored), len(done.removed)
    verb = "is" if gone == 1 else "are"
    says = f"{some(back, 'memory', 'memories')} came back, {gone:,} {verb} gone"
    return Told({"restored": done.restored, "removed": done.removed}, [says])


@app.command(epilog=options.examples("oldhand memory rebuild"))
@with_assistant
async def rebuild(
    old: "AsyncOldhand",
    drop: Annotated[
        bool, Option("--drop", help="First let go of all that will be derived.")
    ] = False,
) -> Told:
    """Derive all that was learned anew from what is on record.

    Changes nothing unless something was lost. What people stated, approved, pinned or imported stays as it is.
    """
    from oldhand.loop.rebuilding import changes

    rebuilt = await old.rebuild(drop=drop)
    return Told(rebuilt, [*changes(rebuilt), *filter(None, [rebuilt.note])])


@with_assistant
async def erase(
    old: "AsyncOldhand",
    user: Annotated[str, Option("--user", "-u", metavar="NAME", help="Who is erased.")],
    dry_run: Annotated[bool, Option("--dry-run", help="Only say how much it would be.")] = False,
    yes: options.YesOption = False,
) -> Told:
    """Erase a user: all that they asked and said, and all that was learned from it.

    It leaves the store, the readable files, the search and the specs; what rests on the words of others, too, is
    learned again from these. It can't be undone. Backups, and files that you exported yourself, stay as they are.
    """
    counts = await old.erase_user(user, dry_run=True)
    if not dry_run:
        sure(f"Erase {user} for good: {shown(counts)}?", yes=yes)
        counts = await old.erase_user(user)
    return Told(counts, [f"{'It would erase' if dry_run else 'Erased'}: {shown(counts)}."])


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


def as_object(found: "Remembered") -> dict[str, object]:
    """A memory as `--json` prints it: its fields, and how it fared."""
    fared = {"uses": found.uses, "ups": found.ups, "downs": found.downs}
    return {**found.memory.model_dump(mode="json"), **fared}


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


memory_files.add_to(app)
memory_care.add_to(app)
app.command(
    epilog=options.examples("""
oldhand memory erase --user bo --dry-run
oldhand memory erase --user bo --yes
""")
)(erase)
