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
    erase,
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


app.command("demo", epilog=demo.EXAMPLES)(demo.demo)
app.command("init", epilog=init.EXAMPLES)(init.init)
app.add_typer(
    db.app, name="db", epilog=db.EXAMPLES, help="Register the databases that may be asked."
)
app.command("ask", epilog=ask.EXAMPLES)(ask.ask)
app.command("chat", epilog=chat.EXAMPLES)(chat.chat)
app.command("feedback", epilog=feedback.EXAMPLES)(feedback.feedback)
app.command("history", epilog=history.EXAMPLES)(history.history)
app.add_typer(
    schema.app,
    name="schema",
    epilog=schema.EXAMPLES,
    help="Read, check and show the schemas of databases.",
)
memory.app.command("erase", epilog=erase.EXAMPLES)(erase.erase)
app.add_typer(
    memory.app,
    name="memory",
    epilog=memory.EXAMPLES,
    help="Look at what was learned, forget it, go back; export and import.",
)
app.add_typer(
    alias.app, name="alias", epilog=alias.EXAMPLES, help="Say what people mean by a word."
)
app.add_typer(
    people.app,
    name="people",
    epilog=people.EXAMPLES,
    help="Say who owns this assistant and who its experts are: their words teach.",
)
app.command("why", epilog=why.EXAMPLES)(why.why)
app.command("spec", epilog=spec.EXAMPLES)(spec.spec)
app.add_typer(
    evaluations.app,
    name="evaluations",
    epilog=evaluations.EXAMPLES,
    help="Look at what evaluators found in the steps of an agent.",
)
app.add_typer(
    runs.app,
    name="runs",
    epilog=runs.EXAMPLES,
    help="Look at runs of agents that are not answered yet, and discard them.",
)
app.command("learn", epilog=learn.EXAMPLES)(learn.learn)
app.command("evidence", epilog=evidence.EXAMPLES)(evidence.evidence)
app.add_typer(
    prompts.app,
    name="prompts",
    epilog=prompts.EXAMPLES,
    help="Look at versions of prompts, how they do, and go back.",
)
app.command("routes", epilog=routes.EXAMPLES)(routes.routes)
app.add_typer(
    export.app,
    name="export",
    epilog=export.EXAMPLES,
    help="Write what was answered as data for training models.",
)
app.add_typer(train.app, name="train", epilog=train.EXAMPLES, help="Train a model of your own.")
app.command("doctor", epilog=doctor.EXAMPLES)(doctor.doctor)
