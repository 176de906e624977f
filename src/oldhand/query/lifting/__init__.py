"""From SQL to the form."""

from oldhand.query.lifting.lifting import lift, lift_tree

__all__ = ["lift", "lift_tree"]
