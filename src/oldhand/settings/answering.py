"""How much one answer may take."""

from pydantic import BaseModel, ConfigDict, Field


class QueryLimits(BaseModel):
    """How much one query may take."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rows: int = Field(default=1_000, ge=1)
    """Rows of an answer that are fetched at most; the rest is cut and said to be."""
    workspace_rows: int = Field(default=200_000, ge=1)
    """Rows that a step may hand to later steps."""
    seconds: float = Field(default=30.0, gt=0)
    """Time after which a query is stopped."""


class ModelSettings(BaseModel):
    """How language models are called."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    timeout_seconds: float = Field(default=60.0, gt=0)
    """Time for one request, or between two pieces of a stream."""
    total_seconds: float = Field(default=120.0, gt=0)
    """Time for one request with all its repetitions; never less than `timeout_seconds`."""
    retries: int = Field(default=3, ge=0)
    """How often a request is repeated when the model is unavailable."""
    backoff_seconds: float = Field(default=0.5, ge=0)
    """Wait before the first repetition; doubles each time, with jitter."""
    max_backoff_seconds: float = Field(default=20.0, ge=0)
    temperature: float | None = 0.0
    base_url: str | None = None
    """Address of an OpenAI-compatible server, such as `http://localhost:8000/v1`."""
