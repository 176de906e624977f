"""The command line, or only the part of it that is called: each part is imported when it is needed."""

from importlib import import_module
from typing import Annotated

from typer import Exit, Option, Typer, echo

from oldhand.cli.exits import EXIT_CODES, OldhandGroup
from oldhand.cli.options import examples

EXAMPLES = examples("""
oldhand demo
oldhand db add sqlite:///shop.db --name shop
oldhand ask "How many customers live in Berlin?"
oldhand chat
""")

COMMANDS = (
    "demo",
    "init",
    "ask",
    "chat",
    "feedback",
    "fix",
    "history",
    "why",
    "spec",
    "learn",
    "evidence",
    "routes",
    "usage",
    "serve",
    "mcp",
    "doctor",
    "backup",
    "restore",
)
GROUPS = (
    "db",
    "docs",
    "schema",
    "memory",
    "alias",
    "rule",
    "people",
    "experts",
    "saved",
    "evaluations",
    "runs",
    "prompts",
    "export",
    "train",
)


def _print_version(value: bool) -> None:
    if value:
        from oldhand import __version__

        echo(f"oldhand {__version__}")
        raise Exit


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


def made(called: str | None = None) -> Typer:
    """All commands and groups; only one of them where it is known to be called, which takes half the time."""
    app = Typer(
        name="oldhand",
        cls=OldhandGroup,
        epilog=f"{EXAMPLES}\n\n{EXIT_CODES}",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    _ = app.callback()(oldhand)
    wanted = {called} if called in {*COMMANDS, *GROUPS} else {*COMMANDS, *GROUPS}
    for name in (one for one in COMMANDS if one in wanted):
        room = import_module(f"oldhand.cli.{name}")
        _ = app.command(epilog=room.EXAMPLES)(getattr(room, name))
    for name in (one for one in GROUPS if one in wanted):
        app.add_typer(import_module(f"oldhand.cli.{name}").app, name=name)
    return app
