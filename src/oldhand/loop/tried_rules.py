"""Rules on trial: the recent questions that they would change."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass

from oldhand.agent.analysis.mind import Answerability, Validation
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem, tokenise
from oldhand.lexicon.wordlists import word_lists
from oldhand.loop.ground import LoopPart
from oldhand.loop.rehearsing import Rehearsal
from oldhand.record.base import Record
from oldhand.record.rehearsal import RehearsalSetup
from oldhand.record.semantics import DefaultDate, DefaultJoin, RowFilter, Rule, Semantics

RECENT = 200
"""Answers that are looked through for questions to try a rule on."""
TRIED = 30
"""Different questions that a rule is tried on."""


class ChangedAnswer(Record):
    """A question that a rule changes."""

    question: str
    before: str
    """How it is read now; empty where it isn't answered."""
    after: str
    """How it is read with the rule."""


@dataclass(frozen=True)
class TriedRules(LoopPart):
    """Tries rules on the recent questions of one home."""

    rehearsal: Rehearsal

    async def on_recent(
        self, rules: dict[str, Semantics], changed: Collection[Rule]
    ) -> tuple[int, tuple[ChangedAnswer, ...]]:
        """How many recent questions, to which rules that change can matter, were read with and without; and those that differ."""
        if not self.rehearsal.turn.mind.foresees:
            return 0, ()
        read = self.store.episodes
        recent = await asyncio.to_thread(read, self.clone_id, None, None, RECENT)
        asked = dict.fromkeys(one.answer.standalone or one.answer.question for one in recent)
        asked = [one for one in asked if any(_matters(rule, one) for rule in changed)]
        tried, changes = 0, list[ChangedAnswer]()
        for question in asked[:TRIED]:
            before = await self.rehearsal.foreseen(question, RehearsalSetup())
            after = await self.rehearsal.foreseen(question, RehearsalSetup(semantics=rules))
            tried += 1
            said = _reading(before), _reading(after)
            if any(said) and not self.rehearsal.alike(before, after):
                changes.append(ChangedAnswer(question=question, before=said[0], after=said[1]))
        return tried, tuple(changes)


def _matters(rule: Rule, question: str) -> bool:
    """Whether a rule can change how a question is read: one that names something, where a word of the name occurs."""
    if isinstance(rule, RowFilter | DefaultDate | DefaultJoin):
        return True
    words = {stem(word) for word in split_name(rule.name)}
    own = words - {stem(word) for word in split_name(rule.table)} or words
    known = word_lists().synonyms
    own = own.union(*(known.get(word, ()) for word in own))
    return not own.isdisjoint(token.stem for token in tokenise(question))


def _reading(validation: Validation) -> str:
    """How a question is read, with what rules do to it."""
    if validation.verdict is not Answerability.ANSWERABLE:
        return ""
    said = [note.removeprefix("Read as: ") for note in validation.notes if "Read as: " in note]
    rules = [note for note in validation.notes if note.startswith("By a rule")]
    return " ".join((*said[:1], *rules))
