"""The learning loop: notes of evaluators before each generation, their judgement after it, and of the whole run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from oldhand.agent.acting.callbacks import Callbacks
from oldhand.agent.acting.ports import Evaluator, Judge, RecallNotes, Subject
from oldhand.errors.mishaps import Mishap
from oldhand.record.step import AgentState, Step

MAX_ITEMS = 5
"""Issues of each evaluator that are shown as notes, the worst ones."""


@dataclass(frozen=True)
class Learning:
    """Who judges, and under which names."""

    step_evaluators: tuple[Evaluator, ...] = ()
    trajectory_evaluators: tuple[Evaluator, ...] = ()
    policy_model_name: str = ""
    """Under which name the model is judged; its own when empty."""
    task_type: str = "default"
    judge: Judge | None = None
    """How evaluators are called; one after the other when None."""
    recall: RecallNotes | None = None
    """How they are asked for notes; one after the other when None."""


def judge_plainly(callbacks: Callbacks) -> Judge:
    """Calls evaluators one after the other; one that fails keeps no other from its work."""

    def judge(
        evaluators: Sequence[Evaluator], judged: Step | AgentState, subject: Subject
    ) -> list[str]:
        issues: list[str] = []
        for evaluator in evaluators:
            verdict = callbacks.spared(
                type(evaluator).__name__,
                lambda one=evaluator: one.evaluate(
                    judged,
                    query_idx=subject.state.query_idx,
                    policy_model_name=subject.policy_model_name,
                    task_type=subject.task_type,
                ),
            )
            issues += [] if isinstance(verdict, Mishap) else issues_in(verdict)
        return list(dict.fromkeys(issues))

    return judge


def recall_plainly(callbacks: Callbacks) -> RecallNotes:
    """What each evaluator found before, under its own header; one that fails is passed over."""

    def recall(evaluators: Sequence[Evaluator], subject: Subject) -> str:
        notes: list[str] = []
        for evaluator in evaluators:
            recalled = callbacks.spared(
                type(evaluator).__name__,
                lambda one=evaluator: one.load_eval_as_prompt(
                    subject.policy_model_name, subject.task_type, max_items=MAX_ITEMS
                ),
            )
            if isinstance(cast("object", recalled), str) and str(recalled).strip():
                notes.append(str(recalled))
        return "\n\n".join(notes)

    return recall


def issues_in(verdict: object) -> list[str]:
    """The issues in what an evaluator returned: a text, several, or a record that does not call the step valid.

    >>> issues_in({"is_valid": False, "issues": ["Degrees as metres"]}), issues_in("No join"), issues_in(None)
    (['Degrees as metres'], ['No join'], [])
    >>> issues_in([None, {"is_valid": True, "issues": []}, ["No join"]])
    ['No join']
    """
    if isinstance(verdict, str):
        return [verdict] if verdict.strip() else []
    if isinstance(verdict, list | tuple):
        return [issue for one in cast("Sequence[object]", verdict) for issue in issues_in(one)]
    if isinstance(verdict, Mapping):
        fields = cast("Mapping[str, object]", verdict)
        valid, issues = fields.get("is_valid"), fields.get("issues", fields.get("issue"))
    else:
        valid, issues = getattr(verdict, "is_valid", None), getattr(verdict, "issues", None)
    is_some = valid is not True and isinstance(issues, str | list | tuple)
    return issues_in(cast("object", issues)) if is_some else []
