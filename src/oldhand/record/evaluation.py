"""A judgement of a step or of a whole episode."""

from datetime import datetime
from typing import Literal

from oldhand.record.base import Record


class Evaluation(Record):
    """What an evaluator found; `score` None means it could not judge, which is not zero."""

    id: str
    episode_id: str
    evaluator_type: str
    granularity: Literal["step", "trajectory"]
    step_number: int | None = None
    score: float | None = None
    is_valid: bool | None = None
    issues: tuple[str, ...] = ()
    sql_query: str | None = None
    created_at: datetime
