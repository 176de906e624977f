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
    yield Text(f"  chosen: {choice.chosen or 'nothing'}: {one_line(choice.because)}")


def _row(one: CandidateAnswer, choice: AnswerChoice) -> tuple[str, ...]:
    rows = "" if one.says else some(one.row_count, "row")
    group, share = "", ""
    if one.group is not None:
        group, share = str(one.group), f"{choice.groups[one.group - 1].share:.0%}"
    return (one.voice, group, share, rows, one_line(one.says or one.sql))
