"""Judges every SQL statement of a step: rules first, then a language model when there is one."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

from oldhand.errors import UsageError
from oldhand.evaluators.base import VerbalEvaluator
from oldhand.evaluators.critic_prompts import found_text, question_text, schemas_text, sql_text
from oldhand.evaluators.critique import Critic
from oldhand.evaluators.judge_cache import JudgeCache
from oldhand.evaluators.results import About
from oldhand.evaluators.sql_calls import SqlCall, sql_calls
from oldhand.evaluators.sql_rules import DOUBTFUL, Review, review_sql
from oldhand.models import LanguageModel
from oldhand.record.schema import DatabaseSchema
from oldhand.record.step import Step
from oldhand.settings import home_folder
from oldhand.store.home_store import RESULTS_FOLDER

Schemas: TypeAlias = Sequence[DatabaseSchema] | Callable[[], Sequence[DatabaseSchema]]
"""The databases that queries may be for; a function when they may change."""

JUDGEMENTS_FILE = "judgements.db"
"""Where the answers of judging models are kept, beside the results."""


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


class SQLValidator(VerbalEvaluator):
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

    def __init__(
        self,
        base_model: LanguageModel | None = None,
        sql_tool_names: Collection[str] = ("sql_db_query",),
        *,
        schemas: Schemas = (),
        dialect: str = "",
        home: str | Path | None = None,
    ) -> None:
        """Nothing is opened yet, and nothing is asked.

        Args:
            base_model: judges after the rules; None for the rules alone.
            sql_tool_names: the tools whose SQL is judged.
            schemas: the databases that queries may be for; without them, only what needs no schema is found.
            dialect: of all queries, when no schema tells it.
            home: as `VerbalEvaluator`.
        """
        super().__init__(base_model, home=home)
        self.sql_tool_names = tuple(sql_tool_names)
        self._schemas = schemas
        self._has_its_own = bool(schemas)
        self._dialect = dialect

    @cached_property
    def critic(self) -> Critic | None:
        """Asks the language model; None when there is none."""
        if self.base_model is None:
            return None
        return home_critic(self.base_model, self.evaluator_type, self._home)

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
            found = self.judge(
                call.sql, database=call.database, question=str(kwargs.get("query") or "")
            )
            if found.issues:
                self._save(found, call, kwargs)
                issues += found.issues
        return "\n".join(dict.fromkeys(issues)) or None

    def know(self, schemas: Schemas) -> None:
        """Judge by these databases from now on, unless some were given when it was made."""
        if not self._has_its_own:
            self._schemas = schemas

    def judge(self, sql: str, *, database: str = "", question: str = "") -> Judgement:
        """Judge one statement, and save nothing.

        >>> SQLValidator(dialect="sqlite").judge("SELECT 7 / 2").advice
        ('Both sides are integers, so the fraction is cut off: multiply one of them by 1.0 if it matters.',)
        """
        schemas = self._schemas_for(database)
        review = review_sql(sql, self._dialect, schemas)
        critique = (
            None
            if self.critic is None
            else self._critique(self.critic, sql, question, review, schemas)
        )
        return _joined(sql, review, critique)

    def _calls(self, step: object) -> Sequence[SqlCall]:
        if isinstance(step, str):
            return [SqlCall(step)]
        if not isinstance(step, Step):
            raise UsageError(
                f"SQLValidator judges a Step or the text of a statement, not {type(step).__name__}."
            )
        return sql_calls(step, self.sql_tool_names)

    def _schemas_for(self, database: str) -> Sequence[DatabaseSchema]:
        """The named database, else all."""
        known = self._schemas() if callable(self._schemas) else self._schemas
        return [
            schema for schema in known if schema.name.casefold() == database.casefold()
        ] or known

    def _critique(
        self,
        critic: Critic,
        sql: str,
        question: str,
        review: Review,
        schemas: Sequence[DatabaseSchema],
    ) -> Critique | None:
        values = {
            "sql": sql_text(sql),
            "question": question_text(question),
            "dialect": self._dialect or next((schema.dialect for schema in schemas), "not known"),
            "database_schemas": schemas_text(schemas, sql),
            "found_by_rules": found_text(
                [issue.message for issue in (*review.errors, *review.advice)]
            ),
        }
        return critic.ask("critique_sql", values, Critique)

    def _save(self, found: Judgement, call: SqlCall, kwargs: dict[str, object]) -> None:
        result: dict[str, object] = {
            "issues": list(found.issues),
            "is_valid": found.is_valid,
            "score": found.score,
            "sql_query": found.sql,
        }
        about = About(keys=found.keys, advice=found.advice, step_number=call.step_number)
        self._save_eval(result, *saved_under(kwargs), about)


def home_critic(lm: LanguageModel, evaluator_type: str, home: str | Path | None) -> Critic:
    """A critic whose answers are kept in a home, for every process that uses it."""
    cache = JudgeCache(home_folder(home) / RESULTS_FOLDER / JUDGEMENTS_FILE)
    return Critic(lm, evaluator_type, cache)


def saved_under(kwargs: dict[str, object]) -> tuple[int | None, str | None, str | None]:
    """Number of the question, model and task, as `evaluate` was told them."""
    index, model, task = (
        kwargs.get(name) for name in ("query_idx", "policy_model_name", "task_type")
    )
    return (
        index if isinstance(index, int) else None,
        model if isinstance(model, str) else None,
        task if isinstance(task, str) else None,
    )


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
