"""Where concrete classes are named and wired: the only place that does."""

from oldhand.bootstrap.home import Home, new_uuid, open_home
from oldhand.bootstrap.minds import BUILTIN
from oldhand.models import LanguageModel

__all__ = ["BUILTIN", "Home", "LanguageModel", "new_uuid", "open_home"]
