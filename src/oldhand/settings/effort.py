"""How much a language model may be asked for one answer."""

from enum import StrEnum


class Effort(StrEnum):
    """How much a language model may be asked for one answer."""

    QUICK = "quick"
    """One call reads the question, plans, and writes the statement where one database answers."""
    STANDARD = "standard"
    """The stages: validate, plan, write, repair; the built-in analyst is the second voice."""
    THOROUGH = "thorough"
    """Candidates from several prompts as well, and a call that decides between the two likeliest."""
    AUTO = "auto"
    """By how complex the question is."""
