"""The learning loop: notes of evaluators before each generation, their judgement after it, and of the whole run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from oldhand.agent.acting.ports import (
    RunNotesFn,
    StepEvaluator,
    TrajectoryEvaluator,
)

MAX_ITEMS = 5
"""Issues of each evaluator that are shown as notes, the worst ones."""


@dataclass(frozen=True)
class Learning:
    """Who judges, and under which names."""

    step_evaluators: tuple[StepEvaluator, ...] = ()
    trajectory_evaluators: tuple[TrajectoryEvaluator, ...] = ()
    policy_model_name: str = ""
    """Under which name the model is judged; its own when empty."""
    task_type: str = "default"
    notes: RunNotesFn | None = None
    """Who gives the notes; the evaluators themselves when None."""


def issues_in(verdict: object) -> list[str]:
    """The issues in what an evaluator returned: a text, several, or a record that does not call the step valid.

    >>> issues_in({"is_valid": False, "issues": ["Degrees as metres"]}), issues_in("No join"), issues_in(None)
    (['Degrees as metres'], ['No join'], [])
    >>> issues_in({"is_valid": True, "issues": []})
    []
    """
    if isinstance(verdict, str):
        return [verdict] if verdict.strip() else []
    if isinstance(verdict, Mapping):
        fields = cast("Mapping[str, object]", verdict)
        valid, issues = fields.get("is_valid"), fields.get("issues", fields.get("issue"))
    elif isinstance(verdict, list | tuple):
        valid, issues = None, cast("Sequence[object]", verdict)
    else:
        valid, issues = getattr(verdict, "is_valid", None), getattr(verdict, "issues", None)
    if valid is True or issues is None:
        return []
    if isinstance(issues, str):
        return issues_in(issues)
    if not isinstance(issues, list | tuple):
        return []
    return [text for issue in cast("Sequence[object]", issues) for text in issues_in(str(issue))]
