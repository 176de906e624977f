"""Settings of one home folder: defaults, `settings.yaml`, then `OLDHAND_…` variables.

Every number that steers Oldhand stands here, with its unit.
"""

# pyright: reportUnusedImport=false
from oldhand.settings.acting import (
    AgentSettings,
    Effort,
    EvaluationSettings,
    ModelSettings,
    PythonLimits,
    QueryLimits,
    ToolServerLimits,
)
from oldhand.settings.documents import DocumentSettings
from oldhand.settings.experts import ExpertSettings, XmppSettings
from oldhand.settings.home import (
    BUILTIN,
    SETTINGS_FILE,
    Settings,
    changed_text,
    home_folder,
    load_settings,
)
from oldhand.settings.learning import (
    NightSettings,
    PromptSettings,
    RecallSettings,
    ReflectionSettings,
    RoutedModel,
    RoutingSettings,
    TrialSettings,
)
from oldhand.settings.saved import MailSettings, SavedSettings
from oldhand.settings.server import IdentityProvider, ServerSettings
