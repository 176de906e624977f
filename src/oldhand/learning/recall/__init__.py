"""Recall: which of the lessons fit a question."""

# pyright: reportUnusedImport=false
from oldhand.learning.recall.applies_when import (
    applies,
    condition_of,
    fault_in_condition,
    read_condition,
)
from oldhand.learning.recall.recall import Recall
from oldhand.record.lesson import FoundMemory
