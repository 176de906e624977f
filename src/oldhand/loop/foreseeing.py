"""What something that was learned changes: the earlier questions that would now be answered otherwise.

Questions are only read, with it and without it, which takes the built-in mind milliseconds each; nothing is asked of
the databases but the values that are looked up anyway, and nothing is recorded.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from oldhand.agent.analysis.mind import Validation
from oldhand.agent.analyst.precedents.statements import statements
from oldhand.errors import OldhandError
from oldhand.learning.notes import Learned
from oldhand.loop.ground import LoopPart
from oldhand.loop.rehearsing import Rehearsal, fits, shares_words
from oldhand.query.form import Query
from oldhand.query.normal import same
from oldhand.record.feedback import Feedback
from oldhand.record.memory import ExamplePayload, Memory, MemoryType
from oldhand.record.phrases import question_key
from oldhand.record.receipt import Consequences, Otherwise
from oldhand.record.rehearsal import RehearsalSetup
from oldhand.record.shortening import SHOWN_ID
from oldhand.record.stage import is_shown, may_be_shown

MOST = 50
"""Earlier questions that are looked at, confirmed ones first; at most half of them are these."""
SECONDS = 2.0
"""After which no further question is looked at."""
_OPPOSED = "It goes against what was learned before, which still holds elsewhere: {}. To take that out: `oldhand memory retire {}`."
_PER_QUESTION = 4
"""Answers that are looked through for each question, since the same is asked again and again."""


@dataclass(frozen=True)
class Foreseeing(LoopPart):
    """Tells what changes for the earlier questions of one clone. Methods block."""

    rehearsal: Rehearsal
    breaks: Callable[[Memory, Memory], bool]
    """Whether a lesson alone makes the answer to a question wrong that was just confirmed."""

    def planned(self, learned: Learned, question: str) -> Consequences:
        """What would change if that were learned of a question; it is not yet."""
        ids = {*(one.id for one in learned.saved), *learned.withdrawn}
        before = self.store.known_memories(self.clone_id, [*ids])
        gone = tuple(versions[-1] for versions in before.values())
        after = RehearsalSetup(_usable(learned.saved), frozenset(ids))
        return self._compared(RehearsalSetup(), after, (*learned.saved, *gone), question)

    def done(self, learned: Learned, question: str) -> Consequences:
        """What has changed now that it is learned of a question."""
        known = self.store.known_memories(
            self.clone_id, [*(one.id for one in learned.saved), *learned.withdrawn]
        )
        back = [known[one][-1] for one in learned.withdrawn if one in known]
        back += [known[one.id][-2] for one in learned.saved if len(known.get(one.id, ())) > 1]
        before = RehearsalSetup(_usable(back), frozenset(one.id for one in learned.saved))
        return self._compared(before, RehearsalSetup(), (*learned.saved, *back), question)

    def opposed(self, feedback: Feedback, learned: Learned) -> str:
        """The lessons behind an answer that its correction goes against, and how to take them out."""
        pair = next((one for one in learned.saved if isinstance(one.payload, ExamplePayload)), None)
        if pair is None or not feedback.corrects:
            return ""
        rested = self.store.episode(self.clone_id, feedback.episode_id).answer.lessons
        kept = self.store.lessons.kept(self.clone_id, rested)
        lessons = [one.memory for one in kept.values() if not one.forgotten]
        lessons += [one for one in self._of_the_question(pair) if one.id not in kept]
        return " ".join(
            _OPPOSED.format(one.summary.rstrip("."), one.id[:SHOWN_ID])
            for one in filter(_is_carried_out, lessons)
            if self.breaks(one, pair)
        )

    def _of_the_question(self, pair: Memory) -> Iterator[Memory]:
        """The rules in force that came of earlier corrections of the same question."""
        asked = (
            question_key(pair.payload.question) if isinstance(pair.payload, ExamplePayload) else ""
        )
        known = self.store.memories(self.clone_id, type=MemoryType.SEMANTIC, limit=None)
        for one in filter(_is_carried_out, known):  # of the others no answers need be read
            answers = (
                self.store.episode(self.clone_id, episode).answer
                for episode in one.provenance.episode_ids[:_PER_QUESTION]
            )
            if any(question_key(it.standalone or it.question) == asked for it in answers):
                yield one

    def _compared(
        self,
        before: RehearsalSetup,
        after: RehearsalSetup,
        changed: Sequence[Memory],
        question: str,
    ) -> Consequences:
        """How the earlier questions are read before and after, those left out that nothing of it can matter to."""
        if not changed or not self.rehearsal.turn.mind.foresees:
            return Consequences()
        began, pairs = self.clock.monotonic(), self._pairs()
        found: list[Otherwise] = []
        earlier = islice(self._earlier(question, pairs), MOST)
        asked = [one for one in earlier if any(fits(it, one) for it in changed)]
        # There may be no time for all: those that a rule speaks of come first.
        rules = [it for it in changed if it.effect is not None]
        ruled = any(may_be_shown(it) for it in rules)
        asked.sort(key=lambda one: not any(shares_words(it, one) for it in rules))
        for number, one in enumerate(asked):
            if self.clock.monotonic() - began >= SECONDS:
                return _in_order(found, looked_at=number, of=len(asked))
            try:
                pair = pairs.get(question_key(one))
                otherwise = self._otherwise(one, pair, before, after, ruled=ruled)
            except OldhandError:
                continue  # what can't be asked now tells nothing
            found += [otherwise] if otherwise is not None else []
        return _in_order(found, looked_at=len(asked), of=len(asked))

    def _earlier(self, question: str, pairs: Mapping[str, Memory]) -> Iterator[str]:
        """The confirmed questions, then the newest distinct ones that stand alone, but for the one that was judged."""
        newest = self.store.episodes(self.clone_id, limit=MOST * _PER_QUESTION)
        confirmed = [getattr(one.payload, "question", "") for one in pairs.values()][: MOST // 2]
        seen = {question_key(question)}
        for asked in (*confirmed, *(one.answer.standalone for one in newest)):
            if asked and (key := question_key(asked)) not in seen:
                seen.add(key)
                yield asked

    def _pairs(self) -> dict[str, Memory]:
        """The confirmed pairs by their questions."""
        kept = self.store.memories(self.clone_id, type=MemoryType.EXAMPLE, limit=1_000)
        return {
            question_key(one.payload.question): one
            for one in kept
            if isinstance(one.payload, ExamplePayload)
        }

    def _otherwise(
        self,
        question: str,
        pair: Memory | None,
        before: RehearsalSetup,
        after: RehearsalSetup,
        *,
        ruled: bool,
    ) -> Otherwise | None:
        """How a question is answered otherwise; None when it is not.

        Where rules change, the pair that was confirmed for the very question is left out: with it nothing else could ever
        come out, though the same question in other words would suffer. It counts only if it was right and is no longer.
        Where none does, such as of a rule that waits, that pair answers the other words, too.
        """
        own = frozenset({pair.id} if pair is not None and ruled else ())
        was, now = (
            asyncio.run(
                self.rehearsal.foreseen(question, RehearsalSetup(it.shown, it.hidden | own))
            )
            for it in (before, after)
        )
        if (was.verdict, was.query) == (now.verdict, now.query):
            return None
        if pair is not None and not (self._is(was, pair) and not self._is(now, pair)):
            return None
        return Otherwise(
            question=question, before=was.query, after=now.query, confirmed=pair is not None
        )

    def _is(self, read: Validation, pair: Memory) -> bool:
        """Whether a question was read as it was confirmed."""
        payload, known = pair.payload, statements(self.rehearsal.turn.catalog.schemas())
        if not isinstance(payload, ExamplePayload) or read.query is None or payload.sql is None:
            return False
        one, other = known.query(read.query, None), known.query(payload.sql, payload.database)
        return isinstance(one, Query) and isinstance(other, Query) and same(one, other)


def _usable(memories: Sequence[Memory]) -> tuple[Memory, ...]:
    return tuple(one for one in memories if may_be_shown(one))


def _in_order(found: Sequence[Otherwise], *, looked_at: int, of: int) -> Consequences:
    """Confirmed ones first."""
    ordered = sorted(found, key=lambda one: not one.confirmed)
    return Consequences(otherwise=tuple(ordered), looked_at=looked_at, of=of)


def _is_carried_out(memory: Memory) -> bool:
    return memory.effect is not None and is_shown(memory)
