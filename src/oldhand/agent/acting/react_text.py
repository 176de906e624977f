r"""The textual ReAct form, read strictly: a thought, then one action or the final answer.

The form is that of Yao et al., ReAct (2022), arXiv:2210.03629, with the input as a JSON object.

>>> step = read_react('Thought: count them\nAction: sql_db_query\nAction Input: {"query": "SELECT 1"}', number=1)
>>> step.action
Action(id='call_1_1', tool='sql_db_query', arguments={'query': 'SELECT 1'})
>>> read_react("Thought: that is it\nFinal Answer: Three.", number=2).answer
'Three.'
"""

import json
import re
from typing import cast

from pydantic import JsonValue

from oldhand.agent.acting.transcript import action_id
from oldhand.errors import UnreadableAction
from oldhand.record.step import Action, Step

FORM = """\
Write either

Thought: what you need to know next, and why
Action: the name of one tool
Action Input: its input as one JSON object

or

Thought: why this is the answer
Final Answer: the answer"""

_LABEL = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+)?[*_]{0,3}"
    r"(Thought|Action Input|Action|Final Answer|Observation)(?:[*_]{1,3}:|:[*_]{1,3}(?=\s|$)|:)[ \t]*",
    re.MULTILINE,
)
"""Models like to set the labels in Markdown, as in `**Action:** look`."""
_FENCE = re.compile(r"^```\w*\s*\n?(.*?)\n?```\s*$", re.DOTALL)


def read_react(text: str, *, number: int) -> Step:
    """The step that a model wrote; an observation that it made up, and all behind it, is left out.

    Raises:
        UnreadableAction: it is in no such form; says what is wrong and what the form is.
    """
    parts = _parts(text)
    thought = "\n".join(said for label, said in parts if label == "Thought").strip()
    actions = [said for label, said in parts if label == "Action"]
    inputs = [said for label, said in parts if label == "Action Input"]
    answers = [said for label, said in parts if label == "Final Answer"]
    if answers and actions:
        raise _unreadable("There is both an action and a final answer.")
    if answers:
        if not answers[0]:
            raise _unreadable("The final answer is empty.")
        return Step(number=number, thought=thought, answer=answers[0])
    if not actions:
        raise _unreadable("There is neither an action nor a final answer.")
    if len(actions) > 1 or len(inputs) > 1:
        raise _unreadable("There is more than one action.")
    if not inputs:
        raise _unreadable("The action has no Action Input.")
    action = Action(
        id=action_id(number, 1), tool=_bare(actions[0]), arguments=_arguments(inputs[0])
    )
    return Step(number=number, thought=thought, actions=(action,))


def written(step: Step) -> str:
    r"""A step in the textual form.

    >>> print(written(read_react("Thought: hm\nAction: now\nAction Input: {}", number=1)))
    Thought: hm
    Action: now
    Action Input: {}
    """
    if step.fault is not None:
        return step.thought
    lines = [f"Thought: {step.thought}"] if step.thought else []
    for action in step.actions:
        given = json.dumps(action.arguments, ensure_ascii=False)
        lines += [f"Action: {action.tool}", f"Action Input: {given}"]
    if step.answer is not None:
        lines.append(f"Final Answer: {step.answer}")
    return "\n".join(lines)


def _parts(text: str) -> list[tuple[str, str]]:
    """What was said under each label, up to the first observation; text before the first label is a thought."""
    marks = list(_LABEL.finditer(text))
    if not marks:
        return []
    head = text[: marks[0].start()].strip()
    parts = [("Thought", head)] if head else []
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    for mark, end in zip(marks, ends, strict=True):
        if mark[1] == "Observation":
            break
        parts.append((mark[1], text[mark.end() : end].strip()))
    return parts


def _bare(name: str) -> str:
    """The name of a tool without the quotes that models like to put around it."""
    return name.strip().strip("`\"'*[]").strip()


def _arguments(said: str) -> dict[str, JsonValue]:
    fenced = _FENCE.match(said.strip())
    text = fenced[1] if fenced else said.strip()
    try:
        found: object = json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        raise _unreadable(f"The Action Input is not one JSON object: {error}.") from error
    if not isinstance(found, dict):
        raise _unreadable("The Action Input is not a JSON object.")
    return cast("dict[str, JsonValue]", found)


def _unreadable(fault: str) -> UnreadableAction:
    return UnreadableAction(f"{fault} {FORM}")
