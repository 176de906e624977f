"""Looking back on answers: what each of them, with all that was said of it, has to teach."""

# pyright: reportUnusedImport=false
from oldhand.learning.reflection.lm_reflector import LMReflector
from oldhand.learning.reflection.reflector import (
    Reflected,
    Reflection,
    Reflector,
    Reflectors,
    depth_of,
)
from oldhand.learning.reflection.rules import RulesReflector
