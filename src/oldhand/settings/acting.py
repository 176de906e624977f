"""How far one answer, an agent, its tools and its evaluators may go."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field


class SettingsGroup(BaseModel):
    """Settings that belong together: fixed once they are read, and no others than these."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class QueryLimits(SettingsGroup):
    """How much one query may take."""

    rows: int = Field(default=1_000, ge=1)
    """Rows of an answer that are fetched at most; the rest is cut and said to be."""
    workspace_rows: int = Field(default=200_000, ge=1)
    """Rows that a step may hand to later steps."""
    seconds: float = Field(default=30.0, gt=0)
    """Time after which a query is stopped."""
    functions: tuple[str, ...] = ()
    """Functions written by the owner of a database that queries may call: their names, without schema. The guard cannot see
    what such a function does."""


class ModelSettings(SettingsGroup):
    """How language models are called."""

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
    fallback: bool = True
    """Whether the built-in analyst answers when the model can't be reached, limits requests, or its server fails."""
    context_tokens: int = Field(default=32_000, ge=1_000)
    """Tokens that the model can read and write at once. Half of them are room for the schemas of databases: where these
    are longer, a prompt shows what the question is about."""

    @property
    def schema_tokens(self) -> int:
        """Tokens of a prompt that schemas may take."""
        return self.context_tokens // 2


class AgentSettings(SettingsGroup):
    """How far one run of a tool-use agent may go; None is no limit."""

    steps: int = Field(default=20, ge=1)
    """Generations of the model."""
    tokens: int | None = Field(default=400_000, ge=1)
    """Tokens in and out, over all calls to the model."""
    cost: float | None = Field(default=2.0, gt=0)
    """US dollars, as far as prices are known."""
    seconds: float | None = Field(default=600.0, gt=0)
    """Wall time of the run; what is under way then is stopped."""
    tool_seconds: float = Field(default=120.0, gt=0)
    """Time after which one call of a tool is stopped; the model is told."""
    callback_seconds: float = Field(default=150.0, gt=0)
    """Time after which notes or evaluators are no longer waited for."""
    parallel_calls: int = Field(default=8, ge=1)
    """Calls of one step that are under way at the same time."""
    repeats: int = Field(default=3, ge=2)
    """Times the same call may bring the same result, or actions in a row may be impossible, before the run ends; the
    model is told one time earlier."""
    vetoes: int = Field(default=0, ge=0)
    """Times in a row that a step is given back to the model, and not carried out, because evaluators object to it."""
    observation_tokens: int = Field(default=4_000, ge=50)
    """Tokens of one tool's result that the model gets to read."""


class PythonLimits(SettingsGroup):
    """How much one piece of Python may take that the agent runs in the sandbox."""

    seconds: float = Field(default=5.0, gt=0)
    """Time for which it may compute."""
    memory_mib: int = Field(default=128, ge=1)
    """MiB that its values may take."""
    recursion: int = Field(default=400, ge=1)
    """Calls that may be nested."""
    output_chars: int = Field(default=20_000, ge=1)
    """Characters that are kept of what it prints, and of its result."""


class ToolServerLimits(SettingsGroup):
    """How long a server of tools (MCP) is waited for, and how often it is started again."""

    start_seconds: float = Field(default=20.0, gt=0)
    """Time for starting it and listing its tools."""
    call_seconds: float = Field(default=60.0, gt=0)
    """Time for one call of a tool."""
    answer_megabytes: float = Field(default=50.0, gt=0)
    """Length of one answer of a server that was started here; a longer one is not read."""
    restarts: int = Field(default=3, ge=0)
    """Times in a row that a server that has died is started or reached anew."""
    restart_seconds: float = Field(default=0.5, ge=0)
    """Wait before the second of them; it doubles each time."""


class EvaluationSettings(SettingsGroup):
    """How evaluators judge, and how what they found becomes notes."""

    seconds: float = Field(default=30.0, gt=0)
    """Time that one evaluator may take for one step; then the run goes on without it."""
    notes: int = Field(default=5, ge=0)
    """Issues of each evaluator that are shown at most."""
    note_characters: int = Field(default=240, ge=40)
    """Length at which one note is cut."""
    prompt_tokens: int = Field(default=800, ge=0)
    """Tokens of a prompt that all notes together may take."""
    chance: float = Field(default=0.9, gt=0, le=1)
    """Probability with which a note of past runs is shown, so that its effect can be measured. Issues of the present
    run always are."""
    sure_runs: int = Field(default=3, ge=0)
    """Runs in which a new note is always shown, before chance has a say."""
    fading_runs: int = Field(default=50, ge=1)
    """Runs without an issue after which it is shown no more, if it stayed away without its note, too."""
    file_megabytes: float = Field(default=10.0, gt=0)
    """Size at which a file of results is put aside for a new one."""
    files_kept: int = Field(default=3, ge=0)
    """Files put aside that are kept; the store keeps everything anyway."""
    keep_days: int | None = Field(default=365, ge=1)
    """Age at which evaluations are deleted, and notes of what has not come since. None keeps all."""


class Effort(StrEnum):
    """How much a language model may be asked for one answer."""

    QUICK = "quick"
    """One call reads the question, plans, and writes the statement where one database answers."""
    STANDARD = "standard"
    """The stages: validate, plan, write, repair; the built-in analyst is the second voice."""
    THOROUGH = "thorough"
    """Candidates from several prompts as well, and a call that decides between the two likeliest."""
    AUTO = "auto"
    """By how complex the question is."""
