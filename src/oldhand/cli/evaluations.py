"""`oldhand evaluations`: what evaluators found, how often, and what recurs in spite of its note."""

import re
import sys
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Context, Option, Typer

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, sure
from oldhand.cli.exits import Exit, OldhandGroup
from oldhand.cli.opening import opened_store
from oldhand.cli.screen import one_line, shown_minute, some
from oldhand.errors import UsageError

EXAMPLES = options.examples("""
oldhand evaluations
oldhand evaluations --by issue --task spatial_qa
oldhand evaluations --recurring
oldhand evaluations --by day --plot terminal
oldhand evaluations prune --older-than 90d
""")

app = Typer(
    cls=OldhandGroup,
    invoke_without_command=True,
    rich_markup_mode=None,
    help="Look at what evaluators found in the steps of an agent.",
    epilog=EXAMPLES,
)

By = Literal["evaluator", "issue", "task", "day"]

_ModelOption = Annotated[
    str | None, Option("--model", "-m", metavar="NAME", help="Only of this judged model.")
]
_TaskOption = Annotated[
    str | None, Option("--task", "-t", metavar="NAME", help="Only of this kind of task.")
]
_EvaluatorOption = Annotated[
    str | None,
    Option("--evaluator", metavar="NAME", help="Only of this one, such as sqlvalidator."),
]


@app.callback()
def evaluations(
    context: Context,
    *,
    by: Annotated[
        By | None,
        Option(
            "--by", metavar="evaluator|issue|task|day", help="Count them instead of listing them."
        ),
    ] = None,
    recurring: Annotated[
        bool,
        Option(
            "--recurring", help="Only issues that came again although they were shown as a note."
        ),
    ] = False,
    model: _ModelOption = None,
    task: _TaskOption = None,
    evaluator: _EvaluatorOption = None,
    limit: options.LimitOption = 20,
    plot: Annotated[
        str | None,
        Option(
            "--plot",
            metavar="FILE|terminal",
            help="Draw bars, by day unless --by says otherwise: into an image, or right here.",
        ),
    ] = None,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """List what evaluators found in the steps of an agent, newest first.

    With --by they are counted; with --recurring it says which notes don't help. --json prints one object on each line.
    """
    if context.invoked_subcommand is not None:
        _require_none_before(context.invoked_subcommand, context)
        return
    from oldhand.cli.charts import drawn
    from oldhand.cli.evaluation_tables import issue_table, listed, total_table
    from oldhand.record.clone import DEFAULT_CLONE
    from oldhand.store import EvaluationFilter, TallyFilter

    chosen = counted_by(by, recurring=recurring, drawn=plot is not None, as_json=as_json)
    wanted = EvaluationFilter(model, task, evaluator)
    with opened_store(home, store) as kept:
        if chosen is None:
            table = listed(kept.results.found(DEFAULT_CLONE, wanted, limit))
        elif chosen == "issue":
            issues = TallyFilter(model, task, evaluator, only_recurring=recurring)
            table = issue_table(kept.results.tallies(DEFAULT_CLONE, issues, limit))
        else:
            table = total_table(chosen, kept.results.totals(DEFAULT_CLONE, chosen, wanted))
    if plot is not None:
        drawn(table.chart, plot)
        return
    nothing = "Nothing was evaluated yet."
    if recurring:
        nothing = "Nothing recurs in spite of its note."
    elif model or task or evaluator:
        nothing = "Nothing of that kind was found."
    table.told(nothing).say(as_json=as_json)


def counted_by(by: By | None, *, recurring: bool, drawn: bool, as_json: bool) -> By | None:
    """What evaluations are counted by; None when they are listed.

    >>> counted_by(None, recurring=True, drawn=False, as_json=False)
    'issue'

    Raises:
        UsageError: two options ask for different things.
    """
    if recurring and by not in (None, "issue"):
        raise UsageError(f"--recurring counts by issue, not by {by}: leave one of the two out.")
    if drawn and as_json:
        raise UsageError("--plot draws and --json prints: leave one of the two out.")
    return "issue" if recurring else by or ("day" if drawn else None)


@app.command(epilog=options.examples("oldhand evaluations prune --older-than 90d --yes"))
def prune(
    *,
    older_than: Annotated[
        str, Option("--older-than", metavar="AGE", help="Such as 90d, 12w or 36h.")
    ],
    yes: options.YesOption = False,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Delete old evaluations, and notes of issues that have not come since.

    The files of results are left alone.
    """
    from oldhand.models.clock import SystemClock
    from oldhand.record.clone import DEFAULT_CLONE

    before = SystemClock().now() - age(older_than)
    sure(f"Delete evaluations from before {shown_minute(before)} UTC?", yes=yes)
    with opened_store(home, store) as kept:
        number = kept.results.prune(DEFAULT_CLONE, before)
    CommandResult({"deleted": number}, [f"{some(number, 'evaluation')} deleted"]).say(
        as_json=as_json
    )


@app.command(
    epilog=options.examples("""
oldhand evaluations forget issue-94d2eafd7ce9ed4e
oldhand evaluations forget --evaluator nostar --task spatial_qa --yes
""")
)
def forget(
    issue: Annotated[
        str | None, Argument(help="The id of one issue, as --by issue lists it, or its beginning.")
    ] = None,
    *,
    model: _ModelOption = None,
    task: _TaskOption = None,
    evaluator: _EvaluatorOption = None,
    yes: options.YesOption = False,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Forget an issue, or all issues of a model, a task or an evaluator: their notes are shown no more.

    What evaluators said of them goes, too, also from the files of results. An issue that is found again counts anew.
    """
    from oldhand.models import same_model
    from oldhand.record.clone import DEFAULT_CLONE
    from oldhand.store import TallyFilter
    from oldhand.store.transactions import only_one

    if not any((issue, model, task, evaluator)):
        raise UsageError("Say which: the id of an issue, or --model, --task or --evaluator.")
    wanted = TallyFilter(same_model(model) if model else None, task, evaluator)
    with opened_store(home, store) as kept:
        found = kept.results.tallies(DEFAULT_CLONE, wanted)
        if issue:
            known = [one.id for one in found if one.id.startswith(issue)]
            if not (only := only_one(known, "issues", issue)):
                raise UsageError(f"There is no issue {issue!r}: oldhand evaluations --by issue")
            wanted = wanted._replace(id=only)
            found = tuple(one for one in found if one.id == only)
        if found:
            said = one_line(found[0].text, 90) if len(found) == 1 else some(len(found), "issue")
            sure(f"Forget {said}?", yes=yes)
        number = kept.results.forget(DEFAULT_CLONE, wanted)
    CommandResult({"forgotten": number}, [f"{some(number, 'issue')} forgotten"]).say(
        as_json=as_json
    )


def _require_none_before(command: str, context: Context) -> None:
    """Refuse options that stand before a command: it would go by its own, and work on another home.

    Raises:
        UsageError: there is one.
    """
    for name in context.params:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise UsageError(f"Options of `{command}` stand behind it: evaluations {command} …")


@app.command(
    epilog=options.examples("""
oldhand evaluations export evaluations.jsonl
oldhand evaluations export --task spatial_qa
""")
)
def export(
    file: Annotated[Path | None, Argument(help="Standard output when left out.")] = None,
    *,
    model: _ModelOption = None,
    task: _TaskOption = None,
    evaluator: _EvaluatorOption = None,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
) -> None:
    """Write evaluations as JSON Lines, oldest first."""
    from oldhand.evaluators.result_files import export_results
    from oldhand.record.clone import DEFAULT_CLONE
    from oldhand.sources.databases.files import replacing
    from oldhand.store import EvaluationFilter

    wanted = EvaluationFilter(model, task, evaluator)
    target = replacing(file) if file else nullcontext(sys.stdout)
    with opened_store(home, store) as kept, target as lines:
        number = export_results(kept.results, DEFAULT_CLONE, lines, wanted)
    if file:
        print(f"{some(number, 'evaluation')} written to {file}")


@app.command(
    "import",
    epilog=options.examples("""
oldhand evaluations import evaluations.jsonl
oldhand evaluations import old-results.jsonl --model gpt-4 --task spatial_qa
"""),
)
def import_evaluations(
    file: Annotated[Path, Argument(help="An export, or a file of the folder verbal_evaluator.")],
    *,
    model: Annotated[
        str | None,
        Option("--model", "-m", metavar="NAME", help="Who was judged, when the file doesn't say."),
    ] = None,
    task: Annotated[
        str | None,
        Option("--task", "-t", metavar="NAME", help="The kind of task, when the file doesn't say."),
    ] = None,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Read evaluations back in.

    This is how edits of the files of results take effect: what was taken out of the home's own file is deleted, if all of it can be
    read. Lines that cannot be read are named; the others are kept, and those that are known already change nothing.
    """
    from oldhand.evaluators.result_files import import_results
    from oldhand.record.clone import DEFAULT_CLONE

    with opened_store(home, store) as kept:
        done = import_results(kept.results, DEFAULT_CLONE, file, model, task)
    gone = f", {some(done.removed, 'evaluation')} deleted" if done.removed else ""
    counts = f"{done.new} new, {done.unchanged} unchanged, {len(done.bad)} not read{gone}"
    lines = [counts, *(f"  {one_line(reason)}" for reason in done.bad)]
    CommandResult(done._asdict(), lines, Exit.USAGE if done.bad else Exit.OK).say(as_json=as_json)


_AGE = re.compile(r"(\d{1,6})\s*([hdw])")


def age(text: str) -> timedelta:
    """A number of hours, days or weeks.

    >>> age("90d"), age("36h")
    (datetime.timedelta(days=90), datetime.timedelta(days=1, seconds=43200))

    Raises:
        UsageError: it is none.
    """
    found = _AGE.fullmatch(text.strip().lower())
    if found is None:
        raise UsageError(f"{text!r} is no age: write 90d, 12w or 36h.")
    unit = {"h": "hours", "d": "days", "w": "weeks"}[found[2]]
    return timedelta(**{unit: int(found[1])})
