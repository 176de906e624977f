"""`oldhand memory`: look at what was learned, change it, take it out, take changes back."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from oldhand.cli import memory_care, options
from oldhand.cli.commands import CommandResult, sure, with_home
from oldhand.cli.screen import one_line, program, some

if TYPE_CHECKING:
    from oldhand.bootstrap import Home
    from oldhand.learning.evidence import LessonEvidence
    from oldhand.loop.memories import Remembered
    from oldhand.record.memory import Memory
    from oldhand.store import ImportReport


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
    from oldhand.record.stage import State

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
    if wanted is State.ERASED:
        nothing = f"What was erased is not listed: {program()} memory show ID, with its whole id, has its history."
    table = memory_table(found, trials, nothing)
    return CommandResult(
        [as_object(one, trials.get(one.memory.id)) for one in found],
        [table, *([state_counts(known)] if known else []), *_stated(opened)],
    )


def _stated(opened: "Home") -> Iterator[str]:
    """That rules are listed elsewhere, where there are any."""
    if number := len(opened.rules.all()):
        yield f"{some(number, 'rule')} stated besides: {program()} rule list"


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
    sure(f"Forget {one_line(said(found).rstrip('.'))}?", yes=yes)
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


@app.command(
    "export",
    epilog=options.examples("""
oldhand memory export memories.jsonl
oldhand memory export --user ana --type preference
"""),
)
@with_home
def export_memory(
    opened: "Home",
    file: Annotated[Path | None, Argument(help="Standard output when left out.")] = None,
    user: options.OfUserOption = None,
    kind: options.KindOption = None,
) -> Iterator[str]:
    """Write memories as JSON Lines.

    One stands on each line, oldest first.
    """
    from oldhand.face.given import memory_type
    from oldhand.sources.databases.files import replacing
    from oldhand.store import export_memories

    wanted = memory_type(kind)
    with replacing(file) if file else nullcontext(sys.stdout) as lines:
        number = export_memories(opened.store, lines, user_id=user, type=wanted)
    if file:
        yield f"{some(number, 'memory', 'memories')} written to {file}"


@app.command(
    "import",
    epilog=options.examples("""
oldhand memory import memories.jsonl
oldhand memory import ~/.oldhand/memory
oldhand memory import memories.jsonl --trust
"""),
)
@with_home
def import_memory(
    opened: "Home",
    source: Annotated[
        Path, Argument(help="A file of lines, or a folder as the journal lays it out.")
    ],
    user: Annotated[
        str | None,
        Option("--user", "-u", metavar="NAME", help="Whose they are when the lines don't say."),
    ] = None,
    trust: Annotated[
        bool,
        Option(
            "--trust",
            help="Believe what the lines say about who taught them; for files of your own.",
        ),
    ] = False,
) -> CommandResult:
    """Read memories back in.

    This is how edits of the journal's files take effect. Everything is checked before anything is changed. What the owner or an expert taught, says the file, but this
    home has never known, is kept without being used for answers. With --trust it is used.
    """
    from oldhand.store import import_memories

    report = import_memories(opened.store, source, user_id=user, trust=trust)
    return CommandResult(report, _report_lines(report))


def _report_lines(report: "ImportReport") -> Iterator[str]:
    yield (
        f"{report.new} new, {report.changed} changed, {report.unchanged} unchanged, "
        f"{report.skipped} skipped"
    )
    for reason in report.reasons:
        yield f"  {one_line(reason)}"
    if report.untrusted:
        yield (
            f"{report.untrusted} of them say that the owner or an expert taught them. Nobody vouches for that, so no "
            "answer will use them. If the file is yours, import it once more with --trust."
        )


memory_care.add_to(app)
