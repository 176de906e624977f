"""A home in one file, whole or not at all, and back."""

# pyright: reportUnusedImport=false
from oldhand.store.backup.archive import checked_backup
from oldhand.store.backup.homes import back_up, restore
