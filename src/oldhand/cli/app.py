"""All commands in one place; each imports what it needs when it runs."""

from typing import Annotated

from typer import Exit, Option, Typer, echo

from oldhand.cli import (
    alias,
    ask,
    backup,
    chat,
    db,
    demo,
    docs,
    doctor,
    evaluations,
    evidence,
    experts,
    export,
    feedback,
    fix,
    history,
    init,
    learn,
    mcp,
    memory,
    people,
    prompts,
    restore,
    routes,
    rule,
    runs,
    saved,
    schema,
    serve,
    spec,
    train,
    usage,
    why,
)
from oldhand.cli.exits import EXIT_CODES, OldhandGroup
from oldhand.cli.options import examples

EXAMPLES = examples("""
oldhand demo
oldhand db add sqlite:///shop.db --name shop
oldhand ask "How many customers live in Berlin?"
oldhand chat
""")

app = Typer(
    name="oldhand",
    cls=OldhandGroup,
    epilog=f"{EXAMPLES}\n\n{EXIT_CODES}",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(value: bool) -> None:
    if value:
        from oldhand import __version__

        echo(f"oldhand {__version__}")
        raise Exit


@app.callback()
def oldhand(
    version: Annotated[
        bool, Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Ask questions over your databases in plain words.

    Start with `oldhand demo`, or with `oldhand init` and `oldhand db add`. Settings lie in the home folder: --home, else
    OLDHAND_HOME, else ~/.oldhand. OLDHAND_MODEL and OLDHAND_STORE win over them. NO_COLOR turns colours off;
    OLDHAND_TRACEBACK=1 shows where an error comes from.
    """


for room in (
    demo, init, ask, chat, feedback, fix, history, why, spec, learn, evidence, routes, usage, serve, mcp, doctor, backup, restore
):  # fmt: skip
    name = room.__name__.rpartition(".")[2]
    app.command(epilog=room.EXAMPLES)(getattr(room, name))
for room in (
    db,
    docs,
    schema,
    memory,
    alias,
    rule,
    people,
    experts,
    saved,
    evaluations,
    runs,
    prompts,
    export,
    train,
):
    app.add_typer(room.app, name=room.__name__.rpartition(".")[2])
