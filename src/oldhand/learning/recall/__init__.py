"""Recall: which of the lessons fit a question."""

from oldhand.learning.recall.applies_when import (
    Condition,
    applies,
    condition_of,
    fault_in_condition,
    read_condition,
)
from oldhand.learning.recall.ports import Credit, Index
from oldhand.learning.recall.recall import Recall
from oldhand.learning.recall.stored import StoreCredit, StoreIndex
from oldhand.record.lesson import FoundMemory, Tally

__all__ = [
    "Condition",
    "Credit",
    "FoundMemory",
    "Index",
    "Recall",
    "StoreCredit",
    "StoreIndex",
    "Tally",
    "applies",
    "condition_of",
    "fault_in_condition",
    "read_condition",
]
