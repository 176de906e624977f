"""`oldhand routes`: how each model does, and which one gets the next question."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from typer import Argument

from oldhand.cli import options
from oldhand.cli.opening import opened_home
from oldhand.cli.screen import fitted, make_console, print_json

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from oldhand.learning.routing import Option, Route
    from oldhand.record.situation import Situation

EXAMPLES = options.examples("""
oldhand routes
oldhand routes "What's 2 + 2?"
""")


def routes(
    question: Annotated[
        str | None, Argument(help="Which model this one would be given to.")
    ] = None,
    *,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Show how each model does on each kind of question.

    And the chance that it gets the next one of that kind. The models to choose from are named in the settings, under `routing`. The cheapest that is good enough is used; what is
    good enough follows from feedback, evaluators and failures.
    """
    from oldhand.learning.routing import situation_for

    with opened_home(home, store=store) as opened:
        is_routed = bool(opened.settings.routing.models)
        situation = None if question is None else situation_for(question)
        if situation is not None and is_routed:
            options_found = opened.chooser.options(situation)
        else:
            options_found = ()
        found = opened.chooser.routes() if is_routed and situation is None else ()
    if as_json:
        rows = [one._asdict() for one in options_found] or [
            one.model_dump(mode="json") for one in found
        ]
        print_json(rows)
        return
    console = make_console()
    if not is_routed:
        console.print(
            "No models are named to choose from, so one mind answers all: see `routing` in the settings."
        )
    elif situation is not None:
        console.print(*option_lines(console, situation, options_found), sep="\n")
    else:
        console.print(*route_lines(console, found), sep="\n")


def route_lines(console: "Console", found: "Sequence[Route]") -> "Iterator[RenderableType]":
    """Models by kind of question."""
    from rich.text import Text

    if not found:
        yield Text("Nothing was asked of these models yet.")
        return
    columns = ("intent", "complexity", "model", "answers", "judged", "right", "expected", "cost", "seconds", "chance")  # fmt: skip
    rows = [
        (
            one.intent, one.complexity, one.model, one.answers, one.judged,
            "" if one.success is None else f"{one.success:.1%}", f"{one.expected:.1%}", f"{one.cost:.4f}",
            f"{one.seconds:.2f}" if one.answers else "", f"{one.chance:.1%}",
        )
        for one in found
    ]  # fmt: skip
    yield from fitted(console, columns, rows)


def option_lines(
    console: "Console", situation: "Situation", found: "Sequence[Option]"
) -> "Iterator[RenderableType]":
    """Models for one question."""
    from rich.text import Text

    yield Text(f"Intent {situation.intent}, complexity {situation.complexity:.2f}.")
    rows = [(one.model, f"{one.expected:.1%}", f"{one.chance:.1%}") for one in found]
    yield from fitted(console, ("model", "expected right", "chance"), rows)
