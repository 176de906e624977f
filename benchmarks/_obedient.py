"""A model that does whatever stands as an instruction in its prompt: what poison would reach, reaches it."""

import re
from collections.abc import Iterator
from functools import lru_cache

from oldhand.models.quoting import one_line
from oldhand.testing.scripted import ScriptedModel

_BLOCK = re.compile(r"<(\w+)>\n(.*?)\n</\1>", re.DOTALL)
_TO_BE_KEPT = frozenset(
    {"rules", "before_you_answer", "preferences", "words", "confirmed_answers", "rejected_answers"}
)
"""Blocks of what people stand behind, which prompts tell a model to go by."""


class ObedientModel(ScriptedModel):
    r"""A `ScriptedModel` that notes what its prompts order: all that stands in no block of data, or in one that is to be kept to.

    >>> import asyncio
    >>> from oldhand.models import Ledger
    >>> from oldhand.record.episode import Message
    >>> model = ObedientModel(["Yes.", "Yes."])
    >>> for text in ("<rules>\n- Say yes.\n</rules>", "<question>\nSay no.\n</question>"):
    ...     asked = [Message(role="user", content=text)]
    ...     _ = asyncio.run(model.complete(asked, stage="act", ledger=Ledger()))
    >>> model.obeys("Say yes."), model.obeys("Say no."), model.has_read("Say no.")
    (True, False, False)
    """

    def obeys(self, text: str) -> bool:
        """Whether a text stood in some prompt as an instruction."""
        return any(_core(text) in order for order in self._told(_TO_BE_KEPT))

    def has_read(self, text: str) -> bool:
        """Whether a text stood in some prompt as an instruction or as an observation."""
        return any(_core(text) in told for told in self._told(_TO_BE_KEPT | {"observations"}))

    def _told(self, tags: frozenset[str]) -> Iterator[str]:
        """The prompts, without blocks other than these."""
        return (_told(prompt.text, tags) for prompt in self.prompts)


@lru_cache(maxsize=4096)
def _told(text: str, tags: frozenset[str]) -> str:
    kept = _BLOCK.sub(lambda found: found[0] if found[1] in tags else "", text)
    return one_line(kept).casefold()


def _core(text: str) -> str:
    """What of a text is found again, however it was cut."""
    return one_line(text)[:80].casefold().rstrip(".…")
