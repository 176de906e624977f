"""`oldhand why`: from an answer back to what it was learned from."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oldhand.cli import options
from oldhand.cli.commands import CommandResult, with_assistant
from oldhand.cli.feedback import episode_of
from oldhand.cli.screen import one_line, short_id

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.segment import Segment
    from rich.tree import Tree

    from oldhand.face import AsyncOldhand
    from oldhand.record.why import Cause, Why

EXAMPLES = options.examples("""
oldhand why last
oldhand why 3f9c2a --json
""")

_WHOLE = 100_000
"""Columns in which no line is broken."""
_SHOWN_ID = {"lesson": 16, "episode": 8, "feedback": 8, "reflection": 8, "chunk": 8}
"""Characters of an id that are shown, by what it is of; enough to name it. Other ids are words, and shown in whole."""


@with_assistant
async def why(old: "AsyncOldhand", episode: options.AnswerArgument) -> CommandResult:
    """Show how an answer was found, and what it rests on.

    That is how it was read, the plan and the SQL; and the lessons, and the answers and feedback that those were learned from. Each lesson comes with the chance that it was to be shown with, its rank and its score; those that were held out are
    named, too.
    """
    from oldhand.cli.answering import explained

    found = await old.episodes.why(await episode_of(old, episode))
    answer = (await old.episodes.get(found.episode_id)).answer
    return CommandResult(found, [*explained(answer), Chain(found)])


@dataclass(frozen=True)
class Chain:
    """The chain as a tree; lines are broken for eyes only: whoever reads a pipe wants each whole."""

    why: "Why"

    def __rich_console__(
        self, console: "Console", options: "ConsoleOptions"
    ) -> "Iterator[Segment]":
        """What is shown."""
        if not console.is_terminal:
            options = options.update(max_width=_WHOLE)
        yield from console.render(tree_of(self.why), options)


def tree_of(why: "Why") -> "Tree":
    """The chain as a tree, the answer on top."""
    from rich.text import Text
    from rich.tree import Tree

    top = Text.assemble((short_id(why.episode_id), "bold"), f"  {one_line(why.question)}")
    top.append(f"\n{one_line(why.text)}")
    tree = Tree(top, guide_style="dim")
    if not why.is_recorded:
        tree.add(Text("It was not recorded what was recalled for it."))
    elif not why.used:
        tree.add(Text("Nothing learned was used."))
    for cause in why.causes:
        _grow(tree, cause)
    return tree


def _grow(tree: "Tree", cause: "Cause") -> None:
    branch = tree.add(_label(cause))
    for one in cause.because:
        _grow(branch, one)


def _label(cause: "Cause") -> str:
    from oldhand.cli.learned import shown_moment

    head = " ".join(filter(None, (cause.kind, cause.id[: _SHOWN_ID.get(cause.kind)])))
    known = [cause.part, *cause.facts, cause.by and f"by {cause.by}"]
    if cause.at is not None:
        known.append(shown_moment(cause.at))
    told = ", ".join(filter(None, known))
    return one_line(f"{head}: {cause.text}") + (f"\n{one_line(told)}" if told else "")
