"""`oldhand demo`: a small company, and thirteen questions with their right answers beside the answers given."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Exit, Option

from oldhand.cli import exits, options
from oldhand.cli.opening import open_home, run
from oldhand.cli.screen import make_console, make_table, one_line, print_json, program, shown_cell

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

    from oldhand.demo.asking import JudgedAnswer
    from oldhand.demo.home import DemoHome
    from oldhand.face import AsyncOldhand
    from oldhand.record.base import Row

EXAMPLES = options.examples("""
oldhand demo
oldhand demo --seed 42 --home /tmp/demo
oldhand demo --learn
oldhand demo --teach
oldhand demo --json --model openai:gpt-4o
oldhand ask "Which 3 stores have the largest floor area?" --home demo-home
""")

_SHOWN_ROWS = 12
_SHOWN = {
    (False, True): "Wrong at first, right with what was learned, wrong again without it.",
    (False, False): "It has not been shown that the lesson helps.",
    (
        True,
        True,
    ): "Put right by picking, by words, by a yes and by a rule; each made the next question right.",
    (True, False): "Not all of it was put right without SQL.",
}
"""What the scenes have shown, by whether they were of teaching, and whether it went as it should."""


def demo(
    *,
    seed: Annotated[
        int | None,
        Option(
            "--seed",
            metavar="N",
            help="Another seed makes another company and other questions; 1 by default.",
        ),
    ] = None,
    home: Annotated[
        Path,
        Option(
            "--home", "-H", metavar="DIR", help="Where it goes; what is there must be a demo's."
        ),
    ] = Path("demo-home"),
    keep: Annotated[
        bool, Option("--keep", help="Ask the company that is there instead of making it anew.")
    ] = False,
    learning: Annotated[
        bool,
        Option(
            "--learn",
            help="Show learning on the job instead: a mistake, a correction, a lesson, and what it brings.",
        ),
    ] = False,
    teaching: Annotated[
        bool,
        Option(
            "--teach",
            help="Show teaching without SQL instead: by picking, by words, by a yes and by a rule.",
        ),
    ] = False,
    model: options.ModelOption = None,
    base_url: options.BaseUrlOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Make a small company and ask it thirteen questions.

    The company is invented from the seed, up to this day, and written into three databases: SQLite, DuckDB and a Postgres of its own;
    its handbook, contracts and minutes are documents. Eight questions are about the databases, two about the documents, and three need both.
    The right answers come from the invented objects, not from the databases. The home stays, so that you can go on
    asking. With --json, one object per question and line: question, answer, expected, correct, sql, seconds. The exit
    code is 0 only when all answers are right.

    With --learn, its owner corrects a wrong answer, and what becomes of that is shown: what is learned at once, the look
    back on the answer, the night that goes over it, questions that are answered rightly by the lesson, and
    wrongly again when it is set aside. With --teach, the owner puts answers right without SQL: picks what was
    meant, says it in words, agrees to what is proposed, and states a rule; after each, another question is answered by it. Nothing is scripted; the exit code is 0 only when it went like that.
    """
    from asyncio import to_thread

    from oldhand.demo.asking import ask_all
    from oldhand.demo.home import kept_home, make_home
    from oldhand.demo.papers import document_questions, make_papers
    from oldhand.demo.questions import make_questions
    from oldhand.models.clock import SystemClock

    console = make_console(stderr=as_json)
    judged: list[JudgedAnswer] = []

    with console.status("Inventing a company …"):
        where = home.absolute()
        today = SystemClock().now().date()
        made = (
            kept_home(where, seed)
            if keep
            else make_home(where, 1 if seed is None else seed, today=today)
        )

    async def work() -> None:
        async with open_home(made.path, model=model, base_url=base_url, create=True) as old:
            if not keep:
                with console.status("Reading its databases …"):
                    await to_thread(made.register, old.databases)
            _introduce(console, made)
            if teaching or learning:
                await _play(console, made, old, teaching=teaching, as_json=as_json)
                return
            with console.status("Reading its documents …"):
                await old.documents.add(make_papers(made.company).write(made.path / "papers"))
            questions = (*make_questions(made.company), *document_questions(made.company))
            with console.status("Asking …"):
                async for each in ask_all(old, questions):
                    judged.append(each)
                    if as_json:
                        print_json(each.as_object(), flush=True)
                    else:
                        _show(console, each, len(judged))

    run(work())
    right = sum(each.correct for each in judged)
    _conclude(console, right, len(judged), home)
    raise Exit(exits.Exit.OK if right == len(judged) else exits.Exit.UNEXPECTED)


async def _play(
    console: "Console", made: "DemoHome", old: "AsyncOldhand", *, teaching: bool, as_json: bool
) -> None:
    """Show the scenes of learning, or of teaching without SQL, from the beginning."""
    from oldhand.cli.demo_learning import scene_object, shown_scene
    from oldhand.demo.course import make_course
    from oldhand.demo.learning import Scene, has_learned, learn_on_the_job
    from oldhand.demo.teaching import has_taught, teach_without_sql

    await _unlearned(old)
    scenes: list[Scene] = []
    course = make_course(made.company)
    async for scene in (
        teach_without_sql(old, made.company) if teaching else learn_on_the_job(old, course)
    ):
        scenes.append(scene)
        if as_json:
            print_json(scene_object(scene), flush=True)
        else:
            console.print(*shown_scene(scene, len(scenes)), sep="\n")
    succeeded = has_taught(scenes) if teaching else has_learned(scenes)
    console.print()
    console.print(_SHOWN[teaching, succeeded], style="green" if succeeded else "bold red")
    raise Exit(exits.Exit.OK if succeeded else exits.Exit.UNEXPECTED)


async def _unlearned(old: "AsyncOldhand") -> None:
    """Take back what earlier showings have taught."""
    from datetime import UTC, datetime

    for rule in await old.rules.list():
        await old.rules.remove(rule.name)
    if await old.memories.list(limit=1):
        await old.memories.roll_back(datetime(1970, 1, 1, tzinfo=UTC))


def _introduce(console: "Console", made: "DemoHome") -> None:

    company = made.company
    console.print(
        f"{company.name}, {company.trade.lower()}, {company.country}: {company.row_count:,} rows "
        f"in {len(made.databases)} databases (seed {company.seed})"
    )
    rows = [(it.name, it.kind, f"{it.rows:>6,}", ", ".join(it.tables)) for it in made.databases]
    console.print(make_table(("database", "kind", "rows", "tables"), rows))
    if made.note:
        console.print(made.note, style="yellow")


def _show(console: "Console", judged: "JudgedAnswer", number: int) -> None:
    from rich.text import Text

    from oldhand.cli.answering import answer_of
    from oldhand.cli.screen import shown_sql

    mark = Text("✓ right", "green") if judged.correct else Text("✗ wrong", "bold red")
    console.print()
    console.print(
        Text.assemble(
            (f"{number}. {judged.question.text}", "bold"),
            (f"  ({judged.question.kind})", "dim"),
        )
    )
    for step in judged.steps:
        tries = f", {step.attempts} attempts" if step.attempts > 1 else ""
        console.print(Text(f"[{one_line(step.database)}{tries}]", "dim"))
        for failure in step.failures:
            console.print(shown_sql(failure.sql))
            console.print(Text(f"  failed: {one_line(failure.error)}", "red"))
        console.print(shown_sql(step.sql))
    if judged.error:
        console.print(Text(one_line(judged.error), "red"))
    console.print(_side_by_side(judged))
    if judged.answer is not None and judged.answer.citations:
        console.print(*answer_of(judged.answer, brief=True), sep="\n")
    console.print(Text.assemble(mark, (f", {judged.seconds:.2f} s", "dim")))


def _side_by_side(judged: "JudgedAnswer") -> "Table":
    from rich.table import Table

    grid = Table.grid(padding=(0, 4))
    grid.add_column(style="dim")
    expected = judged.question.expected
    grid.add_row("  right answer", _rows(expected.rows, expected.says or "there is none"))
    said = judged.answer.text if judged.answer else ""
    given = judged.answer.rows if judged.answer and not judged.answer.abstained else ()
    grid.add_row("  answer given", _rows(given, said))
    return grid


def _rows(rows: "Sequence[Row]", instead: str) -> "RenderableType":
    from rich.table import Table
    from rich.text import Text

    if not rows:
        return Text(one_line(instead), "italic")
    grid = Table.grid(padding=(0, 2))
    for row in rows[:_SHOWN_ROWS]:
        grid.add_row(*(Text(shown_cell(cell)) for cell in row))
    if len(rows) > _SHOWN_ROWS:
        grid.add_row(Text(f"… {len(rows) - _SHOWN_ROWS} more", "dim"))
    return grid


def _conclude(console: "Console", right: int, asked: int, home: Path) -> None:

    console.print()
    console.print(
        f"{right} of {asked} answers are right.", style="green" if right == asked else "bold red"
    )
    place = shlex.quote(str(home))
    console.print(f'Go on: {program()} ask "How many customers are there?" --home {place}')
    console.print(f"Or in the browser: {program()} serve --home {place}")
