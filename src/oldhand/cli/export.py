"""`oldhand export`: what was answered, as data for training models."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from oldhand.cli import options
from oldhand.cli.commands import with_home
from oldhand.cli.screen import some
from oldhand.errors import UsageError

if TYPE_CHECKING:
    from oldhand.bootstrap import Home
    from oldhand.learning.training.pairs import Liking


EXAMPLES = options.examples("""
oldhand export training --user-id default --min-confidence 0.8 --feedback positive --output training_data.jsonl
oldhand export preferences --output preferences.jsonl
""")

app = options.group("Write what was answered as data for training models.", EXAMPLES)

_UntrustedOption = Annotated[
    bool,
    Option(
        "--include-untrusted",
        help="Also what people asked and said who are neither owner nor expert.",
    ),
]
_OutputOption = Annotated[Path, Option("--output", "-o", metavar="FILE", help="The file to write.")]
_ForceOption = Annotated[bool, Option("--force", help="Overwrite the file.")]


@app.command(
    epilog=options.examples(
        "oldhand export training --min-confidence 0.8 --feedback positive --output training_data.jsonl"
    )
)
@with_home
def training(
    opened: "Home",
    *,
    user_id: Annotated[
        str | None, Option("--user-id", metavar="NAME", help="Only what this person asked.")
    ] = None,
    min_confidence: Annotated[
        float, Option("--min-confidence", metavar="0..1", min=0, max=1, help="Of the answer.")
    ] = 0.0,
    feedback: Annotated[
        str,
        Option(
            "--feedback", metavar="KIND", help="positive, negative, or any: also unjudged ones."
        ),
    ] = "positive",
    output: _OutputOption = Path("training_data.jsonl"),
    untrusted: _UntrustedOption = False,
    force: _ForceOption = False,
) -> Iterator[str]:
    """Write questions with their answers, one JSON object a line, as fine-tuning takes them.

    What people typed is written as it is: read the file before you give it away.
    """
    from oldhand.learning.training.pairs import Filters, TrainingPairs, write_lines

    filters = Filters(
        user_id=user_id,
        min_confidence=min_confidence,
        feedback=_liking(feedback),
        untrusted=untrusted,
    )
    left_out = Counter[str]()
    pairs = TrainingPairs(opened.people.clone(), opened.store)
    number = write_lines(output, pairs.lines(filters, left_out), force=force)
    return _report(number, "training pair", output, left_out)


@app.command(epilog=options.examples("oldhand export preferences --output preferences.jsonl"))
@with_home
def preferences(
    opened: "Home",
    output: _OutputOption = Path("preferences.jsonl"),
    untrusted: _UntrustedOption = False,
    force: _ForceOption = False,
) -> Iterator[str]:
    """Write what people preferred beside what they rejected, out of corrections and of votes.

    What people typed is written as it is: read the file before you give it away.
    """
    from oldhand.learning.training.pairs import write_lines
    from oldhand.learning.training.preferences import PreferencePairs

    left_out = Counter[str]()
    corrections = opened.memories.learner.cases.corrections
    pairs = PreferencePairs(opened.people.clone(), opened.store, corrections)
    lines = pairs.lines(untrusted=untrusted, left_out=left_out)
    number = write_lines(output, lines, force=force)
    return _report(number, "preference pair", output, left_out)


def _liking(name: str) -> "Liking":
    match name:
        case "positive" | "negative" | "any":
            return name
        case _:
            raise UsageError(f"There is no feedback {name!r}: use positive, negative or any.")


def _report(number: int, what: str, output: Path, left_out: Counter[str]) -> Iterator[str]:
    yield f"{output}: {some(number, what)}"
    for reason, count in sorted(left_out.items()):
        yield f"  {count:,} left out: {reason}"
