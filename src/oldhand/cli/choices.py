"""How an answer was chosen among candidates, as a table."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from oldhand.cli.screen import make_table, one_line, some
from oldhand.record.choice import AnswerChoice, CandidateAnswer


def chosen_lines(choice: AnswerChoice) -> Iterator[RenderableType]:
    """Candidates with their groups, what tells the groups apart, and what decided."""
    yield Text(f"Candidates (effort {choice.effort})", "bold")
    rows = [_row(one, choice) for one in choice.candidates]
    yield make_table(("voice", "group", "share", "rows", "statement"), rows)
    for group in choice.groups:
        if group.only_here is not None:
            cells = ", ".join(one_line(str(cell)) for cell in group.only_here)
            yield Text(f"  only in group {group.number}: {cells}")
    said = (
        f"{choice.chosen}, by {choice.because}" if choice.chosen else f"nothing: {choice.because}"
    )
    yield Text(f"  chosen: {one_line(said)}")


def _row(one: CandidateAnswer, choice: AnswerChoice) -> tuple[str, ...]:
    if one.group is None:
        return (one.voice, "", "", "", one_line(one.says))
    share = choice.groups[one.group - 1].share
    return (
        one.voice,
        str(one.group),
        f"{share:.0%}",
        some(one.row_count, "row"),
        one_line(one.sql),
    )
