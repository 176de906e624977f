"""`oldhand spec`: an answer that went wrong becomes a test."""

import shlex
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from typer import Argument, Option

from oldhand.cli import options
from oldhand.cli.commands import CommandResult
from oldhand.cli.feedback import LAST
from oldhand.cli.opening import opened_home
from oldhand.cli.screen import make_table, one_line, short_id, this_python
from oldhand.errors import UnknownEpisode, UsageError

if TYPE_CHECKING:
    from oldhand.bootstrap import Home

_VERBS = ("list", "keep", "drop")

EXAMPLES = options.examples("""
oldhand spec list
oldhand spec keep 3f9c2a
oldhand spec drop 3f9c2a
oldhand spec last
oldhand spec 3f9c2a --pytest
oldhand spec last --contains 4 --expect-model builtin --max-cost 0
""")


def spec(
    episode: Annotated[
        str,
        Argument(
            metavar="EPISODE|list|keep|drop",
            help="The answer: its id, the beginning of it, or last; list shows what waits.",
        ),
    ],
    which: Annotated[
        str | None, Argument(metavar="[EPISODE]", help="The answer, behind keep and drop.")
    ] = None,
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
    as_json: options.JsonOption = False,
) -> None:
    """Make a test out of an answer that went wrong.

    What was called wrong, corrected, or failed waits as a test by itself: `list` shows these, which guard nothing until `keep` writes one
    down; `drop` lets one go for good. An answer that is named is kept at once. A correction in SQL becomes the strongest test: the rows must equal
    those of the corrected query at the time of the test. `python -m pytest tests/ai/` runs the tests; no lesson that breaks one of
    them is promoted.
    """
    given = {
        "response_contains": contains,
        "response_not_contains": not_contains,
        "model_used": expect_model,
        "cost": max_cost,
        "tools_not_used": without_tool,
    }
    wanted = {name: value for name, value in given.items() if value is not None and value != []}
    if episode in _VERBS and (which is None) != (episode == "list"):
        raise UsageError(
            "Write: oldhand spec list, oldhand spec keep EPISODE, or oldhand spec drop EPISODE."
        )
    with opened_home(home, store=store) as opened:
        if episode == "list":
            told = _listed(opened)
        elif episode == "drop":
            told = _dropped(opened, _id(opened, which or LAST))
        else:
            written = Writing(output, as_python, force)
            told = _kept(opened, _id(opened, which or episode), wanted, written, _named(home))
    told.say(as_json=as_json)


class Writing(NamedTuple):
    """How a spec is written."""

    folder: Path
    as_python: bool
    force: bool


def _kept(
    opened: "Home", episode: str, wanted: Mapping[str, object], writing: Writing, home: str
) -> CommandResult:
    """Write the spec of an answer, which guards from then on."""
    from oldhand.learning.regression.from_episode import Failures
    from oldhand.learning.regression.pytest_file import expectations
    from oldhand.learning.regression.spec_files import SpecFolders, write_spec

    found = Failures(opened.memories.learner.cases).spec(episode, wanted)
    folder, as_python, force = writing
    written = write_spec(found.spec, folder, as_python=as_python, force=force)
    SpecFolders(opened.path).note(folder)
    lines = [
        *(f"Written: {file}" for file in written.files),
        f"Question: {found.spec.input.question}",
        *(f"Expected: {line}" for line in expectations(found.spec.expected)),
        *filter(None, [found.note]),
        *_how_to_run(written.files[0], home),
    ]
    return CommandResult(written.spec, map(one_line, lines))


def _listed(opened: "Home") -> CommandResult:
    """What waits to be kept or dropped, then what was kept."""
    from oldhand.learning.regression.from_episode import Failures
    from oldhand.learning.regression.pytest_file import expectations
    from oldhand.learning.regression.spec_files import SpecFolders

    folders = SpecFolders(opened.path)
    waiting = [
        one.spec for one in Failures(opened.memories.learner.cases).waiting(folders.settled())
    ]
    marked = [*((one, "waiting") for one in waiting), *((one, "kept") for one in folders.specs())]
    rows = [
        (short_id(one.episode_id), state, one.failure_type, one_line(one.input.question), "; ".join(map(one_line, expectations(one.expected))))
        for one, state in marked
    ]  # fmt: skip
    found = [{"state": state, **one.model_dump(mode="json")} for one, state in marked]
    if not rows:
        return CommandResult(found, ["Nothing went wrong that could become a test."], one_each=True)
    table = make_table(("episode", "state", "what went wrong", "question", "expected"), rows)
    hint = "What waits guards nothing yet: oldhand spec keep EPISODE, or oldhand spec drop EPISODE."
    return CommandResult(found, [table, *([hint] if waiting else [])], one_each=True)


def _dropped(opened: "Home", episode: str) -> CommandResult:
    """Let a spec that waits go for good."""
    from oldhand.learning.regression.spec_files import SpecFolders

    folders, known = SpecFolders(opened.path), opened.store.episode(opened.clone_id, episode)
    if any(one.episode_id == known.id for one in folders.specs()):
        raise UsageError(
            f"The spec of {short_id(known.id)} is kept: delete its file to be rid of it."
        )
    folders.drop(known.id)
    return CommandResult({"dropped": known.id}, [f"Dropped: {one_line(known.answer.question)}"])


def _id(opened: "Home", episode: str) -> str:
    """The id that is meant; `last` is the latest answer of anybody."""
    if episode != LAST:
        return episode
    latest = opened.store.episodes(opened.clone_id, limit=1)
    if not latest:
        raise UnknownEpisode("Nothing was asked yet: there is no last answer.")
    return latest[0].id


def _named(home: Path | None) -> str:
    return "" if home is None else f" --oldhand-home {shlex.quote(str(home))}"


def _how_to_run(file: Path, home: str) -> list[str]:
    needed = [] if find_spec("pytest") else ["It needs pytest: pip install 'oldhand[testing]'"]
    return [*needed, f"Run it: {this_python()} -m pytest {file}{home}"]
