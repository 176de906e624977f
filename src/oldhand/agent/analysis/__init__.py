"""The analysis: validate, plan, write SQL, execute, repair, summarise."""

# pyright: reportUnusedImport=false
from oldhand.agent.analysis.analysis import Analysis, analyse, work_out
from oldhand.agent.analysis.mind import EarlierTurn, Inquiry, Mind
from oldhand.models.templates import PROMPTS_FOLDER
