"""`oldhand usage`: what language models have cost."""

from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Annotated

from typer import Option

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, with_home
from oldhand.cli.screen import Listing
from oldhand.errors import UsageError

if TYPE_CHECKING:
    from oldhand.bootstrap import Home
    from oldhand.record.base import Row
    from oldhand.record.usage import Usage
    from oldhand.store import UsageTotal

EXAMPLES = options.examples("""
oldhand usage
oldhand usage --since 2026-11-01 --json
""")


@with_home
def usage(
    opened: "Home",
    since: Annotated[
        str | None, Option(metavar="DAY", help="Only from this day on, in UTC.")
    ] = None,
) -> CommandResult:
    """Show what language models have cost: tokens, dollars and seconds by day, model and stage.

    Evaluators and the looking back in the background are in it. Cached tokens are those of the prompts that the provider had read before; they cost less. A
    model without a known price costs 0. With --json, one object on each line.
    """
    start = None if since is None else _start_of(since)
    totals = opened.store.usage_totals(opened.clone_id, start)
    columns = ("day", "model", "stage", "requests", "tokens in", "cached", "tokens out", "dollars", "seconds")  # fmt: skip
    rows: list[Row] = [
        (f"{one.day}", one.model, one.stage, *_cells(one.usage, one.seconds)) for one in totals
    ]
    if len(rows) > 1:
        rows.append(_total(totals))
    nothing = "No language model was asked" + (" in this time." if since else " yet.")
    return CommandResult(totals, [Listing(columns, rows, nothing)], one_each=True)


def _start_of(day: str) -> datetime:
    try:
        return datetime.combine(date.fromisoformat(day.strip()), time(), UTC)
    except ValueError as error:
        raise UsageError(f"{day!r} is no day: write it as {datetime.now(UTC):%Y-%m-%d}.") from error


def _total(totals: "tuple[UsageTotal, ...]") -> "Row":
    from oldhand.record.usage import Usage

    whole = sum((one.usage for one in totals), Usage())
    return ("all", "", "", *_cells(whole, sum(one.seconds for one in totals)))


def _cells(used: "Usage", seconds: float) -> "Row":
    share = f"{used.cached_tokens / used.input_tokens:.0%}" if used.input_tokens else ""
    return (used.requests, used.input_tokens, share, used.output_tokens, f"{used.cost:.4f}", f"{seconds:.1f}")  # fmt: skip
