"""What is kept: tables and queries, migrations, and the readable journal."""

# pyright: reportUnusedImport=false
from oldhand.store.access_store import AccessStore
from oldhand.store.engine import shown_address, sqlite_url
from oldhand.store.episode_reads import UsageTotal
from oldhand.store.erasing.erasing import ErasedCounts
from oldhand.store.erasing.mentions import Marks
from oldhand.store.feedback_reads import FeedbackTotals
from oldhand.store.home_store import home_store, made_folder
from oldhand.store.issues.counting import IssueScope
from oldhand.store.issues.reads import TallyFilter
from oldhand.store.journal.journal import Journal, JournalPlace
from oldhand.store.journal.record_files import TornLine
from oldhand.store.memory_writes import MemoryVersion, RolledBack, SavedChange, Undone
from oldhand.store.result_store import EvaluationFilter, ResultStore, results_file
from oldhand.store.store import Store
from oldhand.store.transfer import ImportReport, export_memories, import_memories
