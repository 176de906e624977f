"""A summary while it is written: no word is told that the rows do not bear out."""

from collections.abc import Callable, Sequence
from contextlib import aclosing

from pydantic_core import from_json

from oldhand.agent.analysis.forms import SummaryForm
from oldhand.agent.analysis.grounding import Known, unfounded
from oldhand.models import LanguageModel, Ledger
from oldhand.models.structured import after_system, parse_answer, schema_request
from oldhand.record.episode import Message

_HELD_BACK = 3
"""Words at the end that are not told yet: `12` may become `12 thousand`, or a date."""


class SummaryDraft:
    """Tells the text of a form as far as it has come and stands; nothing more once it does not.

    >>> told: list[str] = []
    >>> draft = SummaryDraft(Known(((3,),), ("How many?",)), told.append)
    >>> draft.hear('{"text": "There are 3 of them in')
    >>> draft.hear('{"text": "There are 3 of them in Basel and 4 in Bern, all in a')
    >>> draft.hear('{"text": "There are 3 of them in Basel and 4 in Bern, all in all."}')
    >>> told
    ['There are 3']
    """

    def __init__(self, known: Known, heard: Callable[[str], None]) -> None:
        self._known = known
        self._heard = heard
        self._told = ""
        self._stands = True

    async def written_by(
        self, lm: LanguageModel, messages: Sequence[Message], ledger: Ledger
    ) -> SummaryForm:
        """Have a model write it, and tell it meanwhile.

        Raises:
            MalformedAnswer: it is no summary.
            CutStream: it ended too early.
        """
        asked, said = after_system(messages, schema_request(SummaryForm)), ""
        async with aclosing(lm.stream(asked, stage="summarise", ledger=ledger)) as pieces:
            async for piece in pieces:
                said += piece
                self.hear(said)
        return parse_answer(said, SummaryForm)

    def hear(self, said: str) -> None:
        """Take in all that was written so far."""
        words = _text_of(said).split(" ")[:-_HELD_BACK]
        text = " ".join(words)
        if not self._stands or len(text) <= len(self._told):
            return
        self._stands = not unfounded(text, self._known)
        if self._stands:
            self._told = text
            self._heard(text)


def _text_of(said: str) -> str:
    """The field `text` of an object that is not complete yet; empty while there is none."""
    start = said.find("{")
    if start < 0:
        return ""
    try:
        found: object = from_json(said[start:], allow_partial="trailing-strings")
    except ValueError:
        return ""
    text = found.get("text") if isinstance(found, dict) else None  # pyright: ignore
    return text if isinstance(text, str) else ""
