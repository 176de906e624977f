"""A judgement of a step or of a whole run, and the records that people read of it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal, cast

from pydantic import Field, JsonValue

from oldhand.record.base import Record

Granularity = Literal["step", "trajectory"]


class Evaluation(Record):
    """What an evaluator found; `score` None means it could not judge, which is not zero."""

    id: str
    episode_id: str | None = None
    """The run that was judged; None when an evaluator was called outside of any."""
    evaluator_type: str
    granularity: Granularity
    policy_model: str = ""
    """The model whose step was judged, as it was named."""
    task_type: str = ""
    query_idx: int | None = None
    """Number of the question in a series."""
    question: str | None = None
    """What was asked; issues are recalled for questions like it."""
    step_number: int | None = None
    score: float | None = None
    """From 0, certainly wrong, to 1, nothing found."""
    is_valid: bool | None = None
    error_type: str | None = None
    """The pattern that the issues have in common."""
    issues: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    """What each issue is about, such as a rule's code with the object; issues of one key are the same one. Empty, or
    as long as `issues`; an empty key leaves it to the text."""
    advice: tuple[str, ...] = ()
    """What could be better but makes nothing invalid; it never becomes a note."""
    sql_query: str | None = None
    details: dict[str, JsonValue] = Field(default_factory=dict)
    """Whatever else an evaluator of your own has saved."""
    created_at: datetime

    def as_saved(self) -> dict[str, JsonValue]:
        """The record as it stands in the results file: what is not known is left out.

        >>> Evaluation(id="v-1", evaluator_type="sqlvalidator", granularity="step", query_idx=11, score=0.7,
        ...     is_valid=False, issues=("Degrees as metres",), sql_query="SELECT 1",
        ...     created_at=datetime(2025, 12, 5, 17, 30, 27, tzinfo=UTC)).as_saved()
        {'evaluator_type': 'sqlvalidator', 'query_idx': 11, 'timestamp': '2025-12-05 17:30:27',
         'issues': ['Degrees as metres'], 'is_valid': False, 'score': 0.7, 'sql_query': 'SELECT 1'}
        """
        return saved_record([getattr(self, name) for name in SAVED])


SAVED = (
    "evaluator_type", "query_idx", "created_at", "error_type", "issues", "is_valid", "score", "sql_query", "details",
)  # fmt: skip
"""The fields that stand in a record."""


def saved_record(values: Sequence[object]) -> dict[str, JsonValue]:
    """The record as it stands in the results file, of the values of those fields."""
    fields = dict(zip(SAVED, values, strict=True))
    at, details = fields.pop("created_at"), fields.pop("details")
    assert isinstance(at, datetime)
    said = {
        "evaluator_type": fields.pop("evaluator_type"),
        "query_idx": fields.pop("query_idx"),
        "timestamp": at.astimezone(UTC).strftime(TIMESTAMP),
        **{name: value for name, value in fields.items() if value is not None},
        **cast("dict[str, object]", details),
    }
    if isinstance(said.get("issues"), tuple):
        said["issues"] = list(cast("tuple[str, ...]", said["issues"]))
    return cast("dict[str, JsonValue]", said)


TIMESTAMP = "%Y-%m-%d %H:%M:%S"
"""How records say when; in UTC, so that they can be put in order whatever the zone of the machine."""


class IssueTally(Record):
    """One issue with all its occurrences, for one model, kind of task and evaluator."""

    id: str
    policy_model: str
    task_type: str
    evaluator_type: str
    text: str
    """As it was said last."""
    count: int
    worst_score: float
    first_seen: datetime
    last_seen: datetime
    runs_ago: int
    """Runs of an agent that have passed without it."""
    shown: int
    """Runs in which it was shown as a note."""
    recurred: int
    """How often it came again although it was shown in the same run."""
    faded: bool
    """True when it has not come for so long that it is shown no more."""
