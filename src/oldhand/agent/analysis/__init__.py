"""The analysis: validate, plan, write SQL, execute, repair, summarise."""

from oldhand.agent.analysis.analysis import Analysis, analyse
from oldhand.agent.analysis.lm_mind import LanguageModelMind
from oldhand.agent.analysis.mind import Exchange, Inquiry, Mind
from oldhand.agent.analysis.steps import Source, Sources
from oldhand.models.templates import PROMPTS_FOLDER, Prompts

__all__ = [
    "PROMPTS_FOLDER",
    "Analysis",
    "Exchange",
    "Inquiry",
    "LanguageModelMind",
    "Mind",
    "Prompts",
    "Source",
    "Sources",
    "analyse",
]
