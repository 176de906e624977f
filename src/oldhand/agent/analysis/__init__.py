"""The analysis: validate, plan, write SQL, execute, repair, summarise."""

from oldhand.agent.analysis.analysis import Analysis, WorkedOut, analyse, work_out
from oldhand.agent.analysis.attempts import Sources
from oldhand.agent.analysis.mind import EarlierTurn, Inquiry, Mind
from oldhand.agent.analysis.ties import StatementRunner
from oldhand.models.templates import PROMPTS_FOLDER

__all__ = [
    "PROMPTS_FOLDER",
    "Analysis",
    "EarlierTurn",
    "Inquiry",
    "Mind",
    "Sources",
    "StatementRunner",
    "WorkedOut",
    "analyse",
    "work_out",
]
