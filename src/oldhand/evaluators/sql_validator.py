"""Judges every SQL statement of a step: rules first, then a language model when there is one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from oldhand.errors import UsageError
from oldhand.evaluators.critic_prompts import found_text, question_text, schemas_text, sql_text
from oldhand.evaluators.results import ResultContext
from oldhand.evaluators.sql_evaluator import SqlCall, SqlEvaluator, saved_under, sql_calls
from oldhand.evaluators.sql_rules import DOUBTFUL, Review, review_sql
from oldhand.record.schema import DatabaseSchema
from oldhand.record.step import Step


@dataclass(frozen=True)
class Judgement:
    """What is wrong with one statement."""

    sql: str
    issues: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    """For each issue what it is about; empty for those of the model."""
    advice: tuple[str, ...] = ()
    """What could be better but makes nothing invalid."""
    score: float = 1.0
    is_valid: bool = True


class CritiquedIssue(BaseModel):
    """One thing that a model finds."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(min_length=1, max_length=600)
    severity: Literal["error", "advice"] = "error"


class Critique(BaseModel):
    """A model's judgement of one statement."""

    model_config = ConfigDict(extra="forbid")

    is_valid: bool
    issues: list[CritiquedIssue] = Field(default_factory=list[CritiquedIssue], max_length=8)
    score: float = Field(ge=0, le=1)

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        has_errors = any(issue.severity == "error" for issue in self.issues)
        if self.is_valid == has_errors:
            raise ValueError("is_valid must be true exactly when no issue has severity error")
        return self


class SQLValidator(SqlEvaluator):
    """Finds what is wrong with the SQL of a step before its result is believed.

    >>> from oldhand.record.step import Action
    >>> near = "ST_SetSRID(ST_MakePoint(144.38078, -38.08395), 4326)"
    >>> sql = f"SELECT * FROM enviro_audit_point WHERE ST_DWithin(geometry, {near}, 100)"
    >>> step = Step(number=2, actions=(Action(id="1", tool="sql_db_query", arguments={"query": sql}),))
    >>> validator = SQLValidator(home=getfixture("tmp_path"))
    >>> print(validator.evaluate(step, query_idx=11, policy_model_name="gpt-4", task_type="spatial_qa"))
    Mixing geographic coordinates with planar distance: ...
    Using degrees with meter-implied distance: ...
    >>> (record,) = validator.load_results("gpt-4", "spatial_qa")
    >>> record["evaluator_type"], record["is_valid"], record["score"], len(record["issues"])
    ('sqlvalidator', False, 0.7, 2)
    >>> validator.close()
    """

    notes_header: ClassVar[str] = "Previous SQL Errors to Avoid:"

    def evaluate(self, step: object, **kwargs: object) -> str | None:
        """Judge each SQL statement of a step, and save what is wrong with it.

        Args:
            step: A `Step`, or the text of one statement.
            kwargs: `query_idx`, `policy_model_name` and `task_type`, under which it is saved; `query`, the question.

        Returns:
            The issues, one in each line; None when there are none, or there is no SQL.

        Raises:
            UsageError: it is neither a step nor a text.
            StoreError: what was found cannot be saved.
        """
        issues: list[str] = []
        for call in self._calls(step):
            question = str(kwargs.get("query") or "")
            found = self.judge(call.sql, database=call.database, question=question)
            if found.issues:
                self._save(found, call, kwargs)
                issues += found.issues
        return "\n".join(dict.fromkeys(issues)) or None

    def judge(self, sql: str, *, database: str = "", question: str = "") -> Judgement:
        """Judge one statement, and save nothing.

        >>> SQLValidator(dialect="sqlite").judge("SELECT 7 / 2").advice
        ('Both sides are integers, so the fraction is cut off: multiply one of them by 1.0 if it matters.',)
        """
        schemas = self.schemas_for(database)
        review = review_sql(sql, self._dialect, schemas)
        return _joined(sql, review, self._critique(sql, question, review, schemas))

    def _calls(self, step: object) -> Sequence[SqlCall]:
        if isinstance(step, str):
            return [SqlCall(step)]
        if not isinstance(step, Step):
            raise UsageError(
                f"SQLValidator judges a Step or the text of a statement, not {type(step).__name__}."
            )
        return sql_calls(step, self.sql_tool_names)

    def _critique(
        self, sql: str, question: str, review: Review, schemas: Sequence[DatabaseSchema]
    ) -> Critique | None:
        if self.critic is None:
            return None
        values = {
            "sql": sql_text(sql),
            "question": question_text(question),
            "dialect": self._dialect or next((schema.dialect for schema in schemas), "not known"),
            "database_schemas": schemas_text(schemas, sql),
            "found_by_rules": found_text([i.message for i in (*review.errors, *review.advice)]),
        }
        return self.critic.ask("critique_sql", values, Critique)

    def _save(self, found: Judgement, call: SqlCall, kwargs: dict[str, object]) -> None:
        result: dict[str, object] = {
            "issues": list(found.issues),
            "is_valid": found.is_valid,
            "score": found.score,
            "sql_query": found.sql,
        }
        about = ResultContext(keys=found.keys, advice=found.advice, step_number=call.step_number)
        self._save_eval(result, *saved_under(kwargs), about)


def _joined(sql: str, review: Review, critique: Critique | None) -> Judgement:
    """What the rules and the model say together."""
    said = critique.issues if critique else []
    errors = [issue.text for issue in said if issue.severity == "error"]
    advice = [issue.text for issue in said if issue.severity == "advice"]
    doubted = min(DOUBTFUL, critique.score) if critique and errors else review.score
    return Judgement(
        sql=sql,
        issues=(*(issue.message for issue in review.errors), *errors),
        keys=(*review.keys, *[""] * len(errors)),
        advice=(*(issue.message for issue in review.advice), *advice),
        score=min(review.score, doubted),
        is_valid=review.is_valid and not errors,
    )
