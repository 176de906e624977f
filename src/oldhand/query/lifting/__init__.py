"""From SQL to the form."""

# pyright: reportUnusedImport=false
from oldhand.query.lifting.lifting import lift, lift_tree
