"""`oldhand rule`: what words mean here, and which rows count, stated in words."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, sure, with_assistant
from oldhand.cli.screen import Listing, make_console, one_line, program
from oldhand.errors import UnknownMemory

if TYPE_CHECKING:
    from rich.console import RenderableType

    from oldhand.face import AsyncOldhand
    from oldhand.loop.known_rules import KnownRule
    from oldhand.loop.learned_rules import LearnedRule
    from oldhand.loop.stating import RulePreview

_SHOWN = 5
"""Questions that are shown of those that a rule changes."""

EXAMPLES = options.examples("""
oldhand rule add "profit = price - cost"
oldhand rule add "Revenue leaves out cancelled orders"
oldhand rule list
oldhand rule edit profit "profit = price - cost - tax"
oldhand rule remove profit
""")

app = options.group("State what words mean here, and which rows count.", EXAMPLES)

RuleArgument = Annotated[str, Argument(metavar="NAME", help="Its name, or the sentence that was stated.")]  # fmt: skip
_AllOption = Annotated[bool, Option("--all", help="Name all questions that it changes.")]
RaterOption = Annotated[
    str, Option("--rater", "-r", metavar="NAME", help="Who says so: the owner or an expert.")
]


@app.command(
    epilog=options.examples("""
oldhand rule add "profit = price - cost"
oldhand rule add "active customer = not closed"
oldhand rule add "clients are customers"
oldhand rule add "sales date = orders.paid_at"
oldhand rule add "Only count paid orders" --yes --rater ana
""")
)
@with_assistant
async def add(
    old: "AsyncOldhand",
    sentence: Annotated[str, Argument(help="The rule, in words.")],
    databases: options.DatabasesOption = None,
    rater: RaterOption = "default",
    yes: options.YesOption = False,
    everything: _AllOption = False,
) -> CommandResult:
    """State a rule: a measure, a condition, a word, a date, or rows that don't count.

    It is read back, and tried on recent questions; in force after a yes.
    """
    preview = await old.rules.add(sentence, databases=databases, dry_run=True)
    if not yes:
        told = preview_lines(preview, everything=everything)
        make_console(stderr=True).print(*told, sep="\n", markup=False)
        sure("Is that right, and to be in force from now on?", yes=yes)
    stated = await old.rules.add(sentence, databases=databases, rater=rater)
    lines = [*preview_lines(stated, everything=everything)] if yes else []
    path = old.databases.semantics_path(stated.database)
    return CommandResult(stated, [*lines, one_line(f"In force, and written down in {path}.")])


def preview_lines(preview: "RulePreview", *, everything: bool = False) -> Iterator[str]:
    """What a rule will do, and what it would change."""
    from oldhand.cli.evidence_tables import exam_lines

    yield one_line(f"In {preview.database}: {preview.reads_back}.")
    for told in preview.replaces:
        yield one_line(f"No longer: {told}.")
    if not preview.tried:
        yield "There are no earlier questions that it could be tried on."
        return
    if preview.exam is not None:
        yield from map(str, exam_lines(preview.exam))
    for one in preview.stays[:_SHOWN]:
        yield one_line(one.told)
    if preview.stays:
        yield f"Other questions follow the rule. {program()} memory list --flawed lists what disagrees once the rule is in force."
    number = len(preview.changes)
    yield f"Of {preview.tried} recent questions, {number or 'none'} would be answered otherwise{':' if number else '.'}"
    shown = number if everything else _SHOWN
    for one in preview.changes[:shown]:
        yield "  " + one_line(one.question)
        yield "    now:  " + one_line(one.before or "not answered")
        same = one.before == one.after  # the same words, which mean other rows
        yield "    then: " + ("the same, of other rows" if same else one_line(one.after or "not answered"))  # fmt: skip
    if number > shown:
        yield f"  and {number - shown} more: --all names them"


@app.command("list", epilog=options.examples("oldhand rule list\noldhand rule list --json"))
@with_assistant
async def list_rules(old: "AsyncOldhand") -> CommandResult:
    """List the rules that were stated, and what was learned from answers."""
    found, learned = await old.rules.list(), await old.rules.learned()
    lines = [rules_listing(found), *learned_lines(learned)]
    return CommandResult((*found, *learned), lines)


@app.command(epilog=options.examples("oldhand rule export\noldhand rule export --database shop"))
@with_assistant
async def export(
    old: "AsyncOldhand",
    database: Annotated[
        str | None, Option("--database", "-d", metavar="NAME", help="Only that of one database.")
    ] = None,
) -> CommandResult:
    """Print the semantic layer as YAML: what was stated, and what was learned from answers and is in force."""
    found = await old.rules.layers()
    if database is not None:
        old.databases.schema(database)
        found = {database: found.get(database, "")}
    from rich.text import Text

    lines = [Text(f"# {name}.yaml\n{text}".rstrip()) for name, text in found.items()]
    return CommandResult(found, lines or ["Nothing was stated or learned yet."])


def learned_lines(learned: "Sequence[LearnedRule]") -> "Iterator[RenderableType]":
    """What was learned from answers, as a table, and how to change it; nothing where nothing was."""
    if learned:
        rows = [(one.memory_id, one.database, one.kind, one.told, one.rule.by, one.state.value) for one in learned]  # fmt: skip
        yield ""
        yield "Learned from answers, and words:"
        yield Listing(("id", "database", "kind", "says", "by", "state"), rows)
        yield f"{program()} memory edit ID changes one, memory retire ID (of a word: memory forget ID) takes it out, rule export writes all as YAML."


def rules_listing(found: "Sequence[KnownRule]") -> Listing:
    """Rules as a table."""
    rows = [(one.database, one.kind, one.name, one.told, one.rule.by) for one in found]
    nothing = f'No rules were stated yet: {program()} rule add "profit = price - cost"'
    return Listing(("database", "kind", "name", "says", "by"), rows, nothing)


@app.command(epilog=options.examples("oldhand rule show profit"))
@with_assistant
async def show(old: "AsyncOldhand", name: RuleArgument) -> CommandResult:
    """Show a rule: what it does, who stated it, and in which words."""
    wanted = " ".join(name.casefold().split())
    found = [
        one
        for one in await old.rules.list()
        if wanted in (one.name.casefold(), one.rule.says.casefold(), one.told.casefold())
    ]
    if not found:
        raise UnknownMemory(f"No rule goes by {name!r}: `{program()} rule list` lists them.")
    return CommandResult(found, [line for one in found for line in _shown(one)])


def _shown(one: "KnownRule") -> Iterator[str]:
    yield one_line(f"{one.name} ({one.kind} of {one.database})")
    yield "  " + one_line(f"{one.rule.reads_back}.")
    if one.rule.says:
        yield "  " + one_line(f'Stated as "{one.rule.says}".')
    if one.rule.by or one.rule.since:
        yield "  " + one_line(
            f"By {one.rule.by or 'somebody'} on {one.rule.since or 'an unknown day'}."
        )


@app.command(epilog=options.examples("oldhand rule remove profit"))
@with_assistant
async def remove(
    old: "AsyncOldhand", name: RuleArgument, rater: RaterOption = "default"
) -> CommandResult:
    """Take a rule out of force."""
    gone = await old.rules.remove(name, rater=rater)
    return CommandResult(gone, [one_line(f"No longer: {one.told}.") for one in gone])


@app.command(epilog=options.examples('oldhand rule edit profit "profit = price - cost - tax"'))
@with_assistant
async def edit(
    old: "AsyncOldhand",
    name: RuleArgument,
    sentence: Annotated[str, Argument(help="What is to hold instead.")],
    rater: RaterOption = "default",
    everything: _AllOption = False,
) -> CommandResult:
    """Put another rule in the place of one, in force at once.

    It is tried on recent and on confirmed questions. `oldhand rule undo` brings the one before back.
    """
    stated = await old.rules.edit(name, sentence, rater=rater)
    return CommandResult(stated, [*preview_lines(stated, everything=everything), "In force."])


@app.command(epilog=options.examples("oldhand rule undo shop"))
@with_assistant
async def undo(
    old: "AsyncOldhand",
    database: Annotated[str, Argument(help="Whose rules.")],
    rater: RaterOption = "default",
) -> CommandResult:
    """Let the rules of a database be as they were before their last change.

    Done twice, they are as they are now. All that they ever were lies in knowledge/semantics/earlier.
    """
    found = await old.rules.undo(database, rater=rater)
    lines = (
        [rules_listing(found)] if found else [one_line(f"No rule is in force in {database} now.")]
    )
    return CommandResult(found, lines)


@app.command(
    "import",
    epilog=options.examples(
        "oldhand rule import metrics.yml\noldhand rule import metrics.yml --yes"
    ),
)
@with_assistant
async def import_rules(
    old: "AsyncOldhand",
    file: Annotated[str, Argument(help="YAML with the semantic_models and metrics of dbt.")],
    rater: RaterOption = "default",
    yes: options.YesOption = False,
) -> CommandResult:
    """Take over semantic models and metrics of dbt.

    What rules can't hold is listed with the reason.
    """
    found = await old.rules.import_dbt(file, rater=rater, dry_run=True)
    lines = [one_line(f"{one.kind}: {one.told}") for one in found.taken]
    lines += [one_line(f"left out: {one.name}, since {one.reason}") for one in found.left_out]
    if found.taken and not yes:
        make_console(stderr=True).print(*lines, sep="\n", markup=False)
        sure(f"Put {len(found.taken)} rules in force?", yes=yes)
        lines = []
    if found.taken:
        await old.rules.import_dbt(file, rater=rater)
    return CommandResult(
        found, [*lines, f"{len(found.taken)} rules in force, {len(found.left_out)} left out"]
    )
