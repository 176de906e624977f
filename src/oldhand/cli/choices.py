"""How an answer was chosen among candidates, as a table."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from oldhand.cli.screen import make_table, one_line, shown_cell, shown_sql, some
from oldhand.record.choice import AnswerChoice, CandidateAnswer


def chosen_lines(choice: AnswerChoice, told: str = "") -> Iterator[RenderableType]:
    """Candidates with their groups, the statements that were not chosen, what tells the groups apart, and what decided."""
    yield Text(f"Candidates (effort {choice.effort})", "bold")
    rows = [_row(one, choice, told) for one in choice.candidates]
    yield make_table(("voice", "group", "share", "came to"), rows)
    because = f": {one_line(choice.because)}" if choice.because != told else ""
    yield Text(f"  chosen: {choice.chosen or 'nothing'}{because}")
    for group in choice.groups:
        if group.only_here is not None:
            cells = ", ".join(shown_cell(cell) for cell in group.only_here)
            where = "more often in" if group.repeated else "only in"
            yield Text(f"  {where} group {group.number}: {cells}")
    for one in _not_chosen(choice):
        yield Text(f"  {one.voice}, {f'group {one.group}' if one.group else 'without rows'}:")
        yield shown_sql(one.sql)


def _row(one: CandidateAnswer, choice: AnswerChoice, told: str) -> tuple[str, ...]:
    group, share = "", ""
    if one.group is not None:
        group, share = str(one.group), f"{choice.groups[one.group - 1].share:.0%}"
    says = one.says.partition(":")[0] if one.says and one.says in told else one.says
    return (one.voice, group, share, one_line(says) if says else some(one.row_count, "row"))


def _not_chosen(choice: AnswerChoice) -> Iterator[CandidateAnswer]:
    """The first candidate of each group whose statement is not the answer's, and those without rows."""
    seen = {one.group for one in choice.candidates if one.voice == choice.chosen}
    for one in choice.candidates:
        if one.sql and one.voice != choice.chosen and (one.group is None or one.group not in seen):
            seen.add(one.group)
            yield one
