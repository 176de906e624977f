"""Where concrete classes are named and wired: the only place that does."""

from oldhand.bootstrap.home import Home, open_home
from oldhand.bootstrap.minds import BUILTIN
from oldhand.models import LanguageModel

__all__ = ["BUILTIN", "Home", "LanguageModel", "open_home"]
