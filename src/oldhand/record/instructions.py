"""What the versions of prompts add to the shipped ones."""

from collections.abc import Mapping
from typing import Final, NamedTuple

ORCHESTRATOR: Final = "orchestrator"
"""The role whose instructions stand in every prompt."""


class Instructions(NamedTuple):
    r"""The instructions of one answer, by the role of the prompt that they are for.

    >>> told = Instructions({"orchestrator": "Be concise.", "create_plan": "Take few steps."})
    >>> told.for_role("create_plan"), told.for_role("generate_sql")
    ('Be concise.\nTake few steps.', 'Be concise.')
    """

    by_role: Mapping[str, str] = {}

    def for_role(self, role: str) -> str:
        """What a prompt of that role says besides its template: first what all of them say."""
        texts = (self.by_role.get(name, "") for name in dict.fromkeys((ORCHESTRATOR, role)))
        return "\n".join(filter(None, texts))


NO_INSTRUCTIONS: Final = Instructions()
