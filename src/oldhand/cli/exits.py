"""What a command's exit code means, and how an error leaves the program."""

import json
import os
import re
import sys
from enum import IntEnum
from itertools import pairwise, takewhile

from typer import Context
from typer.core import TyperGroup

from oldhand.cli.screen import one_line
from oldhand.errors import (
    DatabaseError,
    DeliveryFailed,
    DocumentError,
    MessagingError,
    MissingExtra,
    ModelError,
    OldhandError,
    PromptError,
    ProsodyMissing,
    ProviderUnreachable,
    QueryRefused,
    SchemaError,
    ServerUnreachable,
    StoreError,
    ToolError,
    UsageError,
)


class Exit(IntEnum):
    """The exit codes; `oldhand --help` explains them."""

    OK = 0
    UNEXPECTED = 1
    USAGE = 2
    NO_ANSWER = 3
    DATABASE = 4
    MODEL = 5
    STORE = 6
    INTERRUPTED = 130
    BROKEN_PIPE = 141


EXIT_CODES = """\b
Exit codes:
  0    answered, or done
  1    the demo or the doctor found something wrong
  2    the command or its input is not valid, or a package is missing
  3    no answer: it abstained, or asks back
  4    a database failed
  5    the language model failed
  6    the store failed
  130  interrupted
  141  whoever read the output, such as head, had seen enough"""

_JSON = "oldhand.json"
_OPTION = re.compile(r"--?[A-Za-z][\w-]*")


def exit_code(error: OldhandError) -> Exit:
    """The exit code of an error.

    >>> from oldhand.errors import QueryTimedOut, RateLimited
    >>> exit_code(QueryTimedOut()).name, exit_code(RateLimited()).name
    ('DATABASE', 'MODEL')
    """
    match error:
        case UsageError() | MissingExtra() | ProsodyMissing() | PromptError() | DocumentError():
            return Exit.USAGE
        case DatabaseError() | SchemaError() | QueryRefused():
            return Exit.DATABASE
        case ModelError() | ToolError():
            return Exit.MODEL
        case StoreError() | ServerUnreachable() | ProviderUnreachable():
            return Exit.STORE
        case MessagingError() | DeliveryFailed():
            return Exit.STORE
        case _:
            return Exit.UNEXPECTED


def remember_json(context: Context, *, value: bool) -> bool:
    """Note that a machine reads the output, so that errors are JSON as well."""
    context.meta[_JSON] = value
    return value


class OldhandGroup(TyperGroup):
    """The commands, with one place where errors become a line and an exit code."""

    def make_context(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        info_name: str | None,
        args: list[str],
        parent: Context | None = None,
        **extra: object,
    ) -> Context:
        """Read the arguments; this is where `--help` is printed."""
        try:
            return super().make_context(info_name, args, parent, **extra)  # pyright: ignore[reportReturnType]
        except BrokenPipeError:
            drop_output()
            sys.exit(Exit.BROKEN_PIPE)

    def get_command(self, ctx: Context, cmd_name: str):  # pyright: ignore[reportIncompatibleMethodOverride]
        """Find a command; lists of commands show its first sentence in whole, however narrow the screen is."""
        found = super().get_command(ctx, cmd_name)
        if found is not None and found.help:
            found.short_help = found.help.partition("\n\n")[0]
        return found

    def resolve_command(self, ctx, args):  # pyright: ignore
        """Find a command; an option that stands where the value of another belongs is not taken for it."""
        name, command, given = super().resolve_command(ctx, args)  # pyright: ignore
        take = {
            word
            for one in command.params  # pyright: ignore
            if one.param_type_name == "option" and not (one.is_flag or one.count)  # pyright: ignore
            for word in one.opts  # pyright: ignore
        }
        for option, value in pairwise(takewhile("--".__ne__, given)):
            if option in take and _OPTION.fullmatch(value):
                joined = "=" if option.startswith("--") else ""
                raise UsageError(
                    f"{option} needs a value, and {value} is an option; if it is the value: {option}{joined}{value}"
                )
        return name, command, given  # pyright: ignore

    def invoke(self, ctx: Context) -> object:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Run a command; no error of ours or of the files gets past here."""
        try:
            return super().invoke(ctx)
        except OldhandError as error:
            report(error, as_json=bool(ctx.meta.get(_JSON)))
            if os.environ.get("OLDHAND_TRACEBACK"):
                raise
            ctx.exit(exit_code(error))
        except KeyboardInterrupt:
            print("oldhand: interrupted", file=sys.stderr)
            ctx.exit(Exit.INTERRUPTED)
        except BrokenPipeError:
            drop_output()
            ctx.exit(Exit.BROKEN_PIPE)
        except OSError as error:
            report(error, as_json=bool(ctx.meta.get(_JSON)))
            ctx.exit(Exit.UNEXPECTED)


def drop_output() -> None:
    """Send what is still to be written nowhere: nobody takes it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def report(error: OldhandError | OSError, *, as_json: bool = False) -> None:
    """Say in one line on stderr what went wrong; for machines also as JSON on stdout."""
    if as_json:
        said = {"error": {"type": type(error).__name__, "message": str(error)}}
        print(json.dumps(said, ensure_ascii=False), flush=True)
    print(f"oldhand: {type(error).__name__}: {one_line(str(error))}", file=sys.stderr)
