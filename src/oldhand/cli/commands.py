"""What commands have in common: what they work on is opened for them, and what they give back is printed."""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from oldhand.cli import options
from oldhand.cli.exits import Exit
from oldhand.cli.opening import open_home, opened_catalog, opened_home, run
from oldhand.cli.screen import make_console, one_line, print_json
from oldhand.errors import UsageError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.face import AsyncOldhand

_NEWS = 1_000
"""Characters of a reply that are told without being asked for."""


@dataclass(frozen=True)
class CommandResult:
    """What a command has found or done."""

    found: object
    """For machines: `--json` prints it on one line."""
    lines: "Iterable[RenderableType]"
    """For people; taken when what was worked on is closed."""
    code: Exit = Exit.OK
    one_each: bool = False
    """Whether `--json` prints each thing that was found on a line of its own."""

    def say(self, *, as_json: bool) -> None:
        """Print it, and end with its code."""
        if as_json:
            for found in self.found if self.one_each else [self.found]:  # pyright: ignore
                print_json(found)  # pyright: ignore[reportUnknownArgumentType]
        elif lines := [*self.lines]:
            make_console().print(*lines, sep="\n")
        if self.code:
            raise typer.Exit(self.code)


def with_assistant(work: Callable[..., object]) -> Callable[..., None]:
    """The command of a coroutine whose first parameter is the `AsyncOldhand` of a home.

    It has the other parameters of the coroutine, and --home and --store; also --json if the coroutine gives `CommandResult`, and
    not just lines for people.
    """

    async def done(home: Path | None, store: str | None, given: dict[str, object]) -> object:
        async with open_home(home, store=store) as old:
            done = await work(old, **given)  # pyright: ignore
            if isinstance(
                user := given.get("user"), str
            ):  # a command of nobody, such as cron's, takes nobody's news
                await tell_news(old, user)
            return done  # pyright: ignore[reportUnknownVariableType]

    return _command(work, lambda *given: run(done(*given)))


async def tell_news(old: "AsyncOldhand", user: str) -> None:
    """Say on stderr what people have answered to a user's questions since the last command."""
    for one in await old.experts.news(user):
        print(one_line(one.told, _NEWS), file=sys.stderr)


def with_home(work: Callable[..., object]) -> Callable[..., None]:
    """As `with_assistant`, for a function whose first parameter is a `Home` at work; no language model is reached."""

    def done(home: Path | None, store: str | None, given: dict[str, object]) -> object:
        with opened_home(home, store=store) as opened:
            return _taken(work(opened, **given))

    return _command(work, done)


def with_catalog(work: Callable[..., object]) -> Callable[..., None]:
    """As `with_assistant`, for a function whose first parameter is the `Catalog` of a home; there is no --store."""

    def done(home: Path | None, _: str | None, given: dict[str, object]) -> object:
        with opened_catalog(home) as catalog:
            return _taken(work(catalog, **given))

    return _command(work, done, has_store=False)


def _command(
    work: Callable[..., object], done: Callable[..., object], *, has_store: bool = True
) -> Callable[..., None]:
    def command(**given: object) -> None:
        home, store = given.pop("home"), given.pop("store", None)
        as_json = bool(given.pop("as_json", False))
        found = done(home, store, given)
        told = found if isinstance(found, CommandResult) else CommandResult(None, found)  # pyright: ignore
        told.say(as_json=as_json)

    own = signature(work)
    shared = [("home", options.HomeOption, None)]
    shared += [("store", options.StoreOption, None)] if has_store else []
    shared += (
        [("as_json", options.JsonOption, False)] if own.return_annotation is CommandResult else []
    )
    named = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=option)
        for name, option, default in shared
    ]
    command.__signature__ = Signature([*list(own.parameters.values())[1:], *named])  # pyright: ignore
    command.__annotations__ = {}
    command.__name__, command.__doc__ = work.__name__, work.__doc__
    return command


def _taken(found: object) -> object:
    """Lines, read while what they are about is open."""
    return found if isinstance(found, CommandResult) else tuple(found)  # pyright: ignore


def sure(question: str, *, yes: bool) -> None:
    """Ask before something is changed for good, unless told not to.

    Raises:
        Abort: the answer is no.
        UsageError: nobody is there to answer.
    """
    try:
        agreed = yes or typer.confirm(question, err=True)
    except typer.Abort as nobody:
        if sys.stdin.isatty():
            raise  # somebody is there, and breaks off
        typer.echo(err=True)
        raise UsageError(
            "Nobody is there to say yes, so nothing was changed: add --yes to agree beforehand."
        ) from nobody
    if not agreed:
        raise typer.Abort
