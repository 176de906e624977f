"""How a choice is shown, and what is asked where it stays open."""

from collections.abc import Mapping, Sequence

from oldhand.agent.analysis.analysis import Analysis
from oldhand.agent.analysis.mind import Inquiry
from oldhand.agent.deliberation.candidates import Group, in_both, only_in
from oldhand.agent.deliberation.choosing import Chosen
from oldhand.agent.deliberation.voices import DECIDING, ModelDecision, VoiceHeard
from oldhand.models.quoting import cell_text
from oldhand.query.describing.describing import describe
from oldhand.query.lifting import lift
from oldhand.query.opaque import Opaque
from oldhand.record.answer import AnswerChoice, CandidateAnswer, CandidateGroup, Outcome
from oldhand.record.base import Row
from oldhand.settings import Effort
from oldhand.sources.databases.withholding import private_texts

_OPEN = "the question can be meant either way"


def choice_of(
    effort: Effort, heard: Sequence[VoiceHeard], chosen: Chosen | None, voice: str, because: str
) -> AnswerChoice:
    """What is shown of a choice."""
    groups = chosen.groups if chosen else ()
    numbers = {
        member.voice: number for number, one in enumerate(groups, 1) for member in one.members
    }
    return AnswerChoice(
        effort=effort,
        candidates=tuple(_answer_of(one, numbers.get(one.voice)) for one in heard),
        groups=tuple(_group_of(groups, place, chosen) for place in range(len(groups)) if chosen),
        chosen=voice,
        because=because,
    )


def reason_of(chosen: Chosen) -> str:
    """What decided."""
    groups, best = chosen.groups, chosen.groups[0]
    if any(member.voice == DECIDING for member in best.members):
        return "a call decided between the two likeliest groups"
    if len(groups) > 1:
        return "most speaks for the rows of its group"
    return "all rows agree" if len(best.members) > 1 else "no other statement brought rows"


def asking_back(
    inquiry: Inquiry,
    heard: Sequence[VoiceHeard],
    chosen: Chosen,
    by_voice: Mapping[str, VoiceHeard],
    decision: ModelDecision,
) -> Analysis:
    """The question to the person, where two answers remain; later prompts repeat it, so it tells what models may see."""
    speakers = [by_voice[group.spokesman.voice] for group in chosen.groups[:2]]
    first, second = (one.found.last.shown_rows for one in speakers)
    row, other = only_in(first, second), only_in(second, first)
    asked = decision.question or _asked(row or other, (first, second))
    validation = speakers[0].found.thinking.validation
    return Analysis(
        outcome=Outcome.CLARIFY,
        text=asked,
        options=_options(inquiry, speakers, row, other),
        notes=validation.notes,
        confidence=chosen.confidence,
        choice=choice_of(inquiry.effort, heard, chosen, "", _OPEN),
        validation=validation,
    )


def _asked(row: Row | None, found: tuple[Sequence[Row], Sequence[Row]]) -> str:
    """The question to the person in our own words; a lone value, or one of another kind, is no row that counts or does not."""
    lone = any(len(rows) == 1 and len(rows[0]) == 1 for rows in found)
    if row is None or lone or (all(found) and not in_both(*found)):
        return "The question can be read in two ways. Which one is meant?"
    if all(in_both([row], rows) for rows in found):
        return f"Should {_said(row)} be shown once, or as often as it occurs?"
    return f"Does {_said(row)} count?"


def _options(
    inquiry: Inquiry, speakers: Sequence[VoiceHeard], row: Row | None, other: Row | None
) -> tuple[str, ...]:
    """The two readings in words; where these are the same or unknown, by a row that tells them apart."""
    said = [_reading(one, inquiry) for one in speakers]
    if all(said) and len(set(said)) == len(said):
        return tuple(said)
    told = _said(row or other or ())
    both = (f"{inquiry.question} With {told}.", f"{inquiry.question} Without {told}.")
    return () if not told else both if row else both[::-1]


def _reading(heard: VoiceHeard, inquiry: Inquiry) -> str:
    step = heard.found.done[-1].query
    schema = inquiry.schema(step.database)
    if schema is None or len(heard.found.done) > 1 or private_texts(step.sql, schema):
        return ""
    query = lift(step.sql, schema)
    return "" if isinstance(query, Opaque) else describe(query, inquiry.schemas)


def _answer_of(heard: VoiceHeard, group: int | None) -> CandidateAnswer:
    if heard.has_rows:
        last = heard.found.last
        return CandidateAnswer(
            voice=heard.voice, sql=last.sql, row_count=last.row_count, group=group
        )
    if heard.error is not None:
        return CandidateAnswer(
            voice=heard.voice, says=f"{type(heard.error).__name__}: {heard.error}"
        )
    if heard.worked_out is None:
        return CandidateAnswer(voice=heard.voice, says="It was not done in time.")
    if heard.worked_out.done:
        query = heard.worked_out.done[-1].query
        says = query.failures[-1].error if query.failures else "No statement ran."
        return CandidateAnswer(voice=heard.voice, sql=query.sql, says=says)
    return CandidateAnswer(voice=heard.voice, says=heard.found.thinking.validation.text)


def _group_of(groups: Sequence[Group], place: int, chosen: Chosen) -> CandidateGroup:
    one = groups[place]
    other = groups[0 if place else 1] if len(groups) > 1 else None
    row = None if other is None else only_in(one.rows, other.rows)
    return CandidateGroup(
        number=place + 1,
        voices=tuple(member.voice for member in one.members),
        share=min(chosen.shares[place], 1.0),
        only_here=row,
        repeated=row is not None and other is not None and in_both([row], other.rows),
    )


def _said(row: Row) -> str:
    """A row in words."""
    return ", ".join(cell_text(cell) for cell in row)
