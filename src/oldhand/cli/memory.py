"""`oldhand memory`: look at what was learned, change it, take it out, take changes back."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from oldhand.cli import memory_care, memory_files, options
from oldhand.cli.commands import CommandResult, sure, with_home
from oldhand.cli.screen import one_line

if TYPE_CHECKING:
    from oldhand.bootstrap import Home
    from oldhand.learning.evidence import LessonEvidence
    from oldhand.loop.memories import Remembered
    from oldhand.record.memory import Memory


EXAMPLES = options.examples("""
oldhand memory list
oldhand memory list --waiting
oldhand memory show example-3f9c2a
oldhand memory undo rule-3f9c2a
""")

app = options.group(
    "Look at what was learned, change it, take it out, take changes back.", EXAMPLES
)


@app.command(
    "list",
    epilog=options.examples("""
oldhand memory list
oldhand memory list --type example
oldhand memory list --state retired
oldhand memory list --waiting
oldhand memory list --flawed
"""),
)
@with_home
def list_memories(
    opened: "Home",
    *,
    kind: options.KindOption = None,
    user: options.OfUserOption = None,
    state: Annotated[
        str | None,
        Option(
            "--state",
            metavar="STATE",
            help="Only those in this state: candidate, on trial, in force, waiting or retired.",
        ),
    ] = None,
    waiting: Annotated[
        bool,
        Option("--waiting", help="What waits for you: why, who said it, when, of which question."),
    ] = False,
    flawed: Annotated[
        bool,
        Option(
            "--flawed", help="What is wrong with lessons: double, contradicting, stale, stuck, …"
        ),
    ] = False,
    limit: options.LimitOption = 50,
) -> CommandResult:
    """List what was learned, newest first: its state, and why.

    A memory is a candidate, on trial, in force, waiting, or retired; an erased one is shown by its id alone. Answers are listed with --type episodic only.
    """
    from oldhand.cli.learned import memory_table, state_counts
    from oldhand.face.given import memory_state, memory_type

    if waiting:
        return memory_care.waiting(opened, limit)
    if flawed:
        return memory_care.flawed(opened, limit)
    wanted = memory_state(state)
    of_type = memory_type(kind)
    known = opened.memories.all(of_type, user, None, None, wanted)
    found = [opened.memories.one(memory.id) for memory in known[:limit]]
    trials = trials_of(opened, known[:limit])
    nothing = "None of what was learned is like that." if wanted or of_type or user else ""
    table = memory_table(found, trials, nothing)
    return CommandResult(
        [as_object(one, trials.get(one.memory.id)) for one in found],
        [table, state_counts(known)] if known else [table],
    )


@app.command(
    epilog=options.examples("oldhand memory search Berlin\noldhand memory search cancelled orders")
)
@with_home
def search(
    opened: "Home",
    words: Annotated[list[str], Argument(metavar="WORD", help="All of them must occur.")],
    kind: options.KindOption = None,
    user: options.OfUserOption = None,
    limit: options.LimitOption = 50,
) -> CommandResult:
    """List what was learned that has all of these words."""
    from oldhand.cli.learned import memory_table
    from oldhand.face.given import memory_type

    of_type = memory_type(kind)
    known = opened.memories.all(of_type, user, " ".join(words), limit)
    found = [opened.memories.one(memory.id) for memory in known]
    trials = trials_of(opened, known)
    nothing = "Nothing that was learned has all of these words."
    table = memory_table(found, trials, nothing)
    return CommandResult([as_object(one, trials.get(one.memory.id)) for one in found], [table])


@app.command(epilog=options.examples("oldhand memory show example-3f9c2a"))
@with_home
def show(opened: "Home", memory: options.MemoryArgument) -> CommandResult:
    """Show one memory: its state and why, its trial, its evidence, its history, and how it fared."""
    from oldhand.cli.learned import memory_lines, said_for

    found = opened.memories.one(memory)
    trial = trials_of(opened, [found.memory]).get(found.memory.id)
    lines = memory_lines(found, said_for(found.memory, opened.store), trial)
    known = {**dict(found), "memory": shown_fields(found.memory), "trial": trial}
    return CommandResult(known, lines)


@app.command(epilog=options.examples("oldhand memory forget example-3f9c2a --yes"))
@with_home
def forget(
    opened: "Home", memory: options.MemoryArgument, yes: options.YesOption = False
) -> CommandResult:
    """Forget one memory.

    All that was said for it so far no longer counts; people can teach it again. `oldhand memory undo` takes that back.
    """
    from oldhand.learning.learner import said

    found = opened.memories.one(memory).memory
    sure(f"Forget {one_line(said(found))}?", yes=yes)
    gone = opened.memories.forget(found.id)
    return CommandResult(gone, [one_line(f"Forgotten: {gone.id}")])


def trials_of(opened: "Home", memories: "Sequence[Memory]") -> "dict[str, LessonEvidence]":
    """What the trials of these have shown, by id; nothing where none ever was on trial."""
    from oldhand.record.stage import is_found_out

    wanted = [one for one in memories if is_found_out(one)]
    found = opened.trials.evidence(among=wanted) if wanted else ()
    return {one.lesson_id: one for one in found}


def as_object(found: "Remembered", trial: "LessonEvidence | None" = None) -> dict[str, object]:
    """A memory as `--json` prints it: its fields, its state, its trial, and how it fared."""
    fared = {"uses": found.uses, "ups": found.ups, "downs": found.downs}
    return {
        **shown_fields(found.memory),
        "state": found.state.value,
        "why": found.why,
        "trial": trial,
        **fared,
    }


def shown_fields(memory: "Memory") -> dict[str, object]:
    """The fields of a memory, without the tags that say what has become of it: its state does."""
    from oldhand.record.stage import INTERNAL

    tags = [tag for tag in memory.tags if tag not in INTERNAL]
    return {**memory.model_dump(mode="json"), "tags": tags}


memory_files.add_to(app)
memory_care.add_to(app)
