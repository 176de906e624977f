"""How `oldhand evaluations` shows what it found: as a table, as objects, or as bars."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from oldhand.cli.charts import NOTHING, Chart
from oldhand.cli.commands import CommandResult
from oldhand.cli.screen import Listing, one_line, shown_minute
from oldhand.record.base import Row
from oldhand.record.evaluation import Evaluation, IssueTally
from oldhand.store.result_store import Total

_CUT = 90


@dataclass(frozen=True)
class EvaluationTable:
    """Rows for people, and the same for machines."""

    columns: Sequence[str]
    rows: Sequence[Row]
    objects: Sequence[Mapping[str, JsonValue]]
    chart: Chart = NOTHING
    """What can be drawn."""

    def told(self, nothing: str) -> CommandResult:
        """What is printed: the rows, or `nothing` when there are none."""
        return CommandResult(
            self.objects, [Listing(self.columns, self.rows, nothing)], one_each=True
        )


def listed(found: Sequence[Evaluation]) -> EvaluationTable:
    """Evaluations, newest first."""
    newest = tuple(reversed(found))
    return EvaluationTable(
        ("when", "evaluator", "model", "task", "question", "valid", "score", "issues", "sql"),
        [_row(one) for one in newest],
        [one.model_dump(mode="json") for one in newest],
    )


def _row(one: Evaluation) -> Row:
    more = f" (+{len(one.issues) - 1})" if len(one.issues) > 1 else ""
    issues = f"{one_line(one.issues[0], _CUT)}{more}" if one.issues else ""
    number = "" if one.query_idx is None else one.query_idx
    valid = {None: "", True: "yes", False: "no"}[one.is_valid]
    score = "" if one.score is None else one.score
    return (
        shown_minute(one.created_at), one.evaluator_type, one.policy_model, one.task_type, number, valid, score, issues, one_line(one.sql_query or "", _CUT)
    )  # fmt: skip


def issue_table(found: Sequence[IssueTally]) -> EvaluationTable:
    """Issues with how often they came, and how often in spite of their note."""
    return EvaluationTable(
        ("times", "again", "shown in", "last seen", "evaluator", "model", "task", "id", "issue"),
        [
            (
                one.count, one.recurred, one.shown, one.last_seen.strftime("%Y-%m-%d"), one.evaluator_type,
                one.policy_model, one.task_type, one.id, one_line(one.text, _CUT),
            )
            for one in found
        ],
        [one.model_dump(mode="json") for one in found],
        Chart("times", [(one.text, one.count) for one in found]),
    )  # fmt: skip


def total_table(by: str, found: Sequence[Total]) -> EvaluationTable:
    """Numbers of evaluations."""
    return EvaluationTable(
        (by, "evaluations", "invalid", "mean score"),
        [
            (one.name, one.evaluations, one.invalid, "" if one.score is None else one.score)
            for one in found
        ],
        [
            {by: one.name, **{k: v for k, v in one._asdict().items() if k != "name"}}
            for one in found
        ],
        # Not the invalid ones: many evaluators name issues and leave open whether the step is valid.
        Chart("evaluations", [(one.name, one.evaluations) for one in found]),
    )
