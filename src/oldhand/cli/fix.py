"""`oldhand fix`: put an answer right by picking what was meant."""

import sys
from typing import TYPE_CHECKING, Annotated

from typer import Option

from oldhand.cli import options
from oldhand.cli.exits import report
from oldhand.cli.feedback import LAST, episode_of
from oldhand.cli.opening import open_home
from oldhand.cli.screen import make_console, print_json, program, typed
from oldhand.errors import UsageError

if TYPE_CHECKING:
    from asyncio import Runner

    from oldhand.cli.fixing import FixSession
    from oldhand.face import AsyncOldhand

EXAMPLES = options.examples("""
oldhand fix
oldhand fix 3f9c2a --part 2 --choose 3
oldhand fix last --part 2 --choose 3 --part 4 --choose 1 --yes
oldhand fix last --part 0 --choose 1 --json
""")


def fix(
    episode: options.AnswerArgument = LAST,
    *,
    part: Annotated[
        list[int] | None,
        Option(
            "--part",
            "-p",
            metavar="N",
            min=0,
            help="Exchange this part; 0 for the reading as a whole. Can be repeated.",
        ),
    ] = None,
    choose: Annotated[
        list[int] | None,
        Option(
            "--choose",
            "-c",
            metavar="N",
            min=1,
            help="The choice that takes its place; one for each --part.",
        ),
    ] = None,
    yes: Annotated[
        bool, Option("--yes", "-y", help="Confirm it: it is learned as a correction.")
    ] = False,
    rater: Annotated[str, Option("--rater", "-r", metavar="NAME", help="Who says so.")] = "default",
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Put an answer right without SQL: see how the question was read, and pick what was meant.

    Shows the parts of the reading, each with what could stand in its place, and the rows before and after what was picked.
    On a terminal it asks; in scripts --part and --choose pick, one pair after the other, and --yes confirms. What is confirmed
    teaches as any correction does.
    """
    picks = list(zip(part or (), choose or (), strict=False))
    if len(part or ()) != len(choose or ()):
        raise UsageError("Give one --choose for each --part.")
    from asyncio import Runner

    with Runner() as runner:
        old = open_home(home, store=store)
        try:
            _fix(runner, old, (episode, rater, picks), yes=yes, as_json=as_json)
        finally:
            runner.run(old.close())


def _fix(
    runner: "Runner",
    old: "AsyncOldhand",
    of: "tuple[str, str, list[tuple[int, int]]]",
    *,
    yes: bool,
    as_json: bool,
) -> None:
    from oldhand.cli.fixing import FixSession, fixing_lines

    episode, rater, picks = of
    work = FixSession(runner.run(episode_of(old, episode)), rater, picks)
    found, console = runner.run(work.look(old)), make_console()
    asks = sys.stdin.isatty() and not (yes or as_json)
    if not as_json:
        console.print(*fixing_lines(found, choices=not (asks or picks)), sep="\n")
    if asks:
        _talk(runner, old, work)
    elif yes:
        lines = runner.run(work.say(old, "yes"))
        if not as_json:
            console.print(*lines, sep="\n")
    elif not as_json:
        done = "The same with --yes confirms it." if picks else "--part N --choose M picks."
        console.print(f"{done} Or on a terminal: {program()} fix {found.episode_id[:8]}")
    if as_json:
        receipt = None if work.receipt is None else work.receipt.model_dump(mode="json")
        print_json({**found.model_dump(mode="json"), "receipt": receipt})


def _talk(runner: "Runner", old: "AsyncOldhand", work: "FixSession") -> None:
    """Ask what is wrong until it is right, or nobody replies any more."""
    from oldhand.cli.fixing import HOW

    console = make_console()
    console.print(f"Write {HOW}; Enter leaves.", style="dim", markup=False)
    while work.receipt is None and (line := typed("fix> ").strip()):
        try:
            console.print(*runner.run(work.say(old, line)), sep="\n")
        except UsageError as error:
            report(error)
