"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option, Typer

from oldhand.cli import completing
from oldhand.cli.exits import OldhandGroup, remember_json

HomeOption = Annotated[
    Path | None,
    Option(
        "--home",
        "-H",
        envvar="OLDHAND_HOME",
        metavar="DIR",
        help="The home folder; ~/.oldhand by default.",
    ),
]

StoreOption = Annotated[
    str | None,
    Option(
        "--store",
        metavar="URL",
        help="Where answers and feedback are kept; a SQLite file in the home by default.",
    ),
]

DatabasesOption = Annotated[
    list[str] | None,
    Option(
        "--db",
        "-d",
        metavar="NAME|URL|FILE",
        autocompletion=completing.databases,
        help="Ask only this database; can be repeated. A URL or file is registered first.",
    ),
]

ModelOption = Annotated[
    str | None,
    Option(
        "--model",
        "-m",
        metavar="NAME",
        help="The mind that answers: builtin (default), openai:gpt-4o, ollama:llama3.2, …",
    ),
]

BaseUrlOption = Annotated[
    str | None,
    Option(
        "--base-url", metavar="URL", help="Address of an OpenAI-compatible server for the model."
    ),
]

EffortOption = Annotated[
    str | None,
    Option(
        "--effort",
        metavar="EFFORT",
        help="How much a language model may be asked: quick, standard, thorough, or auto by the question.",
    ),
]

UserOption = Annotated[str, Option("--user", "-u", metavar="NAME", help="Who asks.")]

ReflectOption = Annotated[
    bool,
    Option(
        "--reflect",
        help="Show what looking back on the answer finds: what went well, what could be better, rules.",
    ),
]

OfUserOption = Annotated[
    str | None, Option("--user", "-u", metavar="NAME", help="Only this user's.")
]

KindOption = Annotated[
    str | None,
    Option("--type", metavar="TYPE", help="Only one type, such as example or preference."),
]

SessionOption = Annotated[
    str | None,
    Option(
        "--session",
        "-s",
        metavar="ID",
        help="Go on with this conversation, so that follow-up questions are understood.",
    ),
]

LimitOption = Annotated[int, Option("--limit", "-n", metavar="N", min=1, help="How many to show.")]

YesOption = Annotated[bool, Option("--yes", "-y", help="Don't ask.")]

AnswerArgument = Annotated[
    str,
    Argument(
        help="The answer's id, its first characters, or `last`.", autocompletion=completing.answers
    ),
]

MemoryArgument = Annotated[
    str,
    Argument(help="The memory's id, or its first characters.", autocompletion=completing.memories),
]

DatabaseArgument = Annotated[
    str, Argument(help="The database's name.", autocompletion=completing.databases)
]

JsonOption = Annotated[
    bool, Option("--json", help="Print JSON, for machines.", callback=remember_json)
]


def examples(text: str) -> str:
    """The examples at the end of a command's help, with their line breaks kept."""
    lines = "\n".join(f"  {line}" for line in text.strip().splitlines())
    return f"\b\nExamples:\n{lines}"


def group(help: str, epilog: str) -> Typer:  # noqa: A002 - as Typer calls it
    """Commands that stand behind one word."""
    return Typer(
        cls=OldhandGroup, no_args_is_help=True, rich_markup_mode=None, help=help, epilog=epilog
    )
