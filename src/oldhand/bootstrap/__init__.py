"""Where concrete classes are named and wired: the only place that does."""

from oldhand.bootstrap.home import Home
from oldhand.bootstrap.opening import open_home
from oldhand.models import LanguageModel
from oldhand.settings import BUILTIN

__all__ = ["BUILTIN", "Home", "LanguageModel", "open_home"]
