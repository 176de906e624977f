"""`oldhand memory prune|edit|approve|retire|undo`: looking after lessons."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain, groupby, zip_longest
from typing import TYPE_CHECKING, Annotated

import click
from typer import Argument, Option, Typer

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, sure, with_home
from oldhand.cli.learn import indented
from oldhand.cli.screen import Listing, one_line, some
from oldhand.errors import UsageError
from oldhand.record.shortening import SHOWN_ID

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.bootstrap import Home
    from oldhand.learning.hygiene import Flawed
    from oldhand.loop.reviewing import Waiting
    from oldhand.record.memory import Memory

_SHOWN = 50
"""Memories that are listed; --json has all."""
_RaterOption = Annotated[
    str, Option("--rater", "-r", metavar="NAME", help="Who decides: the owner.")
]
_OptionalMemory = Annotated[
    str | None, Argument(metavar="MEMORY", help="The memory's id, or its first characters.")
]


def prune(
    opened: "Home",
    dry_run: Annotated[bool, Option("--dry-run", help="Only say what would go.")] = False,
) -> CommandResult:
    """Erase what has served its time.

    That is what has expired, what is hardly believed and older than 30 days, and what another has taken the place of. Rules, checklists
    and prompts that are believed at 0.9 or more stay. Every night does so by itself.
    """
    if dry_run:
        opened.background.skip_nights()
    gone = opened.reviewing.prune(dry_run=dry_run)
    listed = first_of([indented(f"  {memory.id}  {memory.summary}") for memory in gone])
    number = some(len(gone), "memory", "memories")
    return CommandResult(
        [one.id for one in gone],
        [f"{number} {'would be erased' if dry_run else 'erased'}", *listed],
    )


def first_of(lines: Sequence[str]) -> list[str]:
    """As many as fit on a page or two, and how many more there are."""
    more = len(lines) - _SHOWN
    return [*lines[:_SHOWN], *([f"  and {more:,} more; --json has all"] if more > 0 else [])]


def edit(
    opened: "Home",
    memory: options.MemoryArgument,
    text: Annotated[
        str | None,
        Argument(metavar="TEXT", help="What it shall say; without it, your editor opens."),
    ] = None,
    rater: _RaterOption = "default",
) -> CommandResult:
    """Put a memory into other words: they are yours, in force at once, and examined by what people confirmed.

    A lesson is edited by its words, a rule about rows by a sentence, a confirmed pair by its SQL, a word by what it means. The owner and
    experts may do so; `oldhand memory undo` brings the version before back. What was stated by `oldhand rule add`: `oldhand rule edit`.
    """
    import asyncio

    from oldhand.cli.learned import consequence_lines
    from oldhand.learning.hygiene import editable_text

    found = opened.memories.one(memory).memory
    said = text if text is not None else click.edit(editable_text(found))
    if said is None or not said.strip():
        raise UsageError("Nothing was written, so it stays as it is.")
    after = asyncio.run(opened.editing.edit(found.id, said.strip(), rater))
    told = _told("In force", after)
    note = [one_line(after.note)] if after.note else []
    return CommandResult(after, chain(told.lines, note, consequence_lines(after.consequences)))


def approve(
    opened: "Home",
    memory: options.MemoryArgument,
    pin: Annotated[
        bool, Option("--pin", help="Show it always where it fits; nothing takes its place.")
    ] = False,
    rater: _RaterOption = "default",
) -> CommandResult:
    """Let a lesson be shown, as the owner's own word; a pinned one, without --pin, is pinned no more."""
    found = opened.memories.one(memory).memory
    after = opened.reviewing.approve(found.id, rater, pin=pin)
    return _told("In force, and pinned" if pin else "In force", after)


def retire(
    opened: "Home",
    memory: _OptionalMemory = None,
    reason: Annotated[str, Option("--reason", metavar="TEXT", help="Why.")] = "",
    flawed: Annotated[
        bool, Option("--flawed", help="All that `oldhand memory list --flawed` finds at fault.")
    ] = False,
    rater: _RaterOption = "default",
) -> CommandResult:
    """Let a lesson be shown no more, whatever else comes to speak for it.

    It is kept, and `oldhand memory undo` takes that back.
    """
    if (memory is None) is not flawed:
        raise UsageError("Say which lesson: its id, or --flawed for all that are at fault.")
    if memory is None:
        opened.people.check_owner(rater, "retires")
        found = opened.reviewing.flaws(retire=True)
        ids = sorted({one.lesson_id for one in found})
        return CommandResult(
            found, [f"Retired: {some(len(ids), 'lesson')}.", *first_of([f"  {one}" for one in ids])]
        )
    whole = opened.memories.one(memory).memory.id
    after = opened.reviewing.retire(whole, rater, reason)
    told = _told("Retired", after)
    still = [
        f"The answer that was confirmed with it holds on, also for questions like its own; to take it out: oldhand memory retire {one.id[:SHOWN_ID]}"
        for one in opened.reviewing.beside(after)[:1]
    ]
    return CommandResult(after, chain(told.lines, still))


def undo(
    opened: "Home",
    memory: _OptionalMemory = None,
    to: Annotated[
        str | None,
        Option(
            "--to",
            metavar="MOMENT",
            help="Everything as it was then: local time, such as 2026-03-01 or 2026-03-01 09:00.",
        ),
    ] = None,
    before_feedback: Annotated[
        str | None,
        Option("--before-feedback", metavar="ID", help="Everything as it was right before this."),
    ] = None,
    rater: _RaterOption = "default",
    yes: options.YesOption = False,
) -> CommandResult:
    """Take back the last change of a memory, or go back to an earlier moment.

    What was retired, approved, edited or forgotten is as it was before; done twice, it is as it is now. With --to,
    everything learned is as it was then, and what people said since no longer counts; answers and feedback stay on
    record. That is noted as a memory: undo it, and all is learned again.
    """
    if sum(one is not None for one in (memory, to, before_feedback)) != 1:
        raise UsageError("Say what to undo: the id of a memory, or --to, or --before-feedback.")
    if memory is None:
        return _gone_back(opened, to, before_feedback, yes=yes)
    after = opened.editing.undo(opened.memories.one(memory).memory.id, rater)
    now = opened.memories.one(after.id)
    return CommandResult(
        after, [one_line(f"Undone: {after.id} is {now.state.value} now. {after.summary}")]
    )


def _gone_back(
    opened: "Home", to: str | None, before_feedback: str | None, *, yes: bool
) -> CommandResult:
    from oldhand.cli.learned import shown_moment

    moment = None if to is None else moment_of(to)
    where = (
        f"right before the feedback {before_feedback}" if moment is None else shown_moment(moment)
    )
    sure(f"Go back to {where}?", yes=yes)
    done = opened.memories.roll_back(moment, before_feedback)
    back, gone = len(done.restored), len(done.removed)
    verb = "is" if gone == 1 else "are"
    says = f"{some(back, 'memory', 'memories')} came back, {gone:,} {verb} gone"
    return CommandResult({"restored": done.restored, "removed": done.removed}, [says])


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


def flawed(opened: "Home", limit: int) -> CommandResult:
    """What is wrong with the lessons, and what is stuck or waits."""
    found = opened.reviewing.flaws()
    shown = _of_each(found, limit)
    return CommandResult(found, chain(_flaw_lines(found, shown), coming(opened)))


def coming(opened: "Home") -> Iterator[str]:
    """How many lessons the next night would make of what was found in answers; nothing where it would make none."""
    from oldhand.cli.screen import program

    first = iter((True,))  # the first batch says enough
    proposed = opened.night.distiller.distil(go_on=lambda: next(first, False), write=False)
    if new := proposed.told.changed:
        yield f"{some(new, 'lesson')} would come of what was found in answers since the last night: {program()} learn --dry-run names them, {program()} learn does it now."


def _of_each(found: "Sequence[Flawed]", limit: int) -> "list[Flawed]":
    """The first few of each flaw, so that the many of one don't hide the others."""
    by_flaw = [list(those) for _, those in groupby(found, key=lambda one: one.flaw)]
    in_turn = [one for row in zip_longest(*by_flaw) for one in row if one is not None][:limit]
    many = Counter(one.flaw for one in in_turn)
    return [one for those in by_flaw for one in those[: many[those[0].flaw]]]


def _flaw_lines(found: "Sequence[Flawed]", shown: "Sequence[Flawed]") -> "Iterator[RenderableType]":
    from oldhand.learning.hygiene import OPEN

    rows = [(one.lesson_id or "rule", one.flaw.value, one.says, one.why) for one in shown]
    yield Listing(("id", "flaw", "lesson", "why"), rows, "Nothing is wrong with the lessons.")
    more = Counter(one.flaw for one in found)
    more.subtract(one.flaw for one in shown)
    if left := ", ".join(f"{number:,} {flaw.value}" for flaw, number in more.items() if number):
        yield f"And more like these: {left}. --limit {10 * len(shown)} shows more."
    at_fault = len({one.lesson_id for one in found if one.flaw not in OPEN})
    if at_fault:
        yield f"{some(at_fault, 'lesson')} at fault: oldhand memory retire --flawed takes them out."


def waiting(opened: "Home", limit: int) -> CommandResult:
    """What waits for somebody with a say: why, who said it, when, and of which question."""
    found = opened.reviewing.waiting(limit + 1)
    more = [f"More wait: --limit {10 * limit} shows them."] if len(found) > limit else []
    return CommandResult(found[:limit], [*waiting_lines(found[:limit]), *more, *coming(opened)])


def waiting_lines(found: "Sequence[Waiting]") -> Iterator[str]:
    """What waits, for people."""
    from oldhand.cli.learned import shown_moment
    from oldhand.learning.hygiene import text_of

    for one in found:
        memory = one.memory
        yield one_line(f"{memory.id}  {memory.type.value}, since {shown_moment(memory.created_at)}")
        yield indented(f"  says: {text_of(memory)}")
        yield indented(f"  why:  {one.why}")
        for word in one.heard:
            did = f"said {word.said!r} of" if word.said else "asked"
            when = shown_moment(word.at)
            yield indented(
                f"  from: {word.by} ({word.source.value}) {did} {word.question!r}, {when}"
            )
        if one.file:
            yield indented(f"  from: the file {one.file}")
        elif not one.heard:
            rater = memory.provenance.rater or "nobody knows whom"
            yield indented(f"  from: {rater} ({memory.provenance.source.value})")
    if found:
        yield "oldhand memory approve ID lets one be shown, oldhand memory retire ID never."
    else:
        yield "No lesson waits for you."


def _told(done: str, after: "Memory") -> CommandResult:
    """One memory after a change, what was done, and what its exam says."""
    from oldhand.cli.evidence_tables import exam_lines
    from oldhand.learning.evidence.exam_results import exam_of
    from oldhand.record.stage import is_shown

    exam = exam_of(after) if is_shown(after) else None
    lines = [one_line(f"{done}: {after.id}  {after.summary}")]
    return CommandResult(after, chain(lines, () if exam is None else map(str, exam_lines(exam))))


def add_to(app: Typer) -> None:
    """Make them commands of `oldhand memory`."""
    for command, examples in (
        (prune, "oldhand memory prune --dry-run"),
        (
            edit,
            """oldhand memory edit rule-3f9c2a "Leave out orders with status = 'void'"\n"""
            'oldhand memory edit example-5b1d "SELECT COUNT(*) FROM customers"',
        ),
        (approve, "oldhand memory approve rule-3f9c2a\noldhand memory approve rule-3f9c2a --pin"),
        (
            retire,
            'oldhand memory retire rule-3f9c2a --reason "It is out of date."\noldhand memory retire --flawed',
        ),
        (
            undo,
            'oldhand memory undo rule-3f9c2a\noldhand memory undo --to "2026-03-01 09:00"\noldhand memory undo --before-feedback 5b1d7c90-2f4e-4c57-9f6a-0c8a2f1b7a11',
        ),
    ):
        app.command(command.__name__, epilog=options.examples(examples))(with_home(command))
