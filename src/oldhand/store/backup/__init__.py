"""A home in one file, whole or not at all, and back."""

from oldhand.store.backup.archive import Archive, BackupManifest, checked_backup, write_archive
from oldhand.store.backup.homes import back_up, restore

__all__ = ["Archive", "BackupManifest", "back_up", "checked_backup", "restore", "write_archive"]
