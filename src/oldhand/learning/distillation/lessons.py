"""A proposal becomes a lesson: a memory in the record of its type, named for what it says."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

from oldhand.learning.distillation.likeness import TextGist, gist_of
from oldhand.learning.distillation.places import detail_of, place_of
from oldhand.learning.lifecycle.confidence import initial_confidence
from oldhand.learning.lifecycle.quarantine import KEPT_FIELDS, REJECTED
from oldhand.learning.lifecycle.scanning import findings
from oldhand.record.base import texts_in
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.effect import Effect
from oldhand.record.feedback import TRUSTED, Source
from oldhand.record.memory import (
    BugFixPayload,
    ChecklistPayload,
    Memory,
    MemoryType,
    PreferencePayload,
    Provenance,
    SemanticPayload,
)
from oldhand.record.proposal import LessonProposal, ProposedType
from oldhand.record.shortening import shortened
from oldhand.record.stage import (
    BY_HAND,
    DISTILLED,
    PINNED,
    REVIEWED,
    SUGGESTION,
    Stage,
    is_shown,
)

UNTRUSTED = "it rests only on words of people we don't know"
"""Why a lesson waits for the owner that nobody else stands for."""
MOST_EVIDENCE = 100
"""Answers that a lesson names as its evidence; further ones make it no surer."""


class ProposalKind(NamedTuple):
    """What a proposal of one type becomes."""

    memory: MemoryType
    id: str
    """What its id begins with."""
    tag: str
    begins: str
    """What its summary begins with."""
    field: str
    """Of its record, which holds the text."""


KINDS: dict[ProposedType, ProposalKind] = {
    "semantic": ProposalKind(MemoryType.SEMANTIC, "rule", "rule", "Rule", "rule"),
    "prompt": ProposalKind(MemoryType.SEMANTIC, "suggestion", SUGGESTION, "Suggestion", "rule"),
    "checklist": ProposalKind(MemoryType.CHECKLIST, "checklist", "procedure", "Procedure", "step"),
    "preference": ProposalKind(
        MemoryType.PREFERENCE, "preference", "preference", "Preference", "value"
    ),
    "bug_fix": ProposalKind(MemoryType.BUG_FIX, "bug", "bug", "Fixed", "fix"),
}
_STRENGTH = (Source.EXTERNAL, Source.MODEL, Source.EXECUTION, Source.EVALUATOR, Source.EXPERT, Source.OWNER)  # fmt: skip


@dataclass(frozen=True)
class Proposed:
    """A proposal with the reflection that it stands in."""

    proposal: LessonProposal
    reflection: Memory

    @property
    def user_id(self) -> str:
        """Whose the lesson becomes: preferences are of one person, all else is of everybody."""
        return self.reflection.user_id if self.proposal.type == "preference" else DEFAULT_USER

    @property
    def gist(self) -> TextGist:
        """What it says."""
        return gist_of(self.proposal.text)

    @cached_property
    def place(self) -> str:
        """What it is compared within: proposals of other places are never the same, nor do they contradict."""
        one = self.proposal
        about = None if one.effect is None else place_of(one.effect)
        condition = " ".join((one.applies_when or "").split())
        return json.dumps([one.type, self.user_id, about or _tag(one.domain), condition])

    @cached_property
    def lesson_id(self) -> str:
        """The id of the lesson that it becomes where none says the same: equal content has an equal id."""
        effect = self.proposal.effect
        says = self.gist.key if effect is None else detail_of(effect)
        digest = sha256(f"{self.place}\n{says}".encode(errors="surrogatepass")).hexdigest()
        return f"{KINDS[self.proposal.type].id}-{digest[:16]}"


def lesson_of(lesson_id: str, proposed: Sequence[Proposed]) -> Memory:
    """The lesson that several proposals of the same content become.

    The first one of those who are trusted most gives the text.
    """
    first = proposed[0]
    one = _told_by(proposed).proposal
    kind = KINDS[one.type]
    tags = tuple(dict.fromkeys((kind.tag, DISTILLED, *filter(None, [_tag(one.domain)]))))
    bare = Memory(
        type=kind.memory,
        id=lesson_id,
        clone_id=first.reflection.clone_id,
        user_id=first.user_id,
        created_at=first.reflection.created_at,
        confidence=initial_confidence(0),
        tags=(*tags, Stage.CANDIDATE.value),
        summary=_summary(one),
        provenance=Provenance(source=Source.EXTERNAL),
        effect=one.effect,
        payload=_payload(one),
    )
    return with_evidence(bare, proposed)


def restated(memory: Memory, proposed: Sequence[Proposed]) -> Memory:
    """The lesson in the words of who is trusted more, once they say it, too: what strangers or models put into it is not shown by their word."""
    best = _told_by(proposed)
    if _rank(best.proposal.source) <= _rank(memory.provenance.source):
        return memory
    said = lesson_of(memory.id, [best])
    kept = memory.payload.model_dump(include={"evidence", "supersedes", *KEPT_FIELDS})
    status = tuple(tag for tag in memory.tags if tag in _STATUS)
    plain = tuple(tag for tag in said.tags if tag not in _STATUS)
    payload = type(said.payload).model_validate({**said.payload.model_dump(), **kept})
    changes = {"summary": said.summary, "effect": said.effect, "payload": payload, "tags": (*plain, *status)}  # fmt: skip
    return memory.model_copy(update=changes)


def _told_by(proposed: Sequence[Proposed]) -> Proposed:
    """The first of those whose words are shown by the word of the fewest others."""
    return max(proposed, key=lambda one: _rank(one.proposal.source))


def _rank(source: Source) -> int:
    """Whose words stand when several say the same: those of a model before a stranger's, and any others before these."""
    return min(_STRENGTH.index(source), 2)


def is_known_now(before: Memory, after: Memory) -> bool:
    """Whether somebody says it by now whose words stand before those it was told in."""
    return _rank(after.provenance.source) > _rank(before.provenance.source)


def with_evidence(memory: Memory, proposed: Sequence[Proposed]) -> Memory:
    """The lesson with what speaks for it in addition; its text stays."""
    before = memory.provenance.episode_ids
    added = {one.proposal.episode_id: one.proposal for one in proposed}
    new = [one for one in added if one not in before]
    ids = (*before, *new)[:MOST_EVIDENCE]
    strongest = max(
        (memory.provenance.source, *(one.proposal.source for one in proposed)), key=_STRENGTH.index
    )
    grown = initial_confidence(len(ids)) - initial_confidence(len(before))
    told = [one.proposal.rater for one in proposed if one.proposal.source is strongest in TRUSTED]
    rater = next(filter(None, reversed(told)), memory.provenance.rater)
    changes: dict[str, object] = {
        "provenance": memory.provenance.model_copy(
            update={"source": strongest, "rater": rater, "episode_ids": ids}
        ),
        "confidence": round(max(0.0, min(1.0, memory.confidence + grown)), 4),
    }
    if not before and not is_shown(memory):  # it was taken back, and is said anew
        changes["created_at"] = proposed[0].reflection.created_at
    payload = memory.payload
    if isinstance(payload, SemanticPayload):
        lines = (*payload.evidence, *(_evidence(added[one]) for one in new if one in ids))
        changes["payload"] = payload.model_copy(update={"evidence": lines})
    return memory.model_copy(update=changes)


def without_evidence(memory: Memory, episode_id: str) -> Memory:
    """The lesson without what one answer said for it."""
    ids = tuple(one for one in memory.provenance.episode_ids if one != episode_id)
    provenance = memory.provenance.model_copy(update={"episode_ids": ids})
    payload = memory.payload
    if isinstance(payload, SemanticPayload):
        lost = f"{episode_id}:"
        lines = tuple(one for one in payload.evidence if not f"{one}:".startswith(lost))
        payload = payload.model_copy(update={"evidence": lines})
    return memory.model_copy(update={"provenance": provenance, "payload": payload})


def trust_in(memory: Memory) -> int:
    """How much the word counts that a lesson rests on: 2 for people we know, 1 for machines, 0 for others."""
    source = memory.provenance.source
    return 2 if source in TRUSTED else 0 if source is Source.EXTERNAL else 1


def texts_of(memory: Memory) -> str:
    """All of a lesson that a mind may get to read, for the scan."""
    fields = memory.payload.model_dump(mode="json", exclude={"evidence", "test_case", "source"})
    effect = None if memory.effect is None else memory.effect.model_dump(mode="json")
    parts = [memory.summary, *texts_in(fields), *texts_in(effect), *memory.tags]
    return "\n".join(dict.fromkeys(parts))


def _payload(one: LessonProposal) -> SemanticPayload | ChecklistPayload | PreferencePayload | BugFixPayload:  # fmt: skip
    known: dict[str, object] = {KINDS[one.type].field: one.text}
    if one.applies_when:
        known["applies_when"] = one.applies_when
    match one.type:
        case "checklist":
            shown = tuple(filter(None, (one.failure, one.test)))
            return ChecklistPayload.model_validate(
                {**known, "domain": one.domain, "examples": shown}
            )
        case "preference":
            key = one.domain or "answers"
            return PreferencePayload.model_validate({**known, "key": key, "context": one.failure})
        case "bug_fix":
            said = {"failure": one.failure, "root_cause": one.root_cause}
            return BugFixPayload.model_validate({**known, **said, "test_case": one.test or None})
        case "semantic" | "prompt":
            return SemanticPayload.model_validate(known)


_SUMMARY_CHARS = 120
_NAME = re.compile(r"[\w .:-]{1,80}")


def _summary(one: LessonProposal) -> str:
    line = " ".join((one.failure or one.text if one.type == "bug_fix" else one.text).split())
    return f"{KINDS[one.type].begins}: {shortened(line, _SUMMARY_CHARS)}"


def _evidence(one: LessonProposal) -> str:
    """The answer, and what was wrong with it: unless that is nothing to be read by a mind."""
    reason = " ".join((one.failure or one.root_cause).split())[:200]
    return f"{one.episode_id}: {reason}" if reason and not findings(reason) else one.episode_id


def said_by(memory: Memory) -> tuple[ProposedType, str, str] | None:
    """Type, text and domain of the proposal that a lesson came from; None for what is no lesson."""
    kinds: list[ProposedType] = [name for name, kind in KINDS.items() if kind.memory is memory.type]
    if not kinds:
        return None
    kind = kinds[-1] if SUGGESTION in memory.tags else kinds[0]
    domain = next((tag for tag in memory.tags if tag not in _OTHER_TAGS), "")
    return kind, str(getattr(memory.payload, KINDS[kind].field)), domain


def in_words(memory: Memory, text: str, effect: Effect | None = None) -> Memory | None:
    """The lesson in other words, which say what it does to queries where it does; None for what is no lesson.

    >>> from oldhand.testing.records import example_memory
    >>> in_words(example_memory(kind=MemoryType.SEMANTIC), "Round to cents").summary
    'Rule: Round to cents'
    """
    said = said_by(memory)
    if said is None or (memory.effect is None) is not (effect is None):
        return None
    kind, line = KINDS[said[0]], " ".join(text.split())
    payload = type(memory.payload).model_validate({**memory.payload.model_dump(), kind.field: line})
    summary = f"{kind.begins}: {shortened(line, _SUMMARY_CHARS)}"
    return memory.model_copy(update={"payload": payload, "summary": summary, "effect": effect})


_STATUS = frozenset({BY_HAND, REVIEWED, REJECTED, PINNED, *Stage})
"""Tags of what has become of a lesson; the others say what it is about."""
_OTHER_TAGS = frozenset({DISTILLED, *_STATUS, *(kind.tag for kind in KINDS.values())})


def _tag(domain: str) -> str:
    """A name as a tag; what is no plain name becomes none."""
    name = " ".join(domain.split()).casefold()
    return name if _NAME.fullmatch(name) else ""
