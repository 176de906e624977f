"""`oldhand runs`: runs of agents that are not answered yet."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, sure, with_home
from oldhand.cli.screen import Listing, one_line, short_id

if TYPE_CHECKING:
    from rich.text import Text

    from oldhand.bootstrap import Home
    from oldhand.record.base import Row
    from oldhand.record.step import KeptRun, Step


EXAMPLES = options.examples("""
oldhand runs list
oldhand runs show 5253af54
oldhand runs discard 5253af54 --yes
""")

app = options.group("Look at runs of agents that are not answered yet, and discard them.", EXAMPLES)
_SHOWN = 70
"""Characters of a question, or of what a run was at."""
_SEEN = 300
"""Characters of what a tool said."""
_RunArgument = Annotated[str, Argument(help="The run's id, or its first characters.")]


@app.command("list", epilog=options.examples("oldhand runs list"))
@with_home
def list_runs(opened: "Home") -> CommandResult:
    """List the runs of agents that are not answered, the one that was saved last first.

    Some were interrupted, some were ended by a limit, and some may be under way at this moment, in another process.
    """
    checkpoints = opened.store.checkpoints(opened.clone_id)
    found = [kept for one in checkpoints.unfinished() if (kept := checkpoints.kept(one))]
    columns = ("id", "saved", "user", "steps", "doing", "question")
    rows = [_row(one) for one in found]
    listed = Listing(columns, rows, "No run of an agent is unfinished.")
    return CommandResult([as_object(one) for one in found], [listed])


@app.command(epilog=options.examples("oldhand runs show 5253af54"))
@with_home
def show(opened: "Home", run: _RunArgument) -> CommandResult:
    """Show what a run has done so far, and how to go on with it.

    It goes on in Python only: its tools are functions of your program, which nobody else can call.
    """
    found = opened.store.checkpoints(opened.clone_id).find(run)
    how = "\nTo go on with it, with the tools and evaluators that it had:\n"
    return CommandResult(as_object(found), [*run_lines(found), how, resuming(found, opened.path)])


@app.command(epilog=options.examples("oldhand runs discard 5253af54 --yes"))
@with_home
def discard(opened: "Home", run: _RunArgument, yes: options.YesOption = False) -> CommandResult:
    """Keep a run no longer: nobody can go on with it.

    What was recorded of it, such as an answer that a limit has cut short, stays. A process that is at it right now is told so at
    its next step, and stops.
    """
    checkpoints = opened.store.checkpoints(opened.clone_id)
    found = checkpoints.find(run)
    asked = one_line(found.state.query, _SHOWN)
    sure(f"Discard the run of {asked!r}, which was {one_line(found.doing, _SHOWN)}?", yes=yes)
    checkpoints.drop(found.checkpoint.run_id)
    return CommandResult(as_object(found), [f"Discarded: {one_line(found.checkpoint.run_id)}"])


def as_object(kept: "KeptRun") -> dict[str, object]:
    """A run as `--json` prints it: how far it has come, and what it was at."""
    return {
        **kept.state.model_dump(mode="json"),
        "user_id": kept.user_id,
        "saved_at": kept.saved_at.isoformat(),
        "doing": kept.doing,
        "models": kept.models,
        "taken_up": kept.checkpoint.taken_up,
    }


def run_lines(kept: "KeptRun") -> "Iterator[Text]":
    """A run with its steps."""
    from rich.text import Text

    from oldhand.cli.answering import shown_usage
    from oldhand.cli.learned import shown_moment

    state = kept.state
    yield Text(one_line(state.query), "bold")
    by = f" · {one_line(kept.user_id)}" if kept.user_id else ""
    asked = f" · {one_line(', '.join(kept.models))}" if kept.models else ""
    spent = f"{shown_usage(state.usage)} · {state.seconds:.1f} s"
    yield Text(
        f"{one_line(state.run_id)} · saved {shown_moment(kept.saved_at)}{by}{asked}{spent}", "dim"
    )
    if kept.checkpoint.taken_up:
        yield Text(f"Taken up {kept.checkpoint.taken_up} times.", "dim")
    for step in state.steps:
        yield from _step_lines(step)
    yield Text(f"Now: {one_line(kept.doing, _SEEN)}")


def _step_lines(step: "Step") -> "Iterator[Text]":
    from rich.text import Text

    from oldhand.record.step import called

    yield Text(
        f"{step.number}. {one_line(step.thought or step.answer or step.fault or '', _SEEN)}".rstrip()
    )
    seen = {one.action_id: one for one in step.observations}
    for action in step.actions:
        yield Text(f"   {one_line(called(action), _SEEN)}", "cyan")
        if (came := seen.get(action.id)) is None:
            yield Text("   nobody knows what came of it", "yellow")
        else:
            yield Text(f"   {one_line(came.text, _SEEN)}", "red" if came.is_error else "dim")


def resuming(kept: "KeptRun", home: Path) -> str:
    """The lines of Python that go on with a run, as far as its record tells how it was made."""
    tools = ", ".join(name if name.isidentifier() else repr(name) for name in kept.tools)
    model = kept.models[-1] if kept.models else "builtin"
    user = f", user={kept.user_id!r}" if kept.user_id not in (None, "default") else ""
    return "\n".join(
        (
            "    from oldhand import create_tool_use_agent",
            "",
            f"    tools = [{tools}]  # those that it has called, and all others that it had",
            f"    with create_tool_use_agent(tools, {model!r}, home={str(home)!r}{user}) as agent:",
            f"        state = agent.resume({kept.checkpoint.run_id!r})",
        )
    )


def _row(kept: "KeptRun") -> "Row":
    from oldhand.cli.learned import shown_moment

    state = kept.state
    return (
        short_id(state.run_id),
        shown_moment(kept.saved_at),
        one_line(kept.user_id or "?"),
        len(state.steps),
        one_line(kept.doing, _SHOWN),
        one_line(state.query, _SHOWN),
    )
