"""Versions of prompts: chosen, tried against each other, promoted and deprecated."""

# pyright: reportUnusedImport=false
from oldhand.learning.prompts.comparing import PromptTest, PromptVerdict
from oldhand.learning.prompts.drawing import DrawnPrompts, draw_prompts
from oldhand.learning.prompts.roles import AGENT_ROLES, ANALYSIS_ROLES, ROLES, roles_asked
from oldhand.learning.prompts.shelf import PromptShelf, Standing
from oldhand.learning.prompts.versions import Version
