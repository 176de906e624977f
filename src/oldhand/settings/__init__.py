"""Settings of one home folder: defaults, `settings.yaml`, then `OLDHAND_…` variables.

Every number that steers Oldhand stands here, with its unit.
"""

# pyright: reportUnusedImport=false
from oldhand.settings.acting import (
    AgentSettings,
    EvaluationSettings,
    ModelSettings,
    PythonLimits,
    QueryLimits,
    ToolServerLimits,
)
from oldhand.settings.changing import changed_text
from oldhand.settings.documents import DocumentSettings
from oldhand.settings.effort import Effort
from oldhand.settings.experts import ExpertSettings
from oldhand.settings.home import BUILTIN, SETTINGS_FILE, Settings, home_folder, load_settings
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
from oldhand.settings.xmpp import XmppSettings
