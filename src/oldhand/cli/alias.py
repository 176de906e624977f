"""`oldhand alias`: words that people use for tables, columns and values."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from oldhand.cli import options
from oldhand.cli.opening import at_home, open_home, run
from oldhand.cli.screen import fitted, make_console, one_line, print_json, program
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
def add(
    phrase: Annotated[str, Argument(help="What people say.")],
    target: Annotated[
        str,
        Argument(
            help="A table, a column, `column = value`, or a comparison such as `column > 100`; the database comes first."
        ),
    ],
    *,
    rater: Annotated[
        str, Option("--rater", "-r", metavar="NAME", help="Who says so: the owner or an expert.")
    ] = "default",
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Say what a word means; it counts from the next question on.

    What the word meant before in the same database is taken back.
    """
    memory = at_home(home, store, lambda old: old.define(phrase, target, rater=rater))
    if memory.note:
        make_console(stderr=True).print(one_line(f"Warning: {memory.note}"))
    if as_json:
        print(memory.model_dump_json())
        return
    make_console().print(*defined_lines(memory), sep="\n")


def defined_lines(defined: "Defined") -> Iterator[str]:
    """What a word means from now on, and what it means no more."""
    yield one_line(defined.summary)
    for one in defined.replaced:
        yield one_line(f"No longer: {one.summary}")


@app.command("list", epilog=options.examples("oldhand alias list\noldhand alias list --json"))
def list_aliases(
    *,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """List the words that were stated or learned.

    Those below a confidence of 0.5 are not used yet.
    """
    from oldhand.record.memory import LEAST_CONFIDENCE

    found = at_home(home, store, aliases_of)
    if as_json:
        print_json(found)
        return
    console = make_console()
    if not found:
        console.print(f"No words were learned yet: {program()} alias add PHRASE TARGET")
        return
    columns = ("phrase", "means", "confidence", "used", "why")
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
    console.print(*fitted(console, columns, rows), sep="\n")


@app.command(epilog=options.examples("oldhand alias remove clients"))
def remove(
    phrase: Annotated[str, Argument(help="The phrase, or the id.")],
    *,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Take a word back for good.

    It is not learned again, unless somebody states it.
    """

    async def work() -> "list[Memory]":
        async with open_home(home, store=store) as old:
            wanted = " ".join(phrase.casefold().split())
            found = [
                memory
                for memory in await aliases_of(old)
                if memory.word is not None and wanted in (memory.word.phrase, memory.id)
            ]
            if not found:
                raise UnknownMemory(f"No word is known as {phrase!r}.")
            return [await old.forget(memory.id) for memory in found]

    removed = run(work())
    if as_json:
        print_json([memory.id for memory in removed])
    for memory in () if as_json else removed:
        make_console().print(one_line(f"Taken back: {memory.summary}"))


async def aliases_of(old: "AsyncOldhand") -> "tuple[Memory, ...]":
    """All aliases that were not taken back, the newest first."""
    found = await old.memories(type="preference", limit=None)
    return tuple(memory for memory in found if memory.word is not None and memory.confidence > 0)
