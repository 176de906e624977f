"""What is shown while a question is worked on, and when it is answered.

A terminal shows one line that changes while the work goes on; then come the answer and its table, and how it was found
only for those who ask.
"""

import re
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from oldhand.cli.screen import (
    MAX_ROWS,
    make_table,
    one_line,
    safe,
    short_id,
    shown_cell,
    shown_sql,
    some,
)
from oldhand.errors import UsageError
from oldhand.record.answer import Answer, AnswerChoice, CandidateAnswer, Outcome, QueryStep
from oldhand.record.document import place_in
from oldhand.record.progress import (
    Attempted,
    AttemptFailed,
    Planned,
    Progress,
    Spent,
    StepDone,
    TextDelta,
    TextDraft,
    Understood,
)
from oldhand.record.usage import Usage

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_RULED = re.compile(r"^By a rule of |^Not changed, since |\(a rule learned ")
"""In a note, it says that a rule changed which rows an answer has: nobody should have to look for that."""
_CUT = "This result was cut: by query.rows in settings.yaml, or by a preference of yours for fewer rows."
_STAGES_AFTER: dict[type[Progress], str] = {
    Understood: "planning",
    Planned: "working on the next step",
    StepDone: "working on the next step",
    AttemptFailed: "repairing SQL",
    TextDraft: "writing the answer",
    TextDelta: "writing the answer",
}
"""What is done after an event; after another one, that goes on which was done before."""


class Running:
    """An observer that shows what is being done, in one line at the bottom of a terminal; through a pipe, nothing."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._began = time.monotonic()
        self._usage = Usage()
        self._writing = ""
        self._stage = "understanding"
        self._spinner = Spinner("dots")

    def __call__(self, progress: Progress) -> None:
        """Take note of one event."""
        self._stage = _STAGES_AFTER.get(type(progress), self._stage)
        match progress:
            case Spent():
                self._usage = progress.total
            case TextDraft() | TextDelta():
                self._writing = progress.text
            case Attempted():
                again = f", attempt {progress.attempt}" if progress.attempt > 1 else ""
                self._stage = f"step {progress.number}: asking {one_line(progress.database)}{again}"
            case _:
                pass

    def __rich__(self) -> RenderableType:
        """The line: what is done, seconds and tokens so far; above it the answer as far as it is written."""
        seconds = time.monotonic() - self._began
        running = f"{self._stage} … {seconds:.1f} s{shown_usage(self._usage)}"
        self._spinner.update(text=Text(running, "dim"))
        return Group(Text(safe(self._writing)), self._spinner) if self._writing else self._spinner

    @property
    def live(self) -> AbstractContextManager[object]:
        """While this is entered, the line is shown; afterwards it is gone."""
        if not self._console.is_terminal:
            return nullcontext()
        return Live(self, console=self._console, transient=True, refresh_per_second=8)


def explained(answer: Answer) -> Iterator[RenderableType]:
    """How an answer was found: how the words were understood, the plan, and each statement with what came of it."""
    notes = [one for one in answer.notes if one != stood_in(answer)]
    if notes:
        yield Text("How it was understood", "bold")
    for note in notes:
        yield Text("  " + one_line(note))
    if len(answer.steps) > 1:
        yield Text("Plan", "bold")
        for step in answer.steps:
            yield Text(f"  {step.number}. {one_line(step.purpose)}  [{one_line(step.database)}]")
    if answer.citations:
        yield Text("Passages", "bold")
    for cited in answer.citations:
        yield Text(f"  [{cited.number}] {one_line(cited.quote)}")
    if answer.choice is not None and len(answer.choice.candidates) > 1:
        yield from chosen_lines(answer.choice, stood_in(answer))
    for step in answer.steps:
        yield Text(f"Step {step.number} [{one_line(step.database)}]", "bold")
        for failure in step.failures:
            yield shown_sql(failure.sql)
            yield Text(f"  failed: {one_line(failure.error)}", "red")
        yield shown_sql(step.sql)
        yield _came_of(step)


def answer_of(
    answer: Answer,
    *,
    brief: bool = False,
    more: str = "--json",
    unfolded: bool = False,
    max_rows: int = MAX_ROWS,
) -> Iterator[RenderableType]:
    """The answer as it is shown: what it says, its rows, and what it took."""
    style = "bold" if answer.outcome is Outcome.ANSWERED else "bold yellow"
    yield Text(safe(answer.text), style)
    yield from _rests_on(answer)
    if answer.proposal is not None and answer.outcome is Outcome.PROPOSED:
        yield from proposal_lines(answer)
    else:
        for number, option in enumerate(answer.options, 1):
            yield Text(f"  {number}. {one_line(option)}")
    if has_table(answer, unfolded=unfolded):
        yield Text()
        yield make_table(*answer.shown, max_rows=max_rows)
        if len(answer.rows) > max_rows:
            left = len(answer.rows) - max_rows
            yield Text(f"… and {some(left, 'more row')} ({more} shows them)", "dim")
    if answer.truncated:
        yield Text(_CUT, "yellow")
    if why := stood_in(answer):
        yield Text(one_line(why), "yellow")
    if brief:
        return
    if refused := sum(step.refused for step in answer.steps):
        yield shown_refusals(refused)
    sure = "" if answer.confidence is None else f" · confidence {answer.confidence:.0%}"
    yield Text(
        f"{short_id(answer.episode_id)}{sure} · {one_line(answer.model)}"
        f"{shown_usage(answer.usage)} · {answer.seconds:.2f} s",
        "dim",
    )


def _rests_on(answer: Answer) -> Iterator[Text]:
    """The places that an answer cites, the rules that changed which rows it has, and all notes where no rows show what it rests on."""
    for cited in answer.citations:
        where = place_in(cited.document, cited.place)
        yield Text(f"[{cited.number}] {one_line(where)}", "dim")
    alone = answer.outcome is Outcome.ANSWERED and not (answer.steps or answer.rows)
    for note in answer.notes:
        if note != stood_in(answer) and (alone or _RULED.search(note)):
            yield Text(one_line(note), "dim")


def stood_in(answer: Answer) -> str:
    """Why the built-in analyst answered though a language model was asked; empty when it did not."""
    because = answer.choice.because if answer.choice else ""
    return because if because in answer.notes else ""


def has_table(answer: Answer, *, unfolded: bool = False) -> bool:
    """Whether rows are shown: not those of a proposal, and not the one value that the text holds."""
    folded = answer.outcome is Outcome.PROPOSED and not unfolded
    return bool(answer.rows) and not folded and not _said(answer)


def proposal_lines(answer: Answer) -> Iterator[Text]:
    """What a proposal is made of, and what else can be chosen instead."""
    assert answer.proposal is not None, "there is a proposal"
    for part in answer.proposal.parts:
        if part.words and part.kind != "relation":
            yield Text(f"  {one_line(part.words)!r}: {one_line(part.says)}", "dim")
    yield Text(f"  1. yes: show {some(len(answer.rows), 'row')}, and remember it")
    for number, option in enumerate(answer.options[1:], 2):
        yield Text(f"  {number}. no, but: {one_line(option)}")


def shown_refusals(number: int) -> Text:
    """How often the guard stepped in.

    >>> print(shown_refusals(2))
    Refused because it does more than read: 2 statements.
    """
    return Text(f"Refused because it does more than read: {some(number, 'statement')}.", "yellow")


def shown_usage(usage: Usage) -> str:
    """Tokens and money, or nothing when no language model was called.

    >>> shown_usage(Usage(requests=1, input_tokens=1100, output_tokens=104, cost=0.0021)), shown_usage(Usage())
    (' · 1,204 tokens, $0.0021', '')
    """
    if not usage.requests:
        return ""
    money = f", ${usage.cost:.4f}" if usage.cost else ""
    return f" · {usage.input_tokens + usage.output_tokens:,} tokens{money}"


def _came_of(step: QueryStep) -> Text:
    if not step.succeeded:
        return Text(f"  given up after {some(step.attempts, 'attempt')}", "red")
    cut = ", cut at the row limit" if step.truncated else ""
    return Text(f"  {some(step.row_count, 'row')}{cut}, {step.seconds * 1000:.0f} ms", "dim")


def _said(answer: Answer) -> bool:
    """Whether the text already holds the only value."""
    if len(answer.rows) != 1 or len(answer.rows[0]) != 1:
        return False
    cell, text = answer.rows[0][0], answer.text.replace(",", "")
    if cell is None:
        return False
    if isinstance(cell, float) and any(_rounds_to(cell, it) for it in _NUMBER.findall(text)):
        return True
    return str(cell) in text or shown_cell(cell) in text


def _rounds_to(cell: float, written: str) -> bool:
    """Whether a number, written with at least one decimal, is the cell's value.

    >>> _rounds_to(1.4982, "1.5"), _rounds_to(1.4982, "1.4"), _rounds_to(5.0, "5")
    (True, False, True)
    """
    decimals = len(written.partition(".")[2])
    if not decimals and not cell.is_integer():
        return False
    return float(written) == round(cell, decimals)


def reading(line: str, last: Answer | None) -> str:
    """The reading that a number stands for, after a question back; else the line itself.

    Raises:
        UsageError: there is no reading of that number.
    """
    options = last.options if last else ()
    if not options or not line.isdecimal():
        return line
    if not 0 < int(line) <= len(options):
        *but_last, final = (str(number) for number in range(1, len(options) + 1))
        choice = f"{', '.join(but_last)} or {final}" if but_last else final
        raise UsageError(f"Choose {choice}, or ask something else.")
    return options[int(line) - 1]


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
