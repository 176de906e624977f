"""What a tool gave back, cut to what a prompt can take."""

from oldhand.agent.tools import ToolOutput
from oldhand.models.quoting import visible
from oldhand.models.tokens import first_tokens
from oldhand.record.base import Row
from oldhand.record.step import Action, Observation, ResultRows

MAX_RESULT_CHARS = 1_000_000
"""Characters in the rows that are kept beside the text."""


def observation(action: Action, output: ToolOutput, seconds: float, tokens: int) -> Observation:
    """The observation of one call; takes no longer for an output of any size.

    >>> action = Action(id="call_1_1", tool="read")
    >>> print(observation(action, ToolOutput("one two three four"), 0.0, tokens=2).text)
    one two
    (cut: the first 8 of 18 characters; ask for less to see the rest)
    """
    head = first_tokens(output.text, tokens)
    text = visible(head)
    if cut := len(head) < len(output.text):
        of = f"the first {len(head):,} of {len(output.text):,} characters"
        text = f"{text.rstrip()}\n(cut: {of}; ask for less to see the rest)"
    return Observation(
        action_id=action.id,
        text=text,
        is_error=output.is_error,
        not_called=output.not_called,
        truncated=cut or output.truncated,
        seconds=seconds,
        result=None if output.result is None else _kept(output.result),
        conclusion=output.conclusion,
    )


def unknown_end(action: Action) -> Observation:
    """For a call that was under way when the process died, and that must not simply be made again."""
    return Observation(
        action_id=action.id,
        text=(
            f"It is not known whether {action.tool} was carried out: the program was interrupted while it was under way. "
            "Find out before you call it again."
        ),
        is_error=True,
    )


def _kept(result: ResultRows) -> ResultRows:
    """The first rows, as many as fit."""
    room = MAX_RESULT_CHARS
    kept: list[Row] = []
    for row in result.rows:
        room -= sum(len(cell) for cell in row if isinstance(cell, str)) + len(row)
        if room < 0:
            return result.model_copy(update={"rows": tuple(kept)})
        kept.append(row)
    return result
