"""What is kept: tables and queries, migrations, and the readable journal."""

from oldhand.store.engine import sqlite_url
from oldhand.store.episode_reads import UsageTotal
from oldhand.store.journal import Journal, Place
from oldhand.store.memory_history import MemoryVersion, RolledBack
from oldhand.store.memory_writes import Change
from oldhand.store.record_files import TornLine
from oldhand.store.store import Store
from oldhand.store.transfer import ImportReport, export_memories, import_memories

__all__ = [
    "Change",
    "ImportReport",
    "Journal",
    "MemoryVersion",
    "Place",
    "RolledBack",
    "Store",
    "TornLine",
    "UsageTotal",
    "export_memories",
    "import_memories",
    "sqlite_url",
]
