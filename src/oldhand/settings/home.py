"""The settings of one home: defaults, the file, then variables."""

import os
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path

import yaml
from pydantic import BaseModel, Field, ValidationError
from pydantic_core import ErrorDetails

from oldhand.errors import InvalidSetting
from oldhand.settings.acting import (
    AgentSettings,
    EvaluationSettings,
    ModelSettings,
    QueryLimits,
    SettingsGroup,
)
from oldhand.settings.bounded import bounded_bytes
from oldhand.settings.documents import DocumentSettings
from oldhand.settings.effort import Effort
from oldhand.settings.experts import ExpertSettings
from oldhand.settings.learning import (
    NightSettings,
    PromptSettings,
    RecallSettings,
    ReflectionSettings,
    RoutingSettings,
    TrialSettings,
)
from oldhand.settings.server import ServerSettings
from oldhand.settings.xmpp import XmppSettings

SETTINGS_FILE = "settings.yaml"
_MOST_BYTES = 1_000_000
BUILTIN = "builtin"
"""The name of the built-in mind, where a model is named."""


class Settings(SettingsGroup):
    """All settings of one home."""

    model: str = BUILTIN
    """The mind that answers: `builtin`, or a language model's name."""
    store: str | None = None
    """URL of the store; a SQLite file in the home when None."""
    max_question_chars: int = Field(default=4_000, ge=1)
    max_attempts: int = Field(default=5, ge=1, le=5)
    """Statements tried for one step before it is given up."""
    effort: Effort = Effort.STANDARD
    """How much a language model may be asked for one answer: `quick`, `standard`, `thorough`, or `auto` by the question."""
    query: QueryLimits = QueryLimits()
    models: ModelSettings = ModelSettings()
    documents: DocumentSettings = DocumentSettings()
    recall: RecallSettings = RecallSettings()
    trial: TrialSettings = TrialSettings()
    night: NightSettings = NightSettings()
    evaluations: EvaluationSettings = EvaluationSettings()
    reflection: ReflectionSettings = ReflectionSettings()
    prompts: PromptSettings = PromptSettings()
    routing: RoutingSettings = RoutingSettings()
    agent: AgentSettings = AgentSettings()
    xmpp: XmppSettings = XmppSettings()
    experts: ExpertSettings = ExpertSettings()
    server: ServerSettings = ServerSettings()


def home_folder(home: str | Path | None, environ: Mapping[str, str] | None = None) -> Path:
    """The home: the argument, else `OLDHAND_HOME`, else `~/.oldhand`.

    >>> home_folder(None, {"OLDHAND_HOME": "/srv/oldhand"}).as_posix()
    '/srv/oldhand'
    """
    environ = os.environ if environ is None else environ
    chosen = home or environ.get("OLDHAND_HOME") or Path.home() / ".oldhand"
    return Path(chosen).expanduser().absolute()


def load_settings(
    home: Path, environ: Mapping[str, str] | None = None, *, text: str | None = None
) -> Settings:
    """Read the settings of `home`; `OLDHAND_MODEL` and `OLDHAND_STORE` win over the file, `text` stands for it.

    Raises:
        InvalidSetting: the file does not parse, or a value is unknown or out of range.
    """
    environ = os.environ if environ is None else environ
    path = home / SETTINGS_FILE
    try:
        found = yaml.safe_load(_text(path) if text is None else text)
    except yaml.MarkedYAMLError as error:
        line = 1 if error.problem_mark is None else error.problem_mark.line + 1
        raise InvalidSetting(f"{path}, line {line}: {error.problem or 'not YAML'}.") from error
    except RecursionError as error:
        raise InvalidSetting(f"{path} is nested too deeply.") from error
    except (yaml.YAMLError, UnicodeDecodeError, OSError) as error:
        why = (isinstance(error, OSError) and error.strerror) or " ".join(str(error).split())
        raise InvalidSetting(f"{path} cannot be read: {why}.") from error
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


def _text(path: Path) -> str:
    """What the file says; nothing when there is none."""
    return bounded_bytes(path, _MOST_BYTES).decode("utf-8") if path.exists() else ""


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
    node = yaml.compose(_text(path), Loader=yaml.SafeLoader)
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
