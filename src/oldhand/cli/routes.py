"""`oldhand routes`: how each model does, and which one gets the next question."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from typer import Argument

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, with_home
from oldhand.cli.screen import Listing, shown_share

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.bootstrap import Home
    from oldhand.learning.routing import ModelCandidate, Route
    from oldhand.record.situation import Situation

EXAMPLES = options.examples("""
oldhand routes
oldhand routes "What's 2 + 2?"
""")


@with_home
def routes(
    opened: "Home",
    question: Annotated[
        str | None, Argument(help="Which model this one would be given to.")
    ] = None,
) -> CommandResult:
    """Show how each model does on each kind of question.

    And the chance that it gets the next one of that kind. The models to choose from are named in the settings, under `routing`. The cheapest that is good enough is used; what is
    good enough follows from feedback, evaluators and failures.
    """
    from oldhand.learning.routing import situation_for

    situation = None if question is None else situation_for(question)
    if not opened.settings.routing.models:
        nothing = "No models are named to choose from, so one mind answers all: see `routing` in the settings."
        return CommandResult([], [nothing])
    if situation is None:
        found = opened.chooser.routes()
        return CommandResult(found, [route_table(found)])
    options_found = opened.chooser.options(situation)
    return CommandResult(
        [one._asdict() for one in options_found], option_lines(situation, options_found)
    )


def route_table(found: "Sequence[Route]") -> Listing:
    """Models by kind of question."""
    columns = ("intent", "complexity", "model", "answers", "judged", "right", "expected", "cost", "seconds", "chance")  # fmt: skip
    rows = [
        (
            one.intent, one.complexity, one.model, one.answers, one.judged,
            shown_share(one.success), f"{one.expected:.1%}", f"{one.cost:.4f}",
            f"{one.seconds:.2f}" if one.answers else "", f"{one.chance:.1%}",
        )
        for one in found
    ]  # fmt: skip
    return Listing(columns, rows, "Nothing was asked of these models yet.")


def option_lines(
    situation: "Situation", found: "Sequence[ModelCandidate]"
) -> "Iterator[RenderableType]":
    """Models for one question."""
    yield f"Intent {situation.intent}, complexity {situation.complexity:.2f}."
    rows = [(one.model, f"{one.expected:.1%}", f"{one.chance:.1%}") for one in found]
    yield Listing(("model", "expected right", "chance"), rows)
