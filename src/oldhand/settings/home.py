"""The settings of one home: defaults, the file, then variables."""

import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import Field

from oldhand.errors import InvalidSetting
from oldhand.settings.acting import (
    AgentSettings,
    EvaluationSettings,
    ModelSettings,
    QueryLimits,
    SettingsGroup,
)
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
from oldhand.settings.saved import SavedSettings
from oldhand.settings.server import ServerSettings
from oldhand.settings.strict_yaml import parse_document, read_document
from oldhand.settings.xmpp import XmppSettings

SETTINGS_FILE = "settings.yaml"
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
    saved: SavedSettings = SavedSettings()
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
    if text is None and path.exists():
        document = read_document(path, InvalidSetting)
    else:
        document = parse_document(text or "", path, InvalidSetting)
    given = {name: environ.get(f"OLDHAND_{name.upper()}") for name in ("model", "store")}
    chosen = {name: value for name, value in given.items() if value}
    return document.filled(Settings).model_copy(update=chosen)
