"""The analysis: validate, plan, write SQL, execute, repair, summarise."""

from oldhand.agent.analysis.analysis import Analysis, analyse
from oldhand.agent.analysis.mind import EarlierTurn, Inquiry, Mind
from oldhand.agent.analysis.steps import Sources, StatementRunner
from oldhand.models.templates import PROMPTS_FOLDER

__all__ = [
    "PROMPTS_FOLDER",
    "Analysis",
    "EarlierTurn",
    "Inquiry",
    "Mind",
    "Sources",
    "StatementRunner",
    "analyse",
]
