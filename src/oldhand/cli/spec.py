"""`oldhand spec`: an answer that went wrong becomes a test."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from oldhand.cli import options
from oldhand.cli.feedback import LAST
from oldhand.cli.opening import opened_home
from oldhand.cli.screen import make_console, one_line
from oldhand.errors import UnknownEpisode

if TYPE_CHECKING:
    from oldhand.bootstrap import Home

EXAMPLES = options.examples("""
oldhand spec last
oldhand spec 3f9c2a --pytest
oldhand spec last --contains 4 --expect-model builtin --max-cost 0
""")


def spec(
    episode: options.AnswerArgument,
    *,
    as_python: Annotated[bool, Option("--pytest", help="Write a test in Python, too.")] = False,
    output: Annotated[
        Path, Option("--output", "-o", metavar="DIR", help="The folder to write into.")
    ] = Path("tests/ai"),
    contains: Annotated[
        list[str] | None, Option("--contains", metavar="TEXT", help="The answer must say this.")
    ] = None,
    not_contains: Annotated[
        list[str] | None,
        Option("--not-contains", metavar="TEXT", help="The answer must not say this."),
    ] = None,
    expect_model: Annotated[
        str | None, Option("--expect-model", metavar="NAME", help="The model that must answer.")
    ] = None,
    max_cost: Annotated[
        float | None,
        Option("--max-cost", metavar="DOLLARS", min=0, help="The most it may cost, in dollars."),
    ] = None,
    without_tool: Annotated[
        list[str] | None,
        Option("--without-tool", metavar="NAME", help="A tool that must not be used."),
    ] = None,
    force: Annotated[bool, Option("--force", help="Overwrite the files.")] = False,
    home: options.HomeOption = None,
    store: options.StoreOption = None,
) -> None:
    """Make a test out of an answer that went wrong.

    The answer was called wrong, corrected, or failed. A correction in SQL becomes the strongest test: the rows must equal
    those of the corrected query at the time of the test. `pytest tests/ai/` runs the tests; no lesson that breaks one of
    them is promoted.
    """
    from oldhand.learning.regression.from_episode import Failures
    from oldhand.learning.regression.pytest_file import expectations
    from oldhand.learning.regression.spec_files import SpecFolders, write_spec

    given = {
        "response_contains": contains,
        "response_not_contains": not_contains,
        "model_used": expect_model,
        "cost": max_cost,
        "tools_not_used": without_tool,
    }
    wanted = {name: value for name, value in given.items() if value is not None and value != []}
    with opened_home(home, store=store) as opened:
        found = Failures(opened.memories.learner.cases).spec(_id(opened, episode), wanted)
        written = write_spec(found.spec, output, as_python=as_python, force=force)
        SpecFolders(opened.path).note(output)
    console = make_console()
    for file in written.files:
        console.print(f"Written: {file}")
    console.print(one_line(f"Question: {found.spec.input.question}"))
    for line in expectations(found.spec.expected):
        console.print(one_line(f"Expected: {line}"))
    if found.note:
        console.print(one_line(found.note))
    console.print(f"Run it: pytest {written.files[0]}{_named(home)}")


def _id(opened: "Home", episode: str) -> str:
    """The id that is meant; `last` is the latest answer of anybody."""
    from oldhand.record.clone import DEFAULT_CLONE

    if episode != LAST:
        return episode
    latest = opened.store.episodes(DEFAULT_CLONE, limit=1)
    if not latest:
        raise UnknownEpisode("Nothing was asked yet: there is no last answer.")
    return latest[0].id


def _named(home: Path | None) -> str:
    return "" if home is None else f" --oldhand-home {shlex.quote(str(home))}"
