"""Where concrete classes are named and wired: the only place that does."""

# pyright: reportUnusedImport=false
from oldhand.bootstrap.home import Home
from oldhand.bootstrap.opening import open_home
from oldhand.models import LanguageModel
from oldhand.settings import BUILTIN
