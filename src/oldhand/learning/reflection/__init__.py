"""Looking back on answers: what each of them, with all that was said of it, has to teach."""

from oldhand.learning.reflection.reflector import (
    Reflected,
    Reflection,
    Reflector,
    depth_of,
)
from oldhand.learning.reflection.rules import RulesReflector

__all__ = ["Reflected", "Reflection", "Reflector", "RulesReflector", "depth_of"]
