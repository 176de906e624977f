"""Versions of prompts: chosen, tried against each other, promoted and deprecated."""

from oldhand.learning.prompts.comparing import PromptTest, PromptVerdict
from oldhand.learning.prompts.drawing import DrawnPrompts, draw_prompts
from oldhand.learning.prompts.roles import AGENT_ROLES, ANALYSIS_ROLES, ROLES, roles_asked
from oldhand.learning.prompts.shelf import PromptShelf, Standing
from oldhand.learning.prompts.versions import Version

__all__ = [
    "AGENT_ROLES",
    "ANALYSIS_ROLES",
    "ROLES",
    "DrawnPrompts",
    "PromptShelf",
    "PromptTest",
    "PromptVerdict",
    "Standing",
    "Version",
    "draw_prompts",
    "roles_asked",
]
