"""`oldhand prompts`: versions of prompts, how they do, and going back."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, with_home
from oldhand.cli.opening import opened_home

if TYPE_CHECKING:
    from rich.text import Text

    from oldhand.bootstrap import Home

EXAMPLES = options.examples("""
oldhand prompts list
oldhand prompts diff orchestrator_v3_concise
oldhand prompts ab orchestrator
oldhand prompts rollback orchestrator
""")

app = options.group("Look at versions of prompts, how they do, and go back.", EXAMPLES)

_RoleArgument = Annotated[str, Argument(help="Such as `orchestrator`, which is in every prompt.")]
_VersionArgument = Annotated[str, Argument(help="Its id, such as `orchestrator_v2`.")]


@app.command(
    "list", epilog=options.examples("oldhand prompts list\noldhand prompts list generate_sql")
)
@with_home
def list_versions(
    opened: "Home",
    role: Annotated[str | None, Argument(help="Only of this role; all when left out.")] = None,
) -> CommandResult:
    """List the versions of prompts, with how the answers fared that were made with each."""
    from oldhand.cli.prompt_tables import version_table

    shelf = opened.night.evolving.shelf
    found = [(one, shelf.metrics(one.id)) for one in shelf.versions(role)]
    return CommandResult([shelf.fared(one) for one, _ in found], [version_table(found)])


@app.command(epilog=options.examples("oldhand prompts show orchestrator_v2"))
@with_home
def show(opened: "Home", version: _VersionArgument) -> CommandResult:
    """Show what a version says, and how it does."""
    from oldhand.cli.prompt_tables import shown_version

    found = opened.night.evolving.shelf.version(version)
    metrics = opened.night.evolving.shelf.metrics(found.id)
    told = opened.night.evolving.shelf.fared(found)
    return CommandResult(told, shown_version(found, metrics))


@app.command(
    epilog=options.examples("""
oldhand prompts diff orchestrator_v3_concise
oldhand prompts diff orchestrator_v3_concise orchestrator_v1
""")
)
@with_home
def diff(
    opened: "Home",
    version: _VersionArgument,
    other: Annotated[
        str | None,
        Argument(help="The version to compare with; the one that it supersedes when left out."),
    ] = None,
) -> "Iterator[Text]":
    """Show which lines a version adds to another, and which it leaves out."""
    from oldhand.cli.prompt_tables import difference_lines

    new = opened.night.evolving.shelf.version(version)
    before = other or new.payload.supersedes
    return difference_lines(before, new.id, opened.night.evolving.shelf.difference(new.id, before))


@app.command(epilog=options.examples("oldhand prompts ab orchestrator"))
def ab(
    role: _RoleArgument,
    *,
    decide: Annotated[
        bool,
        Option(
            "--decide", help="Before that, decide tests and begin new ones, as the night would."
        ),
    ] = False,
    model: options.ModelOption = None,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Say how the version on trial does against the active one.

    Each answer is made with one of the two, drawn by the probability that it is the better one. The test ends by itself:
    in the night after it is clear enough which one to use.
    """
    from oldhand.cli.prompt_tables import evolved_lines, lines_of_test, standing_line

    with opened_home(home, store=store, model=model if decide else "builtin") as opened:
        done = opened.night.evolving.evolve() if decide else None
        shelf, limits = opened.night.evolving.shelf, opened.settings.prompts
        standing = shelf.standing(role)
        test = shelf.test(standing)
    told = [standing_line(standing)] if test is None else lines_of_test(test, limits)
    begun = () if done is None else evolved_lines(done)
    CommandResult(test, [*begun, *told]).say(as_json=as_json)


@app.command(
    epilog=options.examples("""
oldhand prompts rollback orchestrator
oldhand prompts rollback orchestrator --to orchestrator_v1
""")
)
@with_home
def rollback(
    opened: "Home",
    role: _RoleArgument,
    to: Annotated[
        str | None, Option("--to", metavar="VERSION", help="The version to use again.")
    ] = None,
) -> CommandResult:
    """Go back to an earlier version: the one before the active one, or the one you name.

    While a test runs, that ends it, and the active version stays. What was used is deprecated, not deleted: go back to
    it in the same way.
    """
    from oldhand.cli.prompt_tables import standing_line

    changed = opened.night.evolving.roll_back(role, to)
    return CommandResult(changed, [standing_line(opened.night.evolving.shelf.standing(role))])
