"""What is asked of a language model about one question: prompts, forms, and what it gets to see."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from pydantic import BaseModel
from pydantic_core import from_json

from oldhand.agent.analysis.discretion import Discretion
from oldhand.agent.analysis.forms import (
    DecisionForm,
    DirectForm,
    PlanForm,
    RepairForm,
    SQLForm,
    SummaryForm,
    ValidationForm,
)
from oldhand.agent.analysis.grounding import Known, unfounded
from oldhand.agent.analysis.mind import Inquiry
from oldhand.agent.analysis.prompt_values import question_values
from oldhand.agent.analysis.view import QuestionViews, SchemaView
from oldhand.errors import ContextTooLong, MalformedAnswer, ViewTooSmall
from oldhand.lexicon.tokens import words_in
from oldhand.models import LanguageModel, Ledger
from oldhand.models.language_model import SpeakingModel
from oldhand.models.structured import after_system, parse_answer, schema_request
from oldhand.models.templates import Prompts
from oldhand.models.tokens import estimate_tokens
from oldhand.record.episode import Message

Form = TypeVar("Form", bound=BaseModel)
AskingForm = TypeVar(
    "AskingForm", ValidationForm, DirectForm, DecisionForm, PlanForm, SQLForm, RepairForm
)


_TOO_LONG = (
    "Showing less of the schemas does not make it fit: choose a model with a larger context."
)
_HELD_BACK = 3
"""Words at the end that are not told yet: `12` may become `12 thousand`, or a date."""


@dataclass(frozen=True)
class Asking:
    """What is asked of a language model about one question."""

    lm: LanguageModel
    prompts: Prompts
    inquiry: Inquiry
    views: QuestionViews
    wanted: set[str] = field(default_factory=set[str])
    """Tables and columns that it has asked for."""

    @cached_property
    def discretion(self) -> Discretion:
        """What must stay out of its prompts."""
        return Discretion(self.inquiry)

    async def text(self, prompt: str, stage: str) -> str:
        """The answer in its own words."""
        messages = self._messages(prompt, question_values(self.inquiry))
        completion = await self.lm.complete(messages, stage=stage, ledger=self._ledger)
        return completion.text.strip()

    async def form(
        self, prompt: str, stage: str, values: Mapping[str, str], form: type[Form]
    ) -> Form:
        """The answer in a form."""
        messages = self._messages(prompt, values)
        return await self.lm.structured(messages, form, stage=stage, ledger=self._ledger)

    async def summary(self, values: Mapping[str, str], known: Known) -> SummaryForm:
        """The answer in words, told while it is written where somebody listens and the model can be heard."""
        if self.inquiry.heard is None or not isinstance(self.lm, SpeakingModel):
            return await self.form("summarize_results", "summarise", values, SummaryForm)
        messages = self._messages("summarize_results", values)
        draft = SummaryDraft(known, self.inquiry.heard)
        try:
            return await draft.written_by(self.lm, messages, self._ledger)
        except MalformedAnswer:
            return await self.form("summarize_results", "summarise", values, SummaryForm)

    async def with_view(
        self,
        prompt: str,
        stage: str,
        form: type[AskingForm],
        values: Callable[[SchemaView], Mapping[str, str]],
        databases: Collection[str] = (),
    ) -> tuple[AskingForm, SchemaView]:
        """The answer in a form, and what was seen: once more with what it asks for, and with less when it was too much."""
        room, asked = None, False
        view = await self._view(databases, room)
        while True:
            try:
                found = await self.form(prompt, stage, values(view), form)
            except ContextTooLong as error:
                room = estimate_tokens(view.text) // 2
                view = await self._smaller(view, databases, room, error)
                continue
            missing = words_in(found.missing) & view.left_out
            if asked or missing <= self.wanted:
                return found, view
            asked = True
            self.wanted.update(missing)
            view = await self._view(databases, room)

    async def _view(self, databases: Collection[str], room: int | None) -> SchemaView:
        return await asyncio.to_thread(self.views.view, databases, frozenset(self.wanted), room)

    async def _smaller(
        self, view: SchemaView, databases: Collection[str], room: int, error: ContextTooLong
    ) -> SchemaView:
        """A view with less; where there is none, the limit is the model's own, and no setting moves it."""
        with suppress(ViewTooSmall):
            smaller = await self._view(databases, room)
            if smaller.text != view.text:
                return smaller
        raise ContextTooLong(f"{error} {_TOO_LONG}") from error

    def _messages(self, prompt: str, values: Mapping[str, str]) -> tuple[Message, Message]:
        values = self.discretion.of(values)
        return self.prompts[prompt].fill(values, self.inquiry.instructions.for_role(prompt))

    @property
    def _ledger(self) -> Ledger:
        return self.inquiry.ledger or Ledger()


# A summary while it is written: no word is told that the rows do not bear out.
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
