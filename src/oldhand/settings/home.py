"""The settings of one home: defaults, the file, then variables."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import yaml
from pydantic import Field, JsonValue

from oldhand.errors import InvalidSetting, UsageError
from oldhand.settings.acting import (
    AgentSettings,
    Effort,
    EvaluationSettings,
    ModelSettings,
    QueryLimits,
    SettingsGroup,
)
from oldhand.settings.documents import DocumentSettings
from oldhand.settings.experts import ExpertSettings, XmppSettings
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

SETTINGS_FILE = "settings.yaml"
BUILTIN = "builtin"
"""The name of the built-in mind, where a model is named."""
OPERATORS = ("store", "server", "models.base_url", "query.functions", "routing.models", "model",
             "documents.inside", "documents.embedder", "documents.embedder_url", "documents.reader", "saved.inside", "saved.mail")  # fmt: skip
"""Settings, and groups of them, that lead to other machines, files or money: only the file changes these."""


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


def changed_text(text: str, changes: Mapping[str, JsonValue]) -> str:
    r"""The file with other values at these names; all else, comments too, stays as it is written.

    >>> changed_text("night:\n  hour: 3  # quiet\n", {"night.hour": 4, "effort": "quick"})
    'night:\n  hour: 4  # quiet\neffort: quick\n'

    Raises:
        UsageError: a setting is the operator's.
    """
    for name, value in changes.items():
        if any(f"{name}.".startswith(f"{one}.") or one.startswith(f"{name}.") for one in OPERATORS):
            raise UsageError(f"{name} is set by who runs the server, in settings.yaml.")
        text = _with(text, name.split("."), value)
    return text


def _with(text: str, path: list[str], value: JsonValue) -> str:
    """The file with one value at its place, which is made where there is none."""
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    at, column = len(text), 0
    for depth, part in enumerate(path):
        inside = node if isinstance(node, yaml.MappingNode) else None
        found = {str(key.value): it for key, it in inside.value} if inside is not None else {}
        if part not in found:
            return _inserted(text, at, column, path[depth:], value)
        node = found[part]
        if not isinstance(node, yaml.MappingNode) or node.flow_style or depth == len(path) - 1:
            return _replaced(text, node, path[depth + 1 :], value)
        at = text.rindex("\n", 0, node.start_mark.index) + 1
        column = node.start_mark.column
    return text


def _replaced(text: str, node: yaml.Node, rest: list[str], value: JsonValue) -> str:
    """The value of a node replaced; one in braces is written anew as a whole."""
    held = value
    if rest:
        known = yaml.safe_load(text[node.start_mark.index : node.end_mark.index])
        held = _merged(cast("dict[str, JsonValue]", known) if isinstance(known, dict) else {}, rest, value)  # fmt: skip
    start, end = node.start_mark.index, node.end_mark.index
    told = _flow(held)
    space = "" if start and text[start - 1].isspace() else " "
    return f"{text[:start]}{space}{told}{text[end:]}"


def _merged(known: dict[str, JsonValue], path: list[str], value: JsonValue) -> JsonValue:
    first, *rest = path
    inner = known.get(first)
    return {**known, first: _merged(inner if isinstance(inner, dict) else {}, rest, value) if rest else value}  # fmt: skip


def _inserted(text: str, at: int, column: int, path: list[str], value: JsonValue) -> str:
    """A new line before the others of its group, or at the end of the file."""
    first, *rest = path
    line = f"{' ' * column}{first}: {_flow(_merged({}, rest, value) if rest else value)}\n"
    before = text[:at] if not text[:at] or text[:at].endswith("\n") else f"{text[:at]}\n"
    return f"{before}{line}{text[at:]}"


def _flow(value: JsonValue) -> str:
    """A value on one line."""
    written = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=10_000)
    return written.removesuffix("\n").removesuffix("\n...")
