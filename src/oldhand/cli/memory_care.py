"""`oldhand memory prune|hygiene|quarantine|restore|review|approve|reject|pin|unpin`: looking after lessons."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

from typer import Option, Typer

from oldhand.cli import options
from oldhand.cli.learn import indented
from oldhand.cli.opening import opened_home
from oldhand.cli.screen import fitted, make_console, one_line, print_json

if TYPE_CHECKING:
    from oldhand.bootstrap import Home
    from oldhand.learning.hygiene import Flawed
    from oldhand.record.memory import Memory

_RaterOption = Annotated[
    str, Option("--rater", "-r", metavar="NAME", help="Who decides: the owner.")
]


def prune(
    *,
    dry_run: Annotated[bool, Option("--dry-run", help="Only say what would go.")] = False,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Let go of what has served its time.

    That is what has expired, what is hardly believed and older than 30 days, and what was superseded. Rules, checklists
    and prompts that are believed at 0.9 or more stay. Every night does so by itself.
    """
    with opened_home(home, store=store, nights=not dry_run) as opened:
        gone = opened.reviewing.prune(dry_run=dry_run)
    if as_json:
        print_json([one.id for one in gone])
        return
    console = make_console()
    verb = "would go" if dry_run else "gone"
    console.print(f"{len(gone):,} memories {verb}")
    for memory in gone[:_SHOWN]:
        console.print(indented(f"  {memory.id}  {memory.summary}"), markup=False)


_SHOWN = 50
"""Memories that are listed; --json has all."""


def hygiene(
    *,
    quarantine: Annotated[bool, Option("--quarantine", help="Set aside what was found.")] = False,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Say what is wrong with the lessons.

    Duplicates, contradictions, lessons that rest only on answers made with them, conditions that do not parse, what is
    stale and what was never used. `oldhand memory restore` takes back what was set aside.
    """
    with opened_home(home, store=store) as opened:
        found = opened.reviewing.flaws(quarantine=quarantine)
    if as_json:
        print_json(found)
        return
    console = make_console()
    if not found:
        console.print("Nothing is wrong with the lessons.")
        return
    rows = [(one.lesson_id, one.flaw.value, one.says, one.why) for one in found]
    console.print(*fitted(console, ("id", "flaw", "lesson", "why"), rows), sep="\n")
    console.print(_summed_up(found, aside=quarantine))


def _summed_up(found: "Sequence[Flawed]", *, aside: bool) -> str:
    lessons = len({one.lesson_id for one in found})
    if aside:
        return f"{lessons} lessons were set aside: oldhand memory restore ID takes one back."
    return f"{lessons} lessons: oldhand memory hygiene --quarantine sets them aside."


def quarantine(
    memory: options.MemoryArgument,
    *,
    reason: Annotated[
        str, Option("--reason", metavar="TEXT", help="Why.")
    ] = "Somebody set it aside.",
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Set one lesson aside: it is shown no more until somebody restores or approves it."""
    _decide(home, store, memory, lambda o, i: o.reviewing.quarantine(i, reason), "Set aside", as_json=as_json)  # fmt: skip


def restore(
    memory: options.MemoryArgument,
    *,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Take a lesson back that was retired or set aside; it is on trial anew."""
    _decide(home, store, memory, lambda o, i: o.reviewing.restore(i), "Restored", as_json=as_json)


def review(
    *,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """List the lessons that wait for the owner, with the reason."""
    from oldhand.learning.hygiene import text_of
    from oldhand.learning.lifecycle.quarantine import why_waiting

    with opened_home(home, store=store) as opened:
        found = opened.reviewing.waiting()
    if as_json:
        lines = [{**one.model_dump(mode="json"), "reason": why_waiting(one)} for one in found]
        print_json(lines)
        return
    console = make_console()
    if not found:
        console.print("No lesson waits for you.")
        return
    for one in found:
        source = one.provenance.source.value
        answers = len(one.provenance.episode_ids)
        console.print(one_line(f"{one.id}  {one.type.value}, {source}, {answers} answers"), markup=False)  # fmt: skip
        console.print(indented(f"  says: {text_of(one)}"), markup=False)
        console.print(indented(f"  why:  {why_waiting(one)}"), markup=False)
    console.print("oldhand memory approve ID lets one be shown, oldhand memory reject ID never.")


def approve(
    memory: options.MemoryArgument,
    *,
    rater: _RaterOption = "default",
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Let a lesson be shown that was set aside, as the owner's own word."""
    _decide(home, store, memory, lambda o, i: o.reviewing.approve(i, rater), "Approved", as_json=as_json)  # fmt: skip


def reject(
    memory: options.MemoryArgument,
    *,
    rater: _RaterOption = "default",
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Let a lesson never be shown, whatever else comes to speak for it."""
    _decide(home, store, memory, lambda o, i: o.reviewing.reject(i, rater), "Rejected", as_json=as_json)  # fmt: skip


def pin(
    memory: options.MemoryArgument,
    *,
    rater: _RaterOption = "default",
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Let a lesson always be shown where it fits, whatever its trial says."""
    _decide(home, store, memory, lambda o, i: o.reviewing.pin(i, rater), "Pinned", as_json=as_json)


def unpin(
    memory: options.MemoryArgument,
    *,
    rater: _RaterOption = "default",
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Let a pinned lesson be superseded and pruned again; it stays approved."""
    _decide(home, store, memory, lambda o, i: o.reviewing.unpin(i, rater), "Unpinned", as_json=as_json)  # fmt: skip


def _decide(
    home: options.HomeOption,
    store: options.StoreOption,
    memory: str,
    change: "Callable[[Home, str], Memory]",
    done: str,
    *,
    as_json: bool,
) -> None:
    """Change one memory, and tell."""
    with opened_home(home, store=store) as opened:
        after = change(opened, opened.memories.one(memory).memory.id)
    if as_json:
        print(after.model_dump_json())
    else:
        make_console().print(one_line(f"{done}: {after.id}  {after.summary}"), markup=False)


def add_to(app: Typer) -> None:
    """Make them commands of `oldhand memory`."""
    for command in (review, approve, reject, pin, unpin, quarantine, restore, hygiene, prune):
        name = command.__name__
        argument = "" if name in {"review", "hygiene", "prune"} else " rule-3f9c2a"
        app.command(name, epilog=options.examples(f"oldhand memory {name}{argument}"))(command)
