"""From SQL to the form."""

from oldhand.query.lifting.canonical import canonical
from oldhand.query.lifting.lifting import lift, lift_tree

__all__ = ["canonical", "lift", "lift_tree"]
