"""Settings of one home folder: defaults, `settings.yaml`, then `OLDHAND_…` variables.

Every number that steers Oldhand stands here, with its unit.
"""

import os
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from oldhand.errors import InvalidSetting

SETTINGS_FILE = "settings.yaml"


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


class RecallSettings(BaseModel):
    """How much of what was learned is recalled for one question."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    examples: int = Field(default=8, ge=0)
    """Confirmed questions with their SQL, the best ones."""
    rejected: int = Field(default=4, ge=0)
    """Questions whose SQL was called wrong, the nearest ones."""
    aliases: int = Field(default=12, ge=0)
    """Words of the question that were learned."""
    lessons: int = Field(default=8, ge=0)
    """Rules, steps of checklists and fixes that fit the question, the best ones."""
    preferences: int = Field(default=4, ge=0)
    """What people prefer, as far as it fits the question."""
    effects: int = Field(default=24, ge=0)
    """Rules about the databases at hand that change queries, whatever is asked."""
    prompt_tokens: int = Field(default=1_500, ge=0)
    """Tokens of a prompt that all of this may take when a language model answers."""


class TrialSettings(BaseModel):
    """How lessons are tried: shown at random, kept or retired by what comes of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    young: float = Field(default=0.5, gt=0, le=1)
    """Chance with which a young lesson is shown where it fits; 1 tries nothing."""
    trusted: float = Field(default=0.9, gt=0, le=1)
    """Chance with which a lesson is shown that has been found to help."""
    horizon: int = Field(default=1_000, ge=100)
    """Showings of a young lesson after which most of `false_alarms` is spent."""
    false_alarms: float = Field(default=0.045, gt=0, lt=0.5)
    """Share of lessons without any effect that are ever retired, or ever trusted, by mistake: at most, for each."""


class PromptSettings(BaseModel):
    """How versions of prompts come about and are tried against each other."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sources: int = Field(default=3, ge=1)
    """Answers that have to speak for a suggestion before a version of the prompt is made of it."""
    episodes: int = Field(default=100, ge=10)
    """Judged answers, of both versions together, before a test is decided."""
    most_episodes: int = Field(default=1_000, ge=10)
    """Judged answers after which a version that is no better is given up."""
    loss: float = Field(default=0.01, gt=0, lt=1)
    """Share of right answers that choosing a version may cost on average, at most, for a test to be decided."""
    least_chance: float = Field(default=0.1, gt=0, le=0.5)
    """Chance that each of the two versions has at least while a test runs."""
    window: int = Field(default=2_000, ge=100)
    """Latest answers of a version that count."""


class RoutedModel(BaseModel):
    """A model that questions may be given to."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    """`builtin`, or the name of a language model, such as `ollama:granite4`."""
    free: bool = False
    """Whether its answers cost nothing; those of `builtin` never do."""
    local: bool = False
    """Whether it runs on machines of your own; `builtin` always does."""
    cost: float = Field(default=0.01, ge=0)
    """US dollars that an answer is expected to cost, until that is known; 0 for a free one."""
    strength: float | None = Field(default=None, gt=0, lt=1)
    """Share of hard questions that it is expected to answer rightly, until that is known; follows from the order of the
    costs when None: 0.5 for the cheapest, 0.9 for the dearest."""
    base_url: str | None = None
    """Address of an OpenAI-compatible server, where it is not that of `models.base_url`."""


class RoutingSettings(BaseModel):
    """Which model a question is given to; nothing is routed while no model is named."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    models: tuple[RoutedModel, ...] = ()
    """Those to choose from; of equally cheap ones, the first is preferred."""
    floor: float = Field(default=0.8, gt=0, lt=1)
    """Share of right answers that is good enough: the cheapest model that reaches it is used."""
    sure: float = Field(default=0.95, ge=0.5, lt=1)
    """Probability of being below `floor` at which a model is not tried any longer on such questions."""
    weight: float = Field(default=4.0, gt=0)
    """Answers that what was expected, or seen on other questions, counts for."""
    window: int = Field(default=2_000, ge=10)
    """Latest answers that count."""


class ReflectionSettings(BaseModel):
    """How answers are looked back on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    slow_seconds: float = Field(default=30.0, gt=0)
    """Time from which an answer counts as slow."""
    dear_dollars: float = Field(default=0.1, gt=0)
    """US dollars from which an answer counts as expensive."""
    model_seconds: float = Field(default=60.0, gt=0)
    """Time that a language model may take for one answer; then the rules stand in."""
    command_seconds: float = Field(default=0.02, ge=0)
    """Time that a command spends at its start on answers that wait; the last one that it begins may take longer."""
    pause_seconds: float = Field(default=2.0, ge=0)
    """Time that passes before a language model looks again at what rules have looked at; commands end before."""
    tries: int = Field(default=5, ge=1)
    """Times that looking back on an answer may break off before it is left aside until somebody speaks of it."""


class NightSettings(BaseModel):
    """The work of a night: what was found in single answers becomes lessons, and lessons are looked after."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = True
    """Whether missed nights are caught up without being asked; `oldhand learn` works in any case."""
    hour: int = Field(default=3, ge=0, le=23)
    """Hour of the day, on the clock of the machine, from which on a new night is due."""
    seconds: float = Field(default=20.0, gt=0)
    """Time that catching up may take at once, beside answering; the rest is done the next time."""
    command_seconds: float = Field(default=1.0, ge=0)
    """Time that a command waits at its end for a night that is caught up, once it is done with everything else."""
    batch: int = Field(default=1_000, ge=1)
    """Reflections or lessons that are held in memory at a time."""
    summary_answers: int = Field(default=20, ge=2)
    """Answers about one topic from which on they get a summary."""
    stale_days: int = Field(default=90, ge=1)
    """Days without use after which a lesson is called stale."""


class AgentSettings(BaseModel):
    """How far one run of a tool-use agent may go; None is no limit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
    observation_tokens: int = Field(default=4_000, ge=50)
    """Tokens of one tool's result that the model gets to read."""


class PythonLimits(BaseModel):
    """How much one piece of Python may take that the agent runs in the sandbox."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seconds: float = Field(default=5.0, gt=0)
    """Time for which it may compute."""
    memory_mib: int = Field(default=128, ge=1)
    """MiB that its values may take."""
    recursion: int = Field(default=400, ge=1)
    """Calls that may be nested."""
    output_chars: int = Field(default=20_000, ge=1)
    """Characters that are kept of what it prints, and of its result."""


class ToolServerLimits(BaseModel):
    """How long a server of tools (MCP) is waited for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    start_seconds: float = Field(default=20.0, gt=0)
    """Time for starting it and listing its tools."""
    call_seconds: float = Field(default=60.0, gt=0)
    """Time for one call of a tool."""


class EvaluationSettings(BaseModel):
    """How evaluators judge, and how what they found becomes notes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
    """Runs without an issue after which it is shown no more."""
    file_megabytes: float = Field(default=10.0, gt=0)
    """Size at which a file of results is put aside for a new one."""
    files_kept: int = Field(default=3, ge=0)
    """Files put aside that are kept; the store keeps everything anyway."""
    keep_days: int | None = Field(default=365, ge=1)
    """Age at which single evaluations are deleted; their tallies stay. None keeps all."""


class Settings(BaseModel):
    """All settings of one home."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = "builtin"
    """The mind that answers: `builtin`, or a language model's name."""
    store: str | None = None
    """URL of the store; a SQLite file in the home when None."""
    max_question_chars: int = Field(default=4_000, ge=1)
    max_attempts: int = Field(default=5, ge=1, le=5)
    """Statements tried for one step before it is given up."""
    query: QueryLimits = QueryLimits()
    models: ModelSettings = ModelSettings()
    recall: RecallSettings = RecallSettings()
    trial: TrialSettings = TrialSettings()
    night: NightSettings = NightSettings()
    evaluations: EvaluationSettings = EvaluationSettings()
    reflection: ReflectionSettings = ReflectionSettings()
    prompts: PromptSettings = PromptSettings()
    routing: RoutingSettings = RoutingSettings()
    agent: AgentSettings = AgentSettings()
    python: PythonLimits = PythonLimits()
    tool_servers: ToolServerLimits = ToolServerLimits()


def home_folder(home: str | Path | None, environ: Mapping[str, str] | None = None) -> Path:
    """The home: the argument, else `OLDHAND_HOME`, else `~/.oldhand`.

    >>> home_folder(None, {"OLDHAND_HOME": "/srv/oldhand"}).as_posix()
    '/srv/oldhand'
    """
    environ = os.environ if environ is None else environ
    chosen = home or environ.get("OLDHAND_HOME") or Path.home() / ".oldhand"
    return Path(chosen).expanduser().absolute()


def load_settings(home: Path, environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings of `home`; `OLDHAND_MODEL` and `OLDHAND_STORE` win over the file.

    Raises:
        InvalidSetting: the file does not parse, or a value is unknown or out of range.
    """
    environ = os.environ if environ is None else environ
    path = home / SETTINGS_FILE
    try:
        found = yaml.safe_load(path.read_text("utf-8")) if path.is_file() else None
    except yaml.MarkedYAMLError as error:
        line = 1 if error.problem_mark is None else error.problem_mark.line + 1
        raise InvalidSetting(f"{path}, line {line}: {error.problem or 'not YAML'}.") from error
    except (yaml.YAMLError, UnicodeDecodeError, OSError) as error:
        raise InvalidSetting(f"{path} cannot be read: {' '.join(str(error).split())}.") from error
    if not isinstance(found or {}, dict):
        raise InvalidSetting(f"{path}, line 1: expected `name: value` lines.")
    values: dict[str, object] = dict(found or {})
    for name in ("model", "store"):
        if value := environ.get(f"OLDHAND_{name.upper()}"):
            values[name] = value
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        raise InvalidSetting(_fault(path, error.errors()[0])) from error


def _fault(path: Path, error: ErrorDetails) -> str:
    """What is wrong with a setting, and where it stands."""
    place = tuple(str(part) for part in error["loc"])
    name = ".".join(place)
    if len(place) == 1 and os.environ.get(f"OLDHAND_{name.upper()}"):
        where = f"OLDHAND_{name.upper()}"
    else:
        where = f"{path}, line {_line_of(path, place)}"
    if error["type"] != "extra_forbidden":
        return f"{where}: {name}: {error['msg']}."
    near = get_close_matches(name, _names(Settings), n=1)
    guess = f"; did you mean {near[0]!r}?" if near else "."
    return f"{where}: there is no setting {name!r}{guess}"


def _names(model: type[BaseModel]) -> list[str]:
    """All settings, those of a group as `group.name`."""
    names = list(model.model_fields)
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            names += [f"{name}.{inner}" for inner in _names(field.annotation)]
    return names


def _line_of(path: Path, place: tuple[str, ...]) -> int:
    """The line on which the setting at `place` stands, or the nearest one around it."""
    node = yaml.compose(path.read_text("utf-8"), Loader=yaml.SafeLoader) if path.is_file() else None
    line = 1
    for part in place:
        if not isinstance(node, yaml.MappingNode):
            break
        pairs = {str(key.value): (key, value) for key, value in node.value}
        if part not in pairs:
            break
        key, node = pairs[part]
        line = key.start_mark.line + 1
    return line
