"""`oldhand prompts`: versions of prompts, how they do, and going back."""

from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from oldhand.cli import options
from oldhand.cli.opening import opened_home
from oldhand.cli.screen import make_console, print_json

if TYPE_CHECKING:
    from oldhand.learning.prompts import Version
    from oldhand.record.memory import PerformanceMetrics


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
def list_versions(
    role: Annotated[str | None, Argument(help="Only of this role; all when left out.")] = None,
    *,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """List the versions of prompts, with how the answers fared that were made with each."""
    from oldhand.cli.prompt_tables import version_lines

    with opened_home(home, store=store) as opened:
        shelf = opened.evolving.shelf
        found = [(one, shelf.metrics(one.id)) for one in shelf.versions(role)]
    if as_json:
        print_json([_record(one, metrics) for one, metrics in found])
        return
    console = make_console()
    console.print(*version_lines(console, found), sep="\n")


@app.command(epilog=options.examples("oldhand prompts show orchestrator_v2"))
def show(
    version: _VersionArgument,
    *,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Show what a version says, and how it does."""
    from oldhand.cli.prompt_tables import shown_version

    with opened_home(home, store=store) as opened:
        found = opened.evolving.shelf.version(version)
        metrics = opened.evolving.shelf.metrics(found.id)
    if as_json:
        print_json(_record(found, metrics))
    else:
        make_console().print(*shown_version(found, metrics), sep="\n")


@app.command(
    epilog=options.examples("""
oldhand prompts diff orchestrator_v3_concise
oldhand prompts diff orchestrator_v3_concise orchestrator_v1
""")
)
def diff(
    version: _VersionArgument,
    other: Annotated[
        str | None,
        Argument(help="The version to compare with; the one that it supersedes when left out."),
    ] = None,
    *,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
) -> None:
    """Show which lines a version adds to another, and which it leaves out."""
    from oldhand.cli.prompt_tables import difference_lines

    with opened_home(home, store=store) as opened:
        new = opened.evolving.shelf.version(version)
        before = other or new.payload.supersedes
        old = None if before is None else opened.evolving.shelf.version(before)
    make_console().print(*difference_lines(old, new), sep="\n")


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
        done = opened.evolving.evolve() if decide else None
        shelf, limits = opened.evolving.shelf, opened.settings.prompts
        standing = shelf.standing(role)
        test = shelf.test(standing)
    if as_json:
        print("null" if test is None else test.model_dump_json())
        return
    console = make_console()
    if done is not None:
        console.print(*evolved_lines(done), sep="\n")
    console.print(*([standing_line(standing)] if test is None else lines_of_test(test, limits)), sep="\n")  # fmt: skip


@app.command(
    epilog=options.examples("""
oldhand prompts rollback orchestrator
oldhand prompts rollback orchestrator --to orchestrator_v1
""")
)
def rollback(
    role: _RoleArgument,
    *,
    to: Annotated[
        str | None, Option("--to", metavar="VERSION", help="The version to use again.")
    ] = None,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Go back to an earlier version: the one before the active one, or the one you name.

    While a test runs, that ends it, and the active version stays. What was used is deprecated, not deleted: go back to
    it in the same way.
    """
    from oldhand.cli.prompt_tables import standing_line

    with opened_home(home, store=store) as opened:
        changed = opened.evolving.roll_back(role, to)
        standing = opened.evolving.shelf.standing(role)
    if as_json:
        print_json(changed)
    else:
        make_console().print(standing_line(standing))


def _record(version: "Version", metrics: "PerformanceMetrics") -> dict[str, object]:
    payload = version.payload.model_copy(update={"performance_metrics": metrics})
    return version.memory.model_copy(update={"payload": payload}).model_dump(mode="json")
