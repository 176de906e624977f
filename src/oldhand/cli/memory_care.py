"""`oldhand memory prune|hygiene|quarantine|restore|review|approve|reject|pin|unpin`: looking after lessons."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Concatenate, ParamSpec

from typer import Option, Typer

from oldhand.cli import options
from oldhand.cli.commands import Told, with_home
from oldhand.cli.learn import indented
from oldhand.cli.screen import Listing, one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.bootstrap import Home
    from oldhand.learning.hygiene import Flawed
    from oldhand.record.memory import Memory

P = ParamSpec("P")

_SHOWN = 50
"""Memories that are listed; --json has all."""
_RaterOption = Annotated[
    str, Option("--rater", "-r", metavar="NAME", help="Who decides: the owner.")
]


def prune(
    opened: "Home",
    dry_run: Annotated[bool, Option("--dry-run", help="Only say what would go.")] = False,
) -> Told:
    """Let go of what has served its time.

    That is what has expired, what is hardly believed and older than 30 days, and what was superseded. Rules, checklists
    and prompts that are believed at 0.9 or more stay. Every night does so by itself.
    """
    if dry_run:
        opened.background.skip_nights()
    gone = opened.reviewing.prune(dry_run=dry_run)
    listed = [indented(f"  {memory.id}  {memory.summary}") for memory in gone[:_SHOWN]]
    summed_up = f"{len(gone):,} memories {'would go' if dry_run else 'gone'}"
    return Told([one.id for one in gone], [summed_up, *listed])


def hygiene(
    opened: "Home",
    quarantine: Annotated[bool, Option("--quarantine", help="Set aside what was found.")] = False,
) -> Told:
    """Say what is wrong with the lessons.

    Duplicates, contradictions, lessons that rest only on answers made with them, conditions that do not parse, what is
    stale and what was never used. `oldhand memory restore` takes back what was set aside.
    """
    found = opened.reviewing.flaws(quarantine=quarantine)
    return Told(found, _flaw_lines(found, aside=quarantine))


def _flaw_lines(found: "Sequence[Flawed]", *, aside: bool) -> "Iterator[RenderableType]":
    rows = [(one.lesson_id, one.flaw.value, one.says, one.why) for one in found]
    yield Listing(("id", "flaw", "lesson", "why"), rows, "Nothing is wrong with the lessons.")
    lessons = len({one.lesson_id for one in found})
    if aside and found:
        yield f"{lessons} lessons were set aside: oldhand memory restore ID takes one back."
    elif found:
        yield f"{lessons} lessons: oldhand memory hygiene --quarantine sets them aside."


def quarantine(
    opened: "Home",
    memory: options.MemoryArgument,
    reason: Annotated[
        str, Option("--reason", metavar="TEXT", help="Why.")
    ] = "Somebody set it aside.",
) -> Told:
    """Set one lesson aside: it is shown no more until somebody restores or approves it."""
    return _decided("Set aside", opened, memory, opened.reviewing.quarantine, reason)


def restore(opened: "Home", memory: options.MemoryArgument) -> Told:
    """Take a lesson back that was retired or set aside; it is on trial anew."""
    return _decided("Restored", opened, memory, opened.reviewing.restore)


def review(opened: "Home") -> Told:
    """List the lessons that wait for the owner, with the reason."""
    from oldhand.learning.lifecycle.quarantine import why_waiting

    found = opened.reviewing.waiting()
    lines = [{**one.model_dump(mode="json"), "reason": why_waiting(one)} for one in found]
    return Told(lines, _waiting_lines(found))


def _waiting_lines(found: "Sequence[Memory]") -> Iterator[str]:
    from oldhand.learning.hygiene import text_of
    from oldhand.learning.lifecycle.quarantine import why_waiting

    for one in found:
        source = one.provenance.source.value
        answers = len(one.provenance.episode_ids)
        yield one_line(f"{one.id}  {one.type.value}, {source}, {answers} answers")
        yield indented(f"  says: {text_of(one)}")
        yield indented(f"  why:  {why_waiting(one)}")
    if found:
        yield "oldhand memory approve ID lets one be shown, oldhand memory reject ID never."
    else:
        yield "No lesson waits for you."


def approve(
    opened: "Home", memory: options.MemoryArgument, rater: _RaterOption = "default"
) -> Told:
    """Let a lesson be shown that was set aside, as the owner's own word."""
    return _decided("Approved", opened, memory, opened.reviewing.approve, rater)


def reject(opened: "Home", memory: options.MemoryArgument, rater: _RaterOption = "default") -> Told:
    """Let a lesson never be shown, whatever else comes to speak for it."""
    return _decided("Rejected", opened, memory, opened.reviewing.reject, rater)


def pin(opened: "Home", memory: options.MemoryArgument, rater: _RaterOption = "default") -> Told:
    """Let a lesson always be shown where it fits, whatever its trial says."""
    return _decided("Pinned", opened, memory, opened.reviewing.pin, rater)


def unpin(opened: "Home", memory: options.MemoryArgument, rater: _RaterOption = "default") -> Told:
    """Let a pinned lesson be superseded and pruned again; it stays approved."""
    return _decided("Unpinned", opened, memory, opened.reviewing.unpin, rater)


def _decided(
    done: str,
    opened: "Home",
    memory: str,
    change: "Callable[Concatenate[str, P], Memory]",
    *args: P.args,
    **kwargs: P.kwargs,
) -> Told:
    """One memory after a change, and what was done."""
    after = change(opened.memories.one(memory).memory.id, *args, **kwargs)
    return Told(after, [one_line(f"{done}: {after.id}  {after.summary}")])


def add_to(app: Typer) -> None:
    """Make them commands of `oldhand memory`."""
    for command in (review, approve, reject, pin, unpin, quarantine, restore, hygiene, prune):
        name = command.__name__
        argument = "" if name in {"review", "hygiene", "prune"} else " rule-3f9c2a"
        epilog = options.examples(f"oldhand memory {name}{argument}")
        app.command(name, epilog=epilog)(with_home(command))
