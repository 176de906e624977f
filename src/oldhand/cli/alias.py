"""`oldhand alias`: words that people use for tables, columns and values."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, with_assistant
from oldhand.cli.screen import Listing, make_console, one_line, program
from oldhand.errors import UnknownMemory

if TYPE_CHECKING:
    from oldhand.face import AsyncOldhand
    from oldhand.loop.memories import Defined
    from oldhand.record.memory import Memory


EXAMPLES = options.examples("""
oldhand alias add clients shop.customers
oldhand alias list
oldhand alias remove clients
""")

app = options.group("Say what people mean by a word.", EXAMPLES)


@app.command(
    epilog=options.examples("""
oldhand alias add clients shop.customers
oldhand alias add turnover shop.orders.amount
oldhand alias add "top tier" "shop.customers.tier = A1" --rater ana
oldhand alias add "big orders" "shop.orders.total > 100"
""")
)
@with_assistant
async def add(
    old: "AsyncOldhand",
    phrase: Annotated[str, Argument(help="What people say.")],
    target: Annotated[
        str,
        Argument(
            help="A table, a column, `column = value`, or a comparison such as `column > 100`; the database comes first."
        ),
    ],
    rater: Annotated[
        str, Option("--rater", "-r", metavar="NAME", help="Who says so: the owner or an expert.")
    ] = "default",
) -> CommandResult:
    """Say what a word means; it counts from the next question on.

    What the word meant before in the same database is taken back.
    """
    defined = await old.memories.define(phrase, target, rater=rater)
    if defined.note:
        make_console(stderr=True).print(one_line(f"Warning: {defined.note}"))
    return CommandResult(defined, defined_lines(defined))


def defined_lines(defined: "Defined") -> Iterator[str]:
    """What a word means from now on, and what it means no more."""
    yield one_line(defined.summary)
    for one in defined.replaced:
        yield one_line(f"No longer: {one.summary}")


@app.command("list", epilog=options.examples("oldhand alias list\noldhand alias list --json"))
@with_assistant
async def list_aliases(old: "AsyncOldhand") -> CommandResult:
    """List the words that were stated or learned.

    Those below a confidence of 0.5 are not used yet.
    """
    from oldhand.record.memory import LEAST_CONFIDENCE

    found = await aliases_of(old)
    rows = [
        (
            memory.word.phrase,
            memory.word.target,
            round(memory.confidence, 2),
            "yes" if memory.confidence >= LEAST_CONFIDENCE else "not yet",
            memory.payload.context,
        )
        for memory in found
        if memory.word is not None and memory.payload.type == "preference"
    ]
    nothing = f"No words were learned yet: {program()} alias add PHRASE TARGET"
    columns = ("phrase", "means", "confidence", "used", "why")
    return CommandResult(found, [Listing(columns, rows, nothing)])


@app.command(epilog=options.examples("oldhand alias remove clients"))
@with_assistant
async def remove(
    old: "AsyncOldhand", phrase: Annotated[str, Argument(help="The phrase, or the id.")]
) -> CommandResult:
    """Take a word back for good.

    It is not learned again, unless somebody states it.
    """
    wanted = " ".join(phrase.casefold().split())
    found = [
        memory
        for memory in await aliases_of(old)
        if memory.word is not None and wanted in (memory.word.phrase, memory.id)
    ]
    if not found:
        raise UnknownMemory(f"No word is known as {phrase!r}.")
    removed = [await old.memories.forget(memory.id) for memory in found]
    ids = [memory.id for memory in removed]
    return CommandResult(ids, [one_line(f"Taken back: {memory.summary}") for memory in removed])


async def aliases_of(old: "AsyncOldhand") -> "tuple[Memory, ...]":
    """All aliases that were not taken back, the newest first."""
    found = await old.memories.list(type="preference", limit=None)
    return tuple(memory for memory in found if memory.word is not None and memory.confidence > 0)
