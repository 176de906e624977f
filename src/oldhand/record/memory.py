"""Anything learned that can be recalled: one envelope, one payload for each type."""

from datetime import datetime
from enum import StrEnum
from operator import not_
from typing import Annotated, Literal, cast

from pydantic import ConfigDict, Field, model_validator

from oldhand.record.base import Record, SafeName, is_none
from oldhand.record.clone import DEFAULT_CLONE, DEFAULT_USER
from oldhand.record.effect import Alias, Effect
from oldhand.record.evidence import Evidence
from oldhand.record.feedback import Source
from oldhand.record.proposal import LessonProposal

CORRECTED = "corrected"
"""Tag of a pair that rests on SQL which somebody wrote or vouched for; others rest on thumbs alone."""
THUMB = "thumb"
"""The evaluator of a pair that a person called wrong."""
LEAST_CONFIDENCE = 0.5
"""What is believed less than this is not recalled."""
RETRACTIONS = frozenset({"order", "retraction"})
"""Tags of memories that take back what people taught: by forgetting something, or by rolling back."""
NIGHT = "night"
"""Tag of what nights note for themselves: how far they have come, and whether votes do harm."""
NOTES = RETRACTIONS | {NIGHT}
"""Tags of what is kept as a memory, and is nothing for a mind to read."""


class MemoryType(StrEnum):
    """The types of memory; each lies in a file of its own in the journal."""

    EPISODIC = "episodic"
    REFLECTION = "reflection"
    SEMANTIC = "semantic"
    PROMPT = "prompt"
    CHECKLIST = "checklist"
    PREFERENCE = "preference"
    BUG_FIX = "bug_fix"
    ISSUE = "issue"
    EXAMPLE = "example"


class Payload(Record):
    """Fields of one memory type; fields it does not know are kept, so that an import loses nothing."""

    model_config = ConfigDict(frozen=True, extra="allow", ser_json_inf_nan="constants")


class EpisodicPayload(Payload):
    """One turn of a conversation."""

    type: Literal["episodic"] = Field(default="episodic", exclude=True)
    session_id: str
    user_text: str
    assistant_text: str
    model_used: str
    tools_used: tuple[str, ...] = ()
    cost: float = 0.0
    latency_ms: int = 0
    success: bool | None = None
    feedback: Literal["positive", "negative"] | None = None


class Learnings(Payload):
    """What a reflection found."""

    what_went_well: tuple[str, ...] = ()
    improvements: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    prompt_suggestions: tuple[str, ...] = ()


Depth = Literal["light", "deep"]
"""`light` after every answer; `deep` after a failure, a complaint or a correction."""


class ReflectionPayload(Payload):
    """An analysis of one episode."""

    type: Literal["reflection"] = Field(default="reflection", exclude=True)
    episode_id: str
    user_text: str
    assistant_text: str
    success: bool | None = None
    mode: str | None = None
    tools_used: tuple[str, ...] = ()
    reflection: str
    learnings: Learnings = Learnings()
    root_cause: str | None = Field(default=None, exclude_if=is_none)
    """Why it went wrong; None when it went well, or nobody knows."""
    depth: Depth | None = Field(default=None, exclude_if=is_none)
    """How closely it was looked at; records of others do not say it."""
    proposals: tuple[LessonProposal, ...] = Field(default=(), exclude_if=not_)
    """What could be learned from it."""


class SemanticPayload(Payload):
    """A rule distilled out of several episodes."""

    type: Literal["semantic"] = Field(default="semantic", exclude=True)
    rule: str
    applies_when: str | None = None
    source: str = "distillation"
    evidence: tuple[str, ...] = ()
    supersedes: str | None = None


class PerformanceMetrics(Payload):
    """How a prompt version has done so far."""

    success_rate: float | None = None
    avg_cost: float = 0.0
    avg_latency_ms: float = 0.0
    episodes_used: int = 0
    positive_feedback: int = 0
    negative_feedback: int = 0


class PromptPayload(Payload):
    """A version of a prompt."""

    type: Literal["prompt"] = Field(default="prompt", exclude=True)
    version: str
    description: str = ""
    text: str
    supersedes: str | None = None
    performance_metrics: PerformanceMetrics = PerformanceMetrics()


class ChecklistPayload(Payload):
    """A step of a procedure."""

    type: Literal["checklist"] = Field(default="checklist", exclude=True)
    step: str
    domain: str = ""
    source: str = "distillation"
    examples: tuple[str, ...] = ()


class PreferencePayload(Payload):
    """Something a user, or the company, prefers or means."""

    type: Literal["preference"] = Field(default="preference", exclude=True)
    key: str
    value: str
    context: str = ""
    evidence: tuple[Evidence, ...] = Field(default=(), exclude_if=not_)
    """Why it is believed, oldest first; only where it was learned, else the record does not name it."""
    log_from: str | None = Field(default=None, exclude_if=is_none)
    """Of what takes back what people said: the id of the last feedback that still counts, empty when none does."""
    log_until: str | None = Field(default=None, exclude_if=is_none)
    """The id of the last feedback that it takes back; what comes later in the log counts."""


class BugFixPayload(Payload):
    """A failure turned into knowledge."""

    type: Literal["bug_fix"] = Field(default="bug_fix", exclude=True)
    failure: str
    root_cause: str
    fix: str
    test_case: str | None = None


class IssuePayload(Payload):
    """Something an evaluator found wrong."""

    type: Literal["issue"] = Field(default="issue", exclude=True)
    evaluator_type: str
    issue: str
    question: str | None = None
    """The question whose answer had it."""
    database: str | None = None
    """Where `sql_query` ran; None when it names its databases itself, as `database.schema.table`."""
    sql_query: str | None = None
    score: float | None = None


class ExampleStep(Record):
    """One statement of an answer that took several."""

    database: str
    sql: str


class ExamplePayload(Payload):
    """A confirmed question with its SQL or its answer."""

    type: Literal["example"] = Field(default="example", exclude=True)
    question: str
    database: str | None = None
    """Where `sql` runs, in that database's dialect; None when `sql` names the databases itself, as
    `database.schema.table`, in sqlglot's own dialect."""
    sql: str | None = None
    steps: tuple[ExampleStep, ...] = ()
    """The statements in their order, when there is no single one that could stand for all; only a mind that reads
    can use them."""
    answer: str | None = None
    """The answer in words, when that is how a person gave it."""
    confirmed_by: str
    evidence: tuple[str, ...] = ()
    """Ids of the feedback that confirmed it."""
    rows: str | None = Field(default=None, exclude_if=is_none)
    """A digest of the rows that a correction gave when it was checked; None when nobody looked."""
    chunks: tuple[str, ...] = Field(default=(), exclude_if=not_)
    """The passages of documents that the answer rests on; who may not read them is not shown it."""

    @property
    def statements(self) -> tuple[tuple[str, str | None], ...]:
        """All of its SQL, each statement with its database."""
        whole = ((self.sql, self.database),) if self.sql else ()
        return (*whole, *((step.sql, step.database) for step in self.steps))


AnyPayload = Annotated[
    EpisodicPayload
    | ReflectionPayload
    | SemanticPayload
    | PromptPayload
    | ChecklistPayload
    | PreferencePayload
    | BugFixPayload
    | IssuePayload
    | ExamplePayload,
    Field(discriminator="type"),
]

RECORDS = frozenset({MemoryType.EPISODIC, MemoryType.REFLECTION})
"""Types that are about one answer each, and no lessons."""
TTL_DAYS: dict[MemoryType, int] = {MemoryType.EPISODIC: 90, MemoryType.REFLECTION: 180}
"""Default retention in days; a type that is not listed is kept until it is superseded."""


class Provenance(Record):
    """Where a memory comes from; without a known source it is not trusted."""

    source: Source = Source.EXTERNAL
    rater: SafeName | None = None
    episode_ids: tuple[str, ...] = ()

    @property
    def said_by(self) -> str:
        """Who says so, for people.

        >>> Provenance(source=Source.OWNER, rater="ana").said_by, Provenance(source=Source.EVALUATOR).said_by
        ('ana (owner)', 'evaluator')
        """
        return f"{self.rater} ({self.source.value})" if self.rater else self.source.value


class Memory(Record):
    """One thing learned, with its provenance."""

    type: MemoryType
    id: str
    clone_id: SafeName = DEFAULT_CLONE
    user_id: SafeName = DEFAULT_USER
    created_at: datetime
    last_used_at: datetime | None = None
    ttl_days: int | None = Field(default=None, ge=0, le=1_000_000)
    confidence: float = Field(default=1.0, ge=0, le=1)
    tags: tuple[str, ...] = ()
    summary: str = ""
    provenance: Provenance = Provenance()
    effect: Effect | None = None
    """What it does to the built-in mind; None when only its text counts."""
    payload: AnyPayload

    @property
    def word(self) -> Alias | None:
        """What a word means, when that is what the memory does."""
        return self.effect if isinstance(self.effect, Alias) else None

    @model_validator(mode="before")
    @classmethod
    def _payload_has_the_type_of_its_memory(cls, value: object) -> object:
        """Records in files name the type once, on the envelope."""
        if not isinstance(value, dict):
            return value
        fields = dict(cast("dict[str, object]", value))
        payload = fields.get("payload")
        if isinstance(payload, dict):
            known = cast("dict[str, object]", payload)
            fields["payload"] = {**known, "type": fields.get("type")}
        return fields
