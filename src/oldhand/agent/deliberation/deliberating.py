"""The answer of several voices: each works it out, rows are compared, one answer is chosen and put into words.

What it costs is bounded by the effort: no voice asks another one, and what is decided is decided once.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from oldhand.agent.analysis.analysis import Analysis
from oldhand.agent.analysis.attempts import AnalysisWorkplace
from oldhand.agent.analysis.mind import RUNNING, Answerability, Inquiry
from oldhand.agent.deliberation.candidates import ResultShape, RowsCandidate, StatementShape
from oldhand.agent.deliberation.choosing import Chosen, choose
from oldhand.agent.deliberation.telling import asking_back, choice_of, reason_of
from oldhand.agent.deliberation.voices import (
    ANALYST,
    DECIDING,
    ModelDecision,
    VoiceHeard,
    Voices,
    all_heard,
    hear_aside,
)
from oldhand.errors import ModelError, ModelUnavailable, PromptError
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import tokenise
from oldhand.record.answer import Outcome
from oldhand.record.schema import DatabaseSchema, Table
from oldhand.record.situation import Intent, intent_of
from oldhand.settings import BUILTIN, Effort
from oldhand.sources.databases import QueryResult
from oldhand.sources.databases.sql_issues import SqlIssue, StatementReading, read_query
from oldhand.sources.databases.sql_issues.naming import NameMeaning

CLEAR = 0.9
"""How much must speak for a group of rows so that no call decides."""
_DIFFERS = "The built-in analyst reads it otherwise and comes to other rows."
_AWAY = "The language model could not be asked ({}): the built-in analyst answered instead."
_ALONE = "No statement of the language model ran: this is the built-in analyst's answer."
_ADDING = (exp.Sum, exp.Avg)
_COMPARING = (exp.Predicate, exp.In, exp.Between, exp.Func)
_AGAIN = "Write it otherwise if that is not what the question asks for; else give the same statement again."


@dataclass(frozen=True)
class Deliberation:
    """Answers with a language model and the built-in analyst."""

    voices: Voices

    async def answer(
        self, inquiry: Inquiry, workplace: AnalysisWorkplace, falls_back: bool
    ) -> Analysis:
        """Work out candidates, choose one, and put it into words.

        Args:
            inquiry: The question.
            workplace: What analyses work with.
            falls_back: Whether the built-in analyst answers when the model can't be reached, where the settings allow it.

        Raises:
            OldhandError: as `analyse`, when none of the model's voices came to an end.
        """
        aside = hear_aside(ANALYST, self.voices.analyst, inquiry, workplace)
        analyst_task = asyncio.create_task(aside)
        try:
            looking = replace(workplace, review=review_rows)
            heard = await all_heard(self.voices.asked(inquiry), inquiry, looking)
            analyst = await self._awaited(analyst_task, workplace.settings.query.seconds)
        finally:
            analyst_task.cancel()
        ended = [one for one in heard if one.error is None]
        if not ended:
            return await self._without_model(heard[0], analyst, inquiry, workplace, falls_back)
        if (silent := _silent(ended)) is not None:
            analysis = await silent.found.told(workplace.observe)
            return _with_choice(analysis, inquiry, [*heard, analyst], None, silent.voice)
        return await self._chosen(inquiry, workplace, heard, analyst)

    async def _awaited(self, task: "asyncio.Task[VoiceHeard]", seconds: float) -> VoiceHeard:
        """What the analyst worked out; an index that is still being built keeps nobody waiting for long."""
        await asyncio.wait([task], timeout=seconds)
        return task.result() if task.done() else VoiceHeard(ANALYST)

    async def _without_model(
        self,
        first: VoiceHeard,
        analyst: VoiceHeard,
        inquiry: Inquiry,
        workplace: AnalysisWorkplace,
        falls_back: bool,
    ) -> Analysis:
        """The analyst's answer, when the model is away; else the error."""
        assert first.error is not None, "no voice came to an end"
        if not (
            falls_back
            and workplace.settings.models.fallback
            and isinstance(first.error, ModelUnavailable)
            and analyst.worked_out is not None
        ):
            raise first.error
        _replay(analyst, workplace)
        analysis = await analyst.found.told(workplace.observe)
        note = _AWAY.format(f"{type(first.error).__name__}: {first.error}")
        told = {"notes": (note, *analysis.notes), "answered_by": BUILTIN}
        analysis = _with_choice(analysis, inquiry, [first, analyst], None, ANALYST, because=note)
        return analysis.model_copy(update=told)

    async def _chosen(
        self,
        inquiry: Inquiry,
        workplace: AnalysisWorkplace,
        heard: list[VoiceHeard],
        analyst: VoiceHeard,
    ) -> Analysis:
        with_rows = [one for one in (*heard, analyst) if one.has_rows]
        if not with_rows:
            analysis = await next(one for one in heard if one.worked_out).found.told(
                workplace.observe
            )
            return _with_choice(analysis, inquiry, [*heard, analyst], None, heard[0].voice)
        by_voice = {one.voice: one for one in with_rows}
        candidates = [_candidate(one, inquiry) for one in with_rows]
        chosen, decision = choose(candidates), None
        if (
            inquiry.effort is Effort.THOROUGH
            and len(chosen.groups) > 1
            and chosen.shares[0] < CLEAR
        ):
            decision = await self._decided(inquiry, chosen, by_voice)
        if decision is not None and decision.choice == "open":
            return asking_back(inquiry, [*heard, analyst], chosen, by_voice, decision)
        if decision is not None:
            picked = chosen.groups[0 if decision.choice == "first" else 1].spokesman
            chosen = choose([*candidates, replace(picked, voice=DECIDING, sure=None)])
        answer = next(m for m in _ranked(chosen) if m.voice in by_voice)
        told = [*heard, analyst]
        return await _told(inquiry, workplace, told, chosen, answer.voice, reason_of(chosen))

    async def _decided(
        self, inquiry: Inquiry, chosen: Chosen, by_voice: dict[str, VoiceHeard]
    ) -> ModelDecision | None:
        """What the model decides; None when it can't, for the choice stands without it."""
        first, second = (by_voice[group.spokesman.voice] for group in chosen.groups[:2])
        try:
            return await self.voices.decider.decide(inquiry, first, second)
        except (ModelError, PromptError):
            return None


def _candidate(heard: VoiceHeard, inquiry: Inquiry) -> RowsCandidate:
    """What a choice needs to know; texts that are not there were looked for when the statement was written."""
    found = heard.found
    statements = [(step.query.sql, inquiry.schema(step.query.database)) for step in found.done]
    shapes = [StatementShape.of(sql, s.dialect if s else "duckdb") for sql, s in statements]
    tables = frozenset(
        table
        for shape, (_, schema) in zip(shapes, statements, strict=True)
        for table in (shape.tables if schema is not None else ())
    )
    own = heard.voice == ANALYST
    return RowsCandidate(
        voice=heard.voice,
        rows=found.last.rows,
        result=ResultShape.of(found.last.rows, len(found.last.columns)),
        statement=replace(shapes[-1], tables=tables),
        sure=found.thinking.validation.confidence if own else None,
        absent=any(step.draft.doubts for step in found.done),
    )


def _silent(ended: Sequence[VoiceHeard]) -> VoiceHeard | None:
    """The voice that speaks for the model when most of its voices ask back, refuse, or need no rows."""
    silent = [one for one in ended if one.found.thinking.validation.verdict not in RUNNING]
    return silent[0] if 2 * len(silent) > len(ended) else None


def _ranked(chosen: Chosen) -> Sequence[RowsCandidate]:
    """Members of the chosen group, its spokesman first."""
    first = chosen.groups[0]
    return (first.spokesman, *first.members)


def _replay(heard: VoiceHeard, workplace: AnalysisWorkplace) -> None:
    for event in heard.events:
        workplace.observe(event)


async def _told(
    inquiry: Inquiry,
    workplace: AnalysisWorkplace,
    heard: Sequence[VoiceHeard],
    chosen: Chosen,
    voice: str,
    because: str,
) -> Analysis:
    """The chosen answer in words, with the confidence that agreement gives it."""
    speaker = next(one for one in heard if one.voice == voice)
    _replay(speaker, workplace)
    analysis = await speaker.found.told(workplace.observe)
    analysis = _with_choice(analysis, inquiry, heard, chosen, voice, because=because)
    if analysis.outcome not in (Outcome.ANSWERED, Outcome.PROPOSED):
        return analysis
    told: dict[str, object] = {"confidence": chosen.confidence}
    analyst = heard[-1]
    if voice == ANALYST:
        told["answered_by"] = BUILTIN
        if not any(one.has_rows for one in heard[:-1]):
            analysis = _with_choice(analysis, inquiry, heard, chosen, voice, because=_ALONE)
            told["notes"] = (_ALONE, *analysis.notes)
    elif _is_answer(analyst) and ANALYST not in {m.voice for m in chosen.groups[0].members}:
        told["notes"] = (*analysis.notes, _DIFFERS)
    return analysis.model_copy(update=told)


def _is_answer(heard: VoiceHeard) -> bool:
    answerable = Answerability.ANSWERABLE
    return heard.has_rows and heard.found.thinking.validation.verdict is answerable


def _with_choice(
    analysis: Analysis,
    inquiry: Inquiry,
    heard: Sequence[VoiceHeard],
    chosen: Chosen | None,
    voice: str,
    *,
    because: str = "no rows to compare",
) -> Analysis:
    choice = choice_of(inquiry.effort, heard, chosen, voice, because)
    return analysis.model_copy(update={"choice": choice})


# What is odd about the rows of a statement: told once to the mind that wrote it.
def review_rows(sql: str, found: QueryResult, schema: DatabaseSchema, question: str, /) -> str:
    """What is odd about these rows, by rule; empty when nothing is."""
    reading = read_query(sql, schema)
    if isinstance(reading, SqlIssue):
        return ""
    said = [
        *_nothing(found),
        *_names_read_as_text(reading),
        *_added_up_repeatedly(reading),
        *_counted_after_a_limit(reading),
        *_without_order(reading, found, question),
    ]
    return "\n".join([*said, _AGAIN]) if said else ""


def _nothing(found: QueryResult) -> Iterator[str]:
    if not any(found.values):
        yield "It ran, but brought no rows."
    elif all(cell is None for row in found.values for cell in row):
        yield "It ran, but brought nothing but NULL."


def _names_read_as_text(reading: StatementReading) -> Iterator[str]:
    """SQLite reads a name in double quotes that does not exist as a text, and says nothing."""
    for use, found in reading.meanings:
        beside_a_column = isinstance(use.column.parent, _COMPARING)
        if found.meaning is NameMeaning.TEXT and not beside_a_column:
            yield f'There is no column "{use.name}": SQLite reads it as a text, the same in every row.'


def _added_up_repeatedly(reading: StatementReading) -> Iterator[str]:
    """A sum over a table whose rows a join repeats, once for each row that points to them."""
    for node in reading.all(*_ADDING):
        select = node.parent_select
        column = node.this
        name = reading.meaning.get(id(column))
        table = next((one.table for one in name.sources if one.table), None) if name else None
        if table is None or select is None or not select.args.get("joins"):
            continue
        joined = [one for one in select.find_all(exp.Table) if one.parent_select is select]
        for other in _known(joined, reading.schema):
            if any(key.table.casefold() == table.name.casefold() for key in other.foreign_keys):
                yield f"{reading.written(node)} adds up each row of {table.name} once for each row of {other.name} that belongs to it."


def _known(nodes: Sequence[exp.Table], schema: DatabaseSchema) -> Iterator[Table]:
    for node in nodes:
        table = schema.table(node.name)
        if table is not None:
            yield table


def _counted_after_a_limit(reading: StatementReading) -> Iterator[str]:
    """An aggregate over rows that a limit has cut."""
    tree = reading.tree
    source = tree.args.get("from_") or tree.args.get("from")
    inner = source.this if isinstance(source, exp.From) else None
    cut = isinstance(inner, exp.Subquery) and inner.this.args.get("limit") is not None
    if cut and isinstance(tree, exp.Select) and any(one.find(exp.AggFunc) for one in tree.selects):
        yield "It aggregates rows that LIMIT has cut before."


def _without_order(reading: StatementReading, found: QueryResult, question: str) -> Iterator[str]:
    """Rows in no order, where the question asks for one."""
    asked = {token.lower for token in tokenise(question)} & words("sorting.orders")
    ranks = bool(asked) or (bool(question) and intent_of(question) is Intent.RANKING)
    extreme = any(reading.all(exp.Max, exp.Min, exp.Window))
    if ranks and len(found.values) > 1 and not extreme and reading.tree.args.get("order") is None:
        yield "The question asks for an order, and the statement has no ORDER BY."
