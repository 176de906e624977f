"""All commands in one place; each imports what it needs when it runs."""

from typing import Annotated

from typer import Exit, Option, Typer, echo

from oldhand.cli import (
    alias,
    ask,
    chat,
    db,
    demo,
    doctor,
    evaluations,
    evidence,
    export,
    feedback,
    history,
    init,
    learn,
    memory,
    people,
    prompts,
    routes,
    runs,
    schema,
    spec,
    train,
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


COMMANDS = (
    (demo.demo, demo.EXAMPLES),
    (init.init, init.EXAMPLES),
    (ask.ask, ask.EXAMPLES),
    (chat.chat, chat.EXAMPLES),
    (feedback.feedback, feedback.EXAMPLES),
    (history.history, history.EXAMPLES),
    (why.why, why.EXAMPLES),
    (spec.spec, spec.EXAMPLES),
    (learn.learn, learn.EXAMPLES),
    (evidence.evidence, evidence.EXAMPLES),
    (routes.routes, routes.EXAMPLES),
    (doctor.doctor, doctor.EXAMPLES),
)
for command, shown in COMMANDS:
    app.command(epilog=shown)(command)
app.add_typer(db.app, name="db")
app.add_typer(schema.app, name="schema")
app.add_typer(memory.app, name="memory")
app.add_typer(alias.app, name="alias")
app.add_typer(people.app, name="people")
app.add_typer(
    evaluations.app,
    name="evaluations",
    help="Look at what evaluators found in the steps of an agent.",
)
app.add_typer(runs.app, name="runs")
app.add_typer(prompts.app, name="prompts")
app.add_typer(export.app, name="export")
app.add_typer(train.app, name="train")
