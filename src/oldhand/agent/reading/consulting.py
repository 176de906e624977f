"""One question, and where its answer comes from: databases, documents, or both."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from oldhand.agent.analysis import Analysis, EarlierTurn, Inquiry, Mind
from oldhand.agent.analysis.mind import RUNNING, Answerability, Validation
from oldhand.agent.analyst.conversation.followup import is_follow_up
from oldhand.agent.analyst.linking.indexes import ValueSource
from oldhand.agent.reading.answers import (
    ExtractiveReader,
    PassageAnswer,
    PassageReader,
    citation,
    none_says,
)
from oldhand.agent.reading.belief import belief
from oldhand.agent.reading.confirmed import confirmed_extract, confirmed_words
from oldhand.agent.reading.definitions import PassageDefinition, definition_for
from oldhand.agent.reading.extracting import extracted
from oldhand.agent.reading.going_on import gone_on
from oldhand.agent.reading.leaning import (
    Weighed,
    leaning_of,
    only_written,
    rows_counted,
    says_number_of,
)
from oldhand.errors import ModelUnavailable
from oldhand.lexicon.entries import words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import tokenise
from oldhand.record.answer import Outcome
from oldhand.record.document import FoundPassage, place_in

Find = Callable[[str], Sequence[FoundPassage]]
"""The passages that fit a question best, of those that who asks may read; blocks."""
AskDatabases = Callable[[Inquiry], Awaitable[Analysis]]
"""Answers a question from databases."""

BY_DEFINITION = 0.85
"""What is left of the confidence where a word was taken as a passage defines it."""
_AWAY = "The language model could not be asked ({}): the passages are quoted as they stand."
_SAID_BY = "{!r} was taken as {} says: {}"
_OPENING = "|".join(sorted(words("reading.opening")))
_ASKING = "|".join(sorted(words("reading.asking")))
_SEAM = re.compile(
    rf"(?:[,;]\s*(?:and|but)|\?(?:\s*(?:and|but))?)\s+(?=(?:{_OPENING})\b)|(?:[,;]|\s+and)\s+(?=(?:{_ASKING})\b)",
    re.IGNORECASE,
)
_LEAST = 3
"""Words of a half."""


@dataclass(frozen=True)
class _Sources:
    """A question, and what can be consulted for it."""

    inquiry: Inquiry
    find: Find
    ask: AskDatabases
    falls_back: bool


@dataclass(frozen=True)
class Consulting:
    """Answers from documents and databases."""

    reader: PassageReader
    """Who reads passages."""
    analyst: Mind
    """Foresees what databases can answer."""
    values: ValueSource

    async def answer(
        self, inquiry: Inquiry, find: Find, ask: AskDatabases, *, falls_back: bool = True
    ) -> Analysis:
        """Answer one question.

        Args:
            inquiry: the question; where it has no schemas, documents alone are asked.
            find: searches passages.
            ask: asks databases.
            falls_back: whether passages are answered with as they stand when a model that reads them can't be reached.

        Raises:
            OldhandError: as `analyse`.
        """
        if _goes_on_with_rows(inquiry):
            return await ask(inquiry)
        asked = _standing_alone(inquiry)
        passages = await asyncio.to_thread(find, asked)
        told = confirmed_words(asked, inquiry.lessons)
        if not passages and inquiry.schemas and told is None:
            return await ask(inquiry)
        sources = _Sources(inquiry, find, ask, falls_back)
        halves = halves_of(asked) if inquiry.schemas else (asked,)
        if len(halves) > 1 and (both := await self._halves(halves, sources)) is not None:
            return both
        return await self._one(asked, passages, sources)

    async def _one(
        self, asked: str, passages: Sequence[FoundPassage], sources: "_Sources"
    ) -> Analysis:
        """The answer to one question."""
        inquiry, ask = sources.inquiry, sources.ask
        defined = await asyncio.to_thread(self._defined, asked, passages, inquiry)
        if defined is not None and (found := await self._by_definition(defined, inquiry, ask)):
            return found
        weighed = await self._weighed(asked, passages, inquiry)
        analysis = await ask(inquiry) if weighed.by_databases else None
        if analysis is not None and not (
            weighed.may_be_documents and _tells_little(analysis, asked)
        ):
            return analysis
        if weighed.only_rows:
            read = PassageAnswer(none_says(passages, weighed.nearest), 0.0)
        else:
            read = await self._read(asked, passages, sources)
        if read.is_answer or not inquiry.schemas or weighed.is_for_documents:
            return _from_documents(read, asked)
        analysis = analysis or await ask(inquiry)
        return _with_nearest(analysis, read) if _is_silent(analysis) else analysis

    async def _read(
        self, asked: str, passages: Sequence[FoundPassage], sources: "_Sources"
    ) -> PassageAnswer:
        """What passages say; their own sentences when a model that reads them can't be reached."""
        try:
            return await self.reader.read(asked, passages, sources.inquiry)
        except ModelUnavailable as error:
            if not sources.falls_back:
                raise
            read = await ExtractiveReader().read(asked, passages, sources.inquiry)
            note = _AWAY.format(f"{type(error).__name__}: {error}")
            return replace(read, notes=(note, *read.notes))

    async def _halves(self, halves: Sequence[str], sources: "_Sources") -> Analysis | None:
        """The answer to a question of which one half asks documents and the other databases; None for others."""
        inquiry = sources.inquiry
        found = [await asyncio.to_thread(sources.find, half) for half in halves]
        pairs = list(zip(halves, found, strict=True))
        weighed = [await self._weighed(half, near, inquiry) for half, near in pairs]
        if not any(one.by_documents for one in weighed):
            return None
        answers: list[Analysis] = []
        for half, near in pairs:
            alone = replace(sources, inquiry=replace(inquiry, question=half, history=()))
            answers.append(await self._one(half, near, alone))
        return _joined(answers)

    async def _weighed(
        self, asked: str, passages: Sequence[FoundPassage], inquiry: Inquiry
    ) -> Weighed:
        """What speaks for documents, and what for databases."""
        lessons = inquiry.lessons
        told = confirmed_words(asked, lessons)
        confirmed = told or confirmed_extract(asked, passages, lessons)
        extract = None if confirmed else extracted(asked, passages)
        fits = 1.0 if confirmed else belief(extract)
        if not inquiry.schemas:
            return Weighed(asked, fits, None)
        alone = replace(inquiry, question=asked, history=())
        read = (await self.analyst.read(alone)).validation
        if told is not None and not told.payload.chunks and read.verdict in RUNNING:
            fits = 0.0  # it may have been said of rows
        counted = "" if confirmed else rows_counted(asked, inquiry.schemas)
        said = " ".join(one.text for one in extract.sentences) if extract else ""
        only_rows = bool(counted) and not says_number_of(said, counted)
        return Weighed(asked, fits, read, only_written(alone, read, passages), only_rows, extract)

    def _defined(
        self, asked: str, passages: Sequence[FoundPassage], inquiry: Inquiry
    ) -> PassageDefinition | None:
        if not inquiry.schemas or leaning_of(asked) > 0:
            return None
        return definition_for(asked, passages, inquiry, self.values)

    async def _by_definition(
        self, defined: PassageDefinition, inquiry: Inquiry, ask: AskDatabases
    ) -> Analysis | None:
        """The answer with a word as a passage defines it; None where that does not make it one."""
        both = (inquiry, defined.knowing)
        before, after = [(await self.analyst.read(one)).validation for one in both]
        if after.verdict not in RUNNING or after.query == before.query:
            return None
        analysis = await ask(defined.knowing)
        if not analysis.rows:
            return None
        sentence = defined.sentence
        where = place_in(sentence.found.document, sentence.found.passage.anchor.says)
        note = _SAID_BY.format(defined.name, where, defined.told)
        return analysis.model_copy(
            update={
                "text": f"{analysis.text} {sentence.text} [1]",
                "notes": (*analysis.notes, f"{note}."),
                "citations": (citation(1, sentence.found, sentence.text),),
                "confidence": analysis.confidence * BY_DEFINITION,
            }
        )


def _goes_on_with_rows(inquiry: Inquiry) -> bool:
    """Whether a question goes on with an answer of databases."""
    last = inquiry.history[-1] if inquiry.history else None
    return bool(last and last.steps and not last.citations) and is_follow_up(
        inquiry.question, inquiry.schemas
    )


def _standing_alone(inquiry: Inquiry) -> str:
    """The question; a follow-up of what documents were asked as it is meant after the question before."""
    last: EarlierTurn | None = inquiry.history[-1] if inquiry.history else None
    if last is None or not is_follow_up(inquiry.question, inquiry.schemas):
        return inquiry.question
    of_documents = bool(last.citations) or not inquiry.schemas
    before = last.standalone or last.question
    return gone_on(before, inquiry.question) if of_documents else inquiry.question


def _from_documents(read: PassageAnswer, asked: str) -> Analysis:
    """What passages say, as an answer."""
    answered = read.is_answer
    return Analysis(
        outcome=Outcome.ANSWERED if answered else Outcome.ABSTAINED,
        text=read.text,
        citations=read.citations,
        notes=read.notes,
        confidence=read.confidence if answered else 0.0,
        validation=Validation(
            verdict=Answerability.DIRECT if answered else Answerability.UNANSWERABLE,
            text=read.text,
            confidence=read.confidence,
            standalone=asked,
            lessons=read.lessons,
        ),
    )


def _tells_little(analysis: Analysis, asked: str) -> bool:
    """Whether databases gave no rows, or nothing of them but their keys, which nobody asked for."""
    keys = words("names.keys_asked")
    only_keys = keys.isdisjoint(token.lower for token in tokenise(asked)) and all(
        split_name(column)[-1:] in {(key,) for key in keys} for column in analysis.columns
    )
    return analysis.outcome is Outcome.ANSWERED and (not analysis.rows or only_keys)


def _is_silent(analysis: Analysis) -> bool:
    return analysis.outcome is Outcome.ABSTAINED and not analysis.steps


def _with_nearest(analysis: Analysis, read: PassageAnswer) -> Analysis:
    """That neither databases nor documents hold it."""
    return analysis.model_copy(update={"text": f"{analysis.text} {read.text}"})


def _joined(answers: Sequence[Analysis]) -> Analysis:
    """One answer out of those to the halves; its rows are those of the half that has some."""
    with_rows = next((one for one in answers if one.steps), answers[0])
    citations, texts = list(answers[0].citations), [answers[0].text]
    for one in answers[1:]:
        text = one.text
        for cited in reversed(one.citations):
            text = text.replace(f"[{cited.number}]", f"[{cited.number + len(citations)}]")
        citations += (
            c.model_copy(update={"number": c.number + len(citations)}) for c in one.citations
        )
        texts.append(text)
    unanswered = [one for one in answers if one.outcome is not Outcome.ANSWERED]
    text = " ".join(texts)
    proposal = with_rows.proposal
    if proposal is not None:
        written = " ".join(one.text for one in answers if one is not with_rows)
        proposal = proposal.model_copy(update={"answer": f"{written} {proposal.answer}"})
    return with_rows.model_copy(
        update={
            "outcome": unanswered[0].outcome if unanswered else Outcome.ANSWERED,
            "text": text,
            "proposal": proposal,
            "citations": tuple(citations),
            "notes": tuple(dict.fromkeys(note for one in answers for note in one.notes)),
            "confidence": min(one.confidence for one in answers),
        }
    )


def halves_of(question: str) -> tuple[str, ...]:
    """The questions that a question is put together from; itself alone where it asks for one thing.

    >>> halves_of("What is our return deadline, and how many orders were returned last month?")
    ('What is our return deadline?', 'How many orders were returned last month?')
    >>> halves_of("Which customers live in Berlin and have no order?")
    ('Which customers live in Berlin and have no order?',)
    """
    text = " ".join(question.split())
    parts = [part.strip(" ,;.?!") for part in _SEAM.split(text)]
    parts = [part for part in parts if part]
    sizes = [sum(token.is_word for token in tokenise(part)) for part in parts]
    opens = re.match(rf"(?:{_OPENING})\b", text, re.IGNORECASE)
    if len(parts) != 2 or min(sizes) < _LEAST or opens is None:
        return (question,)
    return tuple(f"{part[0].upper()}{part[1:]}?" for part in parts)
